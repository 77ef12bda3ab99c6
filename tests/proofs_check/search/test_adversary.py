from dataclasses import replace

import numpy as np
import pytest

import proofs_check as pc
from proofs_check.chains.case import Case
from proofs_check.search import adversary
from proofs_check.search.adversary import attack
from proofs_check.statements.truncation.claims import _strictly_truncated
from tabular_krope.errors import KropeError

PRESSED = [slug for slug, statement in pc.STATEMENTS.items() if statement.pressure is not None]


@pytest.mark.parametrize("slug", PRESSED)
def test_the_adversary_breaks_what_is_false_and_nothing_else(slug):
    statement = pc.STATEMENTS[slug]
    found = attack(statement, budget=120 // statement.cost.share)
    assert found.tally.tried > 0
    if statement.expected == "holds":
        assert found.tally.failed == 0
        assert found.tally.tightness <= 1 + 1e-6
    elif slug != "theorem-2-without-injectivity":
        assert found.tally.failed > 0
        assert found.tally.tightness > 1


def test_truncation_comes_within_one_percent_of_its_bound():
    found = attack(pc.STATEMENTS["truncation-stable"], budget=200)
    assert found.tally.tightness >= 0.99
    assert _strictly_truncated(found.case)[0].tightness() == pytest.approx(found.tally.tightness)


def test_the_constant_of_the_value_bound_is_best_possible():
    assert attack(pc.STATEMENTS["value-bound-rkhs"], budget=200).tally.tightness >= 0.999


@pytest.mark.parametrize("seed", range(3))
def test_the_ratio_of_the_printed_lemma_grows_without_bound(seed):
    statement = pc.STATEMENTS["lemma-value-bound"]
    assert attack(statement, 1000, seed).tally.tightness > 100


@pytest.mark.parametrize("seed", range(2))
def test_the_triangle_inequality_fails_by_the_proven_factor_and_no_more(seed):
    assert attack(pc.STATEMENTS["d-pseudometric"], 500, seed).tally.tightness == pytest.approx(2, rel=0.01)


@pytest.mark.parametrize("seed", [1, 2])
def test_truncation_reaches_its_bound_whatever_the_seed(seed):
    assert 0.99 <= attack(pc.STATEMENTS["truncation-stable"], 200, seed).tally.tightness <= 1 + 1e-9


def test_a_verdict_reports_the_best_constant():
    best = pc.check("value-bound-rkhs", examples=40).constant
    assert best.proven == pytest.approx(2**-0.5)
    assert 0.999 * best.proven < best.found <= best.proven * (1 + 1e-9)
    assert pc.check("mico-identity", examples=5).constant is None


def test_only_drawn_instances_count_as_vacuous():
    statement = replace(pc.STATEMENTS["value-bound-independent"], premise=lambda case: case.X > 3)
    found = attack(statement, budget=200).tally
    assert 0 < found.vacuous < 40
    nothing = attack(replace(statement, premise=lambda case: False), budget=100)
    assert (nothing.case, nothing.tally.tried) == (None, 0)
    assert 0 < nothing.tally.vacuous <= 12  # of some fifty looked at, most are structured ones
    assert np.isnan(nothing.tally.tightness)


def test_the_same_seed_finds_the_same():
    statement = pc.STATEMENTS["d-pseudometric"]
    first, second = attack(statement, 60, seed=4), attack(statement, 60, seed=4)
    assert first.tally.tightness == second.tally.tightness
    assert isinstance(first.case, Case)
    assert np.array_equal(first.case.P, second.case.P)


@pytest.mark.parametrize("slug", ["theorem-1", "sqrt-d-metric", "residual-identity", "truncation-unweighted-stable"])
def test_changes_that_are_made_ahead_are_those_made_one_by_one(slug, monkeypatch):
    ahead = attack(pc.STATEMENTS[slug], budget=200, seed=3)
    monkeypatch.setattr(adversary, "FEW_AHEAD", 1)
    monkeypatch.setattr(adversary, "MOST_AHEAD", 1)
    monkeypatch.setattr(adversary, "stand_together", lambda cases: [case._peers.clear() for case in cases])
    alone = attack(pc.STATEMENTS[slug], budget=200, seed=3)
    assert str(ahead.tally.trial()) == str(alone.tally.trial())
    for name in ("P", "r", "gamma", "weights"):
        assert np.array_equal(getattr(ahead.case, name), getattr(alone.case, name))


def test_neighbors_stay_models():
    found = attack(pc.STATEMENTS["value-bound-independent"], budget=150)
    found.case.mrp()  # validated
    assert found.case.weights.sum() == pytest.approx(1)


def test_a_statement_must_say_what_to_press():
    with pytest.raises(KropeError, match="statement must say what to press; got 'mico-identity'"):
        attack(pc.STATEMENTS["mico-identity"])
