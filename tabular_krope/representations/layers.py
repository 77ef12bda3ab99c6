r"""Weighted regression that stays right for weights of any size.

With weights over hundreds of orders of magnitude, rows fall into layers: the heavy ones fix what they can, and the
light ones only what is left. In $D^{1/2}\Phi$ the light rows drown in the rounding of the heavy ones, so the features
are factored *before* the weights enter, by elimination on the rows as they are, the pivot being the largest entry of
$D^{1/2}$ times what is left:

$$\Phi = \Psi\,U, \qquad \Psi\ [n, k], \quad U\ [k, d], \quad k = \text{rank}.$$

- A row on which less is left than rounding of the features is spent: it says no more, however heavy it is.
- $Z = D^{1/2}\Psi\,diag(\rho)^{-1}$, with $\rho$ the roots of the pivots' weights, has no entry above 1 and ones at the
  pivots: its conditioning does not depend on the weights, and no weight is divided by its own root.
- Regression on the columns of ``Z`` is by modified Gram-Schmidt, which takes the whole projection off a row at once.
  (Reflections, although backward stable row by row, leave parts of the heavy residual in the light rows, to be
  undone by entries below rounding where heavy rows repeat each other.)
- The span does not depend on the sizes of the columns, but rounding does: a column of 1e-16 beside one of 1 is lost in
  it. So very different columns are first made even by powers of two, and these come back in $U$.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import qr, solve_triangular, svd

from tabular_krope.arrays import Array

#: Weights whose positive ones differ by more than this factor are regressed on in layers.
EVEN = 1e6
ROOT_EVEN = float(np.sqrt(EVEN))
#: Columns whose sizes differ by more than this factor are evened out.
EVEN_COLUMNS = 1e6
#: Relative size of the singular values of ``D^1/2 G`` below which a direction counts as null.
NULL = float(np.sqrt(np.finfo(np.float64).eps))


def graded(root: Array) -> Any:
    """Whether the positive weights, given their roots [..., n], differ by more than `EVEN`; one answer each, [...].

    >>> graded(np.sqrt([[1.0, 1e-3, 0.0], [1.0, 1e-9, 0.0]]))
    array([False,  True])
    """
    least = root.min(axis=-1, where=root > 0, initial=np.inf)
    return least * ROOT_EVEN < root.max(axis=-1)


@dataclass(frozen=True, eq=False)
class Layers:
    """Rows of features, factored as ``Psi U``.

    Attributes:
        root: positive roots of the rows' weights, [n].
        Psi: the functions that the rows can tell apart, [n, k].
        U: their coefficients, [k, d].
        pivots: the rows that were eliminated with, [k].
        columns: the columns that were, [k].
        doubt: relative size of rounding in the least certain of the functions.
    """

    root: Array
    Psi: Array
    U: Array
    pivots: Array
    columns: Array
    doubt: float

    @property
    def rank(self) -> int:
        """Number of functions."""
        return len(self.pivots)

    @cached_property
    def inverse(self) -> Array:
        """``U^+``, [d, k]: features' coefficients, of least norm, from those of the functions."""
        k, d = self.U.shape
        if k < d:
            return right_inverse(self.U)
        size = np.abs(self.U[np.arange(k), self.columns])
        out = np.empty((d, k), self.U.dtype)
        out[self.columns] = solve_triangular((self.U / size[:, None])[:, self.columns], np.eye(k, dtype=out.dtype))
        return np.asarray(out / size)

    def fit(self, F: Array) -> Array:
        """Coefficients [k, m] of the functions in the weighted regression of ``F`` [n, m].

        >>> layers = eliminated(np.array([[1.0], [1.0]]), np.sqrt([3.0, 1.0]))
        >>> layers.fit(np.array([[0.0], [4.0]]))
        array([[1.]])
        """
        Q, R = self.orthogonal
        rest = self.root[:, None] * F
        out = np.empty((self.rank, F.shape[1]), rest.dtype)
        for j in range(self.rank):
            out[j] = (Q[:, j] @ rest) / (Q[:, j] @ Q[:, j])
            rest -= np.outer(Q[:, j], out[j])
        for j in range(self.rank - 1, -1, -1):
            out[j] -= R[j, j + 1 :] @ out[j + 1 :]
        return np.asarray(out / self.root[self.pivots][:, None])

    @cached_property
    def orthogonal(self) -> tuple[Array, Array]:
        """``Q`` with orthogonal columns and unit triangular ``R``, ``Q R = Z``, the weighted functions."""
        Q = self.root[:, None] * self.Psi / self.root[self.pivots]
        R = np.eye(self.rank, dtype=Q.dtype)
        for j in range(self.rank - 1):
            R[j, j + 1 :] = (Q[:, j] @ Q[:, j + 1 :]) / (Q[:, j] @ Q[:, j])
            Q[:, j + 1 :] -= np.outer(Q[:, j], R[j, j + 1 :])
        return Q, R

    def normalized(self) -> Array:
        """Features' coefficients [d, k] of functions that are orthonormal under the weights: ``orthonormal``'s own."""
        Q, R = self.orthogonal
        over = solve_triangular(R, np.diag(1 / np.linalg.norm(Q, axis=0)), unit_diagonal=True)
        return np.asarray(self.inverse @ (over / self.root[self.pivots][:, None]))

    def outside(self, F: Array) -> Array:
        """What the weighted regression leaves of the columns of ``F`` [n, m], times the roots of the weights.

        Nothing where only rounding is left: a light row's would be large beside it.
        """
        rest = F - self.Psi @ self.fit(F)
        rounding = max(F.shape[0], self.rank) * float(np.finfo(F.dtype).eps) * np.abs(F).max(axis=0, initial=0.0)
        return np.asarray(self.root[:, None] * np.where(np.abs(rest) <= rounding, 0.0, rest))

    def orthonormal(self) -> Array:
        """An orthonormal basis of the range of the weighted features, [n, k]."""
        Q, _ = self.orthogonal
        return np.asarray(Q / np.linalg.norm(Q, axis=0))

    def weighted(self) -> Array:
        """``W`` [k, d] with ``D^1/2 Phi = orthonormal W``, whose rows are each right to rounding of their own size."""
        Q, R = self.orthogonal
        return np.asarray(np.linalg.norm(Q, axis=0)[:, None] * (R @ (self.root[self.pivots][:, None] * self.U)))


