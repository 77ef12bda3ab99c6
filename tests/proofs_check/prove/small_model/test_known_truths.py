"""Claims of known truth at the edges: no discount, R = rho0, strict and weak, equations, chains, premises, ends."""

import pytest

from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.question import ask
from proofs_check.prove.small_model.prover import decide

#: Claim, premises, whether chains are conservative.
TRUE = [
    ("q[x] <= rmax/(1-gamma)", (), True),
    ("rmin/(1-gamma) <= q[x]", (), True),
    ("q[x] == r[x]", ("gamma == 0",), False),
    ("life[x] == 1", ("gamma == 0",), False),
    ("K[x,x] <= 1/(1-gamma)", (), False),
    ("0 <= d[x,y]", (), False),
    ("d[x,y] == d[y,x]", (), False),
    ("d[x,x] == 0", (), False),
    ("abs(abs(r[x]) - abs(r[y])) <= rho0 + 2*abs(rmin)", (), False),
    ("(q[x]-q[y])**2 <= rho0**2/(1-gamma)/2*d[x,y]", ("R == rho0",), True),
    ("U[x,y] <= rho0/(1-gamma)", (), True),
    ("abs(q[x]-q[y]) <= rho0/(1-gamma)", (), True),
    ("max(q[x], q[y]) <= rmax/(1-gamma)", (), True),
    ("rmin/(1-gamma) <= min(q[x], q[y])", (), True),
    ("q[x] + q[y] < 1", ("rmax < 0",), True),
    ("d[x,y] < 1", ("gamma == 0", "R == 3*rho0", "R > 0"), False),
    ("1 <= life[x]", (), False),
    ("life[x] <= 1/(1-gamma)", (), False),
    ("0 <= U[x,y]", (), False),
    ("d[x,y] <= 4/(1-gamma)", (), False),
    ("q[x] <= q[y] + U[x,y]", (), True),
    ("gamma <= 1/2", ("gamma <= 1/3",), True),
    ("-1 <= q[x] <= 1", ("abs(r[w]) <= 1 - gamma",), False),
    ("q[x] <= 3", ("max(rmax, 1) <= 3/2", "gamma <= 1/2"), False),
    ("q[x] >= 2", ("min(rmin, 7) >= 1", "gamma >= 1/2"), True),
]
FALSE = [
    ("q[x] < rmax/(1-gamma)", (), True),
    ("0 < d[x,y]", (), True),
    ("U[x,y] < rho0/(1-gamma)", (), True),
    ("abs(q[x]-q[y]) <= 99/100*rho0/(1-gamma)", ("rho0 > 0",), True),
    ("(q[x]-q[y])**2 <= 49/100*rho0**2/(1-gamma)*d[x,y]", ("R == rho0", "rho0 > 0"), True),
    ("life[x] == 1/(1-gamma)", (), False),
    ("q[x] == q[y]", (), True),
    ("abs(q[x]-q[y]) <= U[x,y]", (), False),
    ("1 < life[x]", (), False),
    ("q[x] >= 0", ("rmin >= -1",), True),
    ("q[x] <= rmax", ("gamma >= 1/2", "rmin >= 0"), True),
    ("d[x,z] <= d[x,y] + d[y,z]", (), True),
    ("d[x,y] <= 1", ("R == rho0",), True),
    ("q[x] <= r[x] <= q[y]", (), True),
    ("K[x,y] > 1", (), True),
    ("U[x,x] == 0", ("gamma >= 1/10",), True),
    ("mmd2[x,y] == 0", ("gamma == 0",), True),
    ("-1 <= q[x] <= 1", ("abs(r[w]) <= 1.01*(1 - gamma)",), False),
    ("q[x] <= 2.99", ("max(rmax, 1) <= 3/2", "gamma <= 1/2"), False),
]
#: Whatever its truth, it is not for this prover to say.
OUTSIDE = [
    ("1/d[x,y] >= 0", (), True),
    ("sqrt(d[x,y]) <= d[x,y]", (), True),
    ("sqrt(q[x]) >= 0", (), True),
    ("q[x]*q[y] <= rmax**2/(1-gamma)**2 + 1", (), True),
    ("rho <= gamma", (), True),
    ("q[x]/q[y] <= 1", (), True),
    ("(q[x]+q[y])**2 <= 2*q[x]**2 + 2*q[y]**2 + 1", ("rho0 == 0",), True),
    ("abs(abs(q[x])-abs(q[y])) <= r[x]", (), True),
]


@pytest.mark.parametrize(("claim", "premises", "conservative"), TRUE)
def test_the_true_are_proved(claim, premises, conservative):
    assert decide(ask(claim, premises, conservative)).outcome == "proved"


@pytest.mark.parametrize(("claim", "premises", "conservative"), FALSE)
def test_the_false_fall_with_a_small_chain(claim, premises, conservative):
    question = ask(claim, premises, conservative)
    found = decide(question)
    assert found.outcome == "refuted"
    assert found.case.X <= len(question.claim.indices) + 2
    assert judge_case(question, found.case).refutes


@pytest.mark.parametrize(("claim", "premises", "conservative"), OUTSIDE)
def test_nothing_is_said_of_others(claim, premises, conservative):
    assert decide(ask(claim, premises, conservative)).outcome == ""


def test_premises_that_nothing_meets_refute_nothing():
    decision = decide(ask("q[x] >= 7", ["R < 0"], True))
    assert decision.case is None
    assert decision.why == "its premises exclude each other"
