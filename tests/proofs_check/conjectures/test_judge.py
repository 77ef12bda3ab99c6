from fractions import Fraction
from functools import partial
from itertools import product
from math import isnan

import pytest

from proofs_check.conjectures import gathering, judge
from proofs_check.conjectures.conjecture_verdict import OUTCOMES
from proofs_check.conjectures.witnesses import verify
from proofs_check.search import evidence
from proofs_check.search.tally import Attack, Tally
from tabular_krope.errors import KropeError
from tests.proofs_check.conjectures.fraction_oracle import Oracle

#: The search alone, whatever could be proved.
conjecture = partial(judge.conjecture, prove=False)

B5 = "abs(q[x]-q[y]) <= sqrt(rho0*R/(2*(1-gamma))) * sqrt(d[x,y])"
TRUE = [
    (B5, {"conservative": True}),
    ("d[x,z] <= 2*(d[x,y]+d[y,z])", {}),
    ("sqrt(d[x,z]) <= sqrt(d[x,y]) + sqrt(d[y,z])", {}),
    ("abs(q[x]-q[y]) <= U[x,y]", {"conservative": True}),
    ("norm <= sqrt(gamma)", {}),
    ("norm <= sqrt(gamma)", {"dim": 2}),
    ("norm <= sqrt(gamma*(1+gamma)/2)", {"dim": 1}),
    ("q[x] == r[x] + gamma*sum(z, P[x,z]*q[z])", {}),
    ("q[x] == q[y]", {"assume": ["d[x,y] == 0"]}),
    ("rho == gamma", {"conservative": True, "assume": ["D[w] > 0"]}),
    ("d[x,y] == 2/R*abs(r[x]-r[y]) + gamma*mmd2[x,y]", {}),
    ("K[x,y] == 1/(1-gamma) - U[x,y]/R", {"conservative": True}),
]


@pytest.fixture(autouse=True)
def _quick(quick_search):
    quick_search()


@pytest.mark.parametrize(("claim", "options"), TRUE, ids=str)
def test_true_claims_survive(claim, options):
    verdict = conjecture(claim, examples=40, **options)
    assert verdict.outcome == "holds"
    assert verdict.witness is None
    assert verdict.tried > 0
    assert [trial.level for trial in verdict.trials] == ["sampled", "adversarial", "crossed", "exact"]
    assert not verdict.ratio > 1
    assert verdict.trials[-1].failed == 0


def fails_at(witness, at, holds):
    oracle = Oracle(witness)
    return not holds(oracle, *at.values())


FALSE = {
    "abs(q[x]-q[y]) <= d[x,y]": lambda o, x, y: abs(o.q[x] - o.q[y]) <= o.d[x][y],
    "d[x,z] <= d[x,y]+d[y,z]": lambda o, x, y, z: o.d[x][z] <= o.d[x][y] + o.d[y][z],
    "abs(q[x]-q[y]) <= R/(2*(1-gamma))*d[x,y]": (
        lambda o, x, y: abs(o.q[x] - o.q[y]) <= o.R / (2 * (1 - o.gamma)) * o.d[x][y]
    ),
    "K[x,x] >= K[x,y]": lambda o, x, y: o.K[x][x] >= o.K[x][y],
    "abs(q[x]-q[y]) <= U[x,y]": lambda o, x, y: abs(o.q[x] - o.q[y]) <= o.U[x][y],
    "(q[x]-q[y])**2 < rho0*R/(2*(1-gamma)) * d[x,y]": (
        lambda o, x, y: (o.q[x] - o.q[y]) ** 2 < o.rho0 * o.R / (2 * (1 - o.gamma)) * o.d[x][y]
    ),
    "d[x,z] <= 1.99*(d[x,y]+d[y,z])": lambda o, x, y, z: o.d[x][z] <= Fraction("1.99") * (o.d[x][y] + o.d[y][z]),
    "q[x] <= max(w, r[w])": lambda o, x: o.q[x] <= max(o.r),
}


@pytest.mark.parametrize("claim", FALSE)
def test_false_claims_are_refuted_by_a_witness_that_fractions_confirm(claim):
    verdict = conjecture(claim, examples=40)
    assert (verdict.outcome, verdict.evidence) == ("refuted", "witness")
    assert fails_at(verdict.witness, verdict.at, FALSE[claim])
    assert len(verdict.witness["r"]) <= 4
    assert not any(len(p) > 4 for row in verdict.witness["P_pi"] for p in row)
    assert verify(verdict.as_json()).refutes


