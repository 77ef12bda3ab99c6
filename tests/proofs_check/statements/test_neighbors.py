"""The witnesses of the neighbors' claims by hand, in fractions, and the readings that do not hold."""

from dataclasses import replace
from fractions import Fraction as Q

import numpy as np
import pytest

import proofs_check as pc
from proofs_check.arithmetic.linear_algebra import floats, rationals
from proofs_check.arithmetic.routh_hurwitz import opposite_polynomial, positive_stable
from proofs_check.chains.case import Case
from proofs_check.chains.witness import case_from_witness
from proofs_check.statements.neighbors.clocks import claims as clocks
from proofs_check.statements.neighbors.clocks.proof import differential
from proofs_check.statements.neighbors.coverage.claims import DEPENDENT, NOT_CLOSED
from proofs_check.statements.neighbors.coverage.proof import is_closed, rows_independent
from proofs_check.statements.neighbors.fixed_points.claims import _sometimes_blind
from proofs_check.statements.neighbors.metrics import occupancy
from proofs_check.statements.neighbors.metrics.occupancy import program_value
from proofs_check.statements.neighbors.metrics.proof import chain_metric, distance_at_start
from proofs_check.statements.neighbors.n_step.claims import LATER, _stays_stable
from proofs_check.statements.neighbors.n_step.proof import MOST, bound, enough_steps, projector, row_norm
from proofs_check.statements.neighbors.temporal_differences import fit, iteration_matrix


def witness(slug):
    return case_from_witness(pc.STATEMENTS[slug].witnesses[0])


def fraction(value):
    return Q(int(value.p), int(value.q))


def test_a_vanishes_although_the_covariance_does_not():
    found = fit(witness("independent-features-unique"))
    assert (fraction(found.Sigma[0, 0]), fraction(found.A[0, 0])) == (1, 0)


def test_drawn_features_often_make_one_pair_blind():
    """A pair whose feature is what TD expects of its successors has a row of zeros in Phi - gamma P Phi."""
    chain = Case.from_matrix(rationals([["1/2", "1/2"], ["1/3", "2/3"]]), rationals([0, 1]), rationals("9/10")[()])
    blind = 0
    for seed in range(40):
        Phi = _sometimes_blind(np.random.default_rng(seed), chain)["phi"]
        blind += any(not row.any() for row in Phi - chain.gamma * (chain.P_pi @ Phi)) and Phi.any()
    assert 8 <= blind <= 32


def test_td_converges_and_fitted_iteration_does_not():
    case = witness("td-implies-fitted")
    assert (fraction(fit(case).A[0, 0]), fraction(iteration_matrix(case)[0, 0])) == (Q(14, 5), Q(-9, 5))


def test_two_steps_are_worse_than_one():
    case = case_from_witness(LATER)
    assert [fraction(iteration_matrix(case, n)[0, 0]) for n in (1, 2, 3)] == [0, Q(243, 100), Q(2187, 1000)]


def test_the_step_after_the_last_that_is_looked_at_counts():
    """A path of five whose end is seen after four steps, not before: 3 (9/10)^4 is above 1."""
    path = rationals(np.eye(5, k=1, dtype=int) + np.diag([0, 0, 0, 0, 1]))
    case = Case.from_matrix(path, rationals([0] * 5), rationals("9/10")[()], weights=rationals([1, 0, 0, 0, 0]))
    relations = _stays_stable(case.with_given(phi=rationals([[1], [0], [0], [0], [3]])))
    assert [relation.holds(0.0) for relation in relations] == [True, True, False]


def test_neither_premise_suffices():
    radii = [fraction(iteration_matrix(case_from_witness(one))[0, 0]) for one in (DEPENDENT, NOT_CLOSED)]
    assert radii == [Q(99, 65), Q(9, 5)]


def test_independent_rows_at_the_successors_alone_do_not_suffice():
    """Only the second pair is a successor, its one row is independent, and it has data: rho is 99/65 all the same."""
    case = case_from_witness(DEPENDENT)
    assert np.flatnonzero((case.P_pi != 0).any(axis=0)).tolist() == [1]
    assert case.given["phi"][1, 0] != 0
    assert case.weights[1] > 0
    assert fraction(iteration_matrix(case)[0, 0]) > 1


def test_the_differential_chain_by_floats_and_by_descartes():
    case = witness("differential-td-unstable")
    A = differential(case)
    values = np.linalg.eigvals(floats(A))
    assert sorted(values.real)[:2] == pytest.approx([-1.185e-5] * 2, rel=1e-3)
    assert values.real.min() == pytest.approx(sorted(values.real)[1])  # a pair of conjugates
    assert (np.array(opposite_polynomial(A)) > 0).all()  # no real root on the wrong side
    assert case.weights.sum() == 1


