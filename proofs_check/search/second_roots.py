"""From one chain that meets an equation to others: the second root of a line through it.

``q[x]**2 + q[y]**2 == 5`` has one simple solution, 1 and 2, and no other with simple numbers but one. Yet on every line
of rational slope through a rational solution an equation of degree two has a second root, and it is rational: so the
solutions are followed around the whole curve. Whether the degree is two is found out by trying the root.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

from proofs_check.chains.blueprint import Blueprint, stacked
from proofs_check.chains.stacked import Batch
from tabular_krope.arrays import Array
from tabular_krope.exact.rationals import rational

#: Slopes of the lines, and chains through which they are laid, at most.
SLOPES = ("-4", "-5/2", "-8/5", "-5/4", "-1", "-4/5", "-5/8", "-2/5", "-1/4", "1/4", "2/3", "1", "3/2", "4")
MOST = 24
#: How near a root has to be to a fraction with a denominator of at most so much.
NEAR, DENOMINATOR = 1e-10, 3000
#: How far along a line the gap is looked at first.
STEP = fmpq(1, 64)
Gap = Callable[[Batch], Array]
Line = Callable[[Blueprint, fmpq, fmpq], Blueprint | None]


def second_roots(plans: Sequence[Blueprint], gap: Gap) -> Iterator[Blueprint]:
    """Chains further along lines through chains that meet an equation, which meet it, too.

    Args:
        plans: chains that meet it.
        gap: left side minus right side, for a batch of chains and all choices of indices, [B, choices].

    >>> plan = Blueprint(np.eye(2, 3, dtype=np.int64), (fmpq(1), fmpq(2)), fmpq(0), (1, 1))
    >>> around = second_roots([plan], lambda batch: (batch.chains.r**2).sum(axis=1, keepdims=True) - 5)
    >>> sorted({str(other.r) for other in around})[:3]
    ['(-1, 2)', '(-1/17, -38/17)', '(-19/13, -22/13)']
    """
    for plan in plans[:: max(1, len(plans) // MOST)]:
        for line in (_rewards, _gamma, _data):
            slopes = [m for m in map(rational, SLOPES) if line(plan, fmpq(0), m) is not None]
            if slopes:
                yield from _along(plan, line, slopes, gap)


def _along(plan: Blueprint, line: Line, slopes: list[fmpq], gap: Gap) -> Iterator[Blueprint]:
    """The gap is ``a t**2 + b t`` where it vanishes at 0: two values tell the other root, ``-b/a``."""
    probes: list[Any] = []
    ends: Any
    for m in slopes:
        ends = ([line(plan, sign * STEP * times, m) for times in (1, 2)] for sign in (1, -1))
        probes.append(next(((sign, *two) for sign, two in zip((1, -1), ends, strict=True) if None not in two), None))
    kept = [k for k in range(len(slopes)) if probes[k] is not None]
    if not kept:
        return
    signs: Array = np.array([[probes[k][0]] for k in kept])
    one, two = (gap(stacked([probes[k][place] for k in kept])) for place in (1, 2))
    step: float = int(STEP.p) / int(STEP.q)
    with np.errstate(all="ignore"):
        roots = -step * signs * (4 * one - two) / (two - 2 * one)
    for k, row in zip(kept, roots, strict=True):
        for root in {float(root) for root in row if 1e-6 < abs(root) < 1e6}:
            near = Fraction(root).limit_denominator(DENOMINATOR)
            if abs(near - Fraction(root)) <= NEAR * max(1.0, float(abs(near))):
                other = line(plan, fmpq(near.numerator, near.denominator), slopes[k])
                if other is not None and np.any(np.abs(gap(stacked([other]))) <= NEAR):
                    yield other


def _rewards(plan: Blueprint, t: fmpq, m: fmpq) -> Blueprint | None:
    """Move the rewards of the first two pairs."""
    if plan.X < 2:
        return None
    return replace(plan, r=(plan.r[0] + t, plan.r[1] + m * t, *plan.r[2:]))


def _gamma(plan: Blueprint, t: fmpq, m: fmpq) -> Blueprint | None:
    """Move the reward of the first pair, and the discount factor."""
    gamma = plan.gamma + m * t
    return replace(plan, r=(plan.r[0] + t, *plan.r[1:]), gamma=gamma) if 0 <= gamma < 1 else None


def _data(plan: Blueprint, t: fmpq, m: fmpq) -> Blueprint | None:
    """Move data from the last pair to the first two, or back."""
    if plan.X < 3:
        return None
    total = sum(map(fmpq, plan.data), fmpq(0))
    D = [fmpq(part) / total for part in plan.data]
    moved = (D[0] + t, D[1] + m * t, *D[2:-1], D[-1] - (1 + m) * t)
    return replace(plan, data=moved) if min(moved) >= 0 else None
