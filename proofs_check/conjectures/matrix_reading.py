"""From Python's syntax nodes to trees of matrices, with the shape of every part; what does not fit is refused.

A number among matrices stands for that multiple of the identity, and ``I`` is the number 1.
"""

import ast
from fractions import Fraction
from typing import TYPE_CHECKING

from proofs_check.conjectures.language import QUANTITIES
from proofs_check.conjectures.matrix_language import MATRICES, MATRIX_FUNCTIONS, PAIRS, SQUARE, Shape
from proofs_check.conjectures.reading import DEEPEST
from proofs_check.conjectures.tree import Comparison, Letter, Node, Number, Operation, walk

if TYPE_CHECKING:
    from proofs_check.conjectures.translate import Reader

#: Largest power of a matrix, and number of steps.
MOST_MATRIX_POWER = 16
#: Functions of a matrix of rationals that are rational.
RATIONAL = ("trace", "det", "rk")
_ZERO = Number(Fraction(0))


class MatrixReader:
    """Translates syntax nodes that stand for matrices. A shape of None is a number, or a multiple of the identity."""

    def __init__(self, reader: "Reader") -> None:
        self.reader, self.depth = reader, 0

    def function(self, node: ast.Call, name: str) -> Node:
        """``radius(M)`` and its like."""
        written = MATRIX_FUNCTIONS[name].written
        if name == "psd":
            raise self.reader.refuse(node, "be a claim of its own", hint="write mineig(M) for the least eigenvalue")
        if node.keywords or len(node.args) != 1:
            raise self.reader.refuse(node, f"be {written}")
        body, shape = self.matrix(node.args[0])
        if name in SQUARE and shape is not None and shape[0] != shape[1]:
            raise self._shapes(node, f"give {name} a square matrix", shape)
        return Operation(name, (body,))

    def order(self, left: ast.expr, sign: str, right: ast.expr) -> Comparison:
        """``A <= B`` in the order of Loewner, or ``A == B`` or ``A != B``."""
        (a, first), (b, second) = self.matrix(left), self.matrix(right)
        for side, tree, shape, other in ((left, a, first, second), (right, b, second, first)):
            if shape is None and tree != _ZERO and other != ("1", "1") and not _speaks_of_matrices(tree):
                hint = f"write {self.reader.source(side)}*I for a matrix, or give indices: K[x,y]"
                raise self.reader.refuse(side, "compare matrices with matrices or 0", hint=hint)
        both = self._same(right, first, second)
        if both is not None and both[0] != both[1] and sign not in ("==", "!="):
            raise self._shapes(right, "compare square matrices", both)
        if sign in ("==", "!="):
            apart = Operation("-", (a, b)) if b != _ZERO else a
            squares = Operation("trace", (Operation("*", (apart, Operation("transpose", (apart,)))),))
            return Comparison(squares, "==" if sign == "==" else ">", _ZERO)
        small, large = (a, b) if sign in ("<=", "<") else (b, a)
        body = large if small == _ZERO else Operation("-", (large, small))
        return Comparison(Operation("mineig", (body,)), ">=" if sign.endswith("=") else ">", _ZERO)

    def definite(self, node: ast.expr) -> Comparison:
        """That a matrix is positive semidefinite."""
        body, shape = self.matrix(node)
        if shape is not None and shape[0] != shape[1]:
            raise self._shapes(node, "give psd a square matrix", shape)
        return Comparison(Operation("mineig", (body,)), ">=", _ZERO)

    def matrix(self, node: ast.expr) -> tuple[Node, Shape | None]:
        """The tree of a matrix and its shape."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.reader.refuse(node, f"nest at most {DEEPEST} operations", "more")
        tree, shape = self._read(node)
        self.reader.require_degree(node, tree)
        self.depth -= 1
        return tree, shape

    def _read(self, node: ast.expr) -> tuple[Node, Shape | None]:
        if isinstance(node, ast.BinOp):
            return self._binary(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            body, shape = self.matrix(node.operand)
            return Operation("neg", (body,)), shape
        if isinstance(node, ast.Attribute) and node.attr == "T":
            body, shape = self.matrix(node.value)
            return (body, None) if shape is None else (Operation("transpose", (body,)), (shape[1], shape[0]))
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MATRICES:
            return self._steps(node, node.func.id)
        if isinstance(node, ast.Constant):
            return self.reader.node(node, (), 0), None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RATIONAL:
            return self.function(node, node.func.id), None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MATRIX_FUNCTIONS:
            hint = "maxeig(M) <= a says that M <= a*I, and mineig(M) >= a that M >= a*I"
            raise self.reader.refuse(node, "multiply matrices by rational numbers only", hint=hint)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("sqrt", "exp", "log"):
            hint = "fix gamma by an option, to a square such as 1/4, and write the number, or compare norm2 and radius"
            raise self.reader.refuse(node, "multiply matrices by rational numbers only", hint=hint)
        raise self.reader.refuse(node, "be made of matrices without indices, numbers, + - * / ** and '")

    def _name(self, node: ast.Name) -> tuple[Node, Shape | None]:
        if node.id == "I":
            return Letter("I"), None
        if node.id in MATRICES:
            return Letter(node.id), MATRICES[node.id].shape
        known = QUANTITIES.get(node.id)
        if known is not None and known.arity == 0 and not known.spectral and not known.numbered:
            return self.reader.node(node, (), 0), None
        names = ", ".join(MATRICES)
        raise self.reader.refuse(node, f"be made of {names}, I, gamma, R and other rational numbers", repr(node.id))

    def _steps(self, node: ast.Call, name: str) -> tuple[Node, Shape | None]:
        number = node.args[0].value if len(node.args) == 1 and isinstance(node.args[0], ast.Constant) else None
        fits = MATRICES[name].numbered and not node.keywords
        if not fits or type(number) is not int or not 1 <= number <= MOST_MATRIX_POWER:
            hint = f"write {MATRICES[name].written}"
            raise self.reader.refuse(node, f"have a number of steps from 1 to {MOST_MATRIX_POWER}, if any", hint=hint)
        return Letter(name, number), MATRICES[name].shape

    def _binary(self, node: ast.BinOp) -> tuple[Node, Shape | None]:
        if isinstance(node.op, ast.Pow):
            return self._power(node)
        self._require_operator(node)
        a, first = self.matrix(node.left)
        b, second = self.matrix(node.right)
        if isinstance(node.op, ast.Add | ast.Sub):
            name = "+" if isinstance(node.op, ast.Add) else "-"
            return Operation(name, (a, b)), self._same(node, first, second)
        if isinstance(node.op, ast.Div):
            if second is not None:
                raise self._shapes(node.right, "divide by a number", second)
            return Operation("/", (a, b)), first
        if first is None or second is None:
            return Operation("*", (a, b)), second if first is None else first
        if first[1] != second[0]:
            raise self._shapes(node, "multiply matrices that fit", first, second)
        return Operation("*", (a, b)), (first[0], second[1])

    def _require_operator(self, node: ast.BinOp) -> None:
        if not isinstance(node.op, ast.Add | ast.Sub | ast.Div | ast.Mult | ast.MatMult):
            power = isinstance(node.op, ast.BitXor)
            hint = "write ** for a power, and P' for the transpose of P" if power else ""
            got = "'^'" if power else type(node.op).__name__.lower()
            raise self.reader.refuse(node.right, "follow one of + - * / **", got, hint)

    def _power(self, node: ast.BinOp) -> tuple[Node, Shape | None]:
        body, shape = self.matrix(node.left)
        exponent = node.right.value if isinstance(node.right, ast.Constant) else None
        if type(exponent) is not int or not 1 <= exponent <= MOST_MATRIX_POWER:
            raise self.reader.refuse(node.right, f"be a whole exponent from 1 to {MOST_MATRIX_POWER}")
        if shape is not None and shape[0] != shape[1]:
            raise self._shapes(node, "take powers of square matrices", shape)
        return (body if exponent == 1 else Operation("power", (body,), exponent)), shape

    def _same(self, node: ast.expr, first: Shape | None, second: Shape | None) -> Shape | None:
        if first is None or second is None:
            shape = second if first is None else first
            if shape is not None and shape[0] != shape[1] and first is not second:
                raise self._shapes(node, "add numbers to square matrices only", shape)
            return shape
        if first != second:
            raise self._shapes(node, "add and compare matrices of one shape", first, second)
        return first

    def _shapes(self, node: ast.expr, requirement: str, *shapes: Shape) -> Exception:
        got = " and ".join(f"[{rows}, {columns}]" for rows, columns in shapes)
        return self.reader.refuse(node, requirement, f"{got} in {self.reader.source(node)!r}")


def shape_of(node: Node) -> Shape | None:
    """The shape of a tree that was read; None for numbers and multiples of the identity.

    >>> shape_of(Operation("*", (Operation("transpose", (Letter("Phi"),)), Letter("q"))))
    ('d', '1')
    """
    if isinstance(node, Letter):
        return None if node.name == "I" else MATRICES[node.name].shape
    if not isinstance(node, Operation) or node.name in MATRIX_FUNCTIONS:
        return None
    shapes = [shape_of(part) for part in node.parts]
    if node.name == "transpose" and shapes[0] is not None:
        return shapes[0][1], shapes[0][0]
    known = [shape for shape in shapes if shape is not None]
    if node.name == "*" and len(known) == 2:
        return known[0][0], known[1][1]
    return known[0] if known else None


def _speaks_of_matrices(node: Node) -> bool:
    """Whether a letter stands in a tree, not only in what makes a number of it."""
    if isinstance(node, Operation):
        return node.name not in MATRIX_FUNCTIONS and any(_speaks_of_matrices(part) for part in node.parts)
    return isinstance(node, Letter)


def is_matrix_text(tree: ast.expr) -> bool:
    """Whether an expression is a whole matrix: a letter other than a column stands in it without indices."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.BinOp):
            if isinstance(node.left, ast.Attribute) and node.left.attr == "T":  # of a column, too
                return True
            waiting += [node.left, node.right]
        elif isinstance(node, ast.UnaryOp):
            waiting.append(node.operand)
        elif isinstance(node, ast.Attribute) and node.attr == "T":
            waiting.append(node.value)
        elif isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            if name in MATRICES and MATRICES[name].numbered:
                return True
        elif isinstance(node, ast.Name) and (
            node.id == "I" or (node.id in MATRICES and MATRICES[node.id].shape[1] != "1")
        ):
            return True
    return False


def default_shape(shape: Shape | None) -> Shape:
    """The shape of a matrix; a multiple of the identity is over pairs unless something else is said."""
    return PAIRS if shape is None else shape


def letters_of(node: Node) -> set[str]:
    """The letters of a tree, except for the identity."""
    return {part.name for part in walk(node) if isinstance(part, Letter) and part.name != "I"}
