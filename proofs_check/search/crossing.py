"""Crossing: every shape of chain with every pattern of rewards, reward range, data, discount factor and length.

Random chains are short and mix; a claim that fails on long or special chains only survives them. Here the traits are
crossed: in full where chains are short, in turn where they are long, so that every two values of two traits meet. The
plan is fixed, so that a verdict which rests on it does not depend on a seed. All chains are rational. Floats judge them
in stacks, the cheapest first, and what they suspect is put to exact arithmetic at once.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import chain, product

import numpy as np
from flint import fmpq

from proofs_check.chains.blueprint import Blueprint, stacked
from proofs_check.chains.class_members import RECIPES
from proofs_check.chains.classes import OF_LAWS, Arrays, reachable, within
from proofs_check.chains.shapes import ENDING, SHAPES, tight
from proofs_check.chains.trait_values import DATA, RANGES, REWARDS, reward_range, rewards
from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.float_judge import judge_batch
from proofs_check.conjectures.question import PLAIN, Question
from proofs_check.search import literals
from proofs_check.search.fitting import Fitting, live_gammas
from proofs_check.search.premises import DRAWN, GENERATIONS, climbs, drawn, is_about, recognized
from proofs_check.search.solved import solved
from proofs_check.search.tally import Tally
from tabular_krope.exact.rationals import rational

Progress = Callable[[str, float], None]
#: Numbers of pairs: crossed in full, and in turn.
SHORT, LONG = (1, 2, 3, 4, 6), (9, 13, 23, 40, 64)
GAMMAS, LONG_GAMMAS = ("0", "1/1000", "1/2", "9/10", "999/1000"), ("1/2", "9/10", "99/100", "999/1000")
#: Actions of a state that are crossed, and the numbers of states with them.
ACTIONS, STATES = (4, 13), (1, 2, 3)
#: Multiples of it leave no trait out, however many values the others have, when only some chains are taken.
GOLDEN = (math.sqrt(5) - 1) / 2
#: The same for reward ranges where the claim names some: no multiple of it keeps step with the other traits.
SPREAD = math.sqrt(2) - 1
#: One of so many steps ends the episode where all episodes have to, or may, end; none otherwise.
LEAKS, NO_LEAKS = (0, 2, 10, 1000), (0,)
#: Ways to place two rewards on a cycle, at most, and the discount factors there.
NECKLACES, NECKLACE_GAMMAS = 64, ("1/2", "99/100", "9999/10000")
#: Squares of simple fractions, on which F2 is best.
SQUARES = ("81/100", "9/16", "1/4")
#: Array entries that one float judgment may hold, and that one chain may have.
ENTRIES, MOST_ENTRIES = 400_000, 33_000
#: Pairs up to which any suspected chain is put to exact arithmetic, and those of sparse chains with all eigenvalues.
MOST_EXACT, MOST_SPARSE = 24, 40
#: What exact judgments may cost in a stack and in all.
STACK_BUDGET, BUDGET = 40, 400
#: Chains with the claim's numbers in all places, at most.
SUGGESTED = 3000


def crossing(question: Question, share: float = 1.0) -> Iterator[Blueprint]:
    """The chains, short ones first; of those that are crossed only a share, chosen once and for all.

    >>> from proofs_check.conjectures.question import ask
    >>> plans = list(crossing(ask("d[x,y] >= 0")))
    >>> max(plan.X for plan in plans), len({plan.traits["shape"] for plan in plans}) >= 16
    (64, True)
    """
    lots = np.random.default_rng(0)
    planned = _planned(question, lambda: share >= 1 or lots.random() < share)
    if question.premises or question.classes:
        planned = Fitting(question).each(planned)
    yield from (plan for plan in planned if is_about(question, plan))
    if not (question.premises or question.classes or question.exact_only):  # what refutes it in a class refutes it
        yield from drawn(question, list(RECIPES), int(share * DRAWN))
    yield from solved(question)
    if question.premises:
        recipes = recognized(question)
        yield from drawn(question, recipes, int(share * DRAWN))
        yield from climbs(question, recipes, int(share * GENERATIONS))


def _planned(question: Question, taken: Callable[[], bool]) -> Iterator[Blueprint]:
    """All plans for which ``taken()``, which is asked once for each of them, and before it is made where it can be."""
    most = max_pairs(question)
    discounts, short = _gammas(question, GAMMAS), [n for n in SHORT if n <= most]
    yield from _crossed(question, short, discounts, turns=3 if question.weighted else 1, taken=taken)
    for plan in chain(_suggested(question), _with_actions(question, most, discounts)):
        if taken():
            yield plan
    far = _gammas(question, LONG_GAMMAS)
    named = set(literals.lengths(question, max_pairs(question, named=True)))
    counted = {n for n in literals.counts(question) if n in named}
    for n in sorted({n for n in LONG if n <= most} | named - set(SHORT) | counted):
        kept = 600 if n < 20 else 300 if n < 50 else 160
        if n in counted:  # the claim speaks about as many steps or eigenvalues: nothing is left out
            yield from _crossed(question, [n], far, turns=len(DATA) if question.weighted else 1, taken=taken)
            yield from (plan for plan in _necklaces(question, n) if taken())
        elif n not in SHORT:
            yield from _crossed(question, [n], far, turns=1, most=2 * kept if n in named else kept, taken=taken)
        yield from (plan for plan in _tight(question, n) if taken())


def cross(question: Question, plans: Iterable[Blueprint], tally: Tally, progress: Progress) -> None:
    """Judge planned chains, stack by stack, until one of them refutes the claim exactly."""
    waiting: dict[int, list[Blueprint]] = {}
    axes = max(2, len(question.axes))
    for plan in plans:
        progress("crossed", min(1.0, (plan.X / LONG[-1]) ** 2))
        group = waiting.setdefault(plan.X, [])
        group.append(plan)
        if len(group) < max(1, ENTRIES // plan.X**axes):
            continue
        for X in sorted(X for X in waiting if X <= plan.X):  # the cheapest first
            _judge(question, waiting.pop(X), tally)
            if tally.refuting is not None:
                return
    for X in sorted(waiting):
        _judge(question, waiting[X], tally)
        if tally.refuting is not None:
            return


def max_pairs(question: Question, named: bool = False) -> int:
    """Pairs up to which chains are crossed: as many as floats can judge, for all choices of indices at once.

    Eigenvalues are asked of fewer pairs, unless the claim names the number and exact arithmetic can follow.

    >>> from proofs_check.conjectures.question import ask
    >>> [max_pairs(ask(text)) for text in ("X <= 5", "d[x,z] <= d[x,y] + d[y,z]", "rho <= 1/2")]
    [64, 32, 40]
    """
    axes = max(1, len(question.axes))
    fits = min(LONG[-1], int(MOST_ENTRIES ** (1 / axes)))
    return min(fits, 40) if question.spectral and (question.weighted or not named) else fits


def _crossed(
    question: Question,
    sizes: Iterable[int],
    gammas: list[fmpq],
    turns: int,
    most: float = math.inf,
    taken: Callable[[], bool] = lambda: True,
) -> Iterator[Blueprint]:
    """Shapes, rewards and discount factors in full (or about so many of them), reward ranges and data in turn."""
    ranges, data = [*RANGES, *literals.ratios(question)], list(DATA)
    shapes = [name for name in SHAPES if not (question.conservative and name in ENDING)]
    leaks = LEAKS if question.gamma == 1 or "ending" in question.classes else NO_LEAKS
    kept = most / (len(shapes) * len(REWARDS) * len(gammas) * len(leaks))
    for n in sizes:
        laws = {(name, leak): _leaking(SHAPES[name](n), leak) for name in shapes for leak in leaks}
        own = _members(question, laws) if most < math.inf else set()
        own_kept = kept * len(laws) / max(1, len(own))
        for k, (name, pattern, gamma, leak) in enumerate(product(shapes, REWARDS, gammas, leaks)):
            if k * GOLDEN % 1 >= (own_kept if (name, leak) in own else kept):
                continue
            for turn in range(turns):
                if not taken():
                    continue
                at = (k + turn) % 4 if len(ranges) == 4 else int((k + turn) * SPREAD % 1 * len(ranges))
                r, wide, seen = rewards(pattern, n), ranges[at], data[(k // 4 - turn) % len(data)]
                yield _plan(laws[name, leak], r, gamma, (name, pattern, wide, seen))


def _members(question: Question, laws: dict[tuple[str, int], np.ndarray]) -> set[tuple[str, int]]:
    """The laws that are in the claim's classes, as far as laws decide that: of few chains, more are these."""
    names = tuple(name for name in question.classes if name in OF_LAWS)
    if not names:
        return set()
    return {key for key, moves in laws.items() if within(Arrays.of_law(moves / moves.sum(axis=1)[:, None]), names)}


