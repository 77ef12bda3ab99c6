"""Offline policy evaluation as rows: features of every transition, of its successor under a policy, and of the starts.

What differs between tabular and continuous data ends here: downstream there are only rows.
"""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabular_krope.arrays import Array, Matrix, frozen_array
from tabular_krope.closed_form.base_features import FourierFeatures, OneHotFeatures
from tabular_krope.data.continuous import ContinuousDataset
from tabular_krope.data.dataset import Dataset
from tabular_krope.data.target import Target, by_the_target, tabular_target
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.bootstrap import MOST_RESOLVED
from tabular_krope.evaluation.pair_rows import PairRows, pair_rows

#: Numbers in an array of features: more would not fit beside its copies in a few gigabytes.
MOST_NUMBERS = 2**27
#: Random Fourier features, unless asked for otherwise.
FOURIER = 128


@dataclass(frozen=True, slots=True, eq=False)
class Base:
    """Features of the rows that are a known function of states and actions.

    Attributes:
        name: in words.
        function: of inputs, one-hot pairs or random waves.
        columns: which of its features are used; all if None.
        rows: features of the rows, of their successors and of the starts; None where they are the problem's own, or
            where ``pairs`` says it all.
        pairs: the rows by their numbers, for one-hot features of many pairs.
        table: given features of all pairs, [S*A, d].
    """

    name: str
    function: FourierFeatures | OneHotFeatures
    columns: NDArray[np.int64] | None = None
    rows: tuple[Array, Array, Array] | None = None
    pairs: PairRows | None = None
    table: Array | None = None


@dataclass(frozen=True, slots=True, eq=False)
class OfflineProblem:
    """What LSPE on data needs: features of each row and of what follows it, rewards, episodes and starts.

    Attributes:
        Phi, Phi_next: features of the rows and of their successors under the target policy, [n, d]; sparse for one-hot
            features of more than 128 pairs (if gamma is below 1).
        r: rewards, [n].
        gamma: discount factor.
        starts: features of starts under the target policy, [m, d].
        start_weights: their distribution, [m].
        episodes: number of the episode of each row, [n].
        base: other features of the same rows, from which better ones can be made; None if there are none, or if they
            would be the same.
        features, policy, start: what these are, in words.
        uncovered: share of the target policy's steps, after the data's transitions, to pairs without data; None if
            that cannot be said (continuous data).
        own: what ``Phi`` is a function of, where that is known.
    """

    Phi: Matrix
    Phi_next: Matrix
    r: Array
    gamma: float
    starts: Array
    start_weights: Array
    episodes: NDArray[np.int64]
    base: Base | None
    features: str
    policy: str
    start: str
    uncovered: float | None = None
    own: Base | None = None

    @property
    def pairs(self) -> PairRows | None:
        """The rows by their numbers, where the features are one-hot and sparse."""
        return None if self.own is None else self.own.pairs


