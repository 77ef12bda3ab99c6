"""The Markov reward process that a data set estimates: counts divided by counts."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tabular_krope.arrays import Matrix
from tabular_krope.data.dataset import Dataset
from tabular_krope.errors import KropeError
from tabular_krope.models.garnet import DENSE_ENTRIES
from tabular_krope.models.mrp import MRP
from tabular_krope.models.policy import Policy


def empirical_mrp(dataset: Dataset, policy: Policy) -> MRP:
    """The chain of ``policy`` in the empirical MDP of the data.

    ``P[x, s']`` and ``end[x]`` are the shares of the transitions from pair ``x`` that lead to ``s'`` and that end,
    ``r[x]`` is their mean reward, ``weights[x]`` the share of ``x`` in the data, and ``d0 = dataset.d0 x policy``. A
    pair without data that the policy never needs gets weight 0, reward 0 and an end.

    Raises:
        KropeError: if the policy takes a pair without data, at the start or in a state that a transition reaches.

    >>> data = Dataset(s=[0, 0, 1], a=[0, 0, 0], r=[1.0, 2.0, 0.0], s_next=[0, 1, 1], done=[False, False, True],
    ...                n_states=2, n_actions=1, gamma=0.5)
    >>> mrp = empirical_mrp(data, Policy.uniform(2, 1))
    >>> mrp.P, mrp.end, mrp.r
    (array([[0.5, 0.5],
           [0. , 0. ]]), array([0., 1.]), array([1.5, 0. ]))
    """
    if not isinstance(dataset, Dataset):
        raise KropeError(f"dataset must be a Dataset; got {type(dataset).__name__}")
    if not isinstance(policy, Policy):
        raise KropeError(f"policy must be a Policy; got {type(policy).__name__}")
    S, A = dataset.n_states, dataset.n_actions
    if policy.probs.shape != (S, A):
        raise KropeError(f"policy must have shape ({S}, {A}) like the data; got {policy.probs.shape}")
    x = dataset.pairs
    count = np.bincount(x, minlength=S * A)
    _require_pairs(dataset, policy, count == 0)
    seen = np.maximum(count, 1)
    end = np.bincount(x, weights=dataset.done, minlength=S * A) / seen
    end[count == 0] = 1.0
    r = np.bincount(x, weights=dataset.r, minlength=S * A) / seen
    d0 = (dataset.d0[:, None] * policy.probs).reshape(-1)
    return MRP(_transitions(dataset, x, seen), policy.matrix(), r, dataset.gamma, end, d0, weights=count.astype(float))


def _transitions(dataset: Dataset, x: NDArray[np.int64], seen: NDArray[np.int64]) -> Matrix:
    X, S, goes_on = len(seen), dataset.n_states, ~dataset.done
    counts = sparse.csr_array((goes_on[goes_on].astype(float), (x[goes_on], dataset.s_next[goes_on])), shape=(X, S))
    counts.sum_duplicates()
    P = sparse.csr_array(sparse.diags_array(1.0 / seen) @ counts)
    return P if X * S > DENSE_ENTRIES else P.toarray()


def _require_pairs(dataset: Dataset, policy: Policy, unseen: NDArray[np.bool_]) -> None:
    reached = np.zeros(dataset.n_states, dtype=bool)
    reached[dataset.s_next[~dataset.done]] = True
    needed = (reached | (dataset.d0 > 0))[:, None] & (policy.probs > 0)
    missing = needed.reshape(-1) & unseen
    if missing.any():
        s, a = divmod(int(np.argmax(missing)), dataset.n_actions)
        when = f"after state {s}" if reached[s] else f"at the start in state {s}"
        raise KropeError(
            f"dataset must contain pair (s={s}, a={a}), which the policy takes {when}; got no transition from it"
        )
