"""A tabular data set as rows of one-hot base features."""

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.closed_form.base_features import OneHotFeatures
from tabular_krope.data.dataset import Dataset
from tabular_krope.errors import KropeError
from tabular_krope.models.policy import Policy


def one_hot_rows(dataset: Dataset, policy: Policy) -> tuple[Array, Array, Array]:
    """``(Psi, Psi_next, r)`` for `feature_space_krope`: one-hot pairs, and their mean under the policy after each.

    Where a transition ended its episode the row of ``Psi_next`` is zero. Multiply ``Psi`` and ``Psi_next`` by any
    [S*A, p] matrix for other base features of the pairs.

    >>> data = Dataset(s=[0, 1], a=[0, 1], r=[0.0, 1.0], s_next=[1, 1], done=[False, True], n_states=2, n_actions=2,
    ...                gamma=0.9)
    >>> one_hot_rows(data, Policy.uniform(2, 2))[1]
    array([[0. , 0. , 0.5, 0.5],
           [0. , 0. , 0. , 0. ]])
    """
    if not isinstance(dataset, Dataset):
        raise KropeError(f"dataset must be a Dataset; got {type(dataset).__name__}")
    S, A = dataset.n_states, dataset.n_actions
    if not isinstance(policy, Policy) or policy.probs.shape != (S, A):
        got = policy.probs.shape if isinstance(policy, Policy) else type(policy).__name__
        raise KropeError(f"policy must be a Policy of shape ({S}, {A}) like the data; got {got}")
    Psi = OneHotFeatures(S, A)(np.stack([dataset.s, dataset.a], axis=1))
    Psi_next = np.zeros_like(Psi)
    goes_on = np.flatnonzero(~dataset.done)
    s = dataset.s_next[goes_on]
    for a in range(A):
        Psi_next[goes_on, s * A + a] = policy.probs[s, a]
    return Psi, Psi_next, dataset.r
