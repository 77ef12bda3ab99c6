"""An adversary: a search that changes chain, rewards, weights and discount factor to bring an inequality to its limit.

It starts from random instances and from structured ones (`chains.structured`), and climbs from the tightest of them by
random changes (`chains.float_moves`) whose size adapts, keeping what is tighter; the range of gamma grows on the way.
It reports how near to equality it came. A ratio above 1 is a violation.
"""

from dataclasses import dataclass
from zlib import crc32

import numpy as np

from proofs_check.chains.case import Case
from proofs_check.chains.float_moves import changed
from proofs_check.chains.structured import structured
from proofs_check.search.tally import Attack, Tally
from proofs_check.search.trials import RATIO_DIGITS, count_case
from proofs_check.statements.relation import Relation
from proofs_check.statements.statement import Pressure, Statement
from tabular_krope.errors import KropeError

#: Random instances to start from, how many of them are also given structure, and starts that are climbed from.
STARTS, STRUCTURED, CLIMBS = 40, 8, 3
#: Largest discount factor at the beginning and at the end of a climb: beyond it rounding is magnified too much.
FIRST_GAMMA, LARGEST_GAMMA = 0.99, 0.999
#: Bounds on the size of a change.
SMALLEST_STEP, LARGEST_STEP = 1e-4, 0.5


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """An instance, the ratio of its sides, and the two pairs where it is attained (None if it is not about two)."""

    ratio: float
    case: Case
    place: tuple[int, int] | None


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
        count_case(self.tally, relations, tolerance, case)
        same = self.pressure.sides is self.statement.sides
        found = _tightest(relations if same else list(self.pressure.sides(case)), tolerance, case)
        if found is not None:
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
    enough = search.left // 2
    for k in range(STARTS):
        if search.left <= enough:
            return
        case = search.statement.instances(rng, False)
        search.look_at(case, drawn=True)
        if k < STRUCTURED:
            for near in structured(case, rng):
                search.look_at(near, drawn=False)


def _climb(search: _Search, start: _Found, rng: np.random.Generator, steps: int) -> None:
    """Random changes from one start, of which the tighter ones are kept."""
    top, step = start, LARGEST_STEP
    for k in range(steps):
        largest = 1 - (1 - FIRST_GAMMA) * ((1 - LARGEST_GAMMA) / (1 - FIRST_GAMMA)) ** (k / steps)
        near = changed(top.case, rng, step, search.pressure.free, largest, top.place)
        found = search.look_at(near, drawn=False)
        if found is not None and found.ratio > top.ratio:
            top, step = found, min(LARGEST_STEP, 1.5 * step)
        else:
            step = max(SMALLEST_STEP, 0.97 * step)


def _tightest(relations: list[Relation], tolerance: float, case: Case) -> _Found | None:
    """The largest ratio of sides that are well above rounding; None if there is none."""
    best: _Found | None = None
    for relation in relations:
        floor = RATIO_DIGITS * tolerance * relation.scale
        ratio = relation.tightness(floor)
        if np.isnan(ratio) or (best is not None and ratio <= best.ratio):
            continue
        lhs, rhs = np.broadcast_arrays(relation.lhs, relation.rhs)
        place = None
        if lhs.shape == (case.X, case.X):
            at = int(np.argmax(np.where(rhs > floor, lhs / np.where(rhs > floor, rhs, 1.0), -np.inf)))
            place = (at // case.X, at % case.X)
        best = _Found(ratio, case, place)
    return best
