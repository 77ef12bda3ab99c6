"""Claims that are false on special chains only: long ones, many actions, single values, classes."""

from dataclasses import replace

import numpy as np
import pytest
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import floats
from proofs_check.chains.blueprint import Blueprint, stacked
from proofs_check.chains.classes import CLASSES
from proofs_check.conjectures.judge import conjecture
from proofs_check.conjectures.question import ask
from proofs_check.conjectures.witnesses import verify
from proofs_check.search import crossing as module
from proofs_check.search.crossing import cross, crossing
from proofs_check.search.premises import drawn, recognized
from proofs_check.search.tally import Tally

#: claim, premises, options, and a chain that refutes it, in words.
FALSE = [
    ("rank <= 20", [], {}, "21 absorbing pairs with distinct rewards"),
    ("X <= 50", [], {}, "any chain of 51"),
    ("sum(z, P[z,y]) <= 30", [], {}, "a star of 31"),
    ("sum(z, K1[x,z]) <= 30", [], {}, "31 equal rewards"),
    ("horizon <= 20", ["rho_P == 0"], {}, "an ending path of 23 at gamma = 999/1000"),
    ("D[x] >= 1/40", ["D[x] == D[y]"], {}, "uniform data on 41 pairs"),
    ("sum(z, K[x,z]) <= 25/(1-gamma)", [], {}, "26 pairs alike"),
    ("sum(y, sum(z, P[y,z]*P[z,x])) <= 20", [], {}, "a star of 21"),
    ("sum(z, K1[x,z]) >= X/20", ["R > rho0"], {}, "one reward of 23 differs, and R is barely wider"),
    ("rank >= X/4", ["rho0 > 0"], {}, "a star of 9 with two rewards"),
    ("X <= 3*S", [], {}, "one state, four actions"),
    ("X <= 12*S", [], {}, "one state, thirteen actions"),
    ("rank <= 3*S", [], {}, "one state, four rewards"),
    ("q[x] <= 500", ["rmax <= 1"], {}, "an absorbing pair at gamma = 999/1000"),
    ("life[x] <= 700", ["P[x,y] == 1/2"], {}, "two mixing pairs at gamma = 999/1000"),
    ("abs(q[x]-q[y]) <= 100*d[x,y]", ["gamma > 0.995"], {}, "two absorbing pairs, huge rewards"),
    ("(gamma-1/7)**2 > 0", [], {}, "gamma = 1/7"),
    ("(D[x]-2/9)**2 > 0", [], {}, "D = 2/9, 7/9"),
    ("(P[x,y]-3/11)**2 > 0", [], {}, "a lazy path"),
    ("(end[x]-4/13)**2 > 0", [], {}, "one pair that ends with 4/13"),
    ("(K[x,x]-13/7)**2 > 0", [], {}, "gamma = 6/13"),
    ("(U[x,y]-22/7)**2 > 0", [], {}, "rewards 0, 22/7 and gamma = 0"),
    ("abs(X-37) > 0", [], {}, "37 pairs"),
    ("(S-11)**2 > 0", [], {}, "11 states"),
    ("(rho0/R - 3/8)**2 > 0", ["R > rho0"], {}, "R = 8/3 rho0"),
    ("rho <= 0.95*sqrt(gamma)", [], {}, "F2 with 23 pairs"),
    ("rho <= 0.95*sqrt(gamma)", [], {"dim": 2, "gamma": "9/10"}, "F2 with 23 pairs"),
    ("norm <= 0.98*sqrt(gamma)", [], {"dim": 9, "conservative": True}, "a path of 10"),
    ("K[x,x] == K[y,y]", ["sum(z, P[z,w]) == 1"], {"conservative": True}, "a swap beside an absorbing pair"),
    ("P[x,y] == P[y,x]", ["sum(z, P[z,w]) == 1"], {"conservative": True}, "a cycle of three"),
    ("K[x,y] <= K[x,x]", ["P[i,j] == P[j,i]"], {}, "symmetric, three pairs"),
    ("norm <= gamma", ["sum(z, D[z]*P[z,w]) == D[w]"], {}, "a stationary distribution"),
    ("P[x,y] == P[y,x]", [], {"classes": ["doubly-stochastic"]}, "a cycle of three"),
    ("norm <= gamma", [], {"classes": ["on-policy", "deterministic"]}, "a cycle"),
    ("lam(20) == 0", [], {}, "20 absorbing pairs with distinct rewards, and data on all"),
    ("q[x] >= gamma**12", ["q[w] > 0", "rmin == 0", "rmax == 1"], {"classes": ["deterministic"]}, "a path of 14"),
    (
        "q[x] <= r[x] + 19*gamma*rmax",
        ["rmin >= 0"],
        {"gamma": "95/100", "classes": ["deterministic", "ending"]},
        "an ending path of 64 with equal rewards",
    ),
    ("((1-gamma)*horizon - 1/3)**2 > 0", [], {}, "a pair that ends at once, gamma = 2/3"),
    ("trace(P**13) == 0", [], {"classes": ["periodic"]}, "a cycle of 13"),
    ("trace(P**4) <= 14", [], {"classes": ["periodic", "deterministic"]}, "eight circles of two, side by side"),
    ("trace(K) <= 45*horizon", [], {"conservative": True}, "46 absorbing pairs"),
    ("(P[x,x]-2/5)**2 + (P[y,y]-3/7)**2 > 0", [], {}, "two pairs that stay with these probabilities"),
    ("(end[x]-1/11)**2 + (end[y]-5/13)**2 > 0", [], {}, "two pairs that end with these probabilities"),
    ("(D[x]-1/7)**2 + (D[y]-2/9)**2 > 0", [], {}, "three pairs"),
    ("trace(P**7) == 0", [], {"classes": ["periodic", "deterministic"]}, "a cycle of 7"),
    ("sum(z, K1[x,z]) >= X/15", ["R >= 1.01*rho0"], {}, "one reward of 23 differs, and R is a hundredth wider"),
    ("lam(4) <= 0.16*horizon", [], {}, "rewards 0, 1, 1 in turn, and a pair of reward 0 that stays: 1/6"),
    ("1/D[x] <= 100", ["P[i,j] > 0"], {"classes": ["on-policy"]}, "one step in 200 leads there"),
    ("life[x] <= 97/10", [], {"gamma": "9/10", "classes": ["deterministic", "ending"]}, "an ending path of 34"),
]


