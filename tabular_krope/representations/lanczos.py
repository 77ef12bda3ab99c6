r"""Top eigenpairs of $D^{1/2} K D^{1/2}$ from products with ``K`` alone: band Lanczos that checks itself.

The basis ``V`` is kept orthonormal (each vector is orthogonalised against all others, twice), with the images
$F = K D^{1/2} V$ beside it and $H = V^\top D^{1/2} F$. Eigenpairs $(\theta, y)$ of ``H`` give

$$u = V y, \qquad \phi = K D^{1/2} u\,\theta^{-1/2} = F y\,\theta^{-1/2}, \qquad
  \|D^{1/2} K D^{1/2} u - \theta u\| = \|D^{1/2} F y - \theta V y\|,$$

so that neither the features nor their residuals cost a further product. A symmetric matrix has an eigenvalue within the
residual of $\theta$, and within residual$^2$/gap where the gap to the other Ritz values is larger than the residual.

Started from one vector, Lanczos sees one eigenvector of each eigenspace, and a kernel with symmetries has larger ones.
So when the wanted pairs have converged, a fresh random vector joins the basis and is followed for `CHECKS` steps: what
was missed dominates the complement of ``V`` and turns up among the top Ritz values; then it goes on. Products are
counted one vector at a time.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.errors import KropeError

EPS = float(np.finfo(np.float64).eps)
#: Residual, relative to its eigenvalue, at which a pair has converged.
TOLERANCE = 1e-7
#: Steps for which a fresh vector is followed before the pairs are believed.
CHECKS = 5
#: Products allowed: this many for each pair, and some.
MOST_PER_PAIR, MOST_MORE = 12, 200
#: Vectors that are stored together, and features that are finished together.
PIECE, SMALL = 16, 4


@dataclass(frozen=True, slots=True, eq=False)
class TopPairs:
    """Top eigenpairs and how good they are.

    Attributes:
        values: eigenvalues, decreasing, [d].
        Phi: features ``K D^1/2 u / sqrt(value)``, [X, d].
        residuals: norms of ``D^1/2 K D^1/2 u - value u``, [d].
        errors: estimates of the eigenvalues' errors, [d].
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
    seen = int(np.count_nonzero(root))
    most = min(MOST_PER_PAIR * d + MOST_MORE, seen)
    basis = _Basis(image, root, np.random.default_rng(0))
    believed, following = None, 0
    while True:
        basis.step(first=following > 0)
        following -= 1
        if basis.size < seen and (following > 0 or basis.size <= min(d, most - 1)):
            continue
        values, Y = basis.ritz()
        top, allowed = values[:d], np.maximum(tolerance * values[:d], 8 * EPS * values[0])
        if basis.size == seen:
            return basis.finished(values, Y, d)
        estimates = basis.estimates(Y[:, :d])
        if np.all(estimates <= allowed):
            if believed is not None and np.all(np.abs(top - believed) <= allowed):
                return basis.finished(values, Y, d)
            believed, following = top, CHECKS
            basis.join()
        elif basis.size == most:
            worst = float((estimates / allowed).max())
            raise KropeError(
                f"Lanczos must reach residuals of {tolerance:.3g} of the eigenvalues within {most} products; "
                f"got {worst:.3g} times as much"
            )


