"""Raw transitions as blocks of base features."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tabular_krope.arrays import Array, frozen_array, refuse_where
from tabular_krope.closed_form.blocks import Block, Source
from tabular_krope.errors import KropeError

PARTS = ("s", "a", "r", "s_next", "a_next", "done", "weights")


def featurized(blocks: Source, base: Callable[[Array], Any]) -> Callable[[], Iterator[Block]]:
    """Blocks of raw transitions turned into blocks for `feature_space_krope_stream`, one at a time.

    Args:
        blocks: tuples ``(s, a, r, s_next, a_next)`` and, if there are any, ``done`` and ``weights``: states [n, k] or
            [n], actions [n, l] or [n], the next action drawn from the target policy. A list or a function that returns
            an iterator.
        base: from inputs [n, k + l], state and action side by side, to features [n, p].

    Returns:
        A function without arguments; each call goes through the data again. Successors are zero where ``done``.

    >>> raw = [([0, 1], [0, 0], [0.0, 1.0], [1, 1], [0, 0], [False, True])]
    >>> for Psi, Psi_next, r, weights in featurized(raw, lambda x: x[:, :1] + 1)():
    ...     print(Psi.T, Psi_next.T, r, weights)
    [[1. 2.]] [[2. 0.]] [0. 1.] [1. 1.]
    """
    if not callable(base):
        raise KropeError(f"base must be a function from inputs to features; got {type(base).__name__}")

    def again() -> Iterator[Block]:
        for k, block in enumerate(blocks() if callable(blocks) else blocks):
            yield _features(block, base, f"blocks[{k}]")

    return again


def _features(block: Any, base: Callable[[Array], Any], name: str) -> Block:
    if not isinstance(block, tuple | list) or not 5 <= len(block) <= len(PARTS):
        size = f"{len(block)} parts" if isinstance(block, tuple | list) else type(block).__name__
        raise KropeError(f"{name} must be ({', '.join(PARTS[:5])}) and perhaps done and weights; got {size}")
    parts = dict(zip(PARTS, block, strict=False))
    r = frozen_array(parts["r"], f"{name}.r", (None,))
    n = len(r)
    now, after = (
        np.hstack([_columns(parts[part], f"{name}.{part}", n) for part in pair])
        for pair in (("s", "a"), ("s_next", "a_next"))
    )
    done = frozen_array(np.zeros(n) if parts.get("done") is None else parts["done"], f"{name}.done", (n,))
    refuse_where(~np.isin(done, (0, 1)), done, f"{name}.done", "be true or false")
    Psi = frozen_array(base(now), f"base of {name}", (n, None))
    Psi_next = (1.0 - done)[:, None] * frozen_array(base(after), f"base of {name}", Psi.shape)
    weights = frozen_array(np.ones(n) if parts.get("weights") is None else parts["weights"], f"{name}.weights", (n,))
    return Psi, Psi_next, r, weights


def _columns(value: Any, name: str, n: int) -> Array:
    array = np.asarray(value)
    return frozen_array(array.reshape(n, 1) if array.shape == (n,) else array, name, (n, None))


#: Its name before the spelling was American; it stays.
featurised = featurized