@pytest.mark.parametrize(("claim", "assume", "options", "chain"), FALSE, ids=str)
def test_what_is_false_on_special_chains_is_refuted(claim, assume, options, chain):
    question = ask(claim, assume, **options)
    tally = Tally("crossed")
    cross(question, crossing(question), tally, lambda stage, share: None)
    assert tally.refuting is not None, chain
    assert question.about(tally.refuting)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_verdicts_on_classes_do_not_depend_on_the_seed(seed):
    verdict = conjecture("P[x,x] >= 1/10", seed=seed, examples=60, prove=False, classes=["doubly-stochastic"])
    assert verdict.outcome == "refuted"
    assert verify(verdict.as_json()).refutes
    assert verdict.settings["classes"] == ["doubly-stochastic"]


def test_what_falls_in_a_class_falls_without_it():
    """Every kind of chain that a class is drawn from is drawn where no class is named, the same for every seed."""
    kinds = {plan.traits["shape"] for plan in crossing(ask("d[x,y] >= 0"))}
    for name in CLASSES:
        members = ask("d[x,y] >= 0", classes=[name])
        assert {plan.traits["shape"] for plan in drawn(members, recognized(members), 60)} <= kinds, name


def test_true_claims_survive_and_traits_are_counted():
    question, tally = ask("d[x,y] >= 0"), Tally("crossed")
    cross(question, crossing(question, 0.2), tally, lambda stage, share: None)
    assert tally.refuting is None
    assert tally.failed == tally.open == 0
    assert all(sum(values.values()) == tally.tried for values in tally.crossed.values())
    assert set(tally.crossed) == {"shape", "rewards", "R", "D", "actions", "pairs", "gamma"}
    assert {"1", "4", "13"} <= set(tally.crossed["actions"])
    assert "64" in tally.crossed["pairs"]


def test_floats_of_a_blueprint_are_those_of_its_rational_chain():
    moves = np.array([[1, 2, 0], [0, 1, 3], [2, 0, 1], [1, 1, 1]])
    plan = Blueprint(moves, tuple(map(fmpq, range(4))), fmpq(2, 3), (1, fmpq(1, 2), 0, 2), None, actions=2)
    case, batch = plan.case(), stacked([plan])
    assert np.allclose(batch("q").value[0], floats(case.q))
    assert np.allclose(batch.D[0] * 7, [2, 1, 0, 4])
    assert float(batch("S").value[0]) == len(case.Pi) == 2


