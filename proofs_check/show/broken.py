"""What a witness shows, in numbers: which two sides stand against each other, and how."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from proofs_check.arithmetic.linear_algebra import floats
from proofs_check.arithmetic.regression import iteration, radius
from proofs_check.chains.case import Case
from proofs_check.chains.witness import case_from_witness
from proofs_check.show.witness_rows import short, view_sides
from proofs_check.statements.statement import Statement

#: What is true where a relation fails, and what the claim says of the right side.
OPPOSITE = {"<=": ">", "<": ">=", "==": "!="}
DEMANDS = {"<=": "at most", "<": "below", "==": "exactly"}
#: The sides of a statement by slug, a pair for each relation, with the indices of the entry in braces.
SIDES = {
    "d-pseudometric": [("d({0},{1})", "d({0},{2}) + d({2},{1})")],
    "lemma-value-bound": [("|q({0})-q({1})|", "d + C")],
    "theorem-2-without-injectivity": [("r({0})", "its group's r"), ("gamma P({0} to group {1})", "its group's")],
    "independent-features-unique": [("rank A", "d")],
    "remark-self-similarity": [("k(x,x)", "k(x,y)")],
    "figure-2-instability": [("(Phi L)({0},{1})", "gamma (P Phi)({0},{1})"), ("stable (1 for yes)", "1")],
    "remark-realizable-not-enough": [("what of q lies outside the span", "0"), ("0", "the largest |q_hat - q|")],
    "differential-td-unstable": [
        ("irreducible (1 for yes)", "1"),
        ("0", "the weight of pair {0}"),
        ("0", "eta"),
        ("positive stable (1 for yes)", "0"),
    ],
}


@dataclass(frozen=True, slots=True)
class Sides:
    """Two sides of a relation on a witness.

    Attributes:
        left, right: what they are; empty if they have no name.
        value, limit: what they come to.
        sign: of the relation that is claimed.
        holds: whether it does.
    """

    left: str
    value: str
    sign: str
    right: str
    limit: str
    holds: bool

    def in_line(self) -> str:
        """On one line, with the sign that is true.

        >>> Sides("a", "2", "<=", "b", "1", False).in_line()
        'a = 2 > 1 = b'
        """
        sign = self.sign if self.holds else OPPOSITE[self.sign]
        left = f"{self.left} = {self.value}" if self.left else self.value
        return f"{left} {sign} {self.limit}" + (f" = {self.right}" if self.right not in ("", self.limit) else "")

    def sentence(self) -> str:
        """As a sentence.

        >>> Sides("a", "2", "<=", "b", "1", False).sentence()
        'a = 2; the claim says at most b = 1.'
        >>> Sides("", "2", "<", "", "3", True).sentence()
        '2 is below 3, as claimed.'
        """
        left = self.value if self.left in ("", self.value) else f"{self.left} = {self.value}"
        right = self.limit if self.right in ("", self.limit) else f"{self.right} = {self.limit}"
        if self.holds:
            return f"{left} is {DEMANDS[self.sign]} {right}, as claimed."
        return f"{left}; the claim says {DEMANDS[self.sign]} {right}."


def sides_on(statement: Statement, witness: Mapping[str, Any]) -> tuple[Sides, ...]:
    """Each relation of a statement on a witness, at its worst entry; spectral radii in numbers, not as yes or no.

    >>> from proofs_check.statements.registry import STATEMENTS
    >>> statement = STATEMENTS["lemma-value-bound"]
    >>> sides_on(statement, statement.witnesses[0])[0].in_line()
    '|q(0)-q(1)| = 81/10 > 81/20 = d + C'
    """
    if statement.slug in SPECTRA:
        return SPECTRA[statement.slug](case_from_witness(witness))
    views = view_sides(statement, witness)
    names = SIDES.get(statement.slug, [])
    if len(names) != len(views):
        names = [("", "")] * len(views)
    return tuple(
        Sides(left.format(*one.index), short(one.lhs), one.sign, right.format(*one.index), short(one.rhs), one.holds)
        for one, (left, right) in zip(views, names, strict=True)
    )


def failure(statement: Statement, witness: Mapping[str, Any]) -> Sides | None:
    """The relation that fails on a witness, the first of several; None if none does."""
    return next((sides for sides in sides_on(statement, witness) if not sides.holds), None)


def size_words(witness: Mapping[str, Any]) -> str:
    """Pairs and discount factor of a witness.

    >>> size_words({"r": ["0", "1"], "gamma": "9/10"})
    '2 pairs, gamma = 9/10'
    """
    X = len(witness["r"])
    return f"{X} pair{'s' * (X != 1)}, gamma = {short(str(witness['gamma']))}"


def _radius(L: Any) -> tuple[str, float]:
    """The spectral radius of a rational matrix: exactly if it is a number, else rounded; and as a float."""
    if L.shape == (1, 1):
        value = abs(L[0, 0])
        return short(str(value)), float(floats(value))
    value = radius(floats(L))
    return f"~{value:.4g}", value


def _stable(case: Case) -> tuple[Sides, ...]:
    words, value = _radius(iteration(case, case.given["phi"]).L)
    return (Sides("rho(L)", words, "<", "1", "1", value < 1),)


def _at_most_gamma(case: Case) -> tuple[Sides, ...]:
    from proofs_check.statements.neighbors.temporal_differences import iteration_matrix

    words, value = _radius(iteration_matrix(case))
    gamma = case.gamma
    return (Sides("rho(L)", words, "<=", "gamma", short(str(gamma)), value <= float(floats(gamma))),)


def _next_stable(case: Case) -> tuple[Sides, ...]:
    from proofs_check.statements.neighbors.temporal_differences import iteration_matrix

    found = [(n, *_radius(iteration_matrix(case, n))) for n in (1, 2, 3, 4)]
    return tuple(
        Sides(f"rho(L_{n}) = {before} and rho(L_{m})", words, "<", "1", "1", value < 1)
        for (n, before, stable), (m, words, value) in pairwise(found)
        if stable < 1
    )


#: Statements on spectral radii, which exact arithmetic only compares.
SPECTRA: dict[str, Callable[[Case], tuple[Sides, ...]]] = {
    "truncation-unweighted-stable": _stable,
    "td-implies-fitted": _stable,
    "closed-data-suffices": _at_most_gamma,
    "independent-rows-suffice": _at_most_gamma,
    "n-step-monotone": _next_stable,
}