def _leaking(moves: np.ndarray, leak: int) -> np.ndarray:
    """The law of which one of so many steps ends the episode, too; no step if 0."""
    if not leak:
        return moves
    leaking = moves * (leak - 1)
    leaking[:, -1] += moves.sum(axis=1)
    return leaking


def _necklaces(question: Question, n: int) -> Iterator[Blueprint]:
    """A cycle of ``n`` pairs, or one fewer and a pair that stays, with any two rewards around it.

    As many ways as there are or can be borne. The second kind has the rewards of a simplex code: 0, and 011 in turn.
    """
    lots = np.random.default_rng(n)
    words = range(1, 2 ** (n - 1)) if 2 ** (n - 1) <= NECKLACES else lots.integers(1, 2 ** (n - 1), NECKLACES)
    beside = np.eye(n, n + 1, dtype=np.int64)
    beside[: n - 1, :n] = np.roll(np.eye(n, dtype=np.int64), 1, axis=1)[: n - 1]
    beside[n - 2, [0, n - 1]] = 1, 0
    traits = {"shape": "cycle", "rewards": "two-valued", "R": "own", "D": "uniform"}
    for moves in (SHAPES["cycle"](n), beside) if n > 2 else (SHAPES["cycle"](n),):
        for word, gamma in product(words, _gammas(question, NECKLACE_GAMMAS)):
            r = tuple(fmpq(int(word) >> x & 1) for x in range(n))
            yield Blueprint(moves, r, gamma, [1] * n, None, 1, traits)


