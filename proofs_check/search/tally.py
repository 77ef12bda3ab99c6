"""`Tally`: what one kind of evidence has seen so far, of a statement or of a conjecture; `Attack`: of an adversary.

Both adversaries are told by a callback what an instance shows, count it in one `Tally`, and answer with one `Attack`.
Their kernels stay two, because they move through different spaces. `adversary` climbs from single instances of a
statement, which carry whatever it speaks about (features, matrices, pairs) and can only be changed one at a time, by
moves that keep the premise; what many of them ask for is computed side by side (`chains.at_once`). `evolution` breeds
a whole stack of chains for a conjecture, where one judgment of fifty chains costs little more than one of a single
chain.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import floats
from proofs_check.chains.case import Case
from proofs_check.judging.verdict import Trial
from tabular_krope.arrays import Array

if TYPE_CHECKING:
    from proofs_check.chains.stacked import Batch

#: What is kept of each chain: number of pairs, discount factor, rewards, and the divisor R of the reward kernel.
SIZES = ("pairs", "gamma", "rewards", "R")


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What a judgment says about a stack of instances; every judge of this package answers in this form.

    Attributes:
        met: whether the premises are met somewhere, [B].
        failed: whether a relation fails there, or seems to, [B].
        excess: largest violation over what rounding allows, [B].
        ratio: largest ratio of the sides of an inequality; NaN if there is none, [B].
        tied: whether all that fails may be a tie where a strict inequality is claimed, [B].
    """

    met: Any
    failed: Any
    excess: Array
    ratio: Array
    tied: Any = False


@dataclass(slots=True)
class Box:
    """How far chains reach: intervals that grow with every chain.

    Attributes:
        limits: least and largest value seen so far, by name; empty if nothing was.

    >>> box = Box()
    >>> box.add_case(Case.from_matrix(np.eye(2), np.array([0.0, 3.0]), 0.5))
    >>> box.limits
    {'pairs': (2.0, 2.0), 'gamma': (0.5, 0.5), 'rewards': (0.0, 3.0), 'R': (3.0, 3.0)}
    """

    limits: dict[str, tuple[float, float]] = field(default_factory=dict)

    def add_batch(self, batch: "Batch", chosen: np.ndarray) -> None:
        """Widen by the float chains that are ``chosen`` [B]."""
        if chosen.any():
            r, spread = batch.chains.r[chosen], (batch.high - batch.low)[chosen]
            self._widen(batch.X, batch.chains.gamma[chosen], r, spread)

    def add_case(self, case: Case) -> None:
        """Widen by one chain, in floats or rationals."""
        self._widen(case.X, floats(case.gamma), floats(case.r), floats(case.R))

    def add(self, other: "Box") -> None:
        """Widen by another box."""
        for name, (low, high) in other.limits.items():
            self._stretch(name, low, high)

    def _widen(self, *values: Any) -> None:
        for name, value in zip(SIZES, values, strict=True):
            self._stretch(name, float(np.min(value)), float(np.max(value)))

    def _stretch(self, name: str, low: float, high: float) -> None:
        before = self.limits.get(name, (low, high))
        self.limits[name] = min(before[0], low), max(before[1], high)


