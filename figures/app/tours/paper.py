"""What the paper prints beside what is true, and its proof step by step on one exact chain."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from figures.app.tours.six_pairs import NAME, serialized
from figures.parts.formula_svg import formula_html
from figures.report.latex_math import CannotSet
from figures.report.plain_math import latex_of
from figures.report.prose import split
from proofs_check.chains.case import Case
from proofs_check.chains.witness import case_from_witness
from proofs_check.statements.registry import STATEMENTS
from proofs_check.statements.statement import Statement, Step
from tabular_krope.models.zoo import zoo

#: Printed statements, what each is about, and the statement that is true instead (itself: only its proof breaks).
BESIDE: Mapping[str, tuple[str, str]] = {
    "lemma-value-bound": ("the value bound", "value-bound-rkhs"),
    "d-pseudometric": ("d is a metric", "sqrt-d-metric"),
    "theorem-1": ("KROPE is stable", "rkhs-contraction"),
    "prop-distance-identity": ("distance and MMD", "prop-distance-identity"),
    "theorem-2-without-injectivity": ("groups are complete", "linear-completeness"),
    "truncation-unweighted-stable": ("any cut is stable", "truncation-stable"),
}
HOLDS, FALSE, SILENT = "holds", "false", "vacuous"


@dataclass(frozen=True, slots=True)
class Judged:
    """A step of a proof on the chain: ``mark`` is "holds", "false" or "vacuous" (it says nothing there)."""

    name: str
    claim: str
    mark: str


@dataclass(frozen=True, slots=True)
class Beside:
    """Two statements and a proof.

    Attributes:
        printed, true: the statements; the same one if only the proof is wrong.
        steps: of the printed proof, judged exactly on the chain.
        first_false: the step at which the proof breaks.
        pairs: of the chain.
    """

    printed: Statement
    true: Statement
    steps: tuple[Judged, ...]
    first_false: str | None
    pairs: int

    @property
    def refuted(self) -> bool:
        """Whether the printed statement itself is false, not only its proof."""
        return self.printed.expected == "refuted"


@lru_cache(maxsize=len(BESIDE))
def compute(slug: str) -> Beside:
    """Judge each step of a printed proof on the statement's witness, or on the six-pair chain.

    >>> found = compute("lemma-value-bound")
    >>> found.first_false, [step.mark for step in found.steps].count("false")
    ('last-equality', 1)
    """
    printed = STATEMENTS[slug]
    witness = printed.witnesses[0] if printed.witnesses else serialized(zoo(NAME).exact())
    case = case_from_witness(witness)
    steps = tuple(Judged(step.name, step.claim, _mark(step, case)) for step in printed.steps)
    first = next((step.name for step in steps if step.mark == FALSE), None)
    return Beside(printed, STATEMENTS[BESIDE[slug][1]], steps, first, case.X)


def words(found: Beside) -> str:
    """The finding (HTML)."""
    place = f"at the step <b>{found.first_false}</b>, on a chain of {found.pairs} pairs"
    if found.refuted:
        return f"What is printed is <b>false</b>. Its proof breaks {place}."
    return f"What is printed is <b>true</b>, but its proof is not one: it breaks {place}, and can be mended."


def printed_claim(claim: str) -> str:
    """A sentence as it would be printed (HTML): its mathematics is set, its words stay words.

    >>> printed_claim("hence rho <= 1").count("<svg"), printed_claim("the laws of the next group agree")
    (1, 'the laws of the next group agree')
    """
    return "".join(_set(part) if is_math else escape(part, quote=False) for part, is_math in split(claim))


def _set(text: str) -> str:
    """Mathematics as a picture; as it is where it cannot be set."""
    try:
        return formula_html(latex_of(text.strip())).join((" " * text.startswith(" "), " " * text.endswith(" ")))
    except CannotSet:
        return escape(text, quote=False)


def _mark(step: Step, case: Case) -> str:
    relations = step.sides(case)
    if not relations:
        return SILENT
    return HOLDS if all(relation.holds(0.0) for relation in relations) else FALSE