def eliminated(A: Array, root: Array, null: float | None = None) -> Layers:
    """The features ``A`` [n, d] of rows with positive roots of weights [n], factored.

    Args:
        A: features, in the arithmetic that is wanted.
        root: positive.
        null: share of the largest feature below which what is left of a row is rounding; if None, what rounding can
            have left there, followed row by row.

    >>> heavy_twice_light_once = np.array([[1.0, 1.0], [1.0, 1.0], [0.0, 1.0]])
    >>> eliminated(heavy_twice_light_once, np.array([1.0, 1.0, 1e-150])).rank
    2
    """
    n, d = A.shape
    scale = column_scales(A) if null is None else None
    left: Array = A.copy() if scale is None else A * scale
    most = min(n, d)
    share = max(n, d) * float(np.finfo(A.dtype).eps)
    size = np.abs(left)
    noise = share * size.max(axis=1, initial=0.0) if null is None else np.full(n, null * size.max(initial=0.0))
    Psi, U = np.zeros((n, most), A.dtype), np.zeros((most, d), A.dtype)
    pivots, columns = np.zeros(most, dtype=np.int64), np.zeros(most, dtype=np.int64)
    doubt, k = 0.0, 0
    while k < most:
        size = np.abs(left)
        spent = size.max(axis=1) <= noise
        left[spent] = 0
        size[spent] = 0
        size *= root[:, None]
        p, c = divmod(int(size.argmax()), d)
        if size[p, c] == 0:
            break
        doubt = max(doubt, float((noise * root)[~spent].max()) / float(size[p, c]))
        pivots[k], columns[k], U[k] = p, c, left[p]
        Psi[:, k] = left[:, c] / left[p, c]
        left -= np.outer(Psi[:, k], U[k])
        left[p] = 0
        left[:, c] = 0
        if null is None:  # what was taken off a row was rounded to its own size
            noise = np.maximum(noise, share * np.abs(Psi[:, k]) * float(np.abs(U[k]).max()))
        k += 1
    if scale is not None:
        U /= scale
    return Layers(root, Psi[:, :k], U[:k], pivots[:k], columns[:k], doubt)