@pytest.mark.parametrize("change", [{"eta": ["1/100000"]}, {"weights": ["1/8"] * 8}])
def test_the_differential_chain_needs_its_numbers(change):
    stored = pc.STATEMENTS["differential-td-unstable"].witnesses[0]
    assert positive_stable(differential(case_from_witness({**stored, **change})))


def test_two_absorbing_pairs_are_coupled_in_one_way():
    """d(0, 1) = 1 / (1 - gamma), whatever the solver does."""
    case = case_from_witness({"P_pi": [["1", "0"], ["0", "1"]], "r": ["0", "1"], "gamma": "3/4", "pair": [0, 1]})
    assert distance_at_start(case) == 4


def test_the_program_finds_the_distance():
    draw, told = pc.STATEMENTS["occupancy-couplings"].instances, 0
    for seed in range(12):
        case = draw(np.random.default_rng(seed), False)
        x, y = case.given["pair"]
        assert program_value(case) == pytest.approx(chain_metric(case)[x, y], abs=1e-6)
        told += chain_metric(case)[x, y] > case.apart[x, y] + 1e-3
    assert told >= 2  # later rewards count


def test_the_statements_of_all_groups_are_in_order():
    groups = [pc.STATEMENTS.group(slug) for slug in pc.STATEMENTS]
    assert groups == ["paper"] * 40 + ["neighbors"] * 14


def test_data_are_closed_if_no_successor_lacks_data():
    closed, open_ = case_from_witness(DEPENDENT), case_from_witness(NOT_CLOSED)
    assert is_closed(closed)
    assert not is_closed(open_)
    assert rows_independent(open_)
    assert not rows_independent(closed)


@pytest.mark.parametrize("slug", ["n-step-stable", "on-policy-projection"])
def test_norms_bound_what_they_are_said_to_bound(slug):
    verdict = pc.check(slug, examples=30, seed=11)
    assert verdict.outcome == "holds"
    assert verdict.worst <= 1
    assert not any(trial.failed for trial in verdict.trials)


def test_small_programs_over_couplings_have_the_equations_of_sparse_ones(monkeypatch):
    make = pc.STATEMENTS["occupancy-couplings"].instances
    for seed in range(5):
        case = make(np.random.default_rng(seed), False)
        P, X = case.P_pi, case.X
        steps = [
            (x * X + y, a, b) for x, y in np.ndindex(X, X) for a in np.flatnonzero(P[x]) for b in np.flatnonzero(P[y])
        ]
        at, to_x, to_y = np.array(steps).T
        small = occupancy.equations(P, case.gamma, at, to_x, to_y)
        assert np.array_equal(small, occupancy.sparse_equations(P, case.gamma, at, to_x, to_y).toarray())
        value = occupancy.program_value(case)
        with monkeypatch.context() as patched:
            patched.setattr(occupancy, "SMALL_PROGRAM", 0)
            assert occupancy.program_value(case) == pytest.approx(value, abs=1e-9 * case.horizon)


@pytest.mark.parametrize("gamma", ["0", "1/2", "9/10", "99/100"])
def test_enough_steps_are_the_first_with_a_bound_below_one(gamma):
    case = case_from_witness({**DEPENDENT, "gamma": gamma})
    n, norm = 1, fraction(row_norm(projector(case)))
    assert norm > 1
    while Q(gamma) ** n * norm >= 1:
        n += 1
    assert enough_steps(case) == n
    assert bound(case, n) < 1
    assert n == 1 or bound(case, n - 1) >= 1


def test_a_bound_that_falls_too_slowly_is_given_up():
    case = case_from_witness({**DEPENDENT, "gamma": "999999/1000000"})
    assert enough_steps(case) == MOST
    assert bound(case, MOST) > 1


@pytest.mark.parametrize(("share", "holds"), [("999/1000", True), ("1", False), ("1001/1000", False)])
def test_the_bound_of_tabular_td_is_attained_by_pairs_that_stay(monkeypatch, share, holds):
    """A = (1 - gamma) D there: its least eigenvalue is the bound itself, of which only less can be asked."""
    monkeypatch.setattr(clocks, "NEARLY", share)
    case = Case.from_matrix(rationals(np.eye(3, dtype=int)), rationals([0, 1, 2]), rationals("3/4")[()])
    case = replace(case, weights=rationals(["1/2", "1/3", "1/6"]))
    assert [relation.holds(0.0) for relation in clocks._bound(case)] == [holds]
    floats_too = Case.from_matrix(np.eye(3), np.arange(3.0), 0.75, weights=np.array([1 / 2, 1 / 3, 1 / 6]))
    (relation,) = clocks._bound(floats_too)
    assert relation.lhs == pytest.approx(1 / 24)
    assert relation.rhs == pytest.approx(1 / 24)
