r"""Whether to believe an estimate, from the data alone.

A value with a certificate of stability can still be wrong: where the data do not cover the target policy, nothing in
them says so, least of all the residuals of the fit. The weights of the estimate do (`dual_weights`). Its error is
the balance of the weights at the true action values plus noise, so that, were these like a fresh function of the
same spread $\sigma_q$ as the estimate,

$$e^2 = (\text{imbalance} \cdot \sigma_q)^2 + s^2$$

would be its expected square, ``s`` the standard error of the bootstrap with the spread of the draws. An estimate is
believed if

- ``e`` is small in the unit of errors, and two standard errors by themselves;
- weights are seldom negative: they stand for visits;
- the imbalance is small by itself, as $\sigma_q$ is an estimate, too, and too small where the data are poor;
- it rests on enough of the data;
- a tenth of the ridge does not change it much;
- unusual rewards are not too rare: no bootstrap sees what happened once, or never.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.estimation.dual_weights import DualWeights

BELIEVE, REFUSE = "believe", "refuse: the data do not cover the target policy"
NOISY = "refuse: too few data to tell the value"


@dataclass(frozen=True, slots=True)
class Limits:
    """Up to where an estimate is believed.

    Attributes:
        negative: share of the weights below 0.
        imbalance: in standard deviations of a function.
        error: expected error in units of errors.
        noise: standard error in units of errors: twice that is the square root of 0.05.
        effective: smallest share of the transitions that an estimate rests on.
        ridge: change by a tenth of the ridge, in units of errors.
        rewards: fewest rewards that differ from the usual one.
    """

    negative: float = 0.25
    imbalance: float = 2.5
    error: float = 0.4
    noise: float = 0.11
    effective: float = 0.05
    ridge: float = 0.15
    rewards: float = 30.0


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a verdict rests on.

    Attributes:
        negative, imbalance: of the dual weights, the median over the draws.
        effective: share of the transitions that the estimate rests on, the median over the draws.
        spread_q: standard deviation of the estimated action values over the data.
        standard_error: of the value, with the spread of the draws.
        change: of the value by a tenth of the ridge.
        unit: of errors: the distance to a reference value, or ``spread_q``.
        rewards: effective number of rewards that differ from the median one, see `unusual`.
    """

    negative: float
    imbalance: float
    effective: float
    spread_q: float
    standard_error: float
    change: float
    unit: float
    rewards: float

    @classmethod
    def of(
        cls,
        duals: Sequence[DualWeights],
        values: Array,
        other: float,
        standard_error: float,
        reference: float | None,
        r: Array,
    ) -> "Evidence":
        """From the draws of an estimate."""
        spread_q, value = float(np.median([one.q.std() for one in duals])), float(np.median(values))
        return cls(
            negative=float(np.median([one.negative for one in duals])),
            imbalance=float(np.median([one.imbalance for one in duals])),
            effective=float(np.median([one.effective / len(one.weights) for one in duals])),
            spread_q=spread_q,
            standard_error=standard_error,
            change=abs(value - other),
            unit=spread_q if reference is None else abs(value - reference),
            rewards=unusual(r),
        )

    @property
    def error(self) -> float:
        """The expected error, in units of errors; infinite where there is no unit."""
        return self.in_units(float(np.hypot(self.imbalance * self.spread_q, self.standard_error)))

    def in_units(self, size: float) -> float:
        """A size in units of errors; where there is no unit, 0 if it is 0 and infinite else."""
        return size / self.unit if self.unit > 0 else (0.0 if size == 0 else float("inf"))


def unusual(r: Array) -> float:
    r"""$(\sum |d|)^2 / \sum d^2$ with ``d`` the rewards minus their median: how many differ from the usual one.

    >>> unusual(np.array([0.0, 0.0, 0.0, 5.0])), unusual(np.zeros(3))
    (1.0, 0.0)
    """
    d = np.abs(r - np.median(r))
    return float(d.sum() ** 2 / (d @ d)) if d.any() else 0.0


@dataclass(frozen=True, slots=True)
class Belief:
    """A verdict with its reasons.

    Attributes:
        verdict: `BELIEVE`, `REFUSE`, or `NOISY` where nothing but the standard error is too large.
        reasons: what stands against the estimate; none where it is believed.
        evidence: the numbers.
    """

    verdict: str
    reasons: tuple[str, ...]
    evidence: Evidence

    @property
    def believed(self) -> bool:
        """Whether the verdict is to believe."""
        return self.verdict == BELIEVE


def believe(evidence: Evidence, limits: Limits = LIMITS) -> Belief:
    """The verdict on an estimate.

    >>> fine = Evidence(negative=0.1, imbalance=0.2, effective=0.3, spread_q=1.0, standard_error=0.1, change=0, unit=4,
    ...                 rewards=900.0)
    >>> believe(fine).verdict, round(fine.error, 3)
    ('believe', 0.056)
    """
    e = evidence
    change, noise = e.in_units(e.change), e.in_units(e.standard_error)
    noisy = f"standard error {noise:.2g} units (at most {limits.noise:g})"
    against = (
        (e.negative, limits.negative, f"{e.negative:.0%} of the weights are negative (at most {limits.negative:.0%})"),
        (e.imbalance, limits.imbalance, f"imbalance {e.imbalance:.2g} (at most {limits.imbalance:g})"),
        (e.error, limits.error, f"expected error {e.error:.2g} units (at most {limits.error:g})"),
        (
            limits.effective,
            e.effective,
            f"rests on {e.effective:.1%} of the data (at least {limits.effective:.0%})",
        ),
        (limits.rewards, e.rewards, f"{e.rewards:.0f} unusual rewards (at least {limits.rewards:.0f})"),
        (change, limits.ridge, f"a tenth of the ridge changes it by {change:.2g} units (at most {limits.ridge:g})"),
    )
    reasons = tuple(words for value, most, words in against if not value <= most)
    if noise <= limits.noise:
        return Belief(REFUSE if reasons else BELIEVE, reasons, evidence)
    return Belief(REFUSE if reasons else NOISY, (*reasons, noisy), evidence)
