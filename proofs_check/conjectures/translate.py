"""From Python's syntax nodes to the trees of claims: a short list of what may occur, everything else is refused."""

import ast
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

from proofs_check.arithmetic.reals import Undefined, sign
from proofs_check.conjectures.evaluate import Exacts, evaluate
from proofs_check.conjectures.language import CALLED, FUNCTIONS, INDICES, INSTEAD, QUANTITIES
from proofs_check.conjectures.matrix_language import MATRIX_FUNCTIONS
from proofs_check.conjectures.matrix_reading import MatrixReader
from proofs_check.conjectures.reading import DEEPEST, TRANSPOSED, exact_number, refuse
from proofs_check.conjectures.tree import Named, Node, Number, Operation, Reduction, walk
from tabular_krope.errors import KropeError

OPERATORS: dict[type, str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
#: Largest exponent of a power, and degree of a side as a polynomial.
MOST_POWER, MOST_DEGREE = 64, 64
#: Largest number of a member of a family of quantities.
MOST_MEMBERS = 64
_KINDS = {
    "Attribute": "an attribute", "Lambda": "a lambda", "NamedExpr": "an assignment", "JoinedStr": "an f-string",
    "ListComp": "a comprehension", "SetComp": "a comprehension", "DictComp": "a comprehension",
    "GeneratorExp": "a comprehension", "IfExp": "an if", "BoolOp": "and/or", "Starred": "a star", "List": "a list",
    "Tuple": "a tuple", "Dict": "a dictionary", "Set": "a set", "Await": "await", "Slice": "a slice",
}  # fmt: skip


class Reader:
    """Translates syntax nodes of one line of text; every refusal names its column."""

    def __init__(self, line: str, argument: str) -> None:
        self.line, self.argument = line, argument
        self.start = len(line) - len(line.lstrip())

    def column(self, node: ast.AST) -> int:
        """Where a node begins in the text as it was written, counting from 1."""
        before = self.line[: self.start + int(getattr(node, "col_offset", 0))]
        return len(before) + 1 - before.count(TRANSPOSED)

    def refuse(self, node: ast.AST, requirement: str, got: str | None = None, hint: str = "") -> KropeError:
        """The error for a node; shows its source unless told what to show."""
        shown = repr(self.source(node)) if got is None else got
        return refuse(self.argument, self.column(node), requirement, shown, hint)

    def source(self, node: ast.AST) -> str:
        """The characters of the text that a node stands for."""
        start, end = self.start + node.col_offset, self.start + node.end_col_offset  # type: ignore[attr-defined]
        return self.line[start:end].replace(TRANSPOSED, "'")

    def node(self, node: ast.expr, bound: tuple[str, ...], depth: int) -> Node:
        """The tree of an expression; ``bound`` are the indices of the reductions around it."""
        if depth > DEEPEST:
            raise self.refuse(node, f"nest at most {DEEPEST} operations", "more")
        readers: dict[type, Callable[..., Node]] = {
            ast.Constant: self._constant,
            ast.Name: self._name,
            ast.Subscript: self._subscript,
            ast.UnaryOp: self._unary,
            ast.BinOp: self._binary,
            ast.Call: self._call,
        }
        if type(node) not in readers:
            kind = _KINDS.get(type(node).__name__, f"a {type(node).__name__.lower()}")
            raise self.refuse(node, "consist of numbers, quantities, operators and functions", kind)
        read = readers[type(node)](node, bound, depth + 1)
        self._require_defined(node, read)
        self.require_degree(node, read)
        return read

    def require_degree(self, node: ast.expr, read: Node) -> None:
        """Refuse what powers of powers make too large."""
        if _degree(read) > MOST_DEGREE:
            raise self.refuse(node, f"have degree at most {MOST_DEGREE}", f"{_degree(read)}")

    def _require_defined(self, node: ast.expr, read: Node) -> None:
        """Refuse what is undefined on every chain: a division by zero, the root or logarithm of a negative number."""
        if not isinstance(read, Operation):
            return
        if read.name == "/" and _is_zero(read.parts[1]):
            raise self.refuse(node, "divide by something other than zero")
        if isinstance(constant_value(read), Undefined):
            raise self.refuse(node, "be defined", hint=f"{read.name} of a number outside its domain")

    def _constant(self, node: ast.Constant, bound: tuple[str, ...], depth: int) -> Node:
        # True and False are integers to Python, so the type is asked for, not isinstance.
        value = exact_number(self.source(node)) if type(node.value) in (int, float) else None
        if value is None:
            raise self.refuse(node, "be a decimal number with a moderate exponent")
        return Number(value)

    def _name(self, node: ast.Name, bound: tuple[str, ...], depth: int) -> Node:
        name = node.id
        if name in INDICES:
            raise self.refuse(node, "use an index inside brackets only", repr(name), f"write q[{name}]")
        self._require_quantity(node, name)
        if QUANTITIES[name].numbered:
            raise self.refuse(node, f"give {name} its number", repr(name), f"write {QUANTITIES[name].written}")
        if QUANTITIES[name].arity:
            raise self.refuse(node, f"give {name} its indices", repr(name), f"write {QUANTITIES[name].written}")
        return Named(name)

    def _subscript(self, node: ast.Subscript, bound: tuple[str, ...], depth: int) -> Node:
        if not isinstance(node.value, ast.Name):
            raise self.refuse(node, "index a quantity")
        name = node.value.id
        self._require_quantity(node, name)
        places = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for place in places:
            if not isinstance(place, ast.Name) or place.id not in INDICES:
                raise self.refuse(place, f"be an index, one of {', '.join(INDICES)}", hint="each ranges over all pairs")
        quantity = QUANTITIES[name]
        if len(places) != quantity.arity:
            counts = ("no index", "one index", "two indices")[quantity.arity]
            raise self.refuse(node, f"give {name} {counts}", hint=f"write {quantity.written}")
        return Named(name, tuple(place.id for place in places))  # type: ignore[attr-defined]

    def _require_quantity(self, node: ast.AST, name: str) -> None:
        if name in QUANTITIES:
            return
        if name in FUNCTIONS:
            raise self.refuse(node, f"call {name} with brackets", repr(name), f"write {FUNCTIONS[name].written}")
        raise self.refuse(node, "name a known quantity", repr(name), _suggestion(name, QUANTITIES))

    def _unary(self, node: ast.UnaryOp, bound: tuple[str, ...], depth: int) -> Node:
        if isinstance(node.op, ast.UAdd):
            return self.node(node.operand, bound, depth)
        if not isinstance(node.op, ast.USub):
            raise self.refuse(node, "use the operators + - * / **")
        return Operation("neg", (self.node(node.operand, bound, depth),))

    def _binary(self, node: ast.BinOp, bound: tuple[str, ...], depth: int) -> Node:
        if isinstance(node.op, ast.Pow):
            return self._power(node, bound, depth)
        if type(node.op) not in OPERATORS:
            hint = "write ** for a power" if isinstance(node.op, ast.BitXor) else ""
            hint = "write abs(...) for an absolute value" if isinstance(node.op, ast.BitOr) else hint
            raise self.refuse(node.right, "follow one of + - * / **", type(node.op).__name__.lower(), hint)
        parts = self.node(node.left, bound, depth), self.node(node.right, bound, depth)
        return Operation(OPERATORS[type(node.op)], parts)

    def _power(self, node: ast.BinOp, bound: tuple[str, ...], depth: int) -> Node:
        base, exponent = self.node(node.left, bound, depth), _constant_of(self.node(node.right, bound, depth))
        if exponent == Fraction(1, 2):
            return Operation("sqrt", (base,))
        if exponent is None or exponent.denominator != 1 or abs(exponent) > MOST_POWER:
            raise self.refuse(node.right, f"be a whole exponent from -{MOST_POWER} to {MOST_POWER}, or 1/2")
        power = base if abs(exponent) == 1 else Operation("power", (base,), abs(int(exponent)))
        return power if exponent >= 0 else Operation("/", (Number(Fraction(1)), power))

    def _call(self, node: ast.Call, bound: tuple[str, ...], depth: int) -> Node:
        if not isinstance(node.func, ast.Name):
            called = isinstance(node.func, ast.Constant | ast.Subscript | ast.BinOp)
            raise self.refuse(node, "call a function by its name", hint="write * for a product" if called else "")
        name = node.func.id
        if name in QUANTITIES and QUANTITIES[name].numbered:
            return self._member(node, name)
        if name in MATRIX_FUNCTIONS:
            return MatrixReader(self).function(node, name)
        if name not in FUNCTIONS:
            written = f"write {QUANTITIES[name].written}" if name in QUANTITIES else ""
            hint = CALLED.get(name) or written or _suggestion(name, {**FUNCTIONS, **MATRIX_FUNCTIONS})
            raise self.refuse(node, "call a known function", repr(name), hint)
        function = FUNCTIONS[name]
        plain = not node.keywords and not any(isinstance(part, ast.Starred) for part in node.args)
        if not plain or not function.least <= len(node.args) <= function.most:
            raise self.refuse(node, f"be {function.written}")
        first = node.args[0]
        if isinstance(first, ast.Name) and first.id in INDICES and function.least == 2:
            return self._reduction(node, name, first.id, bound, depth)
        if name == "sum":
            raise self.refuse(first, "be the index to sum over", hint=f"write {function.written}")
        return Operation(name, tuple(self.node(part, bound, depth) for part in node.args))

    def _member(self, node: ast.Call, name: str) -> Node:
        """One of a family of quantities, such as ``lam(2)``."""
        number = node.args[0].value if len(node.args) == 1 and isinstance(node.args[0], ast.Constant) else None
        if node.keywords or type(number) is not int or not 1 <= number <= MOST_MEMBERS:
            got = f"write {QUANTITIES[name].written}"
            raise self.refuse(node, f"give {name} one whole number from 1 to {MOST_MEMBERS}", hint=got)
        return Named(name, (), number)

    def _reduction(self, node: ast.Call, name: str, index: str, bound: tuple[str, ...], depth: int) -> Node:
        if len(node.args) != 2:
            raise self.refuse(node, f"be {name}({index}, a)")
        if index in bound:
            raise self.refuse(node, f"use another index inside the one over {index}")
        return Reduction(name, index, self.node(node.args[1], (*bound, index), depth))


def _constant_of(node: Node) -> Fraction | None:
    """The value of a number, a negated number or a quotient of two; None for anything else."""
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Operation) and node.name in ("neg", "/"):
        values = [_constant_of(part) for part in node.parts]
        if all(value is not None for value in values) and values[-1]:
            return -values[0] if node.name == "neg" else values[0] / values[1]  # type: ignore[operator]
    return None