@dataclass(slots=True)
class Tally:
    """Counts while instances go by; `trial` is the summary.

    Attributes:
        level: the kind of evidence, such as "sampled".
        tried, vacuous, failed, worst, tightness: as in `Trial`.
        kept: tightest ratio of the sides on instances that do not fail.
        failing: instances that fail, for another look.
        ties: failures that may be ties where a strict inequality is claimed: rounding hides which.
        final: failures that no rational can arbitrate.
        open: exact comparisons that could not be decided.
        decided: rational chains on which all of them could.
        acquitted: float chains that seemed to refute the claim, and do not when read exactly.
        doubtful: float chains that were examined and could not be decided.
        confirmed: float chains whose violation was confirmed by a rational chain.
        refuting: a rational chain on which the claim fails; None if none was found.
        box: how far the chains reach that were tried.
        spent: what exact judgments of suspected chains have cost.
        crossed: how many chains had each value of each trait; empty unless traits were crossed.

    >>> tally = Tally("sampled")
    >>> tally.add(Seen(np.array([True, True]), np.array([False, True]), np.array([0.5, 2.0]), np.array([0.9, 1.1])))
    >>> tally.tried, tally.failed, tally.worst, tally.tightness, tally.kept
    (2, 1, 2.0, 1.1, 0.9)
    """

    level: str
    tried: int = 0
    vacuous: int = 0
    failed: int = 0
    worst: float = float("-inf")
    tightness: float = float("nan")
    kept: float = float("nan")
    failing: list[Case] = field(default_factory=list)
    ties: int = 0
    final: int = 0
    open: int = 0
    decided: int = 0
    acquitted: int = 0
    doubtful: int = 0
    confirmed: int = 0
    refuting: Case | None = None
    box: Box = field(default_factory=Box)
    crossed: dict[str, Counter[str]] = field(default_factory=dict)
    spent: int = 0

    def add(self, seen: Seen) -> None:
        """Add a stack of instances."""
        met = np.asarray(seen.met, dtype=bool)
        bad = met & seen.failed
        self.tried += int(met.sum())
        self.vacuous += int((~met).sum())
        self.failed += int(bad.sum())
        self.ties += int((bad & seen.tied).sum())
        self.worst = larger(self.worst, float(np.max(seen.excess[met], initial=float("-inf"))))
        self.tightness = float(np.fmax.reduce([self.tightness, *seen.ratio[met]]))
        self.kept = float(np.fmax.reduce([self.kept, *seen.ratio[met & ~bad]]))

    def add_one(self, failed: bool, excess: float, ratio: float) -> None:
        """Add a single instance whose premise is met.

        >>> tally = Tally("sampled")
        >>> tally.add_one(False, 0.5, float("nan"))
        >>> tally.tried, tally.failed, tally.worst, tally.tightness
        (1, 0, 0.5, nan)
        >>> tally.add_one(False, 0.5, 0.25)
        >>> tally.add_one(True, 1.5, 4.0)
        >>> tally.failed, tally.tightness, tally.kept  # what was kept is of those that hold
        (1, 4.0, 0.25)
        """
        self.tried += 1
        self.failed += failed
        self.worst = larger(self.worst, excess)
        self.tightness = largest_number(self.tightness, ratio)
        if not failed:
            self.kept = largest_number(self.kept, ratio)

    def add_chains(self, seen: Seen, batch: "Batch") -> None:
        """Add the float chains of a batch, and widen the box by those that were tried."""
        self.add(seen)
        self.box.add_batch(batch, np.asarray(seen.met, dtype=bool))

    def add_settled(self, seen: Seen, batch: "Batch", settled: Any) -> None:
        """Add the chains of a batch that floats acquit or exact arithmetic decided about; the others do not count."""
        chosen = seen.met & settled
        self.vacuous += int((~seen.met).sum())
        self.add(Seen(*(part[chosen] for part in (seen.met, seen.failed, seen.excess, seen.ratio))))
        self.box.add_batch(batch, chosen)

    def add_traits(self, traits: Iterable[Mapping[str, str]]) -> None:
        """Count the traits of chains that were tried."""
        for one in traits:
            for trait, value in one.items():
                self.crossed.setdefault(trait, Counter())[value] += 1

    def unsettled(self, soft: bool) -> int:
        """Float chains that seemed to refute the claim, and that exact arithmetic did not acquit.

        Where premises are met up to rounding (``soft``), floats find any number of chains that only nearly meet them:
        there the worst ones, which are examined, speak for the others. So they do where nothing but ties was seen:
        ``rho < 1`` is too close to call in floats wherever gamma is large.
        """
        if self.level == "exact":
            return 0
        if self.failed == self.ties:
            return self.doubtful
        return self.failed - self.acquitted if not soft or not self.acquitted else self.doubtful

    def trial(self) -> Trial:
        """The counts as a value."""
        counts = (self.tried, self.vacuous, self.failed, self.worst, self.tightness)
        return Trial(self.level, *counts, undecided=self.open)


def larger(*values: float) -> float:
    """The largest; NaN if any is NaN, so that a NaN violation is seen.

    >>> larger(1.0, float("nan"))
    nan
    """
    return float("nan") if any(map(isnan, values)) else float(max(values))


def largest_number(*values: float) -> float:
    """The largest of those that are numbers; NaN if none is.

    >>> largest_number(1.0, float("nan"), 3.0), largest_number(float("nan"))
    (3.0, nan)
    """
    return float(max((value for value in values if not isnan(value)), default=float("nan")))


@dataclass(frozen=True, slots=True, eq=False)
class Attack:
    """What an adversary reached.

    Attributes:
        tally: counts, failing instances, and the tightness reached.
        tightest: the instances that come nearest to refuting the claim, or do, the tightest first.

    >>> Attack(Tally("adversarial"), []).case is None
    True
    """

    tally: Tally
    tightest: list[Case]

    @property
    def case(self) -> Case | None:
        """The tightest instance; None if there was none with a ratio."""
        return self.tightest[0] if self.tightest else None
