r"""LSPE's iteration $\theta \leftarrow b + L\,\theta$ from weighted rows: the one core that every door shares.

A *door* (a chain, rows of data, a stack of chains) gives features, weights, rewards and what comes after each row; what
is regressed on what, and how it is inverted, stands here once.

- Weights within a factor `EVEN` of each other: singular values of $D^{1/2}\Phi$ (`by_svd`), for one problem or a stack.
- Weights of any other sizes: in layers (`by_layers`), where no weight is too small to count.

Both give, beside ``L``, a matrix with its non-zero eigenvalues in coordinates from which the scales of the features and
of the weights have gone: those would magnify rounding in the eigenvalues of ``L`` itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.representations.layers import column_scales, eliminated, graded, graded_svd, right_inverse

#: Relative cut-off of numpy's pseudo-inverse.
RCOND = 1e-15
#: Spacing of the numbers at 1 by the letter of their kind; asking numpy takes longer than using it.
EPSILONS = {kind: np.finfo(kind).eps for kind in "fd"}


@dataclass(frozen=True, slots=True, eq=False)
class Iteration:
    """LSPE's map and what is known about it.

    Attributes:
        L: iteration matrix, [..., d, d].
        b: constant, [..., d].
        core: a matrix with the non-zero eigenvalues of ``L``, [..., k, k].
        rank: numerical rank of the weighted features.
        condition: ratio of their extreme singular values that are not null; inf at rank 0.
        doubt: relative size of rounding in ``core``; None where it is not kept account of.
        layered: whether the features were factored in layers, in which the condition number magnifies nothing.
    """

    L: Array
    b: Array
    core: Array
    rank: Any
    condition: Any
    doubt: Any = None
    layered: bool = False


@dataclass(frozen=True, eq=False)
class Factored:
    """``D^1/2 Phi diag(scale) = U diag(sigma) V'``, null directions zero: U [..., n, k], sigma [..., k], V [..., d, k].

    ``V`` None is the identity: features that are orthogonal under the weights, such as eigenfunctions. ``scale`` [d]
    has evened out columns of very different sizes; None if there was no need.
    """

    U: Array
    sigma: Array
    V: Array | None
    scale: Array | None = None

    @property
    def directions(self) -> Array:
        """``V``, written out."""
        return np.eye(self.sigma.shape[-1]) if self.V is None else self.V

    @cached_property
    def over(self) -> Array:
        """``(D^1/2 Phi)^+ U``, [..., d, k], zero where sigma is; without scales ``V / sigma``."""
        V = self.directions
        if self.scale is None or len(V) == V.shape[1]:
            V = V if self.scale is None else self.scale[:, None] * V
            return np.asarray(V * inverse(self.sigma)[..., None, :])
        return np.asarray(right_inverse(V.T / self.scale) * inverse(self.sigma))

    def conditions(self) -> Array:
        """Ratios of the extreme singular values of ``D^1/2 Phi`` that are not null, [...]."""
        if self.scale is None:
            return conditions(self.sigma)
        return conditions(graded_svd(np.asarray(self.sigma[:, None] * self.directions.T / self.scale, np.float64))[1])

    def regress(self, F: Array) -> Array:
        """``(D^1/2 Phi)^+ F``: coefficients [..., d, m] of the weighted regression of weighted columns [..., n, m].

        >>> Factored(np.eye(2), np.array([2.0, 0.0]), None).regress(np.ones((2, 1)))
        array([[0.5],
               [0. ]])
        """
        inside = np.swapaxes(self.U, -1, -2) @ F
        return np.asarray(inverse(self.sigma)[..., :, None] * inside if self.V is None else self.over @ inside)


class Successors(Protocol):
    """The features of what comes after each row, weighted by ``D^1/2``."""

    def weighted(self) -> Array:
        """``D^1/2 P Phi``, [..., n, d]."""

    def rescaled(self, factored: Factored) -> Array:
        """``D^1/2 P (Phi V S^-1)``, [..., n, k]."""


def factored(F: Array, shape: tuple[int, ...], null: float | None = None) -> Factored:
    """The singular value decomposition of weighted features [..., n, d], null directions set to zero or left out.

    Args:
        F: ``D^1/2 Phi``, in the arithmetic that is wanted.
        shape: rows and columns by which the numerical rank is judged.
        null: share of the largest singular value up to which others are null; ``max(shape) eps`` if None, of a single
            problem's columns at even sizes.
    """
    scale = column_scales(F) if null is None and F.ndim == 2 else None
    U, sigma, Vt = np.linalg.svd(F if scale is None else F * scale, full_matrices=False)
    kept = _not_null(sigma, shape) if null is None else sigma > null * sigma[..., :1]
    k = int(kept.sum(axis=-1).max(initial=0))
    kept, V = kept[..., :k], np.swapaxes(Vt, -1, -2)[..., :k]
    U, sigma = U[..., :k], np.where(kept, sigma[..., :k], 0)
    if not kept.all():
        U, V = U * kept[..., None, :], V * kept[..., None, :]
    return Factored(U, sigma, V, scale)


def by_svd(rows: Factored, r: Array, gamma: Any, after: Successors) -> Iteration:
    """``L``, ``b`` and ``T = gamma U' D^1/2 P_pi (Phi V S^-1)``, to which ``L = (V S^-1) T (S V')`` is similar.

    Args:
        rows: the factored features.
        r: weighted rewards ``D^1/2 r``, [..., n].
        gamma: discount; with axes [n, 1, 1] for a stack.
        after: the successors.
    """
    discount = np.asarray(gamma, rows.U.dtype)
    core = discount * (np.swapaxes(rows.U, -1, -2) @ after.rescaled(rows))
    L, b = coefficients(rows, r, gamma, after.weighted())
    L, b, core = (np.asarray(part, np.float64) for part in (L, b, core))
    even = conditions(rows.sigma)
    doubt = EPSILONS[rows.sigma.dtype.char] * np.where(np.isfinite(even), even, 1.0)
    return Iteration(L, b, core, (rows.sigma > 0).sum(axis=-1), rows.conditions(), doubt)


def coefficients(rows: Factored, r: Array, gamma: Any, after: Array) -> tuple[Array, Array]:
    """``L`` and ``b`` of the factored features, from weighted rewards [..., n] and weighted successors [..., n, d]."""
    L = np.asarray(gamma, rows.U.dtype) * rows.regress(after)
    return L, rows.regress(r[..., None])[..., 0]


def by_layers(
    Phi: Array,
    root: Array,
    r: Array,
    gamma: float,
    after: Array,
    push: Callable[[Array], Array] | None = None,
    null: float | None = None,
) -> Iteration:
    r"""The iteration for weights of any sizes: ``L = gamma U^+ fit(P Phi)`` with ``Phi = Psi U`` on the data.

    Args:
        Phi: features of the rows, [n, d], in the arithmetic that is wanted.
        root: roots of the weights, [n]; rows with a zero say nothing, but may come after others.
        r: rewards, [n].
        gamma: discount.
        after: features of the successors, [n, d].
        push: from functions on the rows [n, k] to those of the successors; by the features' coefficients if None.
        null: share of the largest feature below which what is left of a row is rounding; row by row if None.
    """
    discount, d, seen = Phi.dtype.type(gamma), Phi.shape[1], root > 0
    layers = eliminated(Phi[seen], root[seen], null)
    doubt = layers.doubt
    if push is None:
        scale = 1 / np.maximum(np.abs(layers.Psi).max(axis=0, initial=0.0), np.abs(after @ layers.inverse).max(axis=0))
        ahead = after @ (layers.inverse * scale)
        # sizes that cancel in the sum leave their rounding
        summed = float((np.abs(after) @ np.abs(layers.inverse * scale)).max(initial=0.0))
        doubt = max(doubt, float(EPSILONS[Phi.dtype.char]) * summed)
    else:
        functions = np.empty((len(Phi), layers.rank), Phi.dtype)
        functions[seen], functions[~seen] = layers.Psi, Phi[~seen] @ layers.inverse
        scale = 1 / np.abs(functions).max(axis=0, initial=0.0)
        ahead = push(functions * scale)
    found = layers.fit(np.hstack([discount * after, r[:, None], discount * ahead])[seen])
    L, b = layers.inverse @ found[:, :d], layers.inverse @ found[:, d]
    core = found[:, d + 1 :] / scale[:, None]
    L, b, core = (np.asarray(part, np.float64) for part in (L, b, core))
    _, sigma, _ = graded_svd(np.asarray(layers.weighted(), np.float64))
    return Iteration(L, b, core, layers.rank, conditions(sigma), doubt, layered=True)


def regression_matrix(Phi: Array, root: Array, null: float | None = None) -> Array:
    """``(D^1/2 Phi)^+ D^1/2``, [d, n]: the weighted regression on features [n, d], for roots of weights of any sizes.

    >>> regression_matrix(np.ones((2, 1)), np.sqrt([3.0, 1.0])).round(12)
    array([[0.75, 0.25]])
    """
    if not graded(root):
        return factored(root[:, None] * Phi, Phi.shape, null).regress(np.diag(root))
    seen = root > 0
    layers = eliminated(Phi[seen], root[seen], null)
    out = np.zeros((Phi.shape[1], len(root)))
    out[:, seen] = layers.inverse @ layers.fit(np.eye(int(seen.sum())))
    return out


def by_covariance(B: Array, C: Array, c: Array, gamma: float, rcond: float | None) -> tuple[Array, Array]:
    """``L = gamma B^+ C`` and ``b = B^+ c`` as the paper computes them."""
    B_pinv = np.linalg.pinv(B, rcond=RCOND if rcond is None else float(rcond))
    return (B.dtype.type(gamma) * (B_pinv @ C)).astype(np.float64), (B_pinv @ c).astype(np.float64)


def numerical_rank(sigma: Array, shape: tuple[int, ...]) -> int:
    """Singular values above ``max(shape) * eps`` of the largest, the rule of numpy's and torch's ``matrix_rank``.

    >>> numerical_rank(np.array([1.0, 1e-20]), (2, 2))
    1
    """
    return int(_not_null(sigma, shape).sum())


def rank_and_condition(sigma: Array, shape: tuple[int, ...]) -> tuple[int, float]:
    """Numerical rank, and the largest over the smallest singular value within it; inf at rank 0.

    >>> rank_and_condition(np.array([4.0, 2.0, 0.0]), (3, 3))
    (2, 2.0)
    """
    kept = _not_null(sigma, shape)
    return int(kept.sum()), float(conditions(np.where(kept, sigma, 0.0)))


def conditions(sigma: Array) -> Array:
    """Largest over least singular value that is not zero, [...]; infinite where all are.

    >>> float(conditions(np.array([4.0, 2.0, 0.0])))
    2.0
    """
    top = sigma.max(axis=-1, initial=0.0)
    least = sigma.min(axis=-1, where=sigma > 0, initial=np.inf)
    return np.where(top > 0, top / least, np.inf)


def inverse(sigma: Array) -> Array:
    """``1 / sigma``, zero where sigma is.

    >>> inverse(np.array([4.0, 0.0]))
    array([0.25, 0.  ])
    """
    return np.divide(1.0, sigma, out=np.zeros_like(sigma), where=sigma > 0)


def fixed_point(L: Array, b: Array) -> Array:
    """The solution of ``theta = b + L theta`` (of least norm and least residual if there is not exactly one)."""
    return np.asarray(np.linalg.lstsq(np.eye(len(b)) - L, b, rcond=None)[0])


def iterates(L: Array, b: Array, theta0: Array, steps: int) -> Array:
    """``theta_0, ..., theta_steps`` of ``theta <- b + L theta``, [steps + 1, d]; overflow shows as inf.

    >>> iterates(np.array([[0.5]]), np.array([1.0]), np.array([0.0]), 3).tolist()
    [[0.0], [1.0], [1.5], [1.75]]
    """
    trace = np.empty((steps + 1, len(b)))
    trace[0] = theta0
    with np.errstate(over="ignore", invalid="ignore"):
        for t in range(steps):
            trace[t + 1] = b + L @ trace[t]
    return trace


def _not_null(sigma: Array, shape: tuple[int, ...]) -> Any:
    if sigma.shape[-1] == 0:
        return np.zeros(sigma.shape, dtype=bool)
    return sigma > max(shape) * EPSILONS[sigma.dtype.char] * sigma[..., :1]
