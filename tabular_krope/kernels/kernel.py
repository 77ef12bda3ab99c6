"""The KROPE kernel as a value: entries, rows, products, distances and factors, with the evidence of its solution."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tabular_krope.arrays import Array, frozen_array, shape_of
from tabular_krope.errors import KropeError
from tabular_krope.kernels.factor import kernel_factor, state_factor
from tabular_krope.kernels.forms import DenseForm, StateForm
from tabular_krope.kernels.matrix_free import MatrixFreeForm
from tabular_krope.kernels.reward import RewardKernel
from tabular_krope.kernels.trimming import trimmed
from tabular_krope.looks import Tabled
from tabular_krope.models.mrp import MRP
from tabular_krope.notebook_tables import MOST_ROWS, Grid

#: States up to which distances are computed from the square-root factor.
FACTOR_STATES = 800
#: Bytes of the largest X-by-X array that is made: 23170 pairs.
MATRIX_BYTES = 2**32


@dataclass(frozen=True, slots=True)
class Evidence:
    """How a kernel was computed and how far it can be from the truth.

    Attributes:
        method: the method that ran.
        iterations: applications of the operator, doublings, terms of the series, or 0 for a direct solve.
        residual: sup norm of ``K - K1 - gamma P_pi K P_pi'``; for ``reduced`` that of the equation on states, times
            gamma, which bounds it; for ``matrix-free`` the same on the columns of two states drawn at random.
        error_bound: bound on the sup-norm distance to the fixed point.
        plan: how ``matrix-free`` sums its series; empty for the others.
    """

    method: str
    iterations: int
    residual: float
    error_bound: float
    plan: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Kernel(Tabled):
    """A KROPE kernel with its evidence; made by `krope_kernel`.

    Attributes:
        mrp: the reward process it belongs to.
        reward: the reward kernel K1.
        evidence: method, iterations, residual and error bound.
    """

    mrp: MRP
    reward: RewardKernel
    evidence: Evidence
    _form: DenseForm | StateForm | MatrixFreeForm = field(repr=False)
    _exact: Any = field(repr=False, default=None)
    _cache: dict[str, Any] = field(init=False, repr=False, default_factory=dict)

    def _table(self) -> tuple[str, dict[str, Any], Grid | None]:
        found, X = self.evidence, self.mrp.n_pairs
        facts = {"pairs": X, "gamma": float(self.mrp.gamma), "method": found.method, "residual": float(found.residual)}
        facts |= {"error at most": float(found.error_bound)} if self._exact is None else {}
        if X > MOST_ROWS or self.matrix_free:
            return "KROPE kernel", facts, None
        K = self.matrix()
        entries = [[f"{v:.4g}" for v in row] for row in K.tolist()] if self._exact is None else self._exact.table()
        shades = np.clip(K / K.max(), 0.0, 1.0).tolist()
        return (
            "KROPE kernel",
            facts,
            Grid(["", *map(str, range(X))], [[x, *row] for x, row in enumerate(entries)], shades),
        )

    @property
    def shape(self) -> tuple[int, int]:
        """(X, X)."""
        return (self.mrp.n_pairs, self.mrp.n_pairs)

    @property
    def matrix_free(self) -> bool:
        """Whether only products are cheap: a row or an entry costs a product, and there is no dense array."""
        return isinstance(self._form, MatrixFreeForm)

    def matrix(self) -> Array:
        """The whole kernel, [X, X]: symmetric, positive semidefinite, diagonal between 1 and the horizon."""
        self._require_room("matrix()")
        return self._form.matrix()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.asarray(self.matrix(), dtype=dtype)

    def __matmul__(self, V: Any) -> Array:
        """``K @ V`` for V [X] or [X, k], without the full matrix where the form allows it."""
        shape = shape_of(V, "V")
        if len(shape) not in (1, 2) or shape[0] != self.mrp.n_pairs:
            raise KropeError(f"V must have {self.mrp.n_pairs} rows; got shape {shape}")
        return self._form.product(frozen_array(V, "V", shape))

    def weighted_products(self, root: Array, allowed: float) -> tuple[Callable[[Array], Array], float]:
        """A product with ``K`` that may leave out what is positive semidefinite and small under weights ``root**2``.

        Returns the product of vectors [X], and the bound on the norm of ``D^1/2 (K - its matrix) D^1/2``: at most
        ``allowed``, with the chance of `trimming.RISK` that it is wrong; 0 where nothing is left out.
        """
        form = self._form
        if not isinstance(form, MatrixFreeForm):
            return form.product, 0.0
        found = trimmed(form, root, allowed)
        return lambda v: form.product(v, found.terms), found.gap

    def rows(self, i: Any) -> Array:
        """Rows ``K[i, :]``: [X] for an integer, [k, X] for k of them."""
        index = self._index(i, "i")
        if index.ndim > 1:
            raise KropeError(f"i must be an integer or a vector of them; got shape {index.shape}")
        return self._form.rows(index)

    def entries(self, i: Any, j: Any) -> Array:
        """Entries ``K[i, j]`` for broadcastable index arrays."""
        return self._form.entries(*self._indices(i, j))

    def diagonal(self) -> Array:
        """``K[x, x]``, [X]."""
        self._require_room("diagonal()", only_matrix_free=True)
        x = np.arange(self.mrp.n_pairs)
        return self._form.entries(x, x)

    def squares(self, V: Any) -> Array:
        """``v' K v`` for each column of V [X, k], or for a vector; never negative."""
        W = frozen_array(V, "V", (self.mrp.n_pairs,) if len(shape_of(V, "V")) == 1 else (self.mrp.n_pairs, None))
        columns = W.reshape(self.mrp.n_pairs, -1)
        form = self._large()
        found = np.sum((self.factor().T @ columns) ** 2, axis=0) if form is None else form.squares(columns)
        return np.asarray(found.reshape(W.shape[1:]))

    def distance(self, i: Any = None, j: Any = None) -> Array:
        r"""The paper's $d(x, y) = K_{xx} + K_{yy} - 2 K_{xy}$, a squared Hilbert distance.

        Computed as $2(1 - K_1(x, y)) + \gamma \|(P_x - P_y) N\|^2$ with $M = N N^\top$: non-negative, and exact zeros
        are zero to the square of rounding, where the difference of three kernel entries would leave rounding itself.
        (Above 800 states N comes from an eigendecomposition of M, and zeros are zero to rounding; likewise for pairs
        of a model with too many for X-by-X arrays, by M itself. A matrix-free kernel sums the series of squares for the
        pairs asked for.)

        Args:
            i, j: broadcastable pair indices; all pairs if both are None.

        Returns:
            Distances with the broadcast shape of ``i`` and ``j``, or [X, X].
        """
        if (i is None) != (j is None):
            raise KropeError("i and j must be given together or not at all; got one of them")
        form = self._large()
        if form is not None and i is not None:
            a, b = self._indices(i, j)
            return form.distances(a.reshape(-1), b.reshape(-1)).reshape(a.shape)
        self._require_room("distance()")
        after = np.sqrt(self.mrp.gamma) * self._after()
        if i is None or j is None:
            square = np.einsum("xk,xk->x", after, after)
            apart = 2 * (1 - self.reward.matrix())
            # Rows apart by less than the cancellation in |a|^2 + |b|^2 - 2ab are done again by their difference.
            gap = square[:, None] + square[None, :] - 2 * (after @ after.T)
            x, y = np.nonzero(gap <= 1e-6 * (square[:, None] + square[None, :]))
            gap[x, y] = _squared_norms(after, x, y)
            value: Array = apart + gap
            return value
        a, b = self._indices(i, j)
        gap = _squared_norms(after, a.reshape(-1), b.reshape(-1)).reshape(a.shape)
        return 2 * (1 - self.reward.entries(a, b)) + gap

    def factor(self) -> Array:
        """``G`` [X, <= X] with ``G G' = K``, accurate in its small singular values too."""
        self._require_room("factor()")
        return self._once("factor", lambda: kernel_factor(self.mrp, self.reward, self._state_factor()))

    def exact_matrix(self) -> Any:
        """The kernel over the rationals, an ``fmpq_mat`` [X, X]; only for ``method="exact"``."""
        if self._exact is None:
            raise KropeError(f"method must be 'exact' for a rational kernel; got {self.evidence.method!r}")
        return self._exact

    def _room(self) -> bool:
        """Whether an X-by-X array may be made."""
        return 8 * self.mrp.n_pairs**2 <= MATRIX_BYTES

    def _large(self) -> MatrixFreeForm | StateForm | None:
        """The form, if it must answer by itself since no factor of X rows is made; None otherwise."""
        form = self._form
        if isinstance(form, DenseForm) or (isinstance(form, StateForm) and self._room()):
            return None
        return form

    def _require_room(self, what: str, only_matrix_free: bool = False) -> None:
        X = self.mrp.n_pairs
        if not self._room() and (self.matrix_free or not only_matrix_free):
            raise KropeError(
                f"K must have at most {int(np.sqrt(MATRIX_BYTES / 8))} pairs for {what}; got {X} "
                "(ask for products, or for the rows, entries or distances of some pairs)"
            )

    def _state_factor(self) -> Array:
        return self._once("state_factor", lambda: state_factor(self.mrp, self.reward))

    def _after(self) -> Array:
        """Mean embeddings of the next states in coordinates, ``P N`` [X, <= S]."""
        return self._once("after", lambda: np.asarray(self.mrp.P @ self._embedding()))

    def _embedding(self) -> Array:
        if self.mrp.n_states <= FACTOR_STATES or not isinstance(self._form, StateForm):
            return self._state_factor()
        values, vectors = np.linalg.eigh(self._form.M)  # distances right to rounding, at a tenth of the cost
        return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))

    def _indices(self, i: Any, j: Any) -> Any:
        a, b = self._index(i, "i"), self._index(j, "j")
        try:
            return np.broadcast_arrays(a, b)
        except ValueError:
            raise KropeError(f"i and j must have shapes that broadcast; got {a.shape} and {b.shape}") from None

    def _index(self, i: Any, name: str) -> Any:
        index = np.asarray(i)
        if not np.issubdtype(index.dtype, np.integer):
            raise KropeError(f"{name} must be an integer or an array of them; got {index.dtype}")
        outside = (index < 0) | (index >= self.mrp.n_pairs)
        if outside.any():
            raise KropeError(f"{name} must lie in 0..{self.mrp.n_pairs - 1}; got {index[outside].reshape(-1)[0]}")
        return index

    def _once(self, name: str, compute: Callable[[], Array]) -> Array:
        if name not in self._cache:
            value = compute()
            value.flags.writeable = False
            self._cache[name] = value
        found: Array = self._cache[name]
        return found


def require_kernel(K: Any) -> None:
    """A Kernel; KropeError otherwise, with the way to make one."""
    if not isinstance(K, Kernel):
        raise KropeError(f"K must be a Kernel; got {type(K).__name__} (krope_kernel(mrp) makes one)")


def _squared_norms(after: Array, x: Any, y: Any) -> Array:
    result = np.empty(len(x))
    for start in range(0, len(x), 4096):  # blocks: the differences of all pairs at once would be X*X*S numbers
        part = slice(start, start + 4096)
        gap = after[x[part]] - after[y[part]]
        result[part] = np.einsum("nk,nk->n", gap, gap)
    return result
