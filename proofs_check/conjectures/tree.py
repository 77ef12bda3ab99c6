"""Claims as trees: numbers, quantities, operations, reductions over an index, and comparisons."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from proofs_check.conjectures.language import INDICES, QUANTITIES
from proofs_check.conjectures.matrix_language import MATRIX_FUNCTIONS


@dataclass(frozen=True, slots=True)
class Number:
    """A constant, exactly as written."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Named:
    """A quantity at indices: ``q[x]``, ``K[x,y]``, ``gamma``; one of a family has a number, ``lam(2)``."""

    name: str
    indices: tuple[str, ...] = ()
    number: int = 0

    @property
    def full(self) -> str:
        """Its name with its number.

        >>> Named("lam", (), 2).full
        'lam(2)'
        """
        return f"{self.name}({self.number})" if self.number else self.name


@dataclass(frozen=True, slots=True)
class Letter:
    """A whole matrix: ``K``, ``Phi``; ``L(2)`` takes two steps."""

    name: str
    number: int = 0

    @property
    def full(self) -> str:
        """Its name with its number."""
        return f"{self.name}({self.number})" if self.number else self.name


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator or function applied to parts.

    Attributes:
        name: one of ``+ - * / neg abs sqrt exp log min max power``, ``transpose`` of a matrix, or a function of one.
        parts: its arguments.
        exponent: of ``power`` only.
    """

    name: str
    parts: tuple["Node", ...]
    exponent: int = 1


@dataclass(frozen=True, slots=True)
class Reduction:
    """``sum``, ``min`` or ``max`` of the body over all pairs ``index``."""

    name: str
    index: str
    body: "Node"


Node = Number | Named | Letter | Operation | Reduction


@dataclass(frozen=True, slots=True)
class Comparison:
    """``left sign right``."""

    left: Node
    sign: str
    right: Node

    @property
    def ordered(self) -> tuple[Node, str, Node]:
        """The sides with the smaller first, and ``<=``, ``<``, ``==`` or ``!=`` between them."""
        if self.sign in (">", ">="):
            return self.right, "<" + self.sign[1:], self.left
        return self.left, self.sign, self.right

    @property
    def negated(self) -> "Comparison":
        """What is true where both sides are defined and this is not."""
        opposite = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "==": "!=", "!=": "=="}
        return Comparison(self.left, opposite[self.sign], self.right)


@dataclass(frozen=True, slots=True)
class Claim:
    """One or more comparisons, all asserted for every choice of the free indices.

    Attributes:
        text: as the user wrote it.
        comparisons: several in a chain such as ``0 <= d[x,y] <= 4``.
    """

    text: str
    comparisons: tuple[Comparison, ...]

    @property
    def indices(self) -> tuple[str, ...]:
        """The free indices, in the order of the alphabet that they are from."""
        sides = [side for comparison in self.comparisons for side in (comparison.left, comparison.right)]
        return tuple(sorted({index for side in sides for index in free_indices(side)}, key=INDICES.index))

    @property
    def bound(self) -> tuple[str, ...]:
        """The indices summed or maximized over, in order of appearance."""
        return tuple(dict.fromkeys(node.index for node in self.nodes() if isinstance(node, Reduction)))

    @property
    def names(self) -> frozenset[str]:
        """The quantities it speaks about, and the functions of matrices."""
        named = frozenset(node.name for node in self.nodes() if isinstance(node, Named))
        return named | (self.functions & set(MATRIX_FUNCTIONS))

    @property
    def letters(self) -> frozenset[str]:
        """The whole matrices it speaks about."""
        return frozenset(node.name for node in self.nodes() if isinstance(node, Letter))

    @property
    def functions(self) -> frozenset[str]:
        """The functions and operations in it."""
        return frozenset(node.name for node in self.nodes() if isinstance(node, Operation))

    @property
    def spectral(self) -> bool:
        """Whether it speaks about a spectral quantity."""
        return any(name in MATRIX_FUNCTIONS or QUANTITIES[name].spectral for name in self.names)

    def nodes(self) -> Iterator[Node]:
        """All nodes of all sides."""
        for comparison in self.comparisons:
            yield from walk(comparison.left)
            yield from walk(comparison.right)

    @property
    def definite(self) -> "Node | None":
        """The matrix that it says is positive semidefinite, if it says that and nothing else."""
        first = self.comparisons[0]
        alone = len(self.comparisons) == 1 and first.sign == ">=" and first.right == Number(Fraction(0))
        left = first.left
        return left.parts[0] if alone and isinstance(left, Operation) and left.name == "mineig" else None

    def __str__(self) -> str:
        if self.definite is not None:
            return f"psd({show(self.definite)})"
        parts = [show(self.comparisons[0].left)]
        for comparison in self.comparisons:
            parts += [comparison.sign, show(comparison.right)]
        return " ".join(parts)


def walk(node: Node) -> Iterator[Node]:
    """A node and everything below it."""
    yield node
    for part in below(node):
        yield from walk(part)


def below(node: Node) -> tuple[Node, ...]:
    """The parts of a node."""
    if isinstance(node, Operation):
        return node.parts
    return (node.body,) if isinstance(node, Reduction) else ()


def free_indices(node: Node) -> tuple[str, ...]:
    """Indices of a node that no reduction inside it binds, in order of appearance."""
    if isinstance(node, Named):
        return tuple(dict.fromkeys(node.indices))
    found: dict[str, None] = {}
    for part in below(node):
        found.update(dict.fromkeys(free_indices(part)))
    if isinstance(node, Reduction):
        found.pop(node.index, None)
    return tuple(found)


_STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "neg": 3, "power": 4}


def show(node: Node, strength: int = 0) -> str:
    """A node as it would be written, with no more brackets than needed.

    >>> q, half = Named("q", ("x",)), Number(Fraction(1, 2))
    >>> show(Operation("*", (half, Operation("+", (q, q)))))
    '1 / 2 * (q[x] + q[x])'
    """
    own, text = _shown(node)
    return f"({text})" if own < strength else text


def _shown(node: Node) -> tuple[int, str]:
    if isinstance(node, Number):
        return (5 if node.value.denominator == 1 else 2), str(node.value).replace("/", " / ")
    if isinstance(node, Letter):
        return 5, node.full
    if isinstance(node, Named):
        return 5, node.full + (f"[{','.join(node.indices)}]" if node.indices else "")
    if isinstance(node, Reduction):
        return 5, f"{node.name}({node.index}, {show(node.body)})"
    own = _STRENGTH.get(node.name, 5)
    if node.name == "transpose":
        return 5, show(node.parts[0], 5) + "'"
    if own == 5:
        return 5, f"{node.name}({', '.join(show(part) for part in node.parts)})"
    if node.name == "neg":
        return own, "-" + show(node.parts[0], own)
    if node.name == "power":
        return own, f"{show(node.parts[0], 5)}**{node.exponent}"
    left, right = (show(part, own + side) for side, part in enumerate(node.parts))
    return own, f"{left} {node.name} {right}"
