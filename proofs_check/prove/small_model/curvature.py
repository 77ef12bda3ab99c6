r"""Which claims the small-model theorem covers: ``small <= large`` with a convex small and a concave large side.

Curvature is about the vector of all ``q, U, K, d, mmd2, life`` at the pairs of the claim; what depends on rewards,
discount and reward range only is a constant. The rules are those of disciplined convex programming, for the dozen
functions of the language. They are written out here because importing cvxpy takes longer than deciding a claim;
the tests compare the two.
"""

from collections.abc import Callable
from dataclasses import dataclass

from proofs_check.conjectures.matrix_language import MATRIX_FUNCTIONS
from proofs_check.conjectures.tree import Comparison, Letter, Named, Node, Operation, Reduction, show, walk

#: Affine in the vector of all values and distances, and those of them that are never negative.
VARYING = frozenset(("q", "U", "K", "d", "mmd2", "life"))
NEVER_NEGATIVE = frozenset(("U", "K", "d", "mmd2", "life"))
#: Fixed by rewards, discount and reward range.
FIXED = frozenset(("r", "K1", "gamma", "R", "rho0", "rmin", "rmax", "horizon"))
CONSTANT, AFFINE, CONVEX, CONCAVE = "constant", "affine", "convex", "concave"
_MIRRORED = {CONVEX: CONCAVE, CONCAVE: CONVEX}

SignOf = Callable[[Node], int | None]


class Outside(Exception):
    """Why a claim is not of the form that the theorem covers."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Curvature of an expression, and its sign: 1 if never negative, -1 if never positive, 0 if zero, else None."""

    curvature: str
    sign: int | None

    @property
    def convex(self) -> bool:
        """Constant, affine or convex."""
        return self.curvature != CONCAVE

    @property
    def concave(self) -> bool:
        """Constant, affine or concave."""
        return self.curvature != CONVEX

    @property
    def flat(self) -> bool:
        """Constant or affine."""
        return self.convex and self.concave


def varies(node: Node) -> bool:
    """Whether an expression speaks about more than rewards, discount and reward range."""
    return any(isinstance(part, Letter) or (isinstance(part, Named) and part.name not in FIXED) for part in walk(node))


def shape_of(node: Node, sign_of: SignOf) -> Shape:
    """Curvature and sign of an expression; raises `Outside` with the reason if it has no curvature.

    Args:
        node: the expression.
        sign_of: the sign of an expression that does not vary, None if it has none or it is not known.

    >>> from proofs_check.conjectures.parse import parse
    >>> shape_of(parse("(q[x]-q[y])**2 <= 1").comparisons[0].left, lambda node: 1)
    Shape(curvature='convex', sign=1)
    """
    for part in (node, *walk(node)):
        if isinstance(part, Reduction):
            raise Outside(f"{part.name} over all pairs needs more than the pairs of the claim")
        if isinstance(part, Named) and part.name not in VARYING | FIXED:
            raise Outside(f"{part.name} is not determined by the laws of the reward, step by step")
        if isinstance(part, Operation) and part.name in ("exp", "log"):
            raise Outside(f"{part.name} is not algebraic")
        if isinstance(part, Letter) or (isinstance(part, Operation) and part.name in MATRIX_FUNCTIONS):
            raise Outside("whole matrices need more than the pairs of the claim")
    if not varies(node):
        return Shape(CONSTANT, sign_of(node))
    if isinstance(node, Named):
        return Shape(AFFINE, 1 if node.name in NEVER_NEGATIVE else None)
    assert isinstance(node, Operation)
    return _RULES[node.name](node, [shape_of(part, sign_of) for part in node.parts])


def require_covered(comparison: Comparison, sign_of: SignOf) -> None:
    """Raise `Outside`, with the reason, unless a comparison is convex <= concave (affine on both sides if ``==``)."""
    small, large = comparison.left, comparison.right
    if comparison.sign in (">=", ">"):
        small, large = large, small
    for side, wanted, place in ((small, CONVEX, "small"), (large, CONCAVE, "large")):
        shape = shape_of(side, sign_of)
        bent = not shape.flat if comparison.sign == "==" else shape.curvature == _MIRRORED[wanted]
        if bent:
            wanted = "affine" if comparison.sign == "==" else wanted
            place = "one side of an equation" if comparison.sign == "==" else f"the {place} side"
            raise Outside(f"{_culprit(side)} on {place} is not {wanted}")


