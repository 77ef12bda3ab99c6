"""Policies, and data sets of transitions that a model allows."""

from typing import Any

import numpy as np
from hypothesis import strategies as st

from proofs_check.strategies.models import mdps
from proofs_check.strategies.wanted import LARGEST_WEIGHT
from tabular_krope.arrays import require_count
from tabular_krope.data.dataset import Dataset
from tabular_krope.errors import KropeError
from tabular_krope.models.mdp import MDP
from tabular_krope.models.policy import Policy


def policies(
    n_states: MDP | int, n_actions: int | None = None, *, deterministic: bool = False
) -> st.SearchStrategy[Policy]:
    """Policies for a model, ``policies(mdp)``, or for ``n_states`` states and ``n_actions`` actions.

    Args:
        n_states: an MDP, or S.
        n_actions: A; not with an MDP.
        deterministic: one action in each state; stochastic and deterministic ones otherwise.

    >>> from hypothesis import find
    >>> find(policies(2, 2), lambda policy: True).probs
    array([[1., 0.],
           [1., 0.]])
    """
    if isinstance(n_states, MDP):
        if n_actions is not None:
            raise KropeError(f"n_actions must be left out for the policies of an MDP; got {n_actions!r}")
        S, A = n_states.n_states, n_states.n_actions
    else:
        S, A = require_count(n_states, "n_states"), require_count(n_actions, "n_actions")
    if not isinstance(deterministic, bool):
        raise KropeError(f"deterministic must be True or False; got {deterministic!r}")
    if deterministic:
        return st.tuples(*[st.integers(0, A - 1)] * S).map(lambda chosen: Policy(np.eye(A)[list(chosen)]))
    state = st.tuples(*[st.integers(0, LARGEST_WEIGHT)] * A)
    return st.tuples(*[state] * S).map(_policy)


def _policy(weights: tuple[tuple[int, ...], ...]) -> Policy:
    counts = np.array(weights, dtype=np.float64)
    counts[:, 0] += counts.sum(axis=1) == 0
    return Policy(counts / counts.sum(axis=1, keepdims=True))


def datasets(mdp: MDP | None = None, *, max_rows: int = 8, **model: Any) -> st.SearchStrategy[Dataset]:
    """Transitions that a model allows, in any order and number: `tabular_krope.Dataset`.

    Args:
        mdp: the model; drawn if None.
        max_rows: largest number of transitions; at least one is drawn.
        model: arguments of `mdps`, for a model that is drawn.

    >>> from hypothesis import find
    >>> data = find(datasets(max_states=2), lambda data: data.done.any())
    >>> data.s, data.done, data.n_states
    (array([0]), array([ True]), 1)
    """
    most = require_count(max_rows, "max_rows")
    if mdp is None:
        return mdps(**model).flatmap(lambda drawn: _rows_of(drawn, most))
    if not isinstance(mdp, MDP):
        raise KropeError(f"mdp must be an MDP; got {type(mdp).__name__}")
    if model:
        raise KropeError(f"{next(iter(model))} must be left out for the data of a given MDP; got {mdp!r}")
    return _rows_of(mdp, most)


def _rows_of(mdp: MDP, most: int) -> st.SearchStrategy[Dataset]:
    pairs, ends = mdp.P_pairs, mdp.end.reshape(-1)
    after = [[*np.flatnonzero(_dense(pairs[[x]])), *([mdp.n_states] if ends[x] > 0 else [])] for x in range(len(ends))]
    row = st.tuples(st.integers(0, mdp.n_pairs - 1), st.integers(0, max(len(states) for states in after) - 1))

    def dataset(rows: list[tuple[int, int]]) -> Dataset:
        x = np.array([pair for pair, _ in rows])
        following = np.array([after[pair][k % len(after[pair])] for pair, k in rows])
        s, done = x // mdp.n_actions, following == mdp.n_states
        r, s_next = mdp.r.reshape(-1)[x], np.where(done, s, following)
        return Dataset(s, x % mdp.n_actions, r, s_next, done, mdp.n_states, mdp.n_actions, mdp.gamma, mdp.d0)

    return st.lists(row, min_size=1, max_size=most).map(dataset)


def _dense(row: Any) -> Any:
    return np.asarray(row.todense() if hasattr(row, "todense") else row).reshape(-1)
