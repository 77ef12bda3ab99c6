"""Premises met by construction: which kinds of chains meet them is found by trying, however they are spelled.

``P[i,j] == P[j,i]``, ``sum(z, D[z]*P[z,x]) == D[x]`` or ``--class on-policy`` are met by next to no random chain. Two
chains of every kind (`RECIPES`) are asked; what is drawn, and climbed on, afterwards is of the kinds that meet them.
Everything here is the same for every seed.
"""

from collections.abc import Iterator

import numpy as np
from flint import fmpq

from proofs_check.chains.blueprint import Blueprint, stacked
from proofs_check.chains.class_members import RECIPES, Recipe
from proofs_check.chains.classes import Arrays, within
from proofs_check.conjectures.float_judge import judge_batch
from proofs_check.conjectures.question import Question
from proofs_check.search import literals
from proofs_check.search.fitting import Fitting, live_gammas
from tabular_krope.arrays import Array
from tabular_krope.exact.rationals import rational

#: Discount factors: usual ones, and between them twelfths, so that hardly a claim fails in between only.
GAMMAS = ("1/2", "9/10", "1/4", "99/100", "999/1000", "0", *(f"{k}/12" for k in (1, 2, 4, 5, 7, 8, 9, 10, 11)))
#: Pairs and numbers of chains by which a kind is tried, and that are drawn of all kinds that pass.
TRIED_ON, TRIES, DRAWN = (2, 4), 2, 800
#: Pairs of the drawn chains, and of those that are climbed on.
SIZES, CLIMBED = (2, 3, 4, 5, 6, 8), (3, 4, 5)
#: The climb: kinds, chains at a time, and generations.
KINDS, POPULATION, GENERATIONS = 3, 24, 14
#: What rounding leaves in a sum of probabilities.
ROUNDING = 1e-12


def recognized(question: Question) -> list[Recipe]:
    """The kinds of chains that meet the premises and belong to the classes; none if nothing is asked of chains.

    >>> from proofs_check.conjectures.question import ask
    >>> laws = {recipe.law for recipe in recognized(ask("P[x,x] > 0", ["P[i,j] == P[j,i]"]))}
    >>> {"symmetric", "keeping"} <= laws, laws & {"any", "ending"}
    (True, set())
    """
    if not question.premises and not question.classes and question.gamma != 1:
        return []
    rng, gammas, fitting = np.random.default_rng(0), discounts(question), Fitting(question)
    met = dict.fromkeys(RECIPES, 0)
    for n in TRIED_ON:
        made = (recipe.make(rng.random(width(n)), n, gammas) for recipe in RECIPES for _ in range(TRIES))
        plans = [*fitting.each(made)]
        kept = [i for i, plan in enumerate(plans) if is_about(question, plan)]
        live = _lives(question, [plans[i] for i in kept]) if kept else []
        for i, lives in zip(kept, live, strict=True):
            met[RECIPES[i // TRIES]] += int(lives)
    enough = max(1, (max(met.values()) + 1) // 2)
    return [recipe for recipe, times in met.items() if times >= enough]


def drawn(question: Question, recipes: list[Recipe], count: int, seed: int = 0) -> Iterator[Blueprint]:
    """Chains of these kinds, one kind after the other, of all sizes.

    >>> from proofs_check.conjectures.question import ask
    >>> cycles = ask("P[x,y] == P[y,x]", classes=["doubly-stochastic"])
    >>> len({plan.X for plan in drawn(cycles, recognized(cycles), 12)})
    6
    """
    rng, gammas, fitting = np.random.default_rng([seed, 1]), discounts(question), Fitting(question)
    for k in range(count if recipes else 0):
        turn, kind = divmod(k, len(recipes))  # few draws meet all sizes, and many meet all sizes of every kind
        n = SIZES[(turn + kind) % len(SIZES)]
        plan = fitting.fit(recipes[kind].make(rng.random(width(n)), n, gammas))
        if is_about(question, plan):
            yield plan


def climbs(question: Question, recipes: list[Recipe], generations: int = GENERATIONS) -> Iterator[Blueprint]:
    """The last generations of climbs within the kinds that come nearest to a violation, the best chains first."""
    if question.exact_only:
        return
    gammas, rng, fitting = discounts(question), np.random.default_rng(2), Fitting(question)

    def made(recipe: Recipe, z: Array, n: int) -> Blueprint:
        return fitting.fit(recipe.make(z, n, gammas))

    some = [made(recipe, rng.random(width(4)), 4) for recipe in recipes for _ in range(TRIES)]
    first = _score(question, some).reshape(len(recipes), TRIES).max(axis=1) if recipes else np.zeros(0)
    for k in np.argsort(-first, kind="stable")[:KINDS]:
        for n in CLIMBED:
            Z = rng.random((POPULATION, width(n)))
            values = _score(question, [made(recipes[k], z, n) for z in Z])
            for _ in range(generations):
                a, b, c = (Z[rng.permutation(POPULATION)] for _ in range(3))
                best = Z[int(np.argmax(values))]
                moved = rng.random(Z.shape) < rng.choice([0.1, 0.5], (POPULATION, 1))
                trial = np.where(moved, np.where(rng.random((POPULATION, 1)) < 0.5, best, a) + 0.7 * (b - c), Z)
                trial = trial - np.floor(trial)
                found = _score(question, [made(recipes[k], z, n) for z in trial])
                better = found >= values
                Z[better], values[better] = trial[better], found[better]
            yield from (made(recipes[k], Z[int(i)], n) for i in np.argsort(-values, kind="stable"))


def is_about(question: Question, plan: Blueprint) -> bool:
    """Whether a question is about a chain, as far as floats can tell; without discounting every episode has to end."""
    if question.gamma not in (None, plan.gamma):
        return False
    if question.conservative and plan.moves[:, -1].any():
        return False
    classes = question.classes if plan.gamma < 1 else (*question.classes, "ending")
    if not classes:
        return True
    P, end, D = plan.floats()
    return within(Arrays(P, end, np.array(plan.r), D, ROUNDING), classes)


def discounts(question: Question) -> list[fmpq]:
    """Discount factors to draw from: usual ones, and those that the claim's numbers suggest."""
    if question.gamma is not None:
        return [question.gamma]
    known = [*map(rational, GAMMAS), *literals.gammas(question)]
    return live_gammas(question, known) or known


def width(n: int) -> int:
    """Numbers that a chain on ``n`` pairs takes at most."""
    return 2 * n * n + 8 * n + 8


def _lives(question: Question, plans: list[Blueprint]) -> list[bool]:
    """Whether the premises are met somewhere on each chain; where floats cannot be asked that is left open."""
    if question.exact_only:
        return [True] * len(plans)
    return [bool(count > 0) for count in judge_batch(question, stacked(plans, question.dim)).met]


def _score(question: Question, plans: list[Blueprint]) -> Array:
    """How near each chain comes to a violation; those that the question is not about come last."""
    finding = judge_batch(question, stacked(plans, question.dim))
    short = np.minimum(finding.shortfall, 1e12)
    values: Array = np.where(finding.met > 0, finding.score, -2.0 - short / (1.0 + short))
    return np.where([is_about(question, plan) for plan in plans], values, -4.0)