class _Basis:
    """The orthonormal basis, the images of its vectors, and the vectors that wait to join it."""

    def __init__(self, image: Callable[[Array], Array], root: Array, rng: np.random.Generator) -> None:
        self.image, self.root, self.rng = image, root, rng
        self.V, self.F = _Rows(len(root)), _Rows(len(root))
        self.H = np.zeros((0, 0))
        # (column that it is the remainder of, or -1; unit vector; norm of the remainder)
        self.waiting: list[tuple[int, Array, float]] = []
        self.join()

    @property
    def size(self) -> int:
        return len(self.H)

    def join(self) -> None:
        """Let a fresh random vector be the next."""
        fresh = self.rng.standard_normal(len(self.root)) * (self.root > 0)
        self.waiting.insert(0, (-1, fresh / np.linalg.norm(fresh), 0.0))

    def step(self, first: bool) -> None:
        """Take in the next vector, with one product; its remainder waits as the first or as the last."""
        while True:
            if not self.waiting:
                self.join()
            _, v, norm = self.waiting.pop(0)
            for _ in range(2):  # the remainder was orthogonalised once, but not against what joined since
                v = self.V.without(v, self.V.dot(v))
            length = float(np.linalg.norm(v))
            if length > np.sqrt(EPS):
                break  # otherwise it has nothing new: its chain has ended in an invariant subspace
        v /= length
        self.V.append(v)
        f = np.asarray(self.image(self.root * v))
        self.F.append(f)
        a = self.root * f
        h = self.V.dot(a)
        m = len(h)
        H = np.zeros((m, m))
        H[:-1, :-1], H[-1], H[:, -1] = self.H, h, h
        self.H = H
        a = self.V.without(a, h)
        norm = float(np.linalg.norm(a))
        if norm > EPS * float(np.abs(H).max()):
            self.waiting.insert(0 if first else len(self.waiting), (m - 1, a / norm, norm))

    def ritz(self) -> tuple[Array, Array]:
        """Eigenvalues of ``H``, decreasing, and its eigenvectors."""
        values, Y = np.linalg.eigh(self.H)
        return np.maximum(values[::-1], 0.0), Y[:, ::-1]

    def estimates(self, Y: Array) -> Array:
        """Norms of the residuals of Ritz vectors, as far as the remainders that wait tell."""
        sizes = [norm * np.abs(Y[column]) for column, _, norm in self.waiting if column >= 0]
        return np.sum(sizes, axis=0) if sizes else np.zeros(Y.shape[1])

    def finished(self, values: Array, Y: Array, d: int) -> TopPairs:
        Phi, residuals = np.empty((d, len(self.root))), np.empty(d)
        for start in range(0, d, SMALL):  # a few at a time: no further array of the size of the features
            part = slice(start, min(start + SMALL, d))
            Phi[part] = self.F.combine(Y[:, part])  # K D^1/2 u
            rest = Phi[part] * self.root - self.V.combine(Y[:, part]) * values[part, None]
            residuals[part] = np.linalg.norm(rest, axis=1)
        apart = np.abs(values[:d, None] - values[None, :])
        apart[np.arange(d), np.arange(d)] = np.inf
        gap = np.maximum(apart.min(axis=1), residuals)
        errors = residuals * np.divide(residuals, gap, out=np.ones(d), where=gap > 0) + 8 * EPS * values[0]
        scale = np.sqrt(np.maximum(values[:d], np.finfo(np.float64).tiny))
        Phi /= scale[:, None]
        return TopPairs(values[:d], Phi.T, residuals, errors, self.size)


class _Rows:
    """A growing list of vectors, in pieces of `PIECE` rows so that none is ever copied."""

    def __init__(self, width: int) -> None:
        self.width, self.count = width, 0
        self.pieces: list[Array] = []

    def append(self, row: Array) -> None:
        if self.count == PIECE * len(self.pieces):
            self.pieces.append(np.empty((PIECE, self.width)))
        self.pieces[-1][self.count % PIECE] = row
        self.count += 1

    def parts(self) -> Iterator[tuple[slice, Array]]:
        for k, piece in enumerate(self.pieces):
            start, stop = PIECE * k, min(PIECE * (k + 1), self.count)
            yield slice(start, stop), piece[: stop - start]

    def dot(self, v: Array) -> Array:
        return np.concatenate([piece @ v for _, piece in self.parts()]) if self.count else np.zeros(0)

    def without(self, v: Array, h: Array) -> Array:
        left = v.copy()
        for part, piece in self.parts():
            left -= h[part] @ piece
        return left

    def combine(self, Y: Array) -> Array:
        """``Y' rows``, [d, width]."""
        out = np.zeros((Y.shape[1], self.width))
        for part, piece in self.parts():
            out += Y[part].T @ piece
        return out
