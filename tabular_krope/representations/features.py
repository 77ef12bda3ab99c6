r"""KROPE features: the data-weighted eigenfunctions of the kernel.

For data weights ``D`` and the top ``d`` eigenpairs $(U_d, \Lambda_d)$ of $D^{1/2} K D^{1/2}$, the features are

$$\Phi_d = K D^{1/2} U_d \Lambda_d^{-1/2},$$

the Nystrom form, which needs no division by weights that may be zero. Their columns are orthonormal in the RKHS of
``K`` and the D-weighted regression onto them is the RKHS-orthogonal projector, so LSPE on them has
$\|L\|_2 \le \sqrt\gamma$ for every ``d`` and every ``D``.

With $K = G G^\top$ and the singular value decomposition $D^{1/2} G = U \Sigma V^\top$ this is simply
$\Phi_d = G V_d$, $\Lambda = \Sigma^2$: the small eigenvalues are right to ``eps * sigma_1`` and nothing is divided.
Directions with $\sigma < \sqrt{eps}\,\sigma_1$ are counted as null: half of their digits would be noise. Where weights
differ by more than a million the directions come in layers, and only what the *kernel* cannot tell is null: a positive
weight is not a zero.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from tabular_krope.arrays import Array, require_count, roots_of_weights
from tabular_krope.errors import DimensionError
from tabular_krope.kernels.kernel import Kernel, require_kernel
from tabular_krope.representations.lanczos import TOLERANCE, rounding, top_pairs
from tabular_krope.representations.layers import graded, weighted_directions

#: Pairs up to which all singular values are computed; above it, Lanczos on products with the kernel.
DENSE_PAIRS = 3000
#: Share of the allowed residual that products may leave out, and pairs for each feature that tell how large that is.
LEFT_OUT, SAMPLED = 1 / 8, 8


@dataclass(frozen=True, slots=True, eq=False)
class Features(NDArrayOperatorsMixin):
    """Features of the pairs, usable as an array: indexing, arithmetic and numpy's functions act on the matrix.

    Attributes:
        matrix: [X, d].
        eigenvalues: eigenvalues of ``D^1/2 K D^1/2`` that belong to the columns, decreasing, [d].
        residuals: norms of ``D^1/2 K D^1/2 u - lambda u`` for the eigenvectors used, [d].
        errors: estimates of the eigenvalues' errors, the kernel's own included, [d]; None for features that were not
            made by `features`.
        products: single-vector products with ``K`` that Lanczos took; 0 for a dense decomposition.
    """

    matrix: Array
    eigenvalues: Array
    residuals: Array
    errors: Array | None = None
    products: int = 0

    def __post_init__(self) -> None:
        for name in ("matrix", "eigenvalues", "residuals", "errors"):
            if (value := getattr(self, name)) is None:
                continue
            array = np.array(value, dtype=np.float64)
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    @property
    def shape(self) -> tuple[int, int]:
        """(X, d)."""
        return (int(self.matrix.shape[0]), int(self.matrix.shape[1]))

    @property
    def d(self) -> int:
        """Number of features."""
        return self.shape[1]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self.matrix, dtype=dtype) if copy else np.asarray(self.matrix, dtype=dtype)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        arrays = (value.matrix if isinstance(value, Features) else value for value in inputs)
        return getattr(ufunc, method)(*arrays, **options)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, index: Any) -> Any:
        return self.matrix[index]

    @property
    def T(self) -> Array:
        """The transposed matrix, [d, X]."""
        return self.matrix.T


def features(K: Kernel, d: int | None = None, weights: Any = None) -> Features:
    r"""The top ``d`` KROPE features under data weights, $\Phi_d = K D^{1/2} U_d \Lambda_d^{-1/2}$.

    Args:
        K: a KROPE kernel.
        d: number of features, at most the rank of ``D^1/2 K D^1/2``; that rank if None.
        weights: data distribution over pairs, [X]; uniform if None.

    Returns:
        Features with ``Phi Phi' = K`` when ``d`` is None and every weight is positive; each column's largest entry
        is positive.

    >>> from tabular_krope.kernels.krope import krope_kernel
    >>> from tabular_krope.models.mrp import MRP
    >>> K = krope_kernel(MRP.from_matrix([[1.0, 0.0], [0.0, 1.0]], [0.0, 1.0], gamma=0.5))
    >>> features(K, weights=[3.0, 1.0]).eigenvalues
    array([1.5, 0.5])
    """
    require_kernel(K)
    X = K.mrp.n_pairs
    root = roots_of_weights(weights, X)
    if d is not None:
        d = require_count(d, "d")
        if d > X:
            raise DimensionError(f"be at most the number of pairs {X}; got {d}")
    if d is not None and (X > DENSE_PAIRS or K.matrix_free) and 4 * d < X:
        return _by_lanczos(K, d, root)
    G = K.factor()
    U, sigma, V = weighted_directions(G, root)
    rank = len(sigma)
    if d is not None and d > rank:
        raise DimensionError(f"be at most the rank {rank} of the weighted kernel; got {d}")
    kept = slice(0, rank if d is None else d)
    Phi = G @ V[:, kept]
    return _finished(K, Phi, sigma[kept] ** 2, U[:, kept], root)


def _by_lanczos(K: Kernel, d: int, root: Array) -> Features:
    image, gap = K.weighted_products(root, allowed_gap(K, root, d))
    found = top_pairs(image, root, d)
    rank = int(np.sum(found.values > rounding(len(root)) * found.values[0]))  # smaller ones may be 0
    if d > rank:
        known = "number of eigenvalues above rounding" if graded(root) else "rank"
        raise DimensionError(f"be at most the {known} {rank} of the weighted kernel; got {d}")
    # Weights sum to 1, so the kernel's own error moves no eigenvalue by more than its largest entry.
    errors = found.errors + K.evidence.error_bound + gap
    return Features(_signed(found.Phi), found.values, found.residuals + gap, errors, found.products)


def allowed_gap(K: Kernel, root: Array, d: int) -> float:
    """What products may leave out: a part of the residual allowed to the last wanted pair, and not below rounding.

    ``K`` is at least the reward kernel, whose eigenvalues are estimated from pairs drawn by their weights.
    """
    some = np.random.default_rng(0).choice(len(root), size=SAMPLED * d, p=root**2 / np.sum(root**2))
    values = np.linalg.eigvalsh(K.reward.entries(some[:, None], some))[::-1] / len(some)
    return LEFT_OUT * max(TOLERANCE * float(values[d - 1]), rounding(len(root)) * float(values[0]))


def _finished(K: Kernel, Phi: Array, eigenvalues: Array, U: Array, root: Array) -> Features:
    residuals = np.linalg.norm(root[:, None] * (K @ (root[:, None] * U)) - U * eigenvalues, axis=0)
    # Singular values of a factor are right to rounding of the largest; the kernel's own error comes on top.
    top = float(np.sqrt(eigenvalues.max(initial=0.0)))
    errors = 2 * np.sqrt(eigenvalues) * top * np.finfo(np.float64).eps * np.sqrt(len(Phi))
    return Features(_signed(Phi), eigenvalues, residuals, errors + K.evidence.error_bound)


def _signed(Phi: Array) -> Array:
    """The columns, in place, with signs that make their largest entries positive."""
    for column in Phi.T:
        column *= np.sign(column[np.abs(column).argmax()])
    return Phi
