"""An expression whose supremum is asked for, as a quotient: numerator at most a constant times denominator."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from proofs_check.conjectures.parse import parse
from proofs_check.conjectures.question import Question, ask
from proofs_check.conjectures.tree import Claim, Node, Number, Operation, show
from proofs_check.prove.small_model.curvature import varies
from tabular_krope.errors import KropeError


@dataclass(frozen=True, slots=True)
class Asked:
    """What the supremum is asked of.

    Attributes:
        text: the expression as it was understood.
        top, bottom: its parts; the bottom is 1 unless the expression is a quotient by something that varies.
        options: premises, conservative, gamma and dim, as `ask` takes them.
    """

    text: str
    top: Node
    bottom: Node
    assume: tuple[str, ...]
    conservative: bool
    gamma: Any
    dim: int | None

    def claim(self, constant: str) -> Question:
        """``top <= constant * bottom``, asked about the same chains."""
        bound = f"({constant}) * ({show(self.bottom)})" if self.bottom != ONE else f"({constant})"
        return self.question(f"{show(self.top)} <= {bound}")

    def question(self, text: str) -> Question:
        """Any claim about the same chains."""
        return ask(text, self.assume, self.conservative, self.gamma, self.dim)

    def narrowed(self, *premises: str) -> "Asked":
        """The same with more premises."""
        return replace(self, assume=(*self.assume, *premises))


ONE = Number(Fraction(1))


def read(
    text: str, assume: Iterable[str] = (), conservative: bool = False, gamma: Any = None, dim: int | None = None
) -> Asked:
    """The expression that a text stands for.

    >>> asked = read("(q[x]-q[y])**2 / d[x,y]")
    >>> str(asked.claim("R").claim)
    '(q[x] - q[y])**2 <= R * d[x,y]'
    """
    if not isinstance(text, str) or any(sign in text for sign in "<>="):
        raise KropeError(f"expression must be one side only, without <=, < or ==; got {text!r}")
    (comparison,) = _bounded_by_one(text).comparisons
    node = comparison.left
    asked = Asked(show(node), *_quotient(node), tuple(assume), bool(conservative), gamma, dim)
    question = asked.question(f"{asked.text} <= 1")
    if question.gamma == 1:
        raise KropeError("gamma must be below 1; got 1")
    if question.exact_only or question.functions:
        raise KropeError(f"expression must be about numbers that floats can search, not about matrices; got {text!r}")
    return asked


def _bounded_by_one(text: str) -> Claim:
    """The claim that an expression is at most 1; errors speak of the expression alone."""
    try:
        return parse(f"{text} <= 1", "expression")
    except KropeError as error:
        said = str(error).replace("'<= 1'", "the end").replace(" <= 1'", "'")
        raise KropeError(said.replace("must be an inequality", "must be an expression")) from None


def _quotient(node: Node) -> tuple[Node, Node]:
    """Top and bottom: factors of a product below a varying bottom are gathered at the top."""
    if isinstance(node, Operation) and node.name == "/" and varies(node.parts[1]):
        return node.parts[0], node.parts[1]
    if isinstance(node, Operation) and node.name == "*":
        for i in (0, 1):
            top, bottom = _quotient(node.parts[i])
            if bottom != ONE:
                return Operation("*", (node.parts[1 - i], top)), bottom
    return node, ONE
