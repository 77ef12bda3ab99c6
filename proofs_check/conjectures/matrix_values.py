"""Functions of whole matrices on a rational chain: exact, or in balls where features are truncated."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flint import acb_mat, arb, arb_mat, fmpq, fmpq_mat

from proofs_check.arithmetic.algebraic import largest_eigenvalue, least_eigenvalue, spectral_radius
from proofs_check.arithmetic.linear_algebra import flint_matrix, identity
from proofs_check.arithmetic.reals import UNDEFINED, Number, root
from proofs_check.arithmetic.truncated import ANYTHING, radius_of
from proofs_check.chains.case import Case
from proofs_check.conjectures.feature_space import AnyMatrix, FeatureSpace, Lspe
from proofs_check.conjectures.matrix_language import MATRICES, SYMMETRIC
from proofs_check.conjectures.matrix_reading import default_shape, shape_of
from proofs_check.conjectures.tree import Letter, Node, Operation, show
from tabular_krope.errors import KropeError
from tabular_krope.exact.rationals import diagonal


@dataclass(frozen=True, slots=True, eq=False)
class MatrixValues:
    """Matrices of one chain.

    Args:
        case: the rational chain with its data.
        scalar: the value of a tree that is a number.
        space: its features; None where none are asked for.
        convert: what makes a matrix of rationals one of the arithmetic asked for.
    """

    case: Case
    scalar: Callable[[Node], fmpq]
    space: FeatureSpace | None
    convert: Callable[[Any], AnyMatrix]

    def whole(self, node: Node) -> tuple[AnyMatrix, tuple[str, str]]:
        """The matrix of a tree and its shape; a multiple of the identity is over pairs."""
        shape = default_shape(shape_of(node))
        return self._on(node, shape), shape

    def _size(self, side: str) -> int:
        return {"X": self.case.X, "1": 1, "d": 0 if self.space is None else self.space.d}[side]

    def _on(self, node: Node, shape: tuple[str, str]) -> AnyMatrix:
        """A tree as a matrix of that shape: a number is that multiple of the identity."""
        if shape_of(node) is None:
            return self.convert(flint_matrix(identity(self._size(shape[0]), True))) * self.scalar(node)
        if isinstance(node, Letter):
            return self._letter(node)
        assert isinstance(node, Operation)
        first = node.parts[0]
        if node.name == "transpose":
            inner = default_shape(shape_of(first))
            matrix = self._on(first, inner)
            return matrix.transpose() if self.space is None else self.space.adjoint(matrix, *inner)
        if node.name == "neg":
            return self._on(first, shape) * fmpq(-1)
        if node.name == "power":
            return _power(self._on(first, shape), node.exponent)
        second = node.parts[1]
        if node.name in ("+", "-"):
            a, b = self._on(first, shape), self._on(second, shape)
            return a + b if node.name == "+" else a - b
        if node.name == "/":
            return self._on(first, shape) * (1 / self.scalar(second))
        for number, other in ((first, second), (second, first)):
            if shape_of(number) is None:
                return self._on(other, shape) * self.scalar(number)
        return self._on(first, default_shape(shape_of(first))) * self._on(second, default_shape(shape_of(second)))

    def _letter(self, node: Letter) -> AnyMatrix:
        case = self.case
        if MATRICES[node.name].featured:
            assert self.space is not None
            return Lspe(self.space, case, self.convert).letter(node.name, node.number or 1)
        plain: dict[str, Callable[[], Any]] = {
            "P": lambda: case.P_pi,
            "K": lambda: case.K,
            "K1": lambda: case.K1,
            "U": lambda: case.U,
            "d": lambda: case.d,
            "q": lambda: case.q.reshape(-1, 1),
            "r": lambda: case.r.reshape(-1, 1),
            "one": lambda: (1 + 0 * case.r).reshape(-1, 1),
        }
        if node.name in ("D", "D2"):
            return self.convert(diagonal(case.weights if node.name == "D" else case.given["D2"]))
        return self.convert(flint_matrix(plain[node.name]()))

    def adjoint(self, matrix: AnyMatrix, shape: tuple[str, str]) -> AnyMatrix:
        """The transpose of a matrix of that shape."""
        return matrix.transpose() if self.space is None else self.space.adjoint(matrix, *shape)


def exact_value(name: str, node: Node, values: MatrixValues) -> Number:
    """A function of a matrix of rationals; undefined where a number divides by zero."""
    try:
        matrix, shape = values.whole(node)
    except ZeroDivisionError:
        return UNDEFINED
    if name in SYMMETRIC and matrix != values.adjoint(matrix, shape):
        raise KropeError(f"claim must be about a symmetric matrix; got {show(node)}")
    if 0 in (matrix.nrows(), matrix.ncols()):
        return fmpq(0)
    found: dict[str, Callable[[], Number]] = {
        "mineig": lambda: least_eigenvalue(matrix),
        "maxeig": lambda: largest_eigenvalue(matrix),
        "radius": lambda: spectral_radius(matrix),
        "norm2": lambda: root(largest_eigenvalue(values.adjoint(matrix, shape) * matrix)),
        "trace": lambda: sum((matrix[i, i] for i in range(matrix.nrows())), fmpq(0)),
        "det": matrix.det,
        "rk": lambda: fmpq(matrix.rank()),
    }
    return found[name]()


def ball_value(name: str, node: Node, values: MatrixValues) -> arb:
    """The same of a matrix of balls, at the precision of flint's context; one that says nothing if it is too wide."""
    try:
        matrix, shape = values.whole(node)
        if name == "norm2":
            return radius_of(values.adjoint(matrix, shape) * matrix).nonnegative_part().sqrt()
        if name == "radius":
            return radius_of(matrix)
        if name == "trace":
            return matrix.trace()
        if name == "det":
            return matrix.det()
        if name == "rk":
            return _full_rank(values.adjoint(matrix, shape), matrix)
        other = values.adjoint(matrix, shape)
        if not (matrix - other).contains(0 * matrix):
            raise KropeError(f"claim must be about a symmetric matrix; got {show(node)}")
        eigenvalues = [value.real for value in acb_mat((matrix + other) * fmpq(1, 2)).eig(multiple=True)]
    except KropeError:
        raise
    except (ZeroDivisionError, ValueError):  # balls too wide to be inverted, or eigenvalues that cannot be isolated
        return ANYTHING
    out = eigenvalues[0]
    for value in eigenvalues[1:]:
        out = out.min(value) if name == "mineig" else out.max(value)
    return out


def _full_rank(adjoint: arb_mat, matrix: arb_mat) -> arb:
    """The rank of a matrix of balls where it can be told that it is full: balls never tell that it is not."""
    gram = adjoint * matrix if matrix.ncols() <= matrix.nrows() else matrix * adjoint
    return ANYTHING if gram.det().contains(0) else arb(gram.nrows())


def _power(matrix: AnyMatrix, n: int) -> AnyMatrix:
    out = matrix
    for _ in range(n - 1):
        out = out * matrix
    return out


def exactly(matrix: fmpq_mat) -> fmpq_mat:
    """A matrix of rationals as it is."""
    return matrix


def in_balls(matrix: fmpq_mat) -> arb_mat:
    """A matrix of rationals as balls."""
    return arb_mat(matrix)
