"""Statements, proof steps and negative controls as values."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from proofs_check.arithmetic.prime_field import Identity
from proofs_check.chains.case import Case, rounding
from proofs_check.chains.stacked_garnets import Inequalities
from proofs_check.statements.relation import Relation

Sides = Callable[[Case], Sequence[Relation]]
Instances = Callable[[np.random.Generator, bool], Case]

#: Characters of a title.
LONGEST = 60

#: "all": the relations hold on every instance. "some": on some instance, shown by a witness. "some-fail": on some
#: instance they fail, which is refuted by showing that they always hold.
FORMS = ("all", "some", "some-fail")


#: What a step is about. "chain": the instance's own quantities, so that a wrong one of them breaks it. "algebra": true
#: of any numbers, features or matrices of the kind that it names. "example": one stored example.
KINDS = ("chain", "algebra", "example")


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a proof, checkable on its own.

    Attributes:
        name: short, unique within its statement.
        claim: the step in words or as a formula.
        sides: the relations it asserts on an instance.
        kind: what it is about, one of `KINDS`.
    """

    name: str
    claim: str
    sides: Sides
    kind: str = "chain"


@dataclass(frozen=True, slots=True)
class Control:
    """A claim that must fail: a premise dropped, or the claim strengthened.

    Attributes:
        claim: what was dropped or strengthened, in words.
        instances: where to look; the statement's own instances if None.
        sides: the strengthened claim; the statement's own if None.
        tolerance: the statement's own if None.
    """

    claim: str
    instances: Instances | None = None
    sides: Sides | None = None
    tolerance: Callable[[Case], float] | None = None


@dataclass(frozen=True, slots=True)
class Constant:
    """The constant of an inequality, of which the adversary reports the best one that it found.

    Attributes:
        name: what it is, as a formula.
        proven: its value in the statement.
        power: a ratio ``t`` of the pressed sides stands for the constant ``proven * t**power``.

    >>> Constant("c in |a| <= c sqrt(b)", proven=2.0, power=0.5).found(0.25)
    1.0
    """

    name: str
    proven: float
    power: float = 1.0

    def found(self, ratio: float) -> float:
        """The constant that a ratio of the pressed sides stands for."""
        return float(self.proven * ratio**self.power)


@dataclass(frozen=True, slots=True)
class Pressure:
    """What an adversary pushes.

    Attributes:
        sides: the inequalities that it pushes toward equality.
        free: entries of an instance's ``given`` that it may change.
        constant: of these inequalities; None if there is none to speak of.
    """

    sides: Sides
    free: tuple[str, ...] = ()
    constant: Constant | None = None


#: Pairs of the largest model on which a statement is judged, and one that goes through all triples of pairs, all
#: numbers of features, or copies of the chain at every time: on 400 pairs these take seconds to minutes each.
LARGE_MODELS, SMALL_MODELS = 450, 120


@dataclass(frozen=True, slots=True)
class Cost:
    """What judging a statement takes, and where floats can be asked.

    Attributes:
        share: a costly statement is tried on one in ``share`` of the instances asked for.
        most_exact: pairs up to which a float failure is put before the rationals; a larger chain counts as it is.
        most_pairs: pairs up to which it is judged on a user's model.
        of_zeros: it speaks of distance zero or of a span, which floats cannot tell from very small numbers.
    """

    share: int = 1
    most_exact: int = 64
    most_pairs: int = LARGE_MODELS
    of_zeros: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim about KROPE that can be judged.

    Attributes:
        slug: its name.
        title: what tables call it, in one line of at most 60 characters; the beginning of its claim if empty.
        claim: in words.
        formula: in LaTeX.
        source: where it is stated.
        instances: draws an instance from a generator, in floats (False) or rationals (True).
        sides: the relations it asserts on an instance.
        premise: whether it says anything about an instance; an instance where it does not is counted as vacuous.
        assumes: the premise in words.
        tolerance: what rounding may leave between the sides, before a relation's own scale.
        steps: its proof.
        expected: the verdict, "holds" or "refuted".
        true_instead: the slug of what is true where it is refuted; None if there is none.
        false_step: name of the first false step of the printed proof, None if there is none.
        control: a claim near to it that must fail.
        uses: slugs that its proof uses.
        form: what is quantified, one of `FORMS`.
        rational: whether its sides can be computed over the rationals.
        witnesses: exact instances in serialized form that settle it.
        identities: algebraic identities behind it, evaluated over a prime field.
        cost: what judging it takes.
        many: judges thousands of Garnets at once, by another algorithm; None if there is none.
        pressure: what an adversary pushes; None if it should not try.
    """

    slug: str
    claim: str
    formula: str
    source: str
    instances: Instances
    sides: Sides
    control: Control
    premise: Callable[[Case], bool] = field(default=lambda case: True)
    assumes: str = "nothing"
    tolerance: Callable[[Case], float] = rounding
    steps: tuple[Step, ...] = ()
    expected: str = "holds"
    true_instead: str | None = None
    false_step: str | None = None
    uses: tuple[str, ...] = ()
    form: str = "all"
    rational: bool = True
    witnesses: tuple[Mapping[str, Any], ...] = ()
    identities: tuple[Identity, ...] = ()
    cost: Cost = Cost()
    many: Callable[[np.random.Generator, int], Inequalities] | None = None
    pressure: Pressure | None = None
    title: str = ""

    def violation(self, case: Case) -> Any:
        """The largest gap of its relations: at most the tolerance where the statement holds."""
        return max(relation.gap() for relation in self.sides(case))

    def fails_on(self, case: Case) -> bool:
        """Whether a relation fails on an exact instance."""
        return not all(relation.holds(0.0) for relation in self.sides(case))


def title_of(statement: Statement) -> str:
    """The title of a statement: its own, or the beginning of its claim, of at most 60 characters.

    >>> from proofs_check.statements.registry import STATEMENTS
    >>> title_of(STATEMENTS["theorem-1"])
    'KROPE features make LSPE stable'
    """
    return statement.title or beginning(statement.claim)


def beginning(claim: str, most: int = LONGEST) -> str:
    """The first clause of a claim if that is short, else as many whole words as ``most`` characters hold.

    >>> beginning("No value exceeds the largest reward over 1 - gamma.")
    'No value exceeds the largest reward over 1 - gamma'
    >>> beginning("The kernel is symmetric: k(x, y) = k(y, x) for all pairs x and y of the chain")
    'The kernel is symmetric'
    >>> beginning("one two three", 10)
    'one two ..'
    """
    clause = claim.split(": ")[0].split("; ")[0].rstrip(".")
    if len(clause) <= most:
        return clause
    kept = clause[: most - 2].rsplit(" ", 1)[0]
    return f"{kept} .."
