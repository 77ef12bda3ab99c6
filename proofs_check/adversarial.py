r"""An adversary: a search that changes chain, rewards, weights and discount factor to bring an inequality to its limit.

It starts from the tightest of a few random instances and changes them at random, keeping what is tighter: mass is moved
between the successors of a pair (towards one of them, or towards a random law), rewards, weights, features and gamma
are shifted by steps whose size adapts. It reports how near to equality it came; a ratio above 1 would be a violation.
"""

from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

import numpy as np

from proofs_check.case import Case
from proofs_check.relation import Relation
from proofs_check.statement import Statement
from proofs_check.trials import RATIO_DIGITS, Tally
from tabular_krope.errors import KropeError

#: Random instances to start from.
STARTS = 40
#: Largest discount factor that is tried: beyond it rounding is magnified too much to judge a ratio.
LARGEST_GAMMA = 0.99


@dataclass(frozen=True, slots=True, eq=False)
class Attack:
    """What the adversary reached.

    Attributes:
        tally: counts, failing instances, and the tightness reached.
        case: the tightest instance; None if there was none with a ratio.
    """

    tally: Tally
    case: Case | None


def attack(statement: Statement, budget: int = 400, seed: int = 0) -> Attack:
    """Push the inequalities of a statement towards violation.

    Args:
        statement: a universal claim that says which inequalities to press.
        budget: instances to try, the starting ones included.
        seed: of the search.

    Returns:
        The evidence and the tightest instance.

    >>> from proofs_check.registry import STATEMENTS
    >>> 0.99 < attack(STATEMENTS["value-bound-rkhs"], budget=100).tally.tightness <= 1.0 + 1e-9
    True
    """
    if statement.pressed is None:
        raise KropeError(f"statement must say what to press; got {statement.slug!r}, which does not")
    rng = np.random.default_rng([seed, crc32(statement.slug.encode()), 2])
    tally, step = Tally("adversarial"), 0.5
    best: Case | None = None
    height = -np.inf
    for k in range(budget):
        fresh = k < min(STARTS, budget // 2)
        case = statement.instances(rng, False) if best is None or fresh else _changed(statement, best, rng, step)
        if not statement.premise(case):
            tally.vacuous += 1
            continue
        tolerance = statement.tolerance(case)
        tally.count(list(statement.sides(case)), tolerance, case)
        ratio = _ratio(list(statement.pressed(case)), tolerance)
        if ratio > height:
            best, height = case, ratio
            step = min(0.5, 1.5 * step)
        elif not fresh:
            step = max(1e-4, 0.97 * step)
    tally.tightness = float(height) if np.isfinite(height) else float("nan")
    return Attack(tally, best)


def _ratio(relations: list[Relation], tolerance: float) -> float:
    ratios = [relation.tightness(RATIO_DIGITS * tolerance * relation.scale) for relation in relations]
    return max((ratio for ratio in ratios if not np.isnan(ratio)), default=-np.inf)


def _changed(statement: Statement, case: Case, rng: np.random.Generator, step: float) -> Case:
    """A neighbour: each part is changed with probability one half."""
    parts: dict[str, Any] = {}
    if rng.random() < 0.5:
        parts["P"] = _moved(case.P, rng, step)
    if rng.random() < 0.5:
        parts["r"] = _shifted_rewards(case, rng, step)
    if rng.random() < 0.5:
        parts["weights"] = _moved(case.weights[None, :], rng, step)[0]
    if rng.random() < 0.3 and case.gamma > 0:
        parts["gamma"] = float(np.clip(case.gamma + 0.3 * step * rng.standard_normal(), 0.01, LARGEST_GAMMA))
    if statement.free and rng.random() < 0.5:
        shifts = {name: step * rng.standard_normal(np.shape(case.given[name])) for name in statement.free}
        parts["given"] = {**case.given, **{name: case.given[name] + shift for name, shift in shifts.items()}}
    return replace(case, **parts)


def _moved(laws: Any, rng: np.random.Generator, step: float) -> Any:
    """Each row moved a little towards one of its points or towards a random law, its total unchanged."""
    n, m = laws.shape
    corner = np.eye(m)[rng.integers(0, m, size=n)]
    target = corner if rng.random() < 0.5 else rng.dirichlet(np.ones(m), size=n)
    share = step * rng.random((n, 1)) * (rng.random((n, 1)) < 0.5)
    totals = laws.sum(axis=1, keepdims=True)
    return (1 - share) * laws + share * totals * target


def _shifted_rewards(case: Case, rng: np.random.Generator, step: float) -> Any:
    """New rewards inside the given range, if there is one; now and then at one of its ends."""
    low, high = (-1.0, 1.0) if case.reward_range is None else case.reward_range
    r = np.clip(case.r + step * rng.standard_normal(case.X), low, high)
    ends = rng.random(case.X) < 0.2 * step
    return np.where(ends, rng.choice([low, high], size=case.X), r)
