r"""z3's word on a question: the claim at the points of the small model, as a formula over the reals.

The formula is built from the tree and the definitions, not from the reduction to polynomials, so that the two ways
check each other. z3 is an optional dependency: its answers are not certificates, and most claims never need it.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from flint import fmpq

from proofs_check.chains.case import Case
from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.question import Question
from proofs_check.conjectures.tree import Claim, Comparison, Named, Node, Number, Operation
from proofs_check.prove.small_model.curvature import FIXED, varies
from proofs_check.prove.small_model.quantities import HIGH, LOW
from proofs_check.prove.small_model.small_chain import Point, chain

#: Milliseconds that z3 may take for one formula.
PATIENCE = 4000
#: Digits to which an irrational number of a model is read.
DIGITS = (2, 4, 8, 16)


def ask_z3(question: Question, patience: int = PATIENCE) -> tuple[str, Case | None]:
    """What z3 says: "holds", "fails" with a chain that refutes the claim exactly, or "unknown".

    "unknown" also where z3 is not installed, or where the largest life of an ending chain matters.
    """
    try:
        import z3
    except ImportError:
        return "unknown", None
    if "horizon" in question.names and not question.conservative:
        return "unknown", None
    for flat in (False, True):
        formula = _Formula(z3, question, flat)
        solver = z3.SolverFor("QF_NRA")
        solver.set("timeout", patience)
        solver.add(*formula.conditions, z3.Not(formula.claim()))
        solver.add(*formula.side)
        answer = solver.check()
        if answer == z3.sat:
            return next(_confirmed(question, formula, solver.model()), ("unknown", None))
        if answer != z3.unsat:
            return "unknown", None
    return "holds", None


def _confirmed(question: Question, formula: "_Formula", model: Any) -> Iterator[tuple[str, Case | None]]:
    for digits in DIGITS:
        point = formula.point(model, digits)
        if point is not None:
            case = chain(point)
            if question.about(case) and judge_case(question, case).refutes:
                yield "fails", case


class _Formula:
    """The claim and its premises at a point of the small model."""

    def __init__(self, z3: Any, question: Question, flat: bool) -> None:
        self.z3, self.question, self.flat = z3, question, flat
        self.k = len(question.claim.indices)
        self.gamma, self.lo, self.rho, self.R = z3.Reals("gamma lo rho R")
        self.a, self.b, self.c = ([z3.Real(f"{name}{i}") for i in range(self.k)] for name in "abc")
        self.pairs = {name: i for i, name in enumerate(question.claim.indices)}
        self.side: list[Any] = []
        self.conditions = list(self._bounds())
        for premise in question.premises:
            self.conditions += self._premise(premise)

    def _bounds(self) -> Iterator[Any]:
        yield from (self.gamma >= 0, self.gamma < 1, self.rho >= 0, self.R >= self.rho)
        yield self.R == 0 if self.flat else self.R > 0
        if self.question.gamma is not None:
            yield self.gamma == self._fraction(self.question.gamma)
        for a, b, c in zip(self.a, self.b, self.c, strict=True):
            yield from (a >= 0, a <= 1, b >= 0, c >= 0)
            yield b + c == 1 if self.question.conservative else b + c <= 1

    def _fraction(self, value: Any) -> Any:
        text = str(value)
        return self.z3.RealVal(text)

    def claim(self) -> Any:
        """What is claimed wherever both sides of every comparison are defined."""
        holds = [self._comparison(comparison, self.pairs) for comparison in self.question.claim.comparisons]
        return self.z3.And(*holds)

    def _premise(self, premise: Claim) -> list[Any]:
        """The instances of a premise about parameters; nothing of any other."""
        if not premise.names <= FIXED or premise.bound:
            return []
        foreign = [name for name in premise.indices if name not in self.pairs]
        found = []
        for chosen in product((LOW, HIGH, *range(self.k)), repeat=len(foreign)):
            pairs = self.pairs | dict(zip(foreign, chosen, strict=True))
            found += [self._comparison(comparison, pairs) for comparison in premise.comparisons]
        return found

    def _comparison(self, comparison: Comparison, pairs: Mapping[str, int]) -> Any:
        left, right = self._value(comparison.left, pairs), self._value(comparison.right, pairs)
        actions: Mapping[str, Callable[[], Any]] = {
            "<=": lambda: left <= right,
            "<": lambda: left < right,
            ">=": lambda: left >= right,
            ">": lambda: left > right,
            "==": lambda: left == right,
        }
        return actions[comparison.sign]()

    def _value(self, node: Node, pairs: Mapping[str, int]) -> Any:
        z3 = self.z3
        if isinstance(node, Number):
            return self._fraction(node.value)
        if isinstance(node, Named):
            return self._named(node.name, [pairs[i] for i in node.indices])
        assert isinstance(node, Operation)
        parts = [self._value(part, pairs) for part in node.parts]
        first = parts[0]
        if node.name in ("max", "min"):
            for part in parts[1:]:
                first = z3.If((first >= part) if node.name == "max" else (first <= part), first, part)
            return first
        if node.name == "power":
            result = self._fraction(1)
            for _ in range(node.exponent):
                result = result * first
            return result
        if node.name == "sqrt":
            root = z3.Real(f"root{len(self.side)}")
            # Where the root of a parameter is undefined nothing is claimed; of a quantity, it has to be defined.
            self.side.append(z3.And(root >= 0, z3.If(first >= 0, root * root == first, varies(node))))
            return root if not varies(node) else z3.If(first >= 0, root, self._fraction(-(10**9)))
        if node.name == "/":
            self.side.append(parts[1] != 0)
        actions: Mapping[str, Callable[[], Any]] = {
            "+": lambda: first + parts[1],
            "-": lambda: first - parts[1],
            "*": lambda: first * parts[1],
            "/": lambda: first / parts[1],
            "neg": lambda: -first,
            "abs": lambda: z3.If(first >= 0, first, -first),
        }
        return actions[node.name]()

    def _named(self, name: str, at: list[int]) -> Any:
        one, w = self._fraction(1), self.gamma / (1 - self.gamma)
        plain = {"gamma": self.gamma, "R": self.R, "rho0": self.rho, "rmin": self.lo, "rmax": self.lo + self.rho}
        if name in plain:
            return plain[name]
        if name == "horizon":
            return one / (1 - self.gamma)
        places = [self.a[i] if i >= 0 else self._fraction(int(i == HIGH)) for i in at]
        if len(at) == 1:
            r = self.lo + self.rho * places[0]
            if name == "r":
                return r
            b, c = self.b[at[0]], self.c[at[0]]
            return r + w * (self.lo * b + (self.lo + self.rho) * c) if name == "q" else 1 + w * (b + c)
        gap = self.rho * self.z3.If(places[0] >= places[1], places[0] - places[1], places[1] - places[0])
        if name == "K1":
            return self._kernel(gap, one)
        i, j = at
        if name == "U":
            return gap + w * self._cross(i, j)
        if name == "K":
            return self._entry(i, j, gap)
        distance = self._entry(i, i, 0 * gap) + self._entry(j, j, 0 * gap) - 2 * self._entry(i, j, gap)
        if name == "d":
            return distance
        ends = [self.b[n] + self.c[n] for n in at]
        after = [
            self._kernel(self._cross(m, n), x * y)
            for m, n, x, y in ((i, i, ends[0], ends[0]), (j, j, ends[1], ends[1]), (i, j, ends[0], ends[1]))
        ]
        return (after[0] + after[1] - 2 * after[2]) / (1 - self.gamma)

    def _entry(self, i: int, j: int, gap: Any) -> Any:
        w = self.gamma / (1 - self.gamma)
        both = (self.b[i] + self.c[i]) * (self.b[j] + self.c[j])
        return self._kernel(gap, self._fraction(1)) + w * self._kernel(self._cross(i, j), both)

    def _kernel(self, gap: Any, mass: Any) -> Any:
        """``mass - gap/R``, and ``mass`` if R = 0."""
        return mass if self.flat else mass - gap / self.R

    def _cross(self, i: int, j: int) -> Any:
        return self.rho * (self.b[i] * self.c[j] + self.b[j] * self.c[i])

    def point(self, model: Any, digits: int) -> Point | None:
        """The point of a model, irrational numbers rounded; None if rounding leaves the bounds."""

        def read(v: Any) -> fmpq:
            value = model.eval(v, model_completion=True)
            if self.z3.is_algebraic_value(value):
                value = value.approx(digits)
            fraction = Fraction(value.as_fraction())
            return fmpq(fraction.numerator, fraction.denominator)

        gamma, lo, rho, R = (read(v) for v in (self.gamma, self.lo, self.rho, self.R))
        low, high = [read(v) for v in self.b], [read(v) for v in self.c]
        if self.question.conservative:
            high = [1 - b for b in low]
        small = [0 <= v for v in (gamma, rho, R - rho, *low, *high)] + [
            b + c <= 1 for b, c in zip(low, high, strict=True)
        ]
        if not all(small) or gamma >= 1:
            return None
        places = tuple(min(max(read(v), fmpq(0)), fmpq(1)) for v in self.a)
        return Point(gamma / (1 - gamma), lo, rho, R - rho, places, tuple(low), tuple(high))
