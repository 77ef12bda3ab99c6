"""Floats look at rational chains first: what they acquit is counted, what they suspect is judged exactly."""

import pytest
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.case import Case
from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.quantified import completed
from proofs_check.conjectures.question import ask
from proofs_check.search import screening
from proofs_check.search.draws import random_cases
from proofs_check.search.screening import screened
from proofs_check.search.tally import Tally


def cases_of(question, n=60):
    return list(completed(question, random_cases(question, n, 1, exact=True), 1))


@pytest.mark.parametrize(
    ("claim", "options"),
    [
        ("q_mu[x] >= q[x]", {}),
        ("sum(x, D2[x]*q[x]) <= sum(x, D[x]*q[x])", {}),
        ("radius(L) < 1", {"features": "any"}),
        ("W1[x,y] <= 3/2*abs(q[x]-q[y])", {}),
        ("q_mu[x] <= rmax*horizon", {"conservative": True}),
    ],
)
def test_what_floats_acquit_holds_exactly(claim, options, monkeypatch):
    monkeypatch.setattr(screening, "SURE", 0)
    question = ask(claim, **options)
    cases = cases_of(question)
    floats, exact = Tally("sampled"), Tally("exact")
    screened(question, cases, lambda stage, share: None, floats, exact)
    found = [judge_case(question, case) for case in cases]
    assert exact.failed == sum(finding.refutes for finding in found)
    assert floats.tried + exact.tried == sum(finding.met > 0 for finding in found)
    assert floats.failed == 0


def test_the_first_chains_are_judged_exactly_whatever_floats_say():
    question = ask("q_mu[x] <= rmax*horizon", conservative=True)
    cases = cases_of(question)[:50]
    floats, exact = Tally("sampled"), Tally("exact")
    screened(question, cases, lambda stage, share: None, floats, exact)
    assert (floats.tried, exact.tried) == (0, 50)


def test_reward_laws_of_long_horizons_are_not_left_to_floats(monkeypatch):
    monkeypatch.setattr(screening, "SURE", 0)
    question = ask("W1[x,y] <= 2*rho0/(1-gamma)")
    chain = Case.from_matrix(rationals([[1, 0], [0, 1]]), rationals([0, 1]), fmpq(9, 10))
    floats, exact = Tally("sampled"), Tally("exact")
    screened(question, [chain], lambda stage, share: None, floats, exact)
    assert (floats.tried, exact.tried) == (0, 1)