def column_scales(A: Array) -> Array | None:
    """Powers of two [d] that bring the columns of ``A`` [n, d] to a size of about 1; None if they are even enough.

    >>> column_scales(np.array([[1.0, 2.0**-60, 0.0]]))
    array([1.0000000e+00, 1.1529215e+18, 1.0000000e+00])
    """
    size = np.abs(A).max(axis=0, initial=0.0)
    if not size.max(initial=0.0) > EVEN_COLUMNS * size.min(where=size > 0, initial=np.inf):
        return None
    _, exponent = np.frexp(np.where(size > 0, size, 1.0))
    return np.asarray(np.ldexp(1.0, 1 - exponent), A.dtype)


def right_inverse(W: Array) -> Array:
    """``W^+`` [d, k] of ``W`` [k, d] with independent rows, and columns of any sizes.

    Least norm is a regression on the rows of ``W'``, whose sizes are like roots of weights.

    >>> right_inverse(np.array([[3.0, 1e-20, 4.0]]))
    array([[1.2e-01],
           [4.0e-22],
           [1.6e-01]])
    """
    scale = column_scales(W)
    even = W if scale is None else W * scale
    size = np.abs(even).max(axis=1)[:, None]
    if scale is None:
        Q, R = qr((even / size).T, mode="economic")
        return np.asarray(Q @ solve_triangular(R.T, np.diag(1 / size[:, 0]), lower=True))
    layers = eliminated((even / size).T, 1 / scale, null=0.0)
    return np.asarray((layers.inverse @ layers.fit(np.diag(scale))).T / size[:, 0])


def graded_svd(W: Array) -> tuple[Array, Array, Array]:
    """``W = Y diag(sigma) V'`` for ``W`` [k, d] with independent rows of any sizes: [k, k], decreasing [k], [d, k].

    One-sided Jacobi after scaling: small singular values are right to rounding of their own size.

    >>> _, sigma, _ = graded_svd(np.array([[1.0, 1.0], [0.0, 1e-150]]))
    >>> (sigma * [0.5**0.5, 2**0.5 * 1e150]).round(12)
    array([1., 1.])
    """
    from scipy.linalg.lapack import dgejsv

    k, d = W.shape
    if k == 0:
        return np.zeros((0, 0)), np.zeros(0), np.zeros((d, 0))
    scale = float(np.abs(W).max())
    values, V, Y, work, _, info = dgejsv(np.asfortranarray((W / scale).T), joba=2, jobu=0, jobv=0, jobr=0, jobp=0)
    if info != 0:
        raise np.linalg.LinAlgError(f"Jacobi's rotations must converge; got status {info} of LAPACK's gejsv")
    sigma = values * (work[0] / work[1]) * scale
    order = np.argsort(-sigma, kind="stable")
    return np.asarray(Y[:, order]), np.asarray(sigma[order]), np.asarray(V[:, order])


def weighted_directions(G: Array, root: Array, null: float = NULL) -> tuple[Array, Array, Array]:
    """Singular triples of ``D^1/2 G`` that are not null, values decreasing: [X, rank], [rank], [m, rank].

    >>> weighted_directions(np.eye(2), np.array([1e-100, 1.0]))[1]
    array([1.e+000, 1.e-100])
    """
    if graded(root):
        seen = root > 0
        layers = eliminated(G[seen], root[seen], null)
        Y, sigma, V = graded_svd(layers.weighted())
        U = np.zeros((len(G), layers.rank))
        U[seen] = layers.orthonormal() @ Y
        return U, sigma, V
    U, sigma, Vt = svd(root[:, None] * G, full_matrices=False, check_finite=False)
    rank = int(np.sum(sigma > null * sigma[0]))
    return U[:, :rank], sigma[:rank], Vt[:rank].T