def test_the_shown_sides_are_the_true_ones():
    verdict = conjecture("d[x,z] <= d[x,y]+d[y,z]", examples=40)
    oracle, at = Oracle(verdict.witness), verdict.at
    assert Fraction(verdict.left) == oracle.d[at["x"]][at["z"]]
    assert Fraction(verdict.right) == oracle.d[at["x"]][at["y"]] + oracle.d[at["y"]][at["z"]]
    assert verdict.left in verdict.reason


FAR = [
    "gamma <= 0.99",
    "gamma > 0",
    "horizon <= 100",
    "K[x,y] <= 100",
    "K[x,y] <= 1e8",
    "abs(q[x]) <= 100*max(z,abs(r[z]))",
    "abs(q[x]) <= 150*max(z,abs(r[z]))",
    "rho0 <= 200",
    "rho0 >= 1e-9",
    "R <= 1000 * rho0 + 1000",
    "r[x]+r[y] < 1000",
    "lambda_max <= 1000",
    "X <= 12",
    "rank <= 12",
    "S <= 25",
]


@pytest.mark.parametrize("claim", FAR)
def test_a_bound_that_holds_only_in_a_box_is_refuted(claim):
    verdict = conjecture(claim, examples=16)
    assert verdict.outcome == "refuted"
    assert verify(verdict.as_json()).refutes
    bound = {"X <= 12": 13, "rank <= 12": 13, "S <= 25": 26, "gamma > 0": 1}.get(claim, 2)
    assert len(verdict.witness["r"]) == bound
    assert len(verdict.witness["gamma"]) <= len("999999999/1000000000")


def test_premises_beyond_the_usual_are_met():
    verdict = conjecture("horizon <= 100000", ["gamma >= 0.99999"], examples=16, conservative=True)
    assert verdict.outcome == "refuted"
    assert conjecture("rmax >= 1e7", ["r[x] >= 1e7"], examples=16).outcome == "holds"


def test_the_box_is_that_of_the_chains_that_were_tried():
    verdict = conjecture("q[x] <= horizon * rmax", ["gamma <= 1/2", "r[w] >= 0", "X <= 3"], examples=16)
    assert verdict.outcome == "holds"
    assert verdict.box["gamma"] == (0.0, 0.5)
    assert verdict.box["pairs"] == (1, 3)
    assert verdict.box["rewards"][0] >= 0
    assert verdict.box["rewards"][1] >= 1e6
    assert conjecture("q[x] <= 1", ["X > 4", "X < 4"], examples=16).box == {}
    assert conjecture("K[x,y] >= 0", examples=16).box["pairs"] == (1, 64)


def test_a_premise_that_is_met_only_where_nothing_is_claimed_is_vacuous():
    verdict = conjecture("q[x] == q[y]", ["I[x,y] == 1"], examples=16)
    assert (verdict.outcome, verdict.tried) == ("vacuous", 0)
    met = conjecture("q[x] == q[y]", ["d[x,y] == 0"], examples=40)
    assert met.outcome == "holds"
    assert all(trial.tried > 0 for trial in met.trials)
    assert all(trial.vacuous > 0 for trial in met.trials)


def test_suspected_chains_are_accounted_for():
    verdict = conjecture("K[x,x] >= K[x,y] - 1/1000", examples=16)
    for trial in verdict.trials:
        assert trial.confirmed <= trial.examined <= trial.failed
    assert verdict.trials[-1].confirmed == verdict.trials[-1].failed > 0
    assert verdict.as_json()["trials"][0]["examined"] == verdict.trials[0].examined


@pytest.mark.parametrize("seed", range(3))
def test_verdicts_do_not_depend_on_the_seed(seed):
    assert conjecture("K[x,x] >= K[x,y]", examples=40, seed=seed).outcome == "refuted"
    assert conjecture("K[x,x] <= horizon", examples=40, seed=seed).outcome == "holds"


def test_equal_arguments_give_equal_verdicts():
    assert conjecture("K[x,x] >= K[x,y]", examples=32) == conjecture("K[x,x] >= K[x,y]", examples=32)


