"""Further rational solutions, on lines through a known one."""

import pytest

from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.question import ask
from proofs_check.search.solved import solved

#: Claims that no solution with simple numbers refutes, under equations of degree two; an optimum is irrational.
FALSE = [
    ("q[x] - q[y] <= 31/10", ["q[x]**2 + q[y]**2 == 5"], {"conservative": True}),  # sqrt(10) = 3.16
    ("2*r[x] + r[y] <= 11/5", ["r[x]**2 + r[y]**2 == 1"], {}),  # sqrt(5) = 2.236
    ("gamma + 3*r[x] <= 31/10", ["gamma**2 + r[x]**2 == 1"], {}),  # sqrt(10)
    ("D[x] + D[y] <= 19/20", ["D[x]**2 + D[y]**2 == 1/2", "I[x,y] == 0"], {}),  # 1
]


@pytest.mark.parametrize(("claim", "premises", "options"), FALSE, ids=str)
def test_solutions_far_from_simple_numbers_are_reached(claim, premises, options):
    question = ask(claim, premises, **options)
    assert any(judge_case(question, plan.case()).refutes for plan in solved(question))


def test_all_of_them_meet_the_equation_exactly():
    question = ask("r[x] + r[y] <= 40", ["r[x]**2 + r[x]*r[y] + 3*r[y]**2 == 5"], gamma="1/2")
    plans = list(solved(question))
    met = [plan for plan in plans if judge_case(question, plan.case()).met]
    assert len(met) >= 0.9 * len(plans)
    assert len({tuple(plan.r[:2]) for plan in met}) > 60
    for r in (plan.r for plan in met):
        assert any(a * a + a * b + 3 * b * b == 5 for a in r for b in r)
