"""What was decided about a conjecture, and on what evidence."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from proofs_check.judging.verdict import Trial
from proofs_check.search.tally import Tally
from tabular_krope.looks import Tabled
from tabular_krope.models.model_grids import witness_grid
from tabular_krope.notebook_tables import Grid

OUTCOMES = ("proved", "decided", "holds", "refuted", "inconclusive", "vacuous")
#: Kinds of evidence, strongest first.
LEVELS = ("exact", "adversarial", "crossed", "sampled")
#: Outcomes that are at least as strong as one that was expected.
AT_LEAST: Mapping[str, tuple[str, ...]] = {"holds": ("holds", "decided", "proved"), "decided": ("decided", "proved")}


@dataclass(frozen=True, slots=True)
class ConjectureTrial(Trial):
    """What one kind of evidence saw of a conjecture; ``failed`` chains of floats are only suspected to violate it.

    Attributes:
        examined: suspected chains that were read as rationals and judged exactly.
        confirmed: those of them that refute the claim.
    """

    examined: int = 0
    confirmed: int = 0


def trial_of(tally: Tally, refuted: bool) -> ConjectureTrial:
    """The counts of a tally as a value. Unless the claim is refuted, a ratio beyond it is rounding and left out."""
    ratio = tally.tightness if refuted else tally.kept
    examined, confirmed = tally.acquitted + tally.doubtful + tally.confirmed, tally.confirmed
    if tally.level == "exact":  # nothing is left to examine
        examined = confirmed = tally.failed
    counts = tally.tried, tally.vacuous, tally.failed
    return ConjectureTrial(tally.level, *counts, tally.worst, ratio, examined=examined, confirmed=confirmed)


@dataclass(frozen=True, slots=True)
class ConjectureVerdict(Tabled):
    """The judgment of a user's own inequality. "holds" means that it was not refuted: nothing is proved by trying.

    Attributes:
        claim: as it was understood.
        assume: the premises, as they were understood.
        outcome: "proved", "decided", "holds", "refuted", "inconclusive" or "vacuous".
        reason: one sentence.
        trials: each kind of evidence apart.
        ratio: the tightest ratio of the smaller to the larger side that floats reached; NaN if there is none.
        open: exact comparisons that could not be decided.
        acquitted: float chains that seemed to violate the claim and do not when read exactly: rounding.
        witness: a rational chain on which the claim fails, in serialized form; None unless refuted.
        at: the pairs at which it fails there, by index.
        left, sign, right: the comparison there; fractions, or decimals of irrational sides.
        decimals: both sides as decimals.
        settings: everything else that the judgment depends on.
        box: least and largest number of pairs, discount factor, reward and reward range R among the chains that the
            claim was tried on; empty if it was tried on none.
        crossed: how many chains had each value of each trait, among those whose traits were crossed.
        proof: certificates of a proved claim, as in a file; None unless proved.
        before: pairs of the witness before it was shrunk; 0 unless refuted.
        note: why the claim was not proved but searched; empty if it was not searched.
    """

    claim: str
    assume: tuple[str, ...]
    outcome: str
    reason: str
    trials: tuple[ConjectureTrial, ...]
    ratio: float
    open: int
    acquitted: int = 0
    witness: Mapping[str, Any] | None = None
    at: Mapping[str, int] | None = None
    left: str = ""
    sign: str = ""
    right: str = ""
    decimals: tuple[str, str] = ("", "")
    settings: Mapping[str, Any] = field(default_factory=dict)
    box: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    crossed: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    proof: Mapping[str, Any] | None = None
    before: int = 0
    note: str = ""

    def _table(self) -> tuple[str, dict[str, Any], Grid | None]:
        facts: dict[str, Any] = {"outcome": self.outcome, "because": self.reason}
        if self.assume:
            facts["given"] = "; ".join(self.assume)
        if self.witness is not None:
            facts |= {"left side": self.left, "right side": self.right, "gamma": self.witness["gamma"]}
            facts |= {f"pair {index}": x for index, x in (self.at or {}).items()}
        if self.trials:
            facts["chains tried"] = self.tried
        return self.claim, facts, witness_grid(self.witness)

    @property
    def evidence(self) -> str:
        """The strongest kind of evidence that the outcome rests on; "none" if the claim was tried on no chain."""
        if self.witness is not None:
            return "witness"
        if self.outcome in ("proved", "decided") or self.proof is not None:
            return "solver" if self.outcome == "decided" else "certificate"
        tried = {trial.level for trial in self.trials if trial.tried}
        return next((level for level in LEVELS if level in tried), "none")

    @property
    def tried(self) -> int:
        """Chains on which the premises were met somewhere."""
        return sum(trial.tried for trial in self.trials)

    @property
    def vacuous(self) -> int:
        """Chains on which the premises were met nowhere, or a side was undefined everywhere."""
        return sum(trial.vacuous for trial in self.trials)

    def as_json(self) -> dict[str, Any]:
        """Plain values for a file; ``proofs_check.conjectures.witnesses.verify`` reads a refutation back."""
        trials = [
            {
                "level": trial.level,
                "tried": trial.tried,
                "vacuous": trial.vacuous,
                "failed": trial.failed,
                "examined": trial.examined,
                "confirmed": trial.confirmed,
                "ratio": _finite(trial.tightness),
                "worst": _finite(trial.worst),
            }
            for trial in self.trials
        ]
        return {
            "kind": "conjecture",
            "claim": self.claim,
            "assume": list(self.assume),
            "outcome": self.outcome,
            "reason": self.reason,
            "evidence": self.evidence,
            "tried": self.tried,
            "vacuous": self.vacuous,
            "open": self.open,
            "acquitted": self.acquitted,
            "ratio": _finite(self.ratio),
            "witness": None if self.witness is None else dict(self.witness),
            "at": None if self.at is None else dict(self.at),
            "left": self.left or None,
            "sign": self.sign or None,
            "right": self.right or None,
            "decimals": list(self.decimals) if self.witness is not None else None,
            "trials": trials,
            "box": {name: list(limits) for name, limits in self.box.items()} or None,
            "crossed": {trait: dict(values) for trait, values in self.crossed.items()} or None,
            "settings": dict(self.settings),
            "proof": None if self.proof is None else dict(self.proof),
            "pairs_before_shrinking": self.before or None,
            "note": self.note or None,
        }


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None
