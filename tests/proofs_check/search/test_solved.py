"""Premises that are equations: met by chains in which one number was solved for."""

import numpy as np
import pytest
from flint import fmpq

from proofs_check.chains.blueprint import Blueprint
from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.judge import conjecture
from proofs_check.conjectures.question import ask
from proofs_check.conjectures.witnesses import verify
from proofs_check.search.solved import Dial, solved

#: False, each by a chain that meets the equation: by which numbers.
FALSE = [
    ("q[x]+q[y] <= 3", ["q[x]*q[y] == 2"], True),  # 4 and 1/2
    ("D[x]-D[y] <= 1/2", ["D[x]**2 + D[y]**2 == 1/2"], False),  # 7/10 and 1/10
    ("P[x,x]-P[y,y] <= 1/2", ["P[x,x]*P[y,y] == 1/3"], False),  # 1 and 1/3
    ("r[x]+r[y] <= 139/100", ["r[x]**2+r[y]**2 == 1", "rmin == 0"], False),  # 20/29 and 21/29
    ("gamma <= 1/2", ["q[x]**2 == 2*q[y]", "r[x] == 1"], False),  # one that ends with probability 4/9 has 9/10
    ("life[x] <= life[y]+1", ["life[x] == life[y]**2", "gamma <= 9/10"], False),  # 4 and 2
]
#: The edge of a premise that is no equation, and a value that a claim excludes.
EDGES = [
    ("r[x]*r[y] <= 49/100", ["r[x]**2 + r[y]**2 <= 1"]),
    ("q[x]+q[y] <= 3", ["q[x]*q[y] <= 2", "rmin > 0"]),
    ("abs(U[x,y] - 19/11) > 0", []),
    ("(q[x] - 17/4)**2 > 0", ["gamma == 3/7"]),
    ("(gamma - 1/7)**2 + (K[x,y] - 1/3)**2 > 0", []),
]


@pytest.mark.parametrize(("claim", "premises"), EDGES)
def test_edges_of_curved_premises_and_excluded_values_are_solved_for(claim, premises):
    question = ask(claim, premises).pinned
    assert any(judge_case(question, plan.case()).refutes for plan in solved(question))


def test_straight_premises_are_not_solved_for():
    assert not list(solved(ask("q[x] <= 3", ["rmax <= 1", "R >= 2*rho0", "gamma**2 <= 1/2"])))


@pytest.mark.parametrize(("claim", "premises", "conservative"), FALSE)
def test_false_claims_under_curved_equations_are_refuted(claim, premises, conservative):
    verdict = conjecture(claim, premises, conservative)
    assert verdict.outcome == "refuted"
    assert verify(verdict.as_json()).refutes


@pytest.mark.parametrize(("claim", "premises", "conservative"), FALSE)
def test_many_of_the_chains_meet_the_equation_exactly(claim, premises, conservative):
    question = ask(claim, premises[:1], conservative)
    plans = list(solved(question))
    met = [judge_case(question, plan.case()).met for plan in plans[:40]]
    assert plans
    assert sum(count > 0 for count in met) >= len(met) / 2


def test_nothing_is_solved_for_without_an_equation():
    assert not list(solved(ask("q[x] <= 2", ["q[x] >= 1"])))
    assert not list(solved(ask("q[x] <= 2", ["q[x] == 1"], gamma=1)))


@pytest.mark.parametrize(
    ("name", "value"), [("gamma", fmpq(1)), ("P", fmpq(3, 2)), ("R", fmpq(1, 2)), ("end", fmpq(-1))]
)
def test_a_number_that_is_none_of_a_chain_makes_none(name, value):
    plan = Blueprint(np.array([[1, 0, 0], [0, 1, 0]]), (fmpq(0), fmpq(1)), fmpq(1, 2), (fmpq(1, 2), fmpq(1, 2)))
    assert Dial(plan, name).at(value) is None


def test_weights_that_leave_nothing_for_the_last_pair_make_no_chain():
    plan = Blueprint(
        np.eye(3, 4, dtype=int), tuple(map(fmpq, range(3))), fmpq(1, 2), (fmpq(1, 4), fmpq(1, 2), fmpq(1, 4))
    )
    assert Dial(plan, "D").at(fmpq(1, 3)).data == (fmpq(1, 3), fmpq(1, 2), fmpq(1, 6))
    assert Dial(plan, "D").at(fmpq(2, 3)) is None
