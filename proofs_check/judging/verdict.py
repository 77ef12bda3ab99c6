"""Verdicts: what was decided about a statement, and on what evidence."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tabular_krope.looks import Tabled

if TYPE_CHECKING:
    from tabular_krope.notebook_tables import Grid

#: Kinds of evidence, weakest first; "proved": a certificate that was checked, for chains of every size.
EVIDENCE = ("sampled", "adversarial", "identity", "exact", "witness", "proved")
#: "unproved": a certificate is stored, and it was refused.
OUTCOMES = ("holds", "refuted", "vacuous", "unproved")


@dataclass(frozen=True, slots=True)
class Trial:
    """What one kind of evidence saw.

    Attributes:
        level: one of `EVIDENCE`.
        tried: instances on which the premise was met and the relations judged.
        vacuous: instances on which the premise was not met.
        failed: instances on which a relation failed.
        worst: largest violation over its tolerance (``sampled``), or largest violation (rational evidence).
        tightness: largest ratio of the sides of an inequality; NaN if there is none.
        error: bound on the probability that a false identity passed (``identity`` only).
        undecided: relations that balls could not decide; they count neither for nor against.
        sizes: numbers of pairs, states and features of the points (``identity`` only), in words.
    """

    level: str
    tried: int
    vacuous: int
    failed: int
    worst: float
    tightness: float = float("nan")
    error: float | None = None
    undecided: int = 0
    sizes: str = ""


@dataclass(frozen=True, slots=True)
class BestConstant:
    """The constant of an inequality: the best one that the adversary found, beside the proven one.

    Attributes:
        name: what it is.
        proven: the inequality holds with it.
        found: with anything smaller the inequality fails on the instance that the adversary found.
    """

    name: str
    proven: float
    found: float


@dataclass(frozen=True, slots=True)
class StepVerdict:
    """What was found about one step of a proof.

    Attributes:
        name, claim: of the step.
        holds: whether it held wherever it was tried.
        worst: largest residual, over the tolerance for floats.
        tried: instances it was tried on.
        kind: what the step is about: "chain", "algebra" or "example".
    """

    name: str
    claim: str
    holds: bool
    worst: float
    tried: int
    kind: str = "chain"


@dataclass(frozen=True, slots=True)
class CertificateVerdict:
    """What was found about the stored certificate of a statement.

    Attributes:
        holds: whether it was accepted.
        conclusions: what it proves, for chains of every size, in words.
        hypotheses: what it assumes, in words.
        lemmas: of docs/proofs.md that it uses.
        steps: their number.
        trusted: what connects hypotheses and conclusions with the statement.
        problem: why it was refused; None if it was accepted.
    """

    holds: bool
    conclusions: tuple[str, ...] = ()
    hypotheses: tuple[str, ...] = ()
    lemmas: tuple[str, ...] = ()
    steps: int = 0
    trusted: str = ""
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict(Tabled):
    """The judgment of one statement.

    Attributes:
        slug, claim: of the statement.
        outcome: "holds", "refuted", "vacuous", or "unproved" if its certificate was refused.
        evidence: the strongest kind of evidence it rests on.
        tried: instances judged, all kinds of evidence together.
        vacuous: instances on which the premise was not met.
        worst: largest violation over the tolerance among float instances; at most 1 where the statement holds, minus
            infinity if nothing could violate it (an existential claim).
        tightness: largest ratio of the sides of its inequalities; NaN if it has none.
        witness: the exact instance that settles it, in serialized form; None if there is none.
        steps: its proof, step by step.
        first_false_step: name of the first step that failed; None if none did.
        expected: the expected outcome.
        expected_false_step: the expected first false step.
        trials: each kind of evidence apart.
        shrunk: a smaller exact instance than the witness that settles it too; None if the witness is the smallest.
        constant: the best constant found; None if the statement has none.
        certificate: what was found about its certificate; None if none is stored.
        control_fails: whether its negative control failed, as it must; None if it was not tried.
        formal: the theorem of Coq that proves the verdict, as ``file.name``; None if there is none, or if its sources
            are not those that Coq compiled.
    """

    slug: str
    claim: str
    outcome: str
    evidence: str
    tried: int
    vacuous: int
    worst: float
    tightness: float = float("nan")
    witness: Mapping[str, Any] | None = None
    steps: tuple[StepVerdict, ...] = ()
    first_false_step: str | None = None
    expected: str = "holds"
    expected_false_step: str | None = None
    trials: tuple[Trial, ...] = field(default=())
    shrunk: Mapping[str, Any] | None = None
    constant: BestConstant | None = None
    certificate: CertificateVerdict | None = None
    control_fails: bool | None = None
    formal: str | None = None

    def _table(self) -> "tuple[str, dict[str, Any], Grid | None]":
        from proofs_check.show.summary import evidence_word, refutation_words, tight_word
        from proofs_check.statements.registry import STATEMENTS
        from tabular_krope.models.model_grids import witness_grid

        facts: dict[str, Any] = {"outcome": self.outcome, "claim": self.claim}
        if self.outcome == "refuted" and self.slug in STATEMENTS:
            facts["because"] = refutation_words(self, STATEMENTS[self.slug])
        elif self.first_false_step:
            facts["false step of the printed proof"] = self.first_false_step
        facts |= {"strongest evidence": evidence_word(self), "instances": self.tried, "tight": tight_word(self)}
        return self.slug, facts, witness_grid(self.witness)

    @property
    def error(self) -> float | None:
        """Bound on the probability that a false identity passed; None if no identity was tried."""
        return next((trial.error for trial in self.trials if trial.error is not None), None)

    @property
    def vacuous_share(self) -> float:
        """Share of the instances on which the premise was not met.

        >>> Verdict("s", "c", "holds", "sampled", tried=3, vacuous=1, worst=0.0).vacuous_share
        0.25
        """
        return self.vacuous / max(1, self.tried + self.vacuous)

    @property
    def as_expected(self) -> bool:
        """Whether outcome and first false step are the expected ones, and the negative control failed.

        >>> Verdict("s", "c", "holds", "sampled", 3, 1, worst=0.0, control_fails=False).as_expected
        False
        """
        right = self.outcome == self.expected and self.first_false_step == self.expected_false_step
        return right and self.control_fails is not False
