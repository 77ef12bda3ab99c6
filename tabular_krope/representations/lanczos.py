r"""Top eigenpairs of $D^{1/2} K D^{1/2}$ from products with ``K`` alone: Lanczos that checks itself.

With the basis ``V``, the images $F = K D^{1/2} V$ (kept or recovered) and $H = V^\top D^{1/2} F$ of `krylov`,
eigenpairs $(\theta, y)$ of ``H`` give

$$u = V y, \qquad \phi = K D^{1/2} u\,\theta^{-1/2} = F y\,\theta^{-1/2}, \qquad
  \|D^{1/2} K D^{1/2} u - \theta u\| = \|D^{1/2} F y - \theta V y\|,$$

so that neither the features nor their residuals cost a further product.

Started from one vector, Lanczos sees one eigenvector of each eigenspace, and a kernel with symmetries has larger ones.
So when the wanted pairs have converged, a fresh random vector is followed until it tells (`unseen`) that an eigenvalue
is missing among them, which sends Lanczos on with that vector in the basis, or that none is: nothing that was missed
lies above the last wanted value by more than the tolerance, except with probability `unseen.CHANCE` for each check,
over the draw of the vector. (Draws are seeded, so a kernel made to defeat them could; no other one is at risk.)
Where the remaining eigenvalues are well below the wanted ones, this takes five to seven products; where they crowd, as
many as a chain needs to tell them apart. If the products run out first, the pairs are returned with errors as large as
what is undecided. Products are counted one vector at a time.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.errors import KropeError
from tabular_krope.representations.krylov import EPS, Basis, Rows
from tabular_krope.representations.unseen import Unseen

TINY = float(np.finfo(np.float64).tiny)
#: Residual, relative to its eigenvalue, at which a pair has converged.
TOLERANCE = 1e-7
#: Products allowed: this many for each pair, and some.
MOST_PER_PAIR, MOST_MORE = 12, 200
#: Pairs whose features are finished together.
SLAB = 2**15


@dataclass(frozen=True, slots=True, eq=False)
class TopPairs:
    """Top eigenpairs and how good they are.

    Attributes:
        values: eigenvalues, decreasing, [d].
        Phi: features ``K D^1/2 u / sqrt(value)``, [X, d].
        residuals: norms of ``D^1/2 K D^1/2 u - value u``, [d].
        errors: bounds on the eigenvalues' errors, but for the chance of `unseen` and the errors of ``image``, [d].
        products: single-vector products with ``K``.
    """

    values: Array
    Phi: Array
    residuals: Array
    errors: Array
    products: int


def top_pairs(image: Callable[[Array], Array], root: Array, d: int, tolerance: float = TOLERANCE) -> TopPairs:
    r"""The ``d`` largest eigenpairs of $D^{1/2} K D^{1/2}$, or all of them if its rank is smaller.

    Args:
        image: the product with a symmetric positive semidefinite ``K``, [X] to [X].
        root: square roots of the weights, $D^{1/2}$, [X].
        d: how many pairs, at most X.
        tolerance: wanted residuals, relative to their eigenvalues; never below rounding of the largest eigenvalue.

    >>> K = np.diag([4.0, 1.0, 4.0])
    >>> found = top_pairs(lambda v: K @ v, np.ones(3), 2)
    >>> found.values.round(12), found.products
    (array([4., 4.]), 3)
    """
    most = MOST_PER_PAIR * d + MOST_MORE
    basis = Basis(image, root, np.random.default_rng(0))
    while True:
        values, Y, allowed = _converged(basis, d, tolerance, most)
        if not basis.room:
            return _finished(basis, values, Y, np.zeros(min(d, basis.size)))
        check = Unseen(basis, values, Y, d, float(values[d - 1] + allowed[-1]))
        check.step()
        while check.open and basis.size < most:
            check.step()
        if not check.found:
            # From the basis before the check, whose pairs are known to have converged.
            return _finished(basis, values, Y, check.gaps())


def _converged(basis: Basis, d: int, tolerance: float, most: int) -> tuple[Array, Array, Array]:
    """Ritz pairs after as many products as the top ``d`` need, and the residuals allowed to those."""
    while basis.room and basis.size <= d:
        basis.grow()
    while True:
        values, Y = basis.ritz()
        allowed = np.maximum(tolerance * values[:d], rounding(len(basis.root)) * values[0] + TINY)
        ratios = basis.estimates(Y[:, :d]) / allowed
        if not basis.room or np.all(ratios <= 1):
            return values, Y, allowed
        if basis.size >= most:
            raise KropeError(
                f"Lanczos must reach residuals of {tolerance:.3g} of the eigenvalues within {most} products; "
                f"got {ratios.max():.3g} times as much"
            )
        basis.grow(Y[:, ratios.argmax()])


def rounding(X: int) -> float:
    r"""Rounding of eigenvalues relative to the largest, $\max(8, \sqrt X)\,eps$: that of sums of X terms, at random."""
    return max(8.0, float(np.sqrt(X))) * EPS


def _finished(basis: Basis, values: Array, Y: Array, gaps: Array) -> TopPairs:
    """The pairs, from ``F y`` and ``V y``; features take the place of what was kept: no further array is made."""
    d, root = len(gaps), basis.root
    squares, scale = np.zeros(d), np.sqrt(np.maximum(values[:d], TINY))
    images, place = basis.images(Y[:, :d]), basis.V if basis.F is None else basis.F
    for start in range(0, len(root), SLAB):
        columns = slice(start, min(start + SLAB, len(root)))
        image = images(columns)  # K D^1/2 u
        rest = image * root[columns] - basis.V.combine(Y[:, :d], columns) * values[:d, None]
        squares += np.einsum("dx,dx->d", rest, rest)
        place.put(image / scale[:, None], columns)
    errors, products = gaps + rounding(len(root)) * values[0], basis.size
    basis.V, basis.F = Rows(0), None
    return TopPairs(values[:d], place.take_first(d).T, np.sqrt(squares), errors, products)
