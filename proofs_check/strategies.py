"""Hypothesis strategies for models, policies, features and data weights: for anyone's property suite.

Everything drawn is valid by construction; nothing is filtered. Probabilities are small integers over their sum, rewards
and features small integers, so that a failing example shrinks to a model that can be read: few pairs, one successor,
rewards zero. Periodic, reducible, absorbing and ending chains, tied and constant rewards, ``gamma = 0``, kernels of
deficient rank and weights that vanish are all within easy reach.

    from hypothesis import given
    from proofs_check.strategies import mrps

    @given(mrps())
    def test_values_are_bounded(mrp):
        assert abs(mrp.q).max() <= abs(mrp.r).max() * mrp.horizon + 1e-9
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat
from hypothesis import strategies as st

from tabular_krope.arrays import Array, require_count
from tabular_krope.exact.rationals import rational_vector
from tabular_krope.metrics.partition import Partition
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP
from tabular_krope.models.policy import Policy

#: Discount factors, simplest first: an example shrinks towards the front.
GAMMAS = ("1/2", "0", "9/10", "1/3", "99/100")
#: Largest integer weight of a successor.
LARGEST_WEIGHT = 3
#: Largest modulus of a reward or of a feature.
LARGEST_NUMBER = 3


@st.composite
def rational_mrps(
    draw: st.DrawFn,
    max_states: int = 4,
    max_actions: int = 2,
    ending: bool | None = None,
    gammas: Sequence[Any] = GAMMAS,
) -> ExactMRP:
    """Reward processes over the rationals.

    Args:
        max_states, max_actions: largest S and A; the process has X = S*A pairs.
        ending: whether episodes may end; drawn if None.
        gammas: discount factors to choose from, simplest first; anything that reads as a rational, below 1.

    >>> from hypothesis import find
    >>> find(rational_mrps(), lambda mrp: mrp.n_pairs == 2).P_pi.table()
    [[1, 0], [1, 0]]
    """
    S, A = _sizes(draw, max_states, max_actions)
    stops = draw(st.booleans()) if ending is None else ending
    laws = draw(st.tuples(*[_laws(S + stops)] * (S * A)))
    P = fmpq_mat(S * A, S, [law[s] for law in laws for s in range(S)])
    end = [law[S] if stops else fmpq(0) for law in laws]
    Pi = fmpq_mat(S, S * A)
    for s, law in enumerate(draw(st.tuples(*[_laws(A)] * S))):
        for a, p in enumerate(law):
            Pi[s, s * A + a] = p
    r = [fmpq(value) for value in draw(_numbers(S * A))]
    gamma = draw(st.sampled_from(rational_vector(gammas, "gammas")))
    return ExactMRP(P, Pi, tuple(r), gamma, tuple(end))


@st.composite
def mrps(
    draw: st.DrawFn,
    max_states: int = 4,
    max_actions: int = 2,
    ending: bool | None = None,
    gammas: Sequence[Any] = GAMMAS,
) -> MRP:
    """Reward processes in floats: `rational_mrps`, rounded.

    >>> from hypothesis import find
    >>> find(mrps(), lambda mrp: True).P
    array([[1.]])
    """
    return draw(rational_mrps(max_states, max_actions, ending, gammas)).to_float()


@st.composite
def mdps(
    draw: st.DrawFn,
    max_states: int = 4,
    max_actions: int = 2,
    ending: bool | None = None,
    gammas: Sequence[Any] = GAMMAS,
) -> MDP:
    """Markov decision processes in floats; arguments as for `rational_mrps`.

    >>> from hypothesis import find
    >>> find(mdps(), lambda mdp: mdp.n_actions == 2).P.shape
    (1, 2, 1)
    """
    S, A = _sizes(draw, max_states, max_actions)
    stops = draw(st.booleans()) if ending is None else ending
    laws = _floats(draw(st.tuples(*[_laws(S + stops)] * (S * A))))
    r = draw(_numbers(S * A))
    gamma = draw(st.sampled_from(rational_vector(gammas, "gammas")))
    return MDP(
        P=laws[:, :S].reshape(S, A, S),
        r=np.array(r, dtype=np.float64).reshape(S, A),
        gamma=int(gamma.p) / int(gamma.q),
        end=laws[:, S].reshape(S, A) if stops else np.zeros((S, A)),
    )


@st.composite
def policies(draw: st.DrawFn, n_states: int, n_actions: int) -> Policy:
    """Policies, stochastic or deterministic; for the policies of a drawn model use ``flatmap``.

    >>> from hypothesis import find
    >>> find(policies(2, 2), lambda policy: True).probs
    array([[1., 0.],
           [1., 0.]])
    """
    return Policy(_floats(draw(st.tuples(*[_laws(n_actions)] * require_count(n_states, "n_states")))))


@st.composite
def features(draw: st.DrawFn, n_pairs: int, max_columns: int | None = None) -> Array:
    """Features with small integer entries, [n_pairs, d]; of any rank, zero included.

    Args:
        n_pairs: number of rows.
        max_columns: largest d; n_pairs if None.

    >>> from hypothesis import find
    >>> find(features(2), lambda phi: np.linalg.matrix_rank(phi) == 2).shape
    (2, 2)
    """
    X = require_count(n_pairs, "n_pairs")
    d = draw(st.integers(1, X if max_columns is None else require_count(max_columns, "max_columns")))
    return np.array(draw(_numbers(X * d)), dtype=np.float64).reshape(X, d)


@st.composite
def weights(draw: st.DrawFn, n_pairs: int, positive: bool = False) -> Array:
    """Data distributions over pairs, [n_pairs], with sum 1; they may vanish on pairs unless ``positive``.

    >>> from hypothesis import find
    >>> find(weights(3), lambda D: True), find(weights(2, positive=True), lambda D: True)
    (array([1., 0., 0.]), array([0.5, 0.5]))
    """
    X = require_count(n_pairs, "n_pairs")
    if not positive:
        return _floats([draw(_laws(X))])[0]
    parts = np.array(draw(st.tuples(*[st.integers(1, LARGEST_WEIGHT)] * X)), dtype=np.float64)
    return parts / parts.sum()


def partitions(n: int) -> st.SearchStrategy[Partition]:
    """Partitions of ``n`` elements; shrink towards one block.

    >>> from hypothesis import find
    >>> find(partitions(3), lambda partition: len(partition) == 2).blocks
    ((0, 1), (2,))
    """
    n = require_count(n, "n")
    return st.lists(st.integers(0, n - 1), min_size=n, max_size=n).map(lambda labels: Partition(np.array(labels)))


def _sizes(draw: st.DrawFn, max_states: int, max_actions: int) -> tuple[int, int]:
    most_states, most_actions = require_count(max_states, "max_states"), require_count(max_actions, "max_actions")
    return draw(st.integers(1, most_states)), draw(st.integers(1, most_actions))


@cache
def _laws(n: int) -> st.SearchStrategy[tuple[fmpq, ...]]:
    """Distributions on ``n`` points: one point, or small integers over their sum, one of which is surely positive."""
    points = st.integers(0, require_count(n, "n") - 1)
    if n == 1:
        return st.just((fmpq(1),))
    parts = st.tuples(*[st.integers(0, LARGEST_WEIGHT)] * n)
    return points.map(lambda sure: _law(sure, (0,) * n)) | st.builds(_law, points, parts)


def _law(sure: int, parts: tuple[int, ...]) -> tuple[fmpq, ...]:
    whole = sum(parts) + 1
    return tuple(fmpq(part + (k == sure), whole) for k, part in enumerate(parts))


@cache
def _numbers(n: int) -> st.SearchStrategy[tuple[int, ...]]:
    """``n`` small integers; shrink towards 0, and to 1 rather than -1."""
    return st.tuples(*[st.integers(-LARGEST_NUMBER, LARGEST_NUMBER)] * n)


def _floats(rows: Sequence[Sequence[fmpq]]) -> Array:
    return np.array([[int(p.p) / int(p.q) for p in row] for row in rows])