def constant_value(node: Node) -> Any:
    """The exact value of an expression without quantities; None if it has any.

    >>> constant_value(Operation("sqrt", (Number(Fraction(-1)),)))
    undefined
    """
    if any(not isinstance(part, Number | Operation) for part in walk(node)):
        return None

    def nothing(name: str) -> Any:
        raise AssertionError(name)

    return evaluate(node, Exacts(nothing, 1, {})).item()


def _is_zero(node: Node) -> bool:
    value = constant_value(node)
    return value is not None and not isinstance(value, Undefined) and sign(value) == 0


def _degree(node: Node) -> int:
    """A bound on how many times an entry is multiplied: what powers of powers would let grow without limit."""
    if isinstance(node, Reduction):
        return _degree(node.body)
    if not isinstance(node, Operation):
        return 1
    degrees = [_degree(part) for part in node.parts]
    return {"*": sum(degrees), "/": sum(degrees), "power": max(1, node.exponent) * degrees[0]}.get(
        node.name, max(degrees)
    )


def _suggestion(name: str, known: Iterable[str]) -> str:
    if name in INSTEAD:
        return INSTEAD[name]
    near = get_close_matches(name, list(known), n=1, cutoff=0.5)
    near = near or get_close_matches(name.lower(), list(known), n=1, cutoff=0.5)
    return f"did you mean {near[0]!r}?" if near else "krope conjecture --list shows all names"
