"""An adversary: a search that changes chain, rewards, weights and discount factor to bring an inequality to its limit.

It starts from random instances and from structured ones, and climbs from the tightest of them by random changes
(`chains.float_moves`) whose size adapts, keeping what is tighter; the range of gamma grows on the way. It reports how
near to equality it came. A ratio above 1 is a violation.

Most changes make nothing tighter. So the next ones are made as if this one did not, and computed side by side
(`chains.at_once`); after one that does, the rest of them is forgotten and the generator is put back: what is visited is
what would be visited one by one.
"""

from dataclasses import dataclass
from math import isnan
from zlib import crc32

import numpy as np

from proofs_check.chains.at_once import stand_together
from proofs_check.chains.case import Case
from proofs_check.chains.float_moves import changed, structured
from proofs_check.search.tally import Attack, Tally
from proofs_check.search.trials import count_case, floor_of
from proofs_check.statements.relation import Relation
from proofs_check.statements.statement import Pressure, Statement
from tabular_krope.errors import KropeError

#: Random instances to start from, how many of them are also given structure, and starts that are climbed from.
STARTS, STRUCTURED, CLIMBS = 40, 8, 3
#: Largest discount factor at the beginning and at the end of a climb: beyond it rounding is magnified too much.
FIRST_GAMMA, LARGEST_GAMMA = 0.99, 0.999
#: Bounds on the size of a change.
SMALLEST_STEP, LARGEST_STEP = 1e-4, 0.5
#: Changes that are made ahead: after one that was kept, and at most.
FEW_AHEAD, MOST_AHEAD = 4, 16


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """An instance, the ratio of the sides of a relation, and the right sides from which on it counts."""

    ratio: float
    case: Case
    relation: Relation
    floor: float

    @property
    def place(self) -> tuple[int, int] | None:
        """The two pairs where the ratio is attained; None if it is not about two."""
        lhs, rhs = np.broadcast_arrays(self.relation.lhs, self.relation.rhs)
        X = self.case.X
        if lhs.shape != (X, X):
            return None
        there = rhs > self.floor
        return divmod(int(np.argmax(np.where(there, lhs / np.where(there, rhs, 1.0), -np.inf))), X)


class _Search:
    """Instances tried so far: their counts, and those that have a ratio."""

    def __init__(self, statement: Statement, pressure: Pressure, budget: int) -> None:
        self.statement, self.pressure, self.left = statement, pressure, budget
        self.tally = Tally("adversarial")
        self.best: list[_Found] = []

    def look_at(self, case: Case, drawn: bool) -> _Found | None:
        """The ratio of an instance. One that leaves the premise is vacuous if it was drawn, and else just no step."""
        self.left -= 1
        if not self.statement.premise(case):
            self.tally.vacuous += drawn
            return None
        tolerance = self.statement.tolerance(case)
        relations = list(self.statement.sides(case))
        ratios = count_case(self.tally, relations, tolerance, case)
        if self.pressure.sides is not self.statement.sides:
            relations = list(self.pressure.sides(case))
            ratios = [relation.tightness(floor_of(relation, tolerance)) for relation in relations]
        k = max((k for k, ratio in enumerate(ratios) if not isnan(ratio)), key=lambda k: ratios[k], default=None)
        if k is None:
            return None
        found = _Found(ratios[k], case, relations[k], floor_of(relations[k], tolerance))
        if len(self.best) < CLIMBS or found.ratio > self.best[-1].ratio:
            self.best = sorted([*self.best, found], key=lambda entry: -entry.ratio)[:CLIMBS]
        return found


def attack(statement: Statement, budget: int = 400, seed: int = 0) -> Attack:
    """Push the inequalities of a statement toward violation.

    Args:
        statement: a universal claim that says which inequalities to press.
        budget: instances to try, the starting ones included.
        seed: of the search.

    Returns:
        The evidence and the tightest instance.

    >>> from proofs_check.statements.registry import STATEMENTS
    >>> 0.99 < attack(STATEMENTS["value-bound-rkhs"], budget=100).tally.tightness <= 1.0 + 1e-9
    True
    """
    if statement.pressure is None:
        raise KropeError(f"statement must say what to press; got {statement.slug!r}, which does not")
    rng = np.random.default_rng([seed, crc32(statement.slug.encode()), 2])
    search = _Search(statement, statement.pressure, budget)
    _begin(search, rng)
    starts = search.best
    for k, start in enumerate(starts):
        _climb(search, start, rng, search.left // (len(starts) - k))
    best = search.best[0] if search.best else None
    search.tally.tightness = float("nan") if best is None else best.ratio
    return Attack(search.tally, [] if best is None else [best.case])


def _begin(search: _Search, rng: np.random.Generator) -> None:
    """Random instances, and structured ones of the sizes of some of them, on at most half of the budget."""
    starts: list[tuple[Case, bool]] = []
    for k in range(STARTS):
        if search.left - len(starts) <= search.left // 2:
            break
        case = search.statement.instances(rng, False)
        starts.append((case, True))
        if k < STRUCTURED:
            starts += [(near, False) for near in structured(case, rng)]
    stand_together(case for case, _ in starts)
    for case, drawn in starts:
        search.look_at(case, drawn)


def _climb(search: _Search, start: _Found, rng: np.random.Generator, steps: int) -> None:
    """Random changes from one start, of which the tighter ones are kept."""
    top, step, done, ahead = start, LARGEST_STEP, 0, FEW_AHEAD
    while done < steps:
        changes, place, size = [], top.place, step
        for k in range(done, min(done + ahead, steps)):
            largest = 1 - (1 - FIRST_GAMMA) * ((1 - LARGEST_GAMMA) / (1 - FIRST_GAMMA)) ** (k / steps)
            near = changed(top.case, rng, size, search.pressure.free, largest, place)
            changes.append((near, rng.bit_generator.state))
            size = max(SMALLEST_STEP, 0.97 * size)
        stand_together(near for near, _ in changes)
        ahead = min(MOST_AHEAD, 2 * ahead)
        for near, state in changes:
            done += 1
            found = search.look_at(near, drawn=False)
            if found is not None and found.ratio > top.ratio:
                top, step, ahead = found, min(LARGEST_STEP, 1.5 * step), FEW_AHEAD
                rng.bit_generator.state = state
                break
            step = max(SMALLEST_STEP, 0.97 * step)