@pytest.mark.parametrize(
    ("claim", "settings"),
    [
        ("life[x] <= 100", {"classes": ["ending"]}),  # it ends now and then
        ("q[x] <= 50*rho0", {"classes": ["ending"], "assume": ["rmin == 0"]}),
        ("P[x,y] <= 49/50", {"classes": ["doubly-stochastic"], "assume": ["P[x,y] < 1"]}),  # 99/100
        ("sum(x, D2[x]**2) >= 1/10", {}),  # uniform over 11 pairs
        ("(P[x,y]-3/11)**2 + (r[x]-2/7)**2 > 0", {}),  # both numbers, of one pair
        ("(r[x]-3/8)**2 + (D[x]-2/5)**2 > 0", {}),
    ],
)
def test_what_stood_before_is_refuted(claim, settings):
    verdict = conjecture(claim, **settings)
    assert verdict.outcome == "refuted"
    assert verify(verdict.as_json()).refutes


@pytest.mark.parametrize(
    ("X", "dim", "spent", "judged"),
    [
        (2, None, 0, 40),  # each chain of fewer than eight pairs costs 1, and a stack may cost 40
        (2, None, 100, 40),
        (2, None, 390, 10),  # all stacks together may cost 400
        (2, None, 400, 0),
        (2, 1, 0, 20),  # truncations cost twice as much
        (16, None, 0, 8),  # sixteen pairs cost 1 + 2 * 2
        (16, None, 399, 1),
    ],
)
def test_what_exact_judgments_of_a_stack_may_cost(monkeypatch, X, dim, spent, judged):
    """Chains that floats suspect and exact arithmetic acquits, one after the other, until the budget is used."""
    question, tally, asked = ask("d[x,y] >= 0", dim=dim), Tally("crossed"), []
    plans = [
        Blueprint(np.eye(X, X + 1, dtype=np.int64), tuple(map(fmpq, range(X))), fmpq(1, k + 2), [1] * X, traits={})
        for k in range(60)
    ]
    real, exactly = module.judge_batch, module.judge_case
    monkeypatch.setattr(module, "judge_batch", lambda *given: replace(real(*given), suspect=np.ones(60, dtype=bool)))
    monkeypatch.setattr(module, "judge_case", lambda q, case: asked.append(case) or exactly(q, case))
    tally.spent = spent
    module._judge(question, plans, tally)
    assert len(asked) == tally.acquitted == tally.tried == judged
    assert tally.spent == spent + judged * (1 + (X // 8) ** 2) * (1 if dim is None else 2)
    assert (tally.refuting, tally.confirmed, tally.open) == (None, 0, 0)


@pytest.mark.parametrize(("share", "taken"), [(1.0, 1000), (2.0, 1000), (0.25, 250), (0.0, 0)])
@pytest.mark.parametrize("assume", [[], ["rmin >= 0"]])
def test_of_what_is_planned_drawn_and_climbed_a_share_is_taken(monkeypatch, share, taken, assume):
    """The same each time, whatever the seed; everything from a share of 1 on."""
    asked = []
    plans = [Blueprint(np.array([[1, 0]]), (fmpq(k),), fmpq(1, 2), [1], traits={"shape": "x"}) for k in range(1000)]
    monkeypatch.setattr(module, "_planned", lambda question, some: (plan for plan in plans if some()))
    monkeypatch.setattr(module.Fitting, "each", lambda self, planned: planned)
    monkeypatch.setattr(module, "drawn", lambda question, recipes, count: asked.append(count) or ())
    monkeypatch.setattr(module, "climbs", lambda question, recipes, count: asked.append(count) or ())
    monkeypatch.setattr(module, "solved", lambda question: ())
    question = ask("q[x] <= 1", assume)
    first, second = (list(crossing(question, share)) for _ in range(2))
    assert first == second
    assert abs(len(first) - taken) <= (40 if 0 < share < 1 else 0)
    counts = [int(share * module.DRAWN)] + ([int(share * module.GENERATIONS)] if assume else [])
    assert asked == 2 * counts
