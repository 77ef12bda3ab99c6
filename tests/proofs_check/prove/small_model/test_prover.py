"""Edges of the theorem: equal rewards, no discount, equal indices, horizons of ending chains, premises."""

import numpy as np
import pytest

from proofs_check.conjectures.exact_judge import fails_at, judge_case
from proofs_check.conjectures.judge import conjecture
from proofs_check.conjectures.question import ask
from proofs_check.prove.small_model import attack, prover, squares
from proofs_check.prove.small_model.decide import all_goals
from proofs_check.prove.small_model.prover import decide
from proofs_check.prove.small_model.z3_engine import ask_z3
from proofs_check.search.draws import random_cases
from tests.proofs_check.prove.small_model.bench import NORM


def outcome(claim, *premises, conservative=False, **others):
    return decide(ask(claim, premises, conservative, **others)).outcome


def test_equations_are_two_claims():
    assert outcome("U[x,x] == 0", conservative=True) == "refuted"
    assert outcome("U[x,x] == 0", "rho0 == 0") == "proved"
    assert outcome("K[x,y] == 1/(1-gamma)", "R == 0", conservative=True) == "proved"
    assert outcome("K[x,y] <= 1/(1-gamma)", conservative=True) == "proved"
    assert outcome("K[x,y] == 1/(1-gamma)", conservative=True) == "refuted"  # by its other half alone
    assert outcome("1/(1-gamma) == K[x,y]", conservative=True) == "refuted"


def test_both_halves_of_an_equation_have_to_be_shown():
    """Whatever the search for counterexamples finds before."""

    def shown(claim):
        return len(list(all_goals(ask(claim, (), True))))

    assert shown("K[x,y] == K[y,x]") == shown("K[x,y] <= K[y,x]") + shown("K[x,y] >= K[y,x]")


def test_the_order_of_rewards_matters():
    assert outcome("abs(q[x]-q[y]) <= U[x,y]", conservative=True) == "proved"
    assert outcome("r[x] <= r[y] + abs(r[x]-r[y])") == "proved"
    assert outcome("K1[x,y] <= 1") == "proved"
    assert outcome("K1[x,y] < 1") == "refuted"
    assert outcome("abs(r[x]-r[y]) == r[x]-r[y]", "r[x] >= r[y]") == "proved"
    assert outcome("abs(r[x]-r[y]) == r[x]-r[y]") == "refuted"


def test_all_rewards_equal():
    assert outcome("d[x,y] == 0", "R == 0", conservative=True) == "proved"
    assert outcome("d[x,y] == 0", "R == 0") == "refuted"  # ends differ
    assert outcome("R > 0") == "refuted"
    assert outcome("rho0/R <= 1") == "proved"  # silent at R = 0
    assert outcome("R*K[x,x] > 0") == "refuted"
    assert outcome("R*K[x,x] > 0", "R > 0") == "proved"
    assert outcome("K[x,x] >= 1", "R*(R-1) >= 0") == "proved"


def test_no_discount():
    assert outcome("q[x] == r[x]", gamma=0) == "proved"
    assert outcome("mmd2[x,y] == 0", gamma=0) == "refuted"
    assert outcome("mmd2[x,y] <= 2", gamma=0) == "proved"
    assert outcome("mmd2[x,y] <= 1.99", gamma=0) == "refuted"
    assert outcome("d[x,y]/gamma >= mmd2[x,y]") == "proved"
    assert outcome("gamma*q[x] < 1", gamma=0) == "proved"


def test_indices_may_be_the_same_pair():
    assert outcome("d[x,y] > 0") == "refuted"
    assert outcome("U[x,y] >= U[x,x]", conservative=True) == "refuted"
    assert outcome("q[x] + q[y] <= 2*max(q[x], q[y])") == ""  # convex on the large side


def test_the_horizon_of_an_ending_chain_is_not_that_of_the_small_one():
    assert outcome("life[x] <= horizon") == "proved"
    assert outcome("U[x,y] <= rho0*horizon") == "proved"
    assert outcome("horizon == 1/(1-gamma)", conservative=True) == "proved"
    assert outcome("horizon <= 1/(1-gamma)") == "proved"
    assert outcome("horizon >= 1/(1-gamma)") != "proved"  # false: every episode may end at once
    assert outcome("q[x] <= rmax*horizon", "rmin >= 0") == "proved"
    assert outcome("1/(1-gamma) <= 2*horizon - 1") != "proved"


