"""Chains that meet an equation, because one number of each was solved for.

Hardly a chain at random has ``q[x]*q[y] == 2``. But on a chain with simple numbers all of which but one are fixed (a
reward, a discount factor, a probability, a weight, the reward range) the equation has a root in that one, and often a
rational one. Roots are found in floats, many chains at once, read as fractions, and left to others to judge.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from flint import fmpq

from proofs_check.chains.blueprint import Blueprint, stacked
from proofs_check.chains.stacked import Batch
from proofs_check.conjectures.evaluate import Floats, evaluate
from proofs_check.conjectures.float_quantities import FloatQuantities
from proofs_check.conjectures.question import Question
from proofs_check.conjectures.translate import constant_value
from proofs_check.conjectures.tree import Claim, Comparison, Named, Node, Number, Operation, walk
from proofs_check.search import literals
from proofs_check.search.fitting import live_gammas
from proofs_check.search.premises import is_about
from proofs_check.search.second_roots import second_roots
from tabular_krope.arrays import Array
from tabular_krope.batched.chains import Chains
from tabular_krope.exact.rationals import rational

#: Numbers that the others are fixed at: sides of right-angled triangles among them, whose squares add up to one.
SIMPLE = ("1/2", "2", "3/5", "4/5", "1/10", "3", "-1", "5/13", "20/29", "1/3", "1", "6/11")
SHARES = ("1/2", "1/10", "1/3", "1/5", "0", "3/5", "1/4", "7/26", "9/29", "8/13", "2/5")
#: Rewards of a third pair.
LAST = ("0", "1", "7/11")
GAMMAS = ("1/2", "0", "9/10")
#: Where a number is looked for: any one, a share, and one of at least the rewards' own range.
ANY = (-40.0, -6.0, -2.5, -1.01, -0.51, -0.11, 0.053, 0.27, 0.53, 0.77, 0.93, 1.03, 1.6, 2.7, 5.3, 11.0, 40.0)
SHARE = (0.011, 0.13, 0.27, 0.43, 0.57, 0.71, 0.83, 0.97)
#: Steps towards a root, and how near it has to be to a fraction with a denominator of at most so much.
STEPS, NEAR, DENOMINATOR = 14, 1e-9, 400
#: Quantities of the whole chain: premises about these alone are met by drawing.
PARAMETERS = frozenset(("gamma", "R", "rho0", "rmin", "rmax", "X", "S"))
#: Chains that are made, at most.
MOST = 2500


@dataclass(frozen=True, slots=True, eq=False)
class Dial:
    """A chain with one number left open.

    Attributes:
        plan: the chain with any value of it.
        name: "r", "gamma", "P", "end", "D" or "R"; of the first pair.
    """

    plan: Blueprint
    name: str

    def at(self, value: fmpq) -> Blueprint | None:
        """The chain with a value of the number; None if it is none of a chain."""
        plan = self.plan
        if self.name == "r":
            return replace(plan, r=(value, *plan.r[1:]))
        if self.name == "R":
            low, high = min(plan.r), max(plan.r)
            return replace(plan, limits=(low, low + value)) if value >= high - low else None
        if not 0 <= value <= 1 or (self.name == "gamma" and value == 1):
            return None
        if self.name == "gamma":
            return replace(plan, gamma=value)
        if self.name == "D":
            data = (value, *plan.data[1:-1])
            rest = 1 - sum(data, fmpq(0))
            return replace(plan, data=(*data, rest)) if rest >= 0 else None
        moves = plan.moves.copy()
        moves[0] = 0
        moves[0, 0], moves[0, 1 if self.name == "P" else -1] = int(value.p), int(value.q - value.p)
        return replace(plan, moves=moves)

    @property
    def places(self) -> tuple[float, ...]:
        """Where roots are looked for between."""
        return ANY if self.name == "r" else tuple(v for v in ANY if v > 0) if self.name == "R" else SHARE


def solved(question: Question) -> Iterator[Blueprint]:
    """Chains of one to three pairs that meet an equation among the premises, or one that the claim says is never met.

    >>> from proofs_check.conjectures.question import ask
    >>> plans = list(solved(ask("q[x] <= 2", ["q[x]*q[y] == 2"], conservative=True)))
    >>> any(plan.gamma == 0 and plan.r[:2] == (4, fmpq(1, 2)) for plan in plans)
    True
    """
    said = [comparison for part in question.premises for comparison in part.comparisons]
    equations = [*_touching(question), *(c for c in said if c.sign == "==" or ("=" in c.sign and _curved(c)))]
    if not equations or question.exact_only or question.gamma == 1:
        return
    found: dict[tuple[Any, ...], Blueprint] = {}
    for X in (1, 2, 3):
        dials = [dial for dial in _dials(question, X) if is_about(question, dial.plan)]
        for equation in equations:
            for dial, value in _roots(question, equation.left, equation.right, dials):
                near = Fraction(value).limit_denominator(DENOMINATOR)
                plan = None
                if abs(float(near) - value) <= NEAR * max(1.0, abs(value)):
                    plan = dial.at(fmpq(near.numerator, near.denominator))
                if plan is not None and is_about(question, plan):
                    key = (plan.r, plan.gamma, plan.moves.tobytes(), tuple(plan.data), plan.limits)
                    found.setdefault(key, plan)
    step = max(1, -(-len(found) // MOST))
    yield from list(found.values())[::step]
    for equation in equations:
        gap = partial(_gap, question, equation.left, equation.right)
        yield from (plan for plan in second_roots([*found.values()], gap) if is_about(question, plan))


def _touching(question: Question) -> Iterator[Comparison]:
    """Equations at which a claim fails that nothing else refutes: what is said not to be zero, or to differ."""
    for comparison in question.claim.comparisons:
        small, sign, large = comparison.ordered
        if sign == "!=":
            yield Comparison(small, "==", large)
        elif sign == "<" and constant_value(small) == 0:
            yield from (Comparison(base, "==", Number(Fraction(0))) for base in _bases(large))


def _bases(node: Node) -> Iterator[Node]:
    """What is squared, or taken the modulus of, in a sum."""
    if isinstance(node, Operation) and node.name in ("+", "*"):
        for part in node.parts:
            yield from _bases(part)
    elif isinstance(node, Operation) and (node.name == "abs" or (node.name == "power" and node.exponent % 2 == 0)):
        yield node.parts[0]


def _discounts(question: Question) -> list[fmpq]:
    """Discount factors that an equation on nothing else asks for, while others are solved."""
    alone = tuple(Claim("", (part,)) for part in _touching(question) if Claim("", (part,)).names == {"gamma"})
    return live_gammas(replace(question, premises=alone), literals.gammas(question)) if alone else []


def _curved(comparison: Comparison) -> bool:
    """Whether something that varies is multiplied by such a thing: the edge of a curved premise is met by solving.

    What refutes a claim given ``q[x]*q[y] == 2`` refutes it given ``q[x]*q[y] >= 2``, too.
    """
    nodes = [node for side in (comparison.left, comparison.right) for node in walk(side) if isinstance(node, Operation)]
    powers = [node for node in nodes if node.name in ("power", "*")]
    varying = [[constant_value(part) is None for part in node.parts] for node in powers]
    named = {node for side in (comparison.left, comparison.right) for node in walk(side) if isinstance(node, Named)}
    local = {node.name for node in named} - PARAMETERS
    return len(named) > 1 and bool(local) and any(all(parts) for parts in varying)


def _dials(question: Question, X: int) -> Iterator[Dial]:
    """Chains of ``X`` pairs, each with one number open."""
    simple = [*map(rational, SIMPLE), *literals.numbers(question)[:4]]
    shares = [*map(rational, SHARES), *(c for c in literals.numbers(question)[:3] if c < 1)]
    gammas = [question.gamma] if question.gamma is not None else [*_discounts(question), *map(rational, GAMMAS)]
    asked = (*question.premises, *(Claim("", (equation,)) for equation in _touching(question)))
    names = frozenset().union(*(part.names for part in asked))
    traits = {"shape": "solved for", "rewards": "solved for", "R": "own", "D": "solved for"}
    keep = np.eye(X, X + 1, dtype=np.int64)
    if X == 1:
        for gamma, b in product(gammas, simple):
            alone = Blueprint(keep, (b,), gamma, (1,), None, 1, traits)
            yield from (Dial(alone, name) for name in ("r", "gamma") if name == "r" or question.gamma is None)
            yield from () if question.conservative else (Dial(alone, "end"),)
        return
    laws = [keep, np.roll(np.eye(X, dtype=np.int64), 1, axis=1) @ keep]
    ends = [np.eye(X + 1, dtype=np.int64)[[X] * X]] if not question.conservative else []
    rewards = names & {"r", "q", "U", "K", "K1", "d", "mmd2", "rmin", "rmax", "rho0", "R", "d_pi", "q_hat", "C"}
    last = [(rational(value),) for value in LAST] if X == 3 else [()]
    if rewards:
        for law, gamma, b, c in product([*laws, *ends], gammas, simple, last):
            yield Dial(Blueprint(law, (fmpq(1), b, *c), gamma, (1,) * X, None, 1, traits), "r")
    others = [(fmpq(0), fmpq(1), fmpq(2))[:X], (fmpq(1),) * X]
    for law, b in product(laws, simple):
        chain = Blueprint(law, (fmpq(0), b, fmpq(1))[:X], gammas[0], (1,) * X, None, 1, traits)
        if "gamma" in names or "horizon" in names or rewards:
            yield from (Dial(chain, "gamma"),) if question.gamma is None else ()
        if "R" in names or names & {"K", "d", "K1", "mmd2"}:
            yield Dial(replace(chain, limits=(min(chain.r), max(chain.r) + 1)), "R")
    for share, gamma, r in product(shares, gammas, others):
        stay = keep.copy()
        stay[1] = 0
        stay[1, 1], stay[1, 0] = int(share.p), int(share.q - share.p)
        chain = Blueprint(stay, r, gamma, (1,) * X, None, 1, traits)
        yield from (Dial(chain, "gamma"),) if question.gamma is None and gamma == gammas[0] else ()
        if names - {"gamma", "R", "rho0", "rmin", "rmax", "r", "D"}:
            yield Dial(chain, "P")
        if not question.conservative and names & {"end", "life", "horizon", "P", "q", "K", "U"}:
            yield Dial(chain, "end")
        if "D" in names and gamma == gammas[0]:
            data = (fmpq(1, 20), share, fmpq(19, 20) - share) if X == 3 else (fmpq(1, 2), fmpq(1, 2))
            yield Dial(replace(chain, data=data), "D") if share < fmpq(19, 20) else Dial(chain, "P")


def _roots(question: Question, left: Any, right: Any, dials: Sequence[Dial]) -> Iterator[tuple[Dial, float]]:
    """Numbers at which an equation changes sign, for some choice of its indices."""
    for name in ("r", "R", "gamma", "P", "end", "D"):
        group = [dial for dial in dials if dial.name == name]
        if not group:
            continue
        base = stacked([dial.plan for dial in group], question.dim)
        places = group[0].places
        gaps = [_gap(question, left, right, _turned(base, name, np.full(len(group), t))) for t in places]
        for k in range(len(places) - 1):
            low, high = gaps[k], gaps[k + 1]
            with np.errstate(all="ignore"):
                rows, choices = np.nonzero(low * high < 0)
            if len(rows):
                ends = np.full(len(rows), places[k]), np.full(len(rows), places[k + 1])
                values = _between(question, left, right, _taken(base, rows), name, choices, ends)
                yield from ((group[int(i)], float(v)) for i, v in zip(rows, values, strict=True) if np.isfinite(v))


def _between(
    question: Question, left: Any, right: Any, batch: Batch, name: str, choices: Any, ends: tuple[Array, Array]
) -> Array:
    """Roots between two places: false position, where an end that stays counts half (Illinois)."""
    rows = np.arange(len(choices))

    def gap(values: Array) -> Array:
        found: Array = _gap(question, left, right, _turned(batch, name, values))[rows, choices]
        return found

    a, b = ends
    with np.errstate(all="ignore"):
        fa, fb = gap(a), gap(b)
        best, least = a, np.abs(fa)
        last = np.zeros(len(rows))
        for _ in range(STEPS):
            c = (fa * b - fb * a) / (fa - fb)
            c = np.where(np.isfinite(c), c, best)
            fc = gap(c)
            best, least = np.where(np.abs(fc) < least, c, best), np.fmin(np.abs(fc), least)
            upper = np.sign(fc) == np.sign(fb)
            fa, fb = (
                np.where(upper, np.where(last == 1, fa / 2, fa), fc),
                np.where(upper, fc, np.where(last == -1, fb / 2, fb)),
            )
            a, b, last = np.where(upper, a, c), np.where(upper, c, b), np.where(upper, 1, -1)
            if not np.any(least > 0):
                break
    return best


def _gap(question: Question, left: Any, right: Any, batch: Batch) -> Array:
    """Left side minus right side of an equation, at all choices of indices, [B, choices]."""
    arithmetic = Floats(FloatQuantities(batch), batch.X, question.axes)
    with np.errstate(all="ignore"):
        gap = evaluate(left, arithmetic).value - evaluate(right, arithmetic).value
    return np.broadcast_to(gap, (len(batch), *np.shape(gap)[1:])).reshape(len(batch), -1)


def _arrays(batch: Batch) -> dict[str, Array]:
    chains = batch.chains
    own = {"P": chains.P, "r": chains.r, "gamma": chains.gamma, "end": chains.end}
    return own | {"D": batch.D, "low": batch.low, "high": batch.high, "S": batch.S}


def _batch(arrays: dict[str, Array], dim: int | None) -> Batch:
    chains = Chains(arrays["P"], arrays["r"], arrays["gamma"], arrays["end"])
    return Batch(chains, arrays["D"], arrays["low"], arrays["high"], arrays["S"], dim)


def _taken(batch: Batch, rows: Any) -> Batch:
    return _batch({name: array[rows] for name, array in _arrays(batch).items()}, batch.dim)


def _turned(batch: Batch, name: str, values: Array) -> Batch:
    """The chains with other values of the open number."""
    arrays = {key: array.copy() for key, array in _arrays(batch).items()}
    if name == "r":
        arrays["r"][:, 0] = values
        arrays["low"], arrays["high"] = arrays["r"].min(axis=1), arrays["r"].max(axis=1)
    elif name == "R":
        arrays["high"] = arrays["low"] + values
    elif name == "gamma":
        arrays["gamma"] = values
    elif name == "D":
        D = arrays["D"]
        D[:, 0] = values
        D[:, -1] = np.maximum(0.0, 1.0 - D[:, :-1].sum(axis=1))  # no root is looked for beyond: `Dial.at` refuses it
    else:
        arrays["P"][:, 0], arrays["end"][:, 0] = 0.0, 0.0
        arrays["P"][:, 0, 0] = values
        (arrays["P"][:, 0, 1] if name == "P" else arrays["end"][:, 0])[:] = 1.0 - values
    return _batch(arrays, batch.dim)
