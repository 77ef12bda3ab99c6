"""Random mistakes, drawn by the syntax tree: an operator, a comparison, a constant, a transpose or an index."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeGuard

import numpy as np

OPERATORS = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"), ast.Pow: ("**", "*"),
    ast.MatMult: ("@", "*"), ast.FloorDiv: ("//", "/"), ast.Mod: ("%", "//"), ast.BitAnd: ("&", "|"),
    ast.Lt: ("<", "<=", ">"), ast.LtE: ("<=", "<", ">="), ast.Gt: (">", ">=", "<"), ast.GtE: (">=", ">", "<="),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"), ast.And: ("and", "or"), ast.Or: ("or", "and"),
}  # fmt: skip
#: Functions that are easily mistaken for each other.
TWINS = {"min": "max", "max": "min", "any": "all", "all": "any", "minimum": "maximum", "maximum": "minimum"}
#: Calls whose arguments are no formula, and arguments that are none.
SILENT = ("TypeVar", "field", "KropeError", "Option", "Argument", "print")
SILENT_ARGUMENTS = ("strict", "copy")


@dataclass(frozen=True, slots=True)
class Place:
    """A place where a mistake can be made.

    Attributes:
        file: path of the source from the root.
        where: the function around it, ``Class.method``.
        line: number of the line.
        start, end: offsets into the source, in characters.
        old: what stands there.
        choices: what may stand there instead.
    """

    file: str
    where: str
    line: int
    start: int
    end: int
    old: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mutant:
    """One mistake: ``new`` at a place, with what stands before and after it on its line."""

    place: Place
    new: str
    before: str
    after: str

    @property
    def key(self) -> str:
        """What it is, whatever lines are added above it."""
        line = f"{self.before.lstrip()}<<{self.place.old} => {self.new}>>{self.after}"
        return f"{self.place.file} {self.place.where}: {line}"

    def difference(self) -> str:
        """The line without and with the mistake."""
        lines = (
            f"    {sign} {self.before}{text}{self.after}" for sign, text in (("-", self.place.old), ("+", self.new))
        )
        return "\n".join((f"    {self.place.file}:{self.place.line}", *lines))

    def applied(self, source: str) -> str:
        """The source with the mistake in it."""
        return source[: self.place.start] + self.new + source[self.place.end :]


@cache
def places(file: str, source: str) -> tuple[Place, ...]:
    """Every place of a source, in the order in which they stand.

    >>> [(place.old, place.choices) for place in places("f.py", "def f(a):\\n    return a.T @ a < 2\\n")]
    [('.T', ('',)), ('@', ('*',)), ('<', ('<=', '>')), ('2', ('3', '1'))]
    """
    found = _Finder(file, source)
    found.visit(ast.parse(source))
    return tuple(sorted(found.places, key=lambda place: (place.start, place.end)))


def draw(root: Path, folders: Sequence[str], count: int, seed: int) -> list[Mutant]:
    """``count`` mutants of the sources in these folders, all places with the same probability, without repetition."""
    rng = np.random.default_rng(seed)
    files = sorted({file for folder in folders for file in (root / folder).rglob("*.py")})
    sources = {str(file.relative_to(root)): file.read_text(encoding="utf-8") for file in files}
    everywhere = [place for file, source in sources.items() for place in places(file, source)]
    chosen = rng.permutation(len(everywhere))[:count]
    return [_mutant(everywhere[int(i)], sources, rng) for i in chosen]


def _mutant(place: Place, sources: dict[str, str], rng: np.random.Generator) -> Mutant:
    source = sources[place.file]
    before, after = source[: place.start].rpartition("\n")[2], source[place.end :].partition("\n")[0]
    return Mutant(place, place.choices[int(rng.integers(len(place.choices)))], before, after)


class _Finder(ast.NodeVisitor):
    def __init__(self, file: str, source: str) -> None:
        self.file, self.raw, self.places = file, source.encode(), list[Place]()
        self.inside: list[str] = []
        self.left_open = set[int]()  # sizes that numpy finds: any negative number says so
        self.starts = [0]
        for line in self.raw.split(b"\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.JoinedStr | ast.Raise | ast.Import | ast.ImportFrom) or _silent(node):
            return
        if isinstance(node, ast.expr):
            for start, end, choices in self._edits(node):
                self._note(start, end, choices)
        named = isinstance(node, ast.FunctionDef | ast.ClassDef)
        if named:
            self.inside.append(node.name)
        for child in _children(node):
            self.visit(child)
        if named:
            self.inside.pop()

    def _start(self, node: ast.expr) -> int:
        return self.starts[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr) -> int:
        return self.starts[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0)

    def _note(self, start: int, end: int, choices: tuple[str, ...]) -> None:
        first, last = (len(self.raw[:offset].decode()) for offset in (start, end))
        line = self.raw[:start].count(b"\n") + 1
        where = ".".join(self.inside) or "module"
        self.places.append(Place(self.file, where, line, first, last, self.raw[start:end].decode(), choices))

    def _edits(self, node: ast.expr) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """Start, end and choices, in bytes."""
        if isinstance(node, ast.BinOp):
            yield from self._between(node.left, node.op, node.right)
        elif isinstance(node, ast.Compare):
            for left, op, right in zip((node.left, *node.comparators), node.ops, node.comparators, strict=False):
                yield from self._between(left, op, right)
        elif isinstance(node, ast.BoolOp):
            yield from self._between(node.values[0], node.op, node.values[1])
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub | ast.Invert):
            yield self._start(node), self._start(node) + (3 if isinstance(node.op, ast.Not) else 1), ("",)
        elif isinstance(node, ast.Constant):
            for choices in (("0",),) if id(node) in self.left_open else _constants(node.value):
                yield self._start(node), self._end(node), choices
        elif isinstance(node, ast.Attribute) and node.attr == "T":
            yield self._end(node) - 2, self._end(node), ("",)
        elif isinstance(node, ast.Call):
            yield from self._call(node)
        elif isinstance(node, ast.Subscript):
            start, end = self._start(node.slice), self._end(node.slice)
            swapped = {b":, None": "None, :", b"None, :": ":, None"}.get(self.raw[start:end])
            if swapped:
                yield start, end, (swapped,)

    def _between(self, left: ast.expr, op: ast.AST, right: ast.expr) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        if type(op) in OPERATORS:
            old, *new = OPERATORS[type(op)]
            at = self.raw.index(old.encode(), self._end(left), self._start(right))
            yield at, at + len(old), tuple(new)

    def _call(self, node: ast.Call) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        func = node.func
        if isinstance(func, ast.Attribute) and func.attr == "transpose" and not node.args:
            yield self._end(func) - len(".transpose"), self._end(node), ("",)
        name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
        if name == "reshape":
            sizes = [size for part in node.args for size in (part.elts if isinstance(part, ast.Tuple) else [part])]
            self.left_open |= {id(size.operand) for size in sizes if _is_minus_one(size)}
        if name in TWINS:
            yield self._end(func) - len(name), self._end(func), (TWINS[name],)


def _is_minus_one(node: ast.AST) -> TypeGuard[ast.UnaryOp]:
    one = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant)
    return one and ast.unparse(node) == "-1"


def _silent(node: ast.AST) -> bool:
    """Whether nothing below is a formula: messages, options of the command, what only type checkers read."""
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return name in SILENT
    if isinstance(node, ast.keyword):
        return node.arg in SILENT_ARGUMENTS
    return isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """What stands below a node, without annotations and decorators."""
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns", "decorator_list", "type_params"):
            yield from (part for part in (value if isinstance(value, list) else [value]) if isinstance(part, ast.AST))


def _constants(value: object) -> Iterator[tuple[str, ...]]:
    if isinstance(value, bool):
        yield (str(not value),)
    elif isinstance(value, int):
        yield (str(value + 1), str(value - 1)) if value else ("1",)
    elif isinstance(value, float):
        yield (repr(2 * value), repr(value / 2)) if value else ("1.0",)
