"""Inner products of long vectors, in stretches so short that BLAS starts no threads of its own.

A BLAS thread waits for more work by turning in a circle, on a core that `threads` has use for: features took twice as
much CPU time beside them. Sums over stretches do not depend on the threads, and round less than one long sum.
"""

from typing import Any

import numpy as np

from tabular_krope.arrays import Array

#: Entries of a stretch: what BLAS adds in one thread, and the first cache holds.
STRETCH = 2**13


def inner(a: Array, B: Array) -> Any:
    """``a' B`` for a [n] and B [n] or [n, k]: a number or [k].

    >>> float(inner(np.ones(20_000), np.full(20_000, 0.5)))
    10000.0
    """
    if B.ndim == 2:
        return a @ B
    whole = len(a) - len(a) % STRETCH
    many = np.vecdot(a[:whole].reshape(-1, STRETCH), B[:whole].reshape(-1, STRETCH)) if whole else np.zeros(1)
    return many.sum() + np.vecdot(a[whole:], B[whole:])


def length(v: Array) -> float:
    """The Euclidean norm of v [n].

    >>> length(np.array([3.0, 4.0]))
    5.0
    """
    return float(np.sqrt(inner(v, v)))