def test_an_equality_that_is_strict_by_a_hair_is_told_from_one_that_is_not():
    assert conjecture("norm < sqrt(gamma)", examples=32, assume=["gamma > 0"]).outcome == "refuted"
    assert conjecture(B5.replace("<= sqrt", "<= 0.999*sqrt"), examples=32, conservative=True).outcome == "refuted"
    assert conjecture(B5.replace("<= sqrt", "<= 1.001*sqrt"), examples=32, conservative=True).outcome == "holds"


def test_irrational_sides():
    verdict = conjecture("norm <= gamma", examples=32)
    assert verdict.outcome == "refuted"
    assert float(verdict.left) > float(Fraction(verdict.right))
    assert "weights" in verdict.witness


def test_premises_narrow_the_claim():
    assert conjecture("q[x] <= 1", examples=32).outcome == "refuted"
    premises = ["r[w] <= 1/2", "gamma <= 1/2"]
    assert conjecture("q[x] <= 1", premises, examples=32).outcome == "holds"
    narrowed = conjecture("q[x] <= 1", [*premises[:1], "gamma <= 2/3"], examples=32)
    assert narrowed.outcome == "refuted"
    oracle = Oracle(narrowed.witness)
    assert max(oracle.r) <= Fraction(1, 2)
    assert oracle.gamma <= Fraction(2, 3)
    assert max(oracle.q) > 1


def test_gamma_and_conservative_are_respected_by_the_witness():
    verdict = conjecture("abs(q[x]-q[y]) <= d[x,y]", gamma="5/7", conservative=True, examples=32)
    assert verdict.outcome == "refuted"
    assert verdict.witness["gamma"] == "5/7"
    assert "end" not in verdict.witness


def test_claims_about_states_keep_their_states():
    verdict = conjecture("rank <= S", examples=32)
    assert verdict.outcome == "refuted"
    P, Pi, P_pi = ([[Fraction(v) for v in row] for row in verdict.witness[name]] for name in ("P", "Pi", "P_pi"))
    X, S = len(P), len(Pi)
    assert all(P_pi[x][y] == sum(P[x][s] * Pi[s][y] for s in range(S)) for x, y in product(range(X), repeat=2))


def test_a_premise_that_is_never_met_is_vacuous():
    verdict = conjecture("q[x] <= 1", ["r[x] > 5", "r[x] < 4"], examples=32)
    assert (verdict.outcome, verdict.evidence) == ("vacuous", "none")
    assert verdict.tried == 0
    assert verdict.vacuous > 0
    assert "said nothing about any" in verdict.reason


def test_what_cannot_be_decided_is_inconclusive():
    verdict = conjecture("log(exp(q[x])) == q[x]", examples=32)
    assert verdict.outcome == "inconclusive"
    assert verdict.open > 0
    assert "could not be decided" in verdict.reason


def test_ties_that_stay_open_are_told_but_do_not_matter_for_a_weak_inequality():
    verdict = conjecture("norm <= sqrt(gamma)", dim=3, examples=32)
    assert verdict.outcome == "holds"
    assert verdict.open > 0
    assert f"{verdict.open} exact comparison" in verdict.reason


@pytest.mark.parametrize("claim", ["1/(R-R) <= 1", "sqrt(-1 - K[x,x]) >= 0", "log(end[x] - 2) <= 1"])
def test_what_is_undefined_on_every_chain_is_vacuous(claim):
    verdict = conjecture(claim, examples=8)
    assert (verdict.outcome, verdict.tried) == ("vacuous", 0)


def test_exact_evidence_is_independent_of_the_adversary_and_adds_what_it_found():
    random = conjecture("K[x,y] == K[y,x]", examples=50).trials[-1].tried
    assert random >= 50
    claim = "K[x,y]**2 <= K[x,x]*K[y,y]"
    exact = conjecture(claim, examples=20).trials[-1]
    assert exact.tried > 20 + len(gathering.KNOWN)
    assert exact.failed == 0


def test_nothing_exact_is_inconclusive(monkeypatch):
    monkeypatch.setattr(gathering, "exactly", lambda *_: None)
    verdict = conjecture("K[x,y] >= 0", examples=8)
    assert (verdict.outcome, verdict.evidence) == ("inconclusive", "adversarial")
    assert "no rational chain met the premises" in verdict.reason


