"""How far the chains reach that a claim was tried on, and what was crossed, in words."""

from collections.abc import Mapping
from fractions import Fraction

from proofs_check.search.tally import SIZES

#: Numbers that are listed of a trait, at most.
MOST_VALUES = 12


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
