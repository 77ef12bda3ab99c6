"""The loops of matrix-free products as machine code; needs numba (the extra ``fast``), see `compiling`.

Two things are better than in numpy and scipy. A row of a sparse product gathers several entries at once, which takes
indices that are known not to be negative and a sum in any order: half the time. And the reward kernel on states is one
loop over rewards in order, with no array of their size in between: a quarter.

Cumulative sums are made of short sums: of ``B`` terms, of ``B`` such sums, and so on, with ``B`` the third root of
their number, so that no number passes through more than some ``3 B`` additions.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from tabular_krope.extras import needed

if TYPE_CHECKING:
    Numbers = np.ndarray[Any, np.dtype[Any]]

    def machine_code(types: str, free: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """A function of such arguments as machine code; its sums may be made in any order where it is ``free``."""
        ...
else:
    Numbers = np.ndarray
    numba = needed("numba")
    #: I: indices of either size, F: numbers that are read, W: numbers that are written.
    _KINDS = {
        "I": [numba.types.Array(kind, 1, "C", readonly=True) for kind in (numba.u4, numba.u8)],
        "F": [numba.types.Array(numba.f8, 1, "C", readonly=True)] * 2,
        "W": [numba.f8[::1]] * 2,
        "f": [numba.f8] * 2,
        "n": [numba.i8] * 2,
    }

    def machine_code(types, free=False):
        """As above."""
        signatures = [tuple(_KINDS[name][size] for name in types) for size in range(2)]
        loose = {"reassoc", "nsz", "arcp"} if free else set()
        return numba.njit(signatures, nogil=True, cache=True, error_model="numpy", fastmath=loose | {"contract"})


@machine_code("IIFFW", free=True)
def add_product(ends: Numbers, columns: Numbers, entries: Numbers, v: Numbers, out: Numbers) -> None:
    """``out += A v`` for CSR ``A``, whose row ``i`` has the entries from ``ends[i]`` to ``ends[i + 1]``.

    Args:
        ends: [n + 1], columns: [nnz], both of one unsigned type.
        entries: [nnz], v: [m], out: [n].
    """
    for i in range(len(out)):
        total = 0.0
        for j in range(ends[i], ends[i + 1]):
            total += entries[j] * v[columns[j]]
        out[i] += total


@machine_code("IFFFWn")
def add_integrals(where: Numbers, weights: Numbers, steps: Numbers, e: Numbers, out: Numbers, B: int) -> Any:
    r"""``out[where_l] += w_l H_l`` with masses $w_l e_l$ at ``where`` and sums $F_l$ of those up to l; H_end and F_end.

    $H_l = \sum_{j<l} \Delta_j F_j$, with steps $\Delta$.

    Args:
        where: places in ``e`` and ``out``, unsigned, weights, steps: all in the order of rewards, [n].
        e, out: [m].
        B: terms of a short sum.
    """
    n, F0, H0 = len(where), 0.0, 0.0
    for a in range(0, n, B * B):
        F1, H1 = 0.0, 0.0
        for b in range(a, min(a + B * B, n), B):
            before, integral = F0 + F1, H0 + H1
            F, H = 0.0, 0.0
            for k in range(b, min(b + B, n)):
                place, weight = where[k], weights[k]
                out[place] += weight * (integral + H)
                F += weight * e[place]
                H += steps[k] * (before + F)
            F1 += F
            H1 += H
        F0 += F1
        H0 += H1
    return H0, F0


@machine_code("IFFFfn")
def squared_integral(where: Numbers, weights: Numbers, steps: Numbers, e: Numbers, total: float, B: int) -> float:
    r"""$\sum_l \Delta_l (F_l^2 + (F - F_l)^2)$ with the ``total`` mass F, arguments as for `add_integrals`."""
    n, F0, H0 = len(where), 0.0, 0.0
    for a in range(0, n, B * B):
        F1, H1 = 0.0, 0.0
        for b in range(a, min(a + B * B, n), B):
            before, F, H = F0 + F1, 0.0, 0.0
            for k in range(b, min(b + B, n)):
                F += weights[k] * e[where[k]]
                below = before + F
                H += steps[k] * (below * below + (total - below) * (total - below))
            F1 += F
            H1 += H
        F0 += F1
        H0 += H1
    return H0