def test_float_violations_that_are_rounding_are_acquitted(monkeypatch):
    from proofs_check.arithmetic import rounding

    quiet = Attack(Tally("adversarial", tried=5), [])
    monkeypatch.setattr(rounding, "EPS", 0.0)
    monkeypatch.setattr(
        evidence.Batch, "_with_rounding", lambda self, value, size: rounding.Rounded(value, 0.0 * value)
    )
    monkeypatch.setattr(gathering, "adversarial", lambda *_: quiet)
    bellman = "q[x] == r[x] + gamma*sum(z, P[x,z]*q[z])"
    verdict = conjecture(bellman, examples=12)
    assert verdict.outcome == "holds"
    assert verdict.acquitted > 0
    monkeypatch.setattr(evidence, "EXAMINED", 0)
    unexamined = conjecture(bellman, examples=12)
    assert unexamined.outcome == "inconclusive"
    assert "did not settle" in unexamined.reason
    monkeypatch.setattr(evidence, "EXAMINED", 40)
    monkeypatch.setattr(
        gathering, "adversarial", lambda *_: Attack(Tally("adversarial", tried=5, failed=3, acquitted=2), [])
    )
    assert "1 float chain seemed to violate" in conjecture(bellman, examples=12).reason
    # Where the premise is met up to rounding, the worst speak for the others, unless they were not decided.
    assert conjecture(bellman, ["gamma <= 1/2"], examples=12).outcome == "holds"
    doubtful = Tally("adversarial", tried=5, failed=3, acquitted=1, doubtful=1)
    monkeypatch.setattr(gathering, "adversarial", lambda *_: Attack(doubtful, []))
    assert "1 float chain seemed to violate" in conjecture(bellman, ["gamma <= 1/2"], examples=12).reason


def test_float_violations_that_cannot_be_settled_are_inconclusive():
    # exp(log(.)) has no separation bound, and the strict inequality makes every tie a suspect
    verdict = conjecture("exp(log(K[x,x] + 1)) > K[x,x] + 1", examples=16)
    assert verdict.outcome == "inconclusive"
    assert "seemed to violate" in verdict.reason


def test_a_degenerate_witness_is_replaced_by_a_better_one():
    verdict = conjecture("abs(q[x]-q[y]) <= R/(2*(1-gamma))*d[x,y]", examples=40)
    assert len(set(verdict.witness["r"])) > 1
    assert "reward_range" not in verdict.witness
    assert "end" not in verdict.witness


def test_progress_is_reported():
    seen = []
    conjecture("K[x,x] >= K[x,y]", examples=16, progress=lambda stage, share: seen.append((stage, share)))
    assert {stage for stage, _ in seen} == {"proving", "exact", "sampled", "adversarial", "shrinking"}
    assert all(0 <= share <= 1 for _, share in seen)


def test_json_holds_everything():
    verdict = conjecture("K[x,x] >= K[x,y]", ["r[x] >= 0"], gamma="1/2", examples=32, seed=3)
    document = verdict.as_json()
    settings = {"conservative": False, "gamma": "1/2", "dim": None, "features": "krope", "examples": 32, "seed": 3}
    assert document["settings"] == settings
    assert document["assume"] == ["r[x] >= 0"]
    assert document["outcome"] in OUTCOMES
    assert document["trials"][2]["ratio"] is None
    assert document["ratio"] > 1
    holds = conjecture("K[x,y] == K[y,x]", examples=32)
    assert holds.as_json()["witness"] is None
    assert holds.as_json()["ratio"] is None
    assert isnan(holds.ratio)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"text": "q[x] <= foo"}, "known quantity"),
        ({"text": "q[x] <= 1", "examples": 0}, "examples must"),
        ({"text": "q[x] <= 1", "seed": -1}, "seed must"),
        ({"text": "q[x] <= 1", "gamma": 2}, "gamma must"),
        ({"text": "q[x] <= 1", "dim": -1}, "dim must"),
        ({"text": "q[x] <= 1", "assume": ["r[x]"]}, r"assume\[0\]"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(KropeError, match=message):
        conjecture(**arguments)


@pytest.mark.parametrize(("claim", "dim"), [("rho < 1", None), ("norm < 1", 3)])
def test_a_strict_bound_that_floats_cannot_tell_from_a_tie_holds(claim, dim):
    assert conjecture(claim, dim=dim, examples=60).outcome == "holds"
