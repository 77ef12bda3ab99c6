"""Transitions as blocks of rows: features, features of the successors, rewards, weights.

Every pass over the data goes through `Blocks`, whether the data are arrays in memory or come from elsewhere block by
block, so that nothing of size n by p is ever made.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tabular_krope.arrays import Array, distribution, frozen_array, refuse_where, shape_of
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.tall_qr import ROWS, rows_at_once

#: Psi [m, p], Psi_next [m, p], r [m], weights [m], all float64.
Block: TypeAlias = tuple[Array, Array, Array, Array]
Source: TypeAlias = Iterable[Any] | Callable[[], Iterable[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class ArrayBlocks:
    """Arrays in memory as blocks; single precision stays so until a block is taken.

    Attributes:
        Psi, Psi_next: [n, p].
        r: [n].
        weights: normalized, [n].
    """

    Psi: NDArray[Any]
    Psi_next: NDArray[Any]
    r: Array
    weights: Array

    @classmethod
    def of(cls, Psi: Any, Psi_next: Any, r: Any, weights: Any) -> "ArrayBlocks":
        """Checked arrays: shapes that fit, finite numbers, weights with a positive sum."""
        Psi = _matrix(Psi, "Psi", None)
        return cls(
            Psi,
            _matrix(Psi_next, "Psi_next", Psi.shape),
            frozen_array(r, "r", Psi.shape[:1]),
            distribution(weights, len(Psi)),
        )

    def __iter__(self) -> Iterator[Block]:
        step = rows_at_once(self.Psi.shape[1])
        for start in range(0, len(self.r), step):
            yield self.take(slice(start, start + step))

    def take(self, rows: Any) -> Block:
        """The given rows as a block, those without weight left out."""
        w = self.weights[rows]
        seen = w > 0
        parts = (self.Psi[rows][seen], self.Psi_next[rows][seen], self.r[rows][seen])
        Psi, Psi_next, r = (np.asarray(part, dtype=np.float64) for part in parts)
        return Psi, Psi_next, r, w[seen]


@dataclass(frozen=True, slots=True, eq=False)
class StreamedBlocks:
    """Blocks ``(Psi, Psi_next, r)`` or ``(Psi, Psi_next, r, weights)`` from a source that can be gone through again.

    Attributes:
        source: an iterable that is not its own iterator, or a function without arguments that returns an iterable.
    """

    source: Source

    def __post_init__(self) -> None:
        if not (callable(self.source) or isinstance(self.source, Iterable)):
            raise KropeError(f"blocks must be an iterable of blocks; got {type(self.source).__name__}")
        if isinstance(self.source, Iterator):
            raise KropeError(
                "blocks must be gone through several times: a list, or a function that returns an iterator; "
                f"got {type(self.source).__name__}"
            )

    def __iter__(self) -> Iterator[Block]:
        p: int | None = None
        for k, block in enumerate(self.source() if callable(self.source) else self.source):
            Psi, Psi_next, r, w = _checked(block, f"blocks[{k}]", p)
            p = Psi.shape[1]
            step = rows_at_once(p)
            for start in range(0, len(r), step):
                rows = slice(start, start + step)
                seen = w[rows] > 0
                yield Psi[rows][seen], Psi_next[rows][seen], r[rows][seen], w[rows][seen]


def _checked(block: Any, name: str, p: int | None) -> Block:
    if not isinstance(block, tuple | list) or len(block) not in (3, 4):
        size = f"{len(block)} parts" if isinstance(block, tuple | list) else type(block).__name__
        raise KropeError(f"{name} must be (Psi, Psi_next, r) or (Psi, Psi_next, r, weights); got {size}")
    Psi = frozen_array(block[0], f"{name}.Psi", (None, p))
    if Psi.shape[1] == 0:
        raise KropeError(f"{name}.Psi must have at least one column; got shape {Psi.shape}")
    r = frozen_array(block[2], f"{name}.r", Psi.shape[:1])
    w = frozen_array(np.ones(len(r)) if len(block) == 3 else block[3], f"{name}.weights", r.shape)
    refuse_where(~(w >= 0), w, f"{name}.weights", "be non-negative")
    return Psi, frozen_array(block[1], f"{name}.Psi_next", Psi.shape), r, w


def _matrix(value: Any, name: str, shape: tuple[int, ...] | None) -> NDArray[Any]:
    """A matrix of finite numbers with at least one row and column, not copied if it is an array of floats already."""
    if not (isinstance(value, np.ndarray) and value.dtype in (np.float32, np.float64)):
        value = frozen_array(value, name, (None, None))
    if value.ndim != 2 or 0 in value.shape:
        raise KropeError(
            f"{name} must be a matrix with at least one row and one column; got shape {shape_of(value, name)}"
        )
    if shape is not None and value.shape != shape:
        raise KropeError(f"{name} must have shape {shape} like Psi; got {value.shape}")
    for start in range(0, len(value), ROWS):
        bad = ~np.isfinite(value[start : start + ROWS])
        if bad.any():
            i, j = np.argwhere(bad)[0]
            raise KropeError(f"{name}[{start + i}, {j}] must be finite; got {value[start + i, j]:.10g}")
    return np.asarray(value)