def offline_problem(
    data: Dataset | ContinuousDataset,
    policy: Any = None,
    features: Any = None,
    seed: Any = 0,
    next_actions: Any = None,
    first_actions: Any = None,
) -> OfflineProblem:
    """The rows of a data set.

    Args:
        data: a Dataset or a ContinuousDataset.
        policy: the target policy. Tabular: a Policy, [S, A] probabilities, "uniform" or "behavior" (the default: the
            data's own frequencies), or a function of a state (its name, where the data have names) that returns an
            action's number or [A] probabilities. Continuous: "behavior" (the next action in the data), a function of
            observations [n, p] that returns actions [n, k], or None for the ``next_actions`` or ``next_features`` of
            the data.
        features: Tabular: [S*A, d]; one-hot pairs if None. Continuous: (features, next_features) or (features,
            next_features, initial_features); those of the data if None, else random Fourier features.
        seed: of random Fourier features.
        next_actions: in the place of ``policy``, the target's action after each row: numbers [n], or [n, k].
        first_actions: with ``next_actions``, the target's action at the start of each episode in the data, in order:
            numbers [episodes], or [episodes, k]. Those of the data if None, which is said in ``start``.

    >>> data = Dataset(s=[0, 1], a=[0, 0], r=[0.0, 1.0], s_next=[1, 1], done=[False, True], n_states=2, n_actions=1,
    ...                gamma=0.9)
    >>> offline_problem(data).Phi_next
    array([[0., 1.],
           [0., 0.]])
    >>> offline_problem(data, policy=lambda state: 0).policy
    'given as a function'
    """
    if isinstance(data, Dataset):
        return _tabular(data, tabular_target(data, policy, next_actions, first_actions), features)
    if isinstance(data, ContinuousDataset):
        from tabular_krope.data.continuous_rows import continuous_problem

        data, policy = by_the_target(data, policy, next_actions, first_actions)
        return continuous_problem(data, policy, features, seed)
    raise KropeError(f"data must be a Dataset or a ContinuousDataset; got {type(data).__name__}")


def require_affordable(n: int, d: int) -> None:
    """Arrays of features that fit in memory."""
    if n * d > MOST_NUMBERS:
        raise KropeError(f"features must have at most {MOST_NUMBERS} entries, take fewer of them; got {n} x {d}")


def _tabular(data: Dataset, target: Target, features: Any) -> OfflineProblem:
    S, A = data.n_states, data.n_actions
    seen = (np.bincount(data.pairs, minlength=S * A) > 0).astype(np.float64)
    goes_on = ~data.done
    covered = target.matrix @ seen
    uncovered = float(np.maximum(1.0 - covered[target.after[goes_on]], 0.0).sum() / max(goes_on.sum(), 1))
    base = own = None
    if features is None:
        own = _one_hot(data, target)
        rows: Any = own.rows if own.pairs is None else _sparse_rows(own.pairs)
    else:
        table = frozen_array(features, "features", (S * A, None))
        require_affordable(len(data), table.shape[1])
        with suppress(KropeError):  # features that are not affordable are no base for better ones
            base = _one_hot(data, target)
        own, rows = Base("given", OneHotFeatures(S, A), table=table), _rows(data, target, table)
    Phi, Phi_next, starts = rows
    return OfflineProblem(
        Phi=Phi,
        Phi_next=Phi_next,
        r=data.r,
        gamma=data.gamma,
        starts=starts,
        start_weights=np.ones(1),
        episodes=data.episode_numbers,
        base=base,
        features="one-hot" if features is None else "given",
        policy=target.words,
        start=target.start,
        uncovered=uncovered,
        own=own,
    )


def _one_hot(data: Dataset, target: Target) -> Base:
    """One-hot features of the pairs that occur: those without data would be zero in every row."""
    known = (data.pairs, target.after, data.done, data.r, data.gamma, target.matrix, target.starts)
    pairs = pair_rows(*known)
    name, function = "one-hot pairs", OneHotFeatures(data.n_states, data.n_actions)
    if pairs.k > MOST_RESOLVED and data.gamma < 1:
        return Base(name, function, pairs.number, pairs=pairs)
    require_affordable(len(data), pairs.k)
    Phi, Phi_next, start = _sparse_rows(pairs)
    return Base(name, function, pairs.number, (Phi.toarray(), Phi_next.toarray(), start))


def _sparse_rows(pairs: PairRows) -> tuple[Matrix, Matrix, Array]:
    return (*pairs.features(), pairs.start[None, :])


def _rows(data: Dataset, target: Target, table: Array) -> tuple[Array, Array, Array]:
    """Features of rows, successors (averaged over the target's actions) and the mean start, from a table [S*A, d]."""
    Phi_next = np.asarray(target.matrix @ table)[target.after]
    Phi_next[data.done] = 0.0
    return table[data.pairs], Phi_next, (target.starts @ table)[None, :]
