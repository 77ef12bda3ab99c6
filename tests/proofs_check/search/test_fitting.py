"""Crossed chains under premises about their parts: made lazy, made to end, with rewards moved and data blended."""

from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from proofs_check.chains.blueprint import Blueprint
from proofs_check.chains.shapes import SHAPES
from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.question import ask
from proofs_check.search.crossing import cross, crossing
from proofs_check.search.fitting import Fitting, live_gammas
from proofs_check.search.tally import Tally

HALF = fmpq(1, 2)
#: Premises that no shape, pattern or distribution of the crossing meets as it is.
PREMISES = [
    "P[w,w] >= 3/4",
    "end[w] >= 1/20",
    "P[i,j] >= 1/100",
    "rmin >= 2",
    "rmax <= -3",
    "abs(r[w]) <= 1-gamma",
    "rho0 == 5/7",
    "R == 11",
]
#: False on long chains only, and there only if these are altered: claim, premises, options, the chain.
FALSE = [
    ("groups <= 14", ["rmin >= 1"], {}, "a path of 15 with rewards 1 and 2"),
    ("groups <= 12", ["end[w] >= 1/20", "rewards <= 2"], {}, "a path of 13 that leaks"),
    ("groups <= 12", ["P[w,w] >= 3/4", "rewards == 2"], {"conservative": True}, "a lazy path of 13"),
    ("D[x] <= 1/2", ["D[w] > 0", "X >= 20"], {}, "data that hardly see nineteen pairs"),
    ("D[x] <= 1/2", ["X >= 20"], {"classes": ["on-policy"]}, "a path into an absorbing pair, which has all of them"),
]


def plan_of(shape, n=5):
    rewards = tuple(fmpq(x) for x in range(n))
    return Blueprint(SHAPES[shape](n), rewards, fmpq(1, 2), (1,) * n, traits={"shape": shape, "D": "uniform"})


@pytest.mark.parametrize("premise", PREMISES)
@pytest.mark.parametrize("shape", ["path", "cycle", "tree"])
def test_what_meets_no_premise_is_altered_until_it_does(premise, shape):
    question = ask("X <= 2", [premise])
    plan = plan_of(shape)
    assert not judge_case(question, plan.case()).met
    assert judge_case(question, Fitting(question).fit(plan).case()).met


@pytest.mark.parametrize("premise", ["P[x,y] >= 0", "rmax >= 1", "D[w] > 0", "q[w] >= 100"])
def test_what_meets_a_premise_or_cannot_be_helped_stays(premise):
    plan = plan_of("path")
    assert Fitting(ask("P[x,y] <= 2", [premise])).fit(plan) is plan


def test_altered_laws_are_laws_of_the_same_shape():
    """Stay with 3/4, and otherwise move as before: by hand, in fractions."""
    plan = Fitting(ask("X <= 2", ["P[w,w] >= 3/4"])).fit(plan_of("cycle", 4))
    assert [[Fraction(int(v), int(sum(row))) for v in row] for row in plan.moves] == [
        [Fraction(3 * (x == y) + ((x + 1) % 4 == y), 4) for y in range(5)] for x in range(4)
    ]


def test_data_are_made_stationary_for_chains_on_policy():
    plan = Fitting(ask("X <= 2", classes=["on-policy"])).fit(plan_of("walk"))
    case = plan.case()
    assert (case.weights @ case.P_pi == case.weights).all()


def test_members_of_classes_stay_members():
    question = ask("X <= 2", ["P[w,w] >= 1/3"], classes=["doubly-stochastic"])
    fitting = Fitting(question)
    assert question.about(fitting.fit(plan_of("cycle")).case())
    plan = plan_of("star")
    assert fitting.fit(plan) is plan


def test_discount_factors_that_no_premise_admits_are_not_crossed():
    question = ask("X <= 2", ["gamma >= 1/41", "gamma <= 1/40"])
    gammas = {plan.gamma for plan in crossing(question, 0.2) if plan.X > 6 and plan.traits["shape"] != "F2"}
    assert fmpq(1, 40) in gammas
    assert all(fmpq(1, 41) <= gamma <= fmpq(1, 40) for gamma in gammas)
    assert set(live_gammas(question, [fmpq(0), *gammas])) == gammas


@pytest.mark.parametrize(("claim", "premises", "options", "chain"), FALSE, ids=str)
def test_long_chains_under_premises_refute(claim, premises, options, chain):
    question, tally = ask(claim, premises, **options), Tally("crossed")
    cross(question, (plan for plan in crossing(question) if plan.X > 6), tally, lambda stage, share: None)
    assert tally.refuting is not None, chain
    assert judge_case(question, tally.refuting).refutes


def test_plans_are_altered_alike_each_time():
    question = ask("X <= 2", ["rmin >= 1", "rho0 <= 1/3"])
    first, second = ([plan.r for plan in crossing(question, 0.05)] for _ in range(2))
    assert first == second
    assert np.ptp([float(min(r)) for r in first]) > 0


def candidates(premises, levels, times=None, gamma=HALF):
    return Fitting(ask("rank >= 0", premises))._candidates(levels, times, gamma)


def test_places_of_rewards_that_are_tried_by_hand():
    """Ends 0, c, -c, c + 1 and -c - 1 for 1 and each number of the claim; their range, or 1, or such a number."""
    ends = [0, 1, -1, 2, -2]
    assert candidates(["rmin >= 1"], 1) == [(a, a, None) for a in ends] + [(a, a, 1) for a in ends]
    rising = [(a, b) for a in ends for b in ends if a < b]
    by_one = [(a, b) for a, b in rising if b - a <= 1]
    assert candidates(["rmin >= 1"], 2) == [(a, b, None) for a, b in rising] + [(a, b, 1) for a, b in by_one]
    named = candidates(["rho0 == 5/7"], 2)
    numbers = [1, fmpq(5, 7), 5, 7]
    assert {a for a, _, wide in named if wide is None} == {0, *(v for c in numbers for v in (c, -c, c + 1, -c - 1))} - {
        8
    }
    assert all(a < b and (wide is None or wide >= b - a) for a, b, wide in named)
    assert {wide for a, b, wide in named if (a, b) == (0, 1)} == {None, 1, 5, 7}


def test_ranges_grow_with_the_rewards_and_sizes_shrink_with_the_horizon():
    wider = candidates(["rmin >= 3"], 2, fmpq(2))
    first = [(a, b, wide) for a, b, wide in wider if wide == 2 * (b - a)]
    assert wider[: len(first)] == first
    assert (0, 3, 9) in wider  # three times as wide as the rewards
    assert (0, 3, 3) in wider
    discounted = candidates(["rmax <= 1-gamma"], 1, gamma=fmpq(9, 10))
    assert {a for a, _, wide in discounted if wide is None} >= {
        0,
        fmpq(1, 10),
        fmpq(-1, 10),
        fmpq(11, 10),
        fmpq(-11, 10),
    }
