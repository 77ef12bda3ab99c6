"""Chains that are altered until they meet the premises about their parts.

No path has ``P[w,w] >= 3/4`` and no pattern of rewards has ``rmin >= 2``, so that under such a premise everything long
would be left out. But a path can be made lazy, or made to end now and then, and rewards can be moved. Premises about
transitions, about rewards and about data are asked one after the other, of the part that they speak about; a part that
meets them stays as it is.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import product
from typing import Any
from zlib import crc32

import numpy as np
from flint import fmpq

from proofs_check.chains.blueprint import Blueprint, stacked
from proofs_check.chains.classes import Arrays, within
from proofs_check.conjectures.float_judge import shortfalls
from proofs_check.conjectures.matrix_language import MATRIX_FUNCTIONS
from proofs_check.conjectures.question import Question
from proofs_check.conjectures.tree import Claim
from proofs_check.search import literals
from proofs_check.search.alterations import blended, lazy, lazy_and_leaking, leaking, mixed, steady

Alter = Callable[[Blueprint], Blueprint]
#: What a premise may speak about to be one about transitions, about data, or about rewards.
LAW = frozenset(("P", "end", "I", "X", "S"))
DATA = LAW | {"D"}
REWARDS = frozenset(("r", "rmin", "rmax", "rho0", "R", "K1", "I", "gamma"))
#: Shares that are tried besides the claim's numbers; how many of these; and their largest denominator.
SHARES, MOST_NUMBERS, DENOMINATOR = (fmpq(1, 2), fmpq(1, 10), fmpq(1, 1000)), 4, 1000
#: Pairs from which on what fits fewer pairs is taken to fit; places of rewards that take turns.
ALIKE, TURNS = 9, 6
#: Even shares of the data; with the last one all pairs are seen alike.
BLENDS = fmpq(1, 1000), fmpq(1, 2), fmpq(1)
ROUNDING = 1e-12


class Fitting:
    """Makes plans meet the premises of a question; the same plan is always altered in the same way.

    >>> from proofs_check.chains.shapes import path
    >>> from proofs_check.conjectures.question import ask
    >>> plan = Blueprint(path(3), (fmpq(0), fmpq(1), fmpq(2)), fmpq(1, 2), (1, 1, 1), traits={"shape": "path"})
    >>> fitted = Fitting(ask("rank <= 2", ["P[w,w] >= 3/4", "rmin >= 2"])).fit(plan)
    >>> fitted.moves[2].tolist(), min(fitted.r)
    ([0, 1, 3, 0], 2)
    """

    def __init__(self, question: Question) -> None:
        self._question = question
        self._law, self._data, self._rewards = premises_by_part(question)
        moving = "on-policy" in question.classes or any("P" in premise.names for premise in self._data)
        self._alters: list[Alter] = [steady] if moving else []
        self._alters += [partial(blended, share=share) for share in BLENDS] if self._data else []
        self._discounted = any("gamma" in premise.names for premise in self._rewards)
        self._classes = tuple(name for name in question.classes if name != "on-policy")
        self._numbers = [c for c in literals.numbers(question) if c.q <= DENOMINATOR][:MOST_NUMBERS]
        self._chosen: dict[Any, Alter | None] = {}
        self._live: dict[Any, list[Any]] = {}
        self._extents: dict[int, tuple[Any, tuple[fmpq, fmpq, int]]] = {}
        self._laid: dict[int, tuple[Any, Any]] = {}
        self._moved: dict[str, tuple[fmpq, ...]] = {}

    def each(self, plans: Iterable[Blueprint]) -> Iterator[Blueprint]:
        """The plans, altered where they have to be."""
        return map(self.fit, plans)

    def fit(self, plan: Blueprint) -> Blueprint:
        """The plan, altered where it has to be and can be."""
        if plan.traits.get("rewards") == "the claim's numbers":
            return steady(plan) if "on-policy" in self._question.classes else plan
        if self._rewards:
            plan = self._with_rewards(plan)
        if plan.traits["shape"].endswith("(drawn)"):
            return plan
        if self._law and plan.actions == 1:
            plan = self._altered(plan, "law", self._law, self._laws)
        if self._alters:
            plan = self._altered(plan, "data", self._data, self._alters)
        return plan

    def _altered(self, plan: Blueprint, part: str, premises: Sequence[Claim], alters: Sequence[Alter]) -> Blueprint:
        """The plan as it is or after the first alteration that makes it meet the premises and belong to the classes."""
        seen = plan.traits.get("D"), bool(plan.data[0]), bool(plan.data[-1])
        key = part, plan.traits["shape"], min(plan.X, ALIKE), seen if part == "data" else None
        if key not in self._chosen:
            tried = [plan, *(alter(plan) for alter in alters)]
            short = shortfalls(self._question, premises, stacked(tried))
            fits = [k for k in range(len(tried)) if short[k] <= 0 and self._belongs(tried[k], part)]
            self._chosen[key] = alters[fits[0] - 1] if fits and fits[0] else None
        chosen = self._chosen[key]
        if chosen is None or part == "data":
            return plan if chosen is None else chosen(plan)
        if id(plan.moves) not in self._laid:  # what is kept here keeps its id
            self._laid[id(plan.moves)] = plan.moves, chosen(plan).moves
        return replace(plan, moves=self._laid[id(plan.moves)][1])

    def _belongs(self, plan: Blueprint, part: str) -> bool:
        classes = self._classes if part == "law" else self._question.classes
        if self._question.conservative and plan.moves[:, -1].any():
            return False
        P, end, D = plan.floats()
        return within(Arrays(P, end, np.array(plan.r), D, ROUNDING), classes)

    @cached_property
    def _laws(self) -> list[Alter]:
        shares = [*dict.fromkeys((*(c for c in self._numbers if c < 1), *SHARES))]
        shares += [1 - c for c in shares if 1 - c not in shares]
        single = [partial(kind, share=share) for share in shares for kind in (lazy, leaking)]
        both = [partial(lazy_and_leaking, stay=a, leak=b) for a, b in product(shares[:3], repeat=2) if a + b < 1]
        spread = [partial(mixed, share=share, each=each) for share in shares for each in (True, False)]
        return [*single, *spread, *both]

    def _with_rewards(self, plan: Blueprint) -> Blueprint:
        """The plan with its rewards moved, and stretched, into a place where they meet the premises."""
        low, high, levels = self._extent(plan.r)
        span = None if plan.limits is None else plan.limits[1] - plan.limits[0]
        gamma = plan.gamma if self._discounted else fmpq(1, 2)
        own = f"{low} {high} {levels} {span} {gamma}"  # a fraction takes longer to hash than to write
        if own not in self._live:
            self._live[own] = self._places([(low, high, span)], levels, gamma)
        if self._live[own]:
            return plan
        times = None if span is None or low == high else span / (high - low)
        found = f"{levels} {times} {gamma}"
        if found not in self._live:
            self._live[found] = self._places(self._candidates(levels, times, gamma), levels, gamma)[:TURNS]
        places = self._live[found]
        if not places:
            return plan
        a, b, wide = places[crc32(repr((plan.X, sorted(plan.traits.items()), str(plan.gamma))).encode()) % len(places)]
        moved = f"{id(plan.r)} {a} {b}"
        if moved not in self._moved:
            slope = (b - a) / (high - low) if high > low else fmpq(0)
            self._moved[moved] = tuple(a + slope * (value - low) for value in plan.r)
        return replace(plan, r=self._moved[moved], limits=None if wide is None else (a, a + wide))

    def _extent(self, r: tuple[fmpq, ...]) -> tuple[fmpq, fmpq, int]:
        """Least and largest rewards, and whether there are one, two or more: once for what many plans share."""
        if id(r) not in self._extents:  # what is kept here keeps its id
            low, high = min(r), max(r)
            levels = 1 if low == high else 2 + any(low < value < high for value in r)
            self._extents[id(r)] = r, (low, high, levels)
        return self._extents[id(r)][1]

    def _candidates(self, levels: int, times: fmpq | None, gamma: fmpq) -> list[tuple[fmpq, fmpq, fmpq | None]]:
        """Least and largest rewards and reward ranges to try, simple ones first."""
        sizes = [fmpq(1), *self._numbers]
        sizes += [c * (1 - gamma) for c in sizes] if self._discounted else []
        near = [v for c in sizes for v in (c, -c, c + 1, -c - 1)]
        ends = [*dict.fromkeys((fmpq(0), *near))]
        pairs = [(a, b) for a, b in product(ends, repeat=2) if (a == b if levels == 1 else a < b)]
        wide: list[Any] = [lambda a, b: None if times is None else times * (b - a)]
        wide += [lambda a, b, c=c: c for c in sizes] + [lambda a, b, c=c: c * (b - a) for c in self._numbers if c > 1]
        made = ((a, b, span(a, b)) for span in wide for a, b in pairs)
        return [*dict.fromkeys(place for place in made if place[2] is None or place[2] >= place[1] - place[0])]

    def _places(self, places: Sequence[Any], levels: int, gamma: fmpq) -> list[Any]:
        """Those places where rewards on so many levels meet the premises."""
        n = max(2, levels)
        keep = np.eye(n, n + 1, dtype=np.int64)
        plans = [
            Blueprint(keep, (a, (a + b) / 2, b) if n == 3 else (a, b), gamma, (1,) * n, span and (a, a + span))
            for a, b, span in places
        ]
        short = shortfalls(self._question, self._rewards, stacked(plans))
        return [place for place, lacking in zip(places, short, strict=True) if lacking <= 0]


def premises_by_part(question: Question) -> tuple[list[Claim], list[Claim], list[Claim]]:
    """The premises about transitions alone, about data (and transitions), and about rewards.

    >>> from proofs_check.conjectures.question import ask
    >>> [list(map(str, part)) for part in premises_by_part(ask("X <= 2", ["P[w,w] > 0", "D[w] > 0", "q[w] > 0"]))]
    [['P[w,w] > 0'], ['D[w] > 0'], []]
    """
    whole = set(MATRIX_FUNCTIONS)
    plain = [premise for premise in question.premises if not premise.letters | premise.functions & whole]
    return (
        [premise for premise in plain if premise.names <= LAW and premise.names & {"P", "end"}],
        [premise for premise in plain if premise.names <= DATA and "D" in premise.names],
        [premise for premise in plain if premise.names <= REWARDS and premise.names - {"I", "gamma"}],
    )


def live_gammas(question: Question, gammas: Sequence[fmpq]) -> list[fmpq]:
    """Those discount factors that meet the premises about the discount factor alone.

    >>> from proofs_check.conjectures.question import ask
    >>> question = ask("q[x] <= 1", ["gamma <= 1/2", "q[x] >= 0"])
    >>> live_gammas(question, [fmpq(0), fmpq(9, 10)]), live_gammas(question, [])
    ([0], [])
    """
    said = [premise for premise in question.premises if premise.names == {"gamma"}]
    if not said or not gammas:
        return [*gammas]
    alone = [Blueprint(np.array([[1, 0], [1, 0]])[:, [0, 0, 1]], (fmpq(0), fmpq(1)), gamma, (1, 1)) for gamma in gammas]
    short = shortfalls(question, said, stacked(alone))
    return [gamma for gamma, lacking in zip(gammas, short, strict=True) if lacking <= 0]
