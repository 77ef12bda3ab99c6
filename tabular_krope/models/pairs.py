"""State-action pairs as a list: which state and which action each pair has, where action sets differ by state."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabular_krope.errors import KropeError

Indices = NDArray[np.int64]


def every_pair(S: int, A: int) -> tuple[Indices, Indices]:
    """States and actions of all pairs, in the order ``x = s*A + a``.

    >>> every_pair(2, 2)
    (array([0, 0, 1, 1]), array([0, 1, 0, 1]))
    """
    return _frozen(np.repeat(np.arange(S), A)), _frozen(np.tile(np.arange(A), S))


def listed_pairs(states: Any, actions: Any, X: int, S: int, names: Any = None) -> tuple[Indices, Indices, Indices]:
    """States and actions of ``X`` pairs, sorted by state and action, and the order that sorts them.

    Every state must have an action, no pair may be there twice.

    >>> listed_pairs([1, 0, 0], [0, 1, 0], X=3, S=2)
    (array([0, 0, 1]), array([0, 1, 0]), array([2, 1, 0]))
    """
    s = _indices(states, "pair_state", X, S)
    a = _indices(actions, "pair_action", X, None if names is None else len(names))
    order = np.lexsort((a, s)).astype(np.int64)
    s, a = s[order], a[order]
    twice = (np.diff(s) == 0) & (np.diff(a) == 0)
    if twice.any():
        x = int(np.argmax(twice))
        raise KropeError(f"every pair must be given once; got pair (s={s[x]}, a={a[x]}) twice")
    idle = np.bincount(s, minlength=S) == 0
    if idle.any():
        raise KropeError(f"every state must have at least one action; got none for state {int(np.argmax(idle))}")
    return _frozen(s), _frozen(a), order


def action_names(names: Any, least: int, exactly: bool = False) -> tuple[str, ...] | None:
    """Names of the actions, different texts, at least (or exactly) ``least`` of them; None if there are none.

    >>> action_names(["left", "right"], 2)
    ('left', 'right')
    """
    if names is None:
        return None
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        raise KropeError(f"action_names must be a list of texts; got {names!r}")
    texts = tuple(str(name) for name in names)
    if len(set(texts)) < len(texts):
        twice = next(name for name in texts if texts.count(name) > 1)
        raise KropeError(f"action_names must differ from each other; got {twice!r} twice")
    if len(texts) < least or (exactly and len(texts) > least):
        raise KropeError(f"action_names must name the {least} actions; got {len(texts)}")
    return texts


def _indices(value: Any, name: str, X: int, below: int | None) -> Indices:
    array = np.asarray(value if value is not None else [])
    if array.shape != (X,) or not np.issubdtype(array.dtype, np.integer):
        raise KropeError(f"{name} must be {X} integers, one for each pair; got {array.dtype} of shape {array.shape}")
    bad = (array < 0) | (array >= (np.iinfo(np.int32).max if below is None else below))
    if bad.any():
        x = int(np.argmax(bad))
        limit = "be at least 0" if below is None else f"lie in 0..{below - 1}"
        raise KropeError(f"{name}[{x}] must {limit}; got {array[x]}")
    return array.astype(np.int64)


def _frozen(array: Indices) -> Indices:
    array.flags.writeable = False
    return array