def _plan(moves: np.ndarray, r: tuple[fmpq, ...], gamma: fmpq, named: tuple[str, str, str | fmpq, str]) -> Blueprint:
    name, pattern, wide, seen = named
    traits = {
        "shape": name,
        "rewards": REWARDS[pattern][0],
        "R": "own" if wide == "own" else "wide",
        "D": DATA[seen][0],
    }
    return Blueprint(moves, r, gamma, DATA[seen][1](len(r)).tolist(), reward_range(wide, r), 1, traits)


def _suggested(question: Question) -> Iterator[Blueprint]:
    plans = list(literals.suggested(question))
    if len(plans) > SUGGESTED:
        chosen = np.random.default_rng(0).permutation(len(plans))[:SUGGESTED]
        plans = [plans[int(i)] for i in np.sort(chosen)]
    yield from literals.combined(question)
    yield from plans


def _with_actions(question: Question, most: int, gammas: list[fmpq]) -> Iterator[Blueprint]:
    """States with many actions: one follows the shape, the others lead to one state after another."""
    more = {n for n in literals.lengths(question, most) if question.structured}
    for S, A in product(STATES, sorted({*ACTIONS, *more})):
        if S * A > most:
            continue
        laws = {name: _rolled(SHAPES[name](S), A) for name in ("cycle", "absorbing", "star")}
        for k, (name, pattern, gamma) in enumerate(product(laws, REWARDS, gammas)):
            wide, seen = list(RANGES)[k % 4], list(DATA)[k // 4 % len(DATA)]
            plan = _plan(laws[name], rewards(pattern, S * A), gamma, (name, pattern, wide, seen))
            yield replace(plan, actions=A)


def _rolled(law: np.ndarray, A: int) -> np.ndarray:
    """``A`` actions in each state: the first follows the law, each other one leads one state further."""
    S = len(law)
    moves = np.zeros((S * A, S + 1), dtype=np.int64)
    for x in range(S * A):
        moves[x, :S] = np.roll(law[x // A, :S], x % A)
    return moves


def _tight(question: Question, n: int) -> Iterator[Blueprint]:
    """F2, on which truncations of the kernel are as unstable as they get: its own rewards and data, then others."""
    for gamma in SQUARES if question.gamma is None else (str(question.gamma),):
        if n < 7 or gamma == "0":
            continue
        root = Fraction(math.sqrt(Fraction(gamma))).limit_denominator(20)
        signs = tuple(fmpq((x == 2) - (x == 3)) for x in range(n))
        for seen, wide in product(("first two", "uniform"), RANGES):
            traits = {"shape": "F2", "rewards": "tied", "R": "own" if wide == "own" else "wide", "D": DATA[seen][0]}
            data, moves = DATA[seen][1](n).tolist(), tight(n, (root.numerator, root.denominator))
            yield Blueprint(moves, signs, rational(gamma), data, reward_range(wide, signs), 1, traits)


def _gammas(question: Question, known: Iterable[str]) -> list[fmpq]:
    if question.gamma is not None:
        return [question.gamma]
    usual = [rational(gamma) for gamma in known]
    named = live_gammas(question, literals.gammas(question))
    return sorted({*(live_gammas(question, usual) or (() if named else usual)), *named[:: max(1, len(named) // 4)]})


def _judge(question: Question, plans: list[Blueprint], tally: Tally) -> None:
    """One stack: floats acquit, exact arithmetic decides about the worst of the others; the rest is not counted."""
    batch = stacked(plans, question.dim)
    finding = judge_batch(question, batch)
    met = finding.met > 0
    suspects = [int(i) for i in np.argsort(-finding.score, kind="stable") if met[i] and finding.suspect[i]]
    settled = ~finding.suspect
    limit = min(BUDGET, tally.spent + STACK_BUDGET)
    for i in suspects:
        if tally.spent >= limit:
            break
        if not bearable(question, plans[i]):
            continue
        tally.spent += _cost(plans[i]) * (1 if question.dim is None else 2)
        case = plans[i].case()
        if not question.about(case):
            continue
        found = judge_case(question, case)
        tally.open += found.open
        if found.refutes:
            tally.refuting = case
            tally.confirmed += 1
        settled[i] = found.refutes or found.open == 0
        tally.acquitted += bool(settled[i] and not found.refutes)
        if found.refutes:
            break
    tally.add_settled(finding.seen, batch, settled)
    tally.add_traits({**plan.traits, **_sizes(plan)} for plan, ok in zip(plans, met & settled, strict=True) if ok)


def _sizes(plan: Blueprint) -> dict[str, str]:
    return {"actions": str(plan.actions), "pairs": str(plan.X), "gamma": str(plan.gamma)}


def bearable(question: Question, plan: Blueprint) -> bool:
    """Whether exact arithmetic can judge a chain within a second or so.

    Of many pairs it can if few of them return to each other, or each has one successor; and where eigenvalues are asked
    for, if the data see two pairs at most, or each pair has few successors.

    >>> from proofs_check.conjectures.question import ask
    >>> long = [_plan(SHAPES[name](40), rewards("first", 40), fmpq(1, 2), (name, "first", "own", "uniform"))
    ...         for name in ("path", "mixing")]
    >>> [bearable(ask(text), plan) for text in ("lam(20) == 0", "d[x,y] <= 1", "q[x] <= 1") for plan in long]
    [True, False, True, False, True, True]
    """
    if plan.X <= MOST_EXACT or question.names <= PLAIN:
        return True
    arrows = np.array(plan.moves[:, : plan.S] > 0, dtype=bool)
    most = arrows.sum(axis=1).max()
    if question.spectral and question.weighted and sum(1 for part in plan.data if part) > 2:
        return bool(question.dim is None and plan.actions == 1 and most <= 2 and plan.X <= MOST_SPARSE)
    if plan.actions > 1:
        return plan.S <= MOST_EXACT
    after = reachable(arrows)
    return bool(most <= 1 or (after & after.T).sum(axis=1).max() <= MOST_EXACT)


def _cost(plan: Blueprint) -> int:
    """What an exact judgment takes, in judgments of a short chain."""
    return 1 + (plan.X // 8) ** 2
