"""How far the chains reach that a claim was tried on: the least and the largest of each of their sizes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import floats
from proofs_check.chains.case import Case

if TYPE_CHECKING:
    from proofs_check.chains.stacked import Batch

#: What is kept of each chain: number of pairs, discount factor, rewards, and the divisor R of the reward kernel.
SIZES = ("pairs", "gamma", "rewards", "R")
#: Numbers that are listed of a trait, at most.
MOST_VALUES = 12


@dataclass(slots=True)
class Box:
    """Intervals that grow with every chain.

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


def box_words(limits: Mapping[str, tuple[float, float]]) -> str:
    """A box in one line.

    >>> box_words({"pairs": (1, 40), "gamma": (0, 0.999999), "rewards": (-1e6, 1e6), "R": (0, 1e6)})
    'chains of 1 to 40 pairs, gamma 0 to 0.999999, rewards -1e+06 to 1e+06, reward range R 0 to 1e+06'
    """
    words = {"pairs": "chains of {} pairs", "gamma": "gamma {}", "rewards": "rewards {}", "R": "reward range R {}"}
    return ", ".join(words[name].format(_interval(*limits[name])) for name in SIZES)


def trait_words(crossed: Mapping[str, Mapping[str, int]]) -> str:
    """What was crossed, trait by trait, in one sentence; numbers in order, long lists by their ends.

    >>> trait_words({"shape": {"cycle": 3, "path": 2}, "pairs": {"64": 2, "2": 3}, "gamma": {"1/2": 1, "0": 4}})
    'shapes cycle, path; 2, 64 pairs; gamma 0, 1/2'
    """
    words = {
        "shape": "shapes {}",
        "rewards": "rewards {}",
        "R": "R {}",
        "D": "D {}",
        "actions": "{} actions",
        "pairs": "{} pairs",
        "gamma": "gamma {}",
    }
    return "; ".join(words[trait].format(_values(trait, crossed[trait])) for trait in words if trait in crossed)


def _values(trait: str, values: Mapping[str, int]) -> str:
    if trait not in ("actions", "pairs", "gamma"):
        return ", ".join(values)
    ordered = sorted(values, key=Fraction)
    if len(ordered) > MOST_VALUES:
        ordered = [*ordered[: MOST_VALUES // 2], "...", *ordered[-MOST_VALUES // 2 :]]
    return ", ".join(ordered)


def _interval(low: float, high: float) -> str:
    # Six digits, and as many more as tell a discount factor from 1.
    texts = [next(text for n in (6, 12, 17) if (text := f"{v:.{n}g}") != "1" or v == 1) for v in (low, high)]
    return texts[0] if low == high else " to ".join(texts)