def test_a_premise_for_every_pair_is_one_for_the_extreme_rewards():
    assert outcome("q[x] <= 1/(1-gamma)", "r[w] <= 1", conservative=True) == "proved"
    assert outcome("rmax <= 1", "r[w] <= 1") == "proved"
    assert outcome("q[x] <= 1/(1-gamma)", "r[x] <= 1", conservative=True) == "refuted"


def test_what_is_under_a_root_of_quantities_has_to_be_defined():
    # Where q[x] < 0 nothing is claimed, which is no convex condition.
    decision = decide(ask("q[x] - 5*R <= sqrt(q[x])", ["gamma == 1/2", "R == 1", "rho0 == 1"], True))
    assert decision.outcome != "proved"
    assert outcome("1 <= sqrt(K[x,x])") == "proved"
    assert outcome("sqrt(gamma) <= 1") == "proved"
    assert outcome("sqrt(gamma) < 1/2") == "refuted"
    assert outcome("d[x,y] <= sqrt(2*gamma - 1) + 4/(1-gamma)") == "proved"


@pytest.mark.parametrize("claim", ["U[x,y] <= rho0/(1-gamma)", "abs(q[x]-q[y]) <= U[x,y]", "K[x,x] >= 1"])
def test_z3_agrees(claim):
    assert ask_z3(ask(claim, (), True)) == ("holds", None)


def test_z3_refutes_with_a_chain():
    question = ask("U[x,z] <= U[x,y] + U[y,z]")
    answer, case = ask_z3(question)
    assert answer == "fails"
    assert judge_case(question, case).refutes


def test_without_a_certificate_the_word_of_z3_is_called_decided(monkeypatch):
    monkeypatch.setattr(prover, "prove", lambda question: None)
    monkeypatch.setattr(prover, "LONG", 1)
    assert outcome("U[x,x] <= rho0/(1-gamma)", conservative=True) == "decided"
    verdict = conjecture("U[x,x] <= rho0/(1-gamma)", conservative=True)
    assert (verdict.outcome, verdict.evidence, verdict.proof) == ("decided", "solver", None)


def test_without_a_certificate_and_without_z3_it_is_searched(monkeypatch):
    monkeypatch.setattr(prover, "prove", lambda question: None)
    monkeypatch.setattr(prover, "ask_z3", lambda question: ("unknown", None))
    monkeypatch.setattr(prover, "LONG", 1)
    decision = decide(ask("K[x,x] >= 1"))
    assert (decision.outcome, decision.covered) == ("", True)
    assert "neither a proof nor a counterexample" in decision.why


def test_small_programs_come_first(monkeypatch):
    """Products of two factors prove the value bound of ending chains; those of three would take 6372 unknowns."""
    spent = []
    monkeypatch.setattr(squares, "spend", lambda unknowns: not spent.append(unknowns))
    assert outcome(f"(q[x]-q[y])**2 <= {NORM}/(1-gamma)*d[x,y]") == "proved"
    assert 0 < max(spent) < 1000
    assert sum(spent) < 3000


def test_chains_of_roots_over_four_pairs_are_judged_at_one_choice_of_pairs(monkeypatch):
    """Floats near zero seem to refute it: judging those chains at all of their 1296 choices of pairs takes seconds."""
    whole = []
    monkeypatch.setattr(attack, "judge_case", lambda question, case: whole.append(case) or judge_case(question, case))
    question = ask("abs(q[x]-q[y]) + abs(q[z]-q[w]) <= sqrt(rho0*R/(1-gamma))*sqrt(d[x,y]+d[z,w])", conservative=True)
    assert decide(question).outcome == "proved"
    assert not whole


def test_one_choice_of_pairs_is_judged_like_all():
    question = ask("(q[x]-q[y])**2 <= U[x,y] + sqrt(d[y,z])", conservative=True)
    for case in random_cases(question, 6, 3, exact=True):
        indices = [dict(zip("xyz", choice, strict=True)) for choice in np.ndindex((case.X,) * 3)]
        failing = [at for at in indices if fails_at(question, case, at)]
        finding = judge_case(question, case)
        assert finding.refutes == bool(failing)
        assert not failing or finding.at == failing[0]