def _culprit(node: Node) -> str:
    """The function that bends an expression first."""
    names = {"power": "a square or power"}
    for part in walk(node):
        if isinstance(part, Operation) and part.name in ("sqrt", "abs", "max", "min", "power") and varies(part):
            return names.get(part.name, part.name)
    return show(node)


def _sum(node: Operation, parts: list[Shape]) -> Shape:
    curvatures = {part.curvature for part in parts} - {CONSTANT}
    if {CONVEX, CONCAVE} <= curvatures:
        raise Outside("a sum of a convex and a concave part has no curvature")
    bent = curvatures - {AFFINE}
    signs = {part.sign for part in parts} - {0}
    sign = (signs or {0}).pop() if len(signs) < 2 else None
    return Shape(bent.pop() if bent else AFFINE, sign)


def _mirrored(shape: Shape) -> Shape:
    return Shape(_MIRRORED.get(shape.curvature, shape.curvature), None if shape.sign is None else -shape.sign)


def _difference(node: Operation, parts: list[Shape]) -> Shape:
    return _sum(node, [parts[0], _mirrored(parts[1])])


def _scaled(shape: Shape, factor: Shape, what: str) -> Shape:
    if factor.sign is None and not shape.flat:
        raise Outside(f"the sign of {what} is not known, so that its multiple of a {shape.curvature} part is neither")
    if factor.sign == 0:
        return Shape(CONSTANT, 0)
    turned = shape if factor.sign != -1 else _mirrored(shape)
    return turned if factor.sign is not None else Shape(shape.curvature, None)


def _product(node: Operation, parts: list[Shape]) -> Shape:
    left, right = parts
    if CONSTANT not in (left.curvature, right.curvature):
        if node.parts[0] == node.parts[1]:
            return _power(Operation("power", node.parts[:1], 2), parts[:1])
        raise Outside("a product of two quantities is neither convex nor concave")
    if left.curvature == CONSTANT:
        return _scaled(right, left, show(node.parts[0]))
    return _scaled(left, right, show(node.parts[1]))


def _quotient(node: Operation, parts: list[Shape]) -> Shape:
    if parts[1].curvature != CONSTANT:
        raise Outside("a quotient by a quantity is neither convex nor concave")
    return _scaled(parts[0], parts[1], show(node.parts[1]))


def _absolute(node: Operation, parts: list[Shape]) -> Shape:
    (inner,) = parts
    if inner.flat or (inner.convex and inner.sign == 1) or (inner.concave and inner.sign == -1):
        return Shape(CONVEX, 1)
    raise Outside(f"abs of a {inner.curvature} part is neither convex nor concave")


def _root(node: Operation, parts: list[Shape]) -> Shape:
    if parts[0].concave:
        return Shape(CONCAVE, 1)
    raise Outside("sqrt of a convex part is neither convex nor concave")


def _power(node: Operation, parts: list[Shape]) -> Shape:
    (inner,) = parts
    even = node.exponent % 2 == 0
    if node.exponent == 0:
        return Shape(CONSTANT, 1)
    if (even and inner.flat) or (inner.convex and inner.sign == 1) or (even and inner.concave and inner.sign == -1):
        return Shape(CONVEX, 1)
    raise Outside(f"power {node.exponent} of a part that is {inner.curvature} and of either sign is neither")


def _largest(node: Operation, parts: list[Shape]) -> Shape:
    if not all(part.convex for part in parts):
        raise Outside("max of a concave part is neither convex nor concave")
    signs = [part.sign for part in parts]
    return Shape(CONVEX, 1 if any(sign in (0, 1) for sign in signs) else -1 if all(s == -1 for s in signs) else None)


def _least(node: Operation, parts: list[Shape]) -> Shape:
    if not all(part.concave for part in parts):
        raise Outside("min of a convex part is neither convex nor concave")
    return _mirrored(_largest(node, [_mirrored(part) for part in parts]))


_RULES: dict[str, Callable[[Operation, list[Shape]], Shape]] = {
    "+": _sum,
    "-": _difference,
    "neg": lambda node, parts: _mirrored(parts[0]),
    "*": _product,
    "/": _quotient,
    "abs": _absolute,
    "sqrt": _root,
    "power": _power,
    "max": _largest,
    "min": _least,
}
