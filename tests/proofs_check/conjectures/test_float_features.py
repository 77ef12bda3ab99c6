"""Floats about features, other policies, other distributions and reward laws agree with exact arithmetic."""

import numpy as np
import pytest
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import floats, rationals
from proofs_check.arithmetic.reals import UNDEFINED, decimal
from proofs_check.arithmetic.rounding import Rounded
from proofs_check.chains.case import Case
from proofs_check.chains.stacked import Batch
from proofs_check.conjectures.exact_quantities import ExactQuantities
from proofs_check.conjectures.float_features import FloatFeatures, _pseudo_inverse
from proofs_check.conjectures.float_quantities import FloatQuantities
from proofs_check.conjectures.parse import parse
from proofs_check.conjectures.small_counterexample import as_floats

FUNCTIONS = ("radius(L)", "norm2(L(2))", "trace(A(3))", "mineig(B)", "norm2(Pi_D)", "norm2(C(2)*B)", "norm2(Phi*b)")


def chain(seed, zeros):
    """Two states with two actions, data on all pairs or on two, two features."""
    rng = np.random.default_rng(seed)
    law = rng.integers(0, 4, (4, 3)) + np.eye(4, 3, dtype=int)
    P = rationals([[fmpq(int(v), int(row.sum())) for v in row] for row in law])
    Pi = rationals([["1/3", "2/3", 0, 0], [0, 0, "1/4", "3/4"]])
    weights = rationals(["1/2", 0, "1/2", 0] if zeros else ["1/2", "1/4", "1/8", "1/8"])
    r, Phi = (rationals(rng.integers(-3, 4, shape).tolist()) for shape in (4, (4, 2)))
    given = {"Phi": Phi, "mu": rationals(["1/2", "1/2", 1, 0]), "D2": rationals([0, "1/5", "1/5", "3/5"])}
    return Case(P[:, :2], Pi, r, fmpq(2, 5), P[:, 2], weights, None, given)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("text", FUNCTIONS)
def test_functions_of_featured_matrices(seed, text):
    case = chain(seed, zeros=seed % 2 == 0)
    node = parse(f"{text} <= 1").comparisons[0].left
    exact = ExactQuantities(case, None, "any").of_matrix(node.name, node.parts[0])
    found = FloatQuantities(Batch.of_cases([as_floats(case)])).of_matrix(node.name, node.parts[0])
    assert abs(float(decimal(exact, 17)) - found.value[0]) <= found.error[0] + 1e-15
    assert found.error[0] < 1e-5


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", ["q_mu", "P_mu", "K_mu", "d_mu", "mu", "pi", "D2", "W1", "q_hat", "rho", "norm"])
def test_quantities(seed, name):
    case = chain(seed, zeros=False)
    exact = ExactQuantities(case, None, "any")(name)
    if exact is UNDEFINED or (name == "q_hat" and exact[0] is UNDEFINED):
        pytest.skip("LSPE diverges")
    found = FloatQuantities(Batch.of_cases([as_floats(case)]))(name)
    flat = [float(decimal(value, 17)) for value in np.ravel(np.asarray(exact, dtype=object))]
    assert np.all(np.abs(np.ravel(found.value[0]) - flat) <= np.ravel(found.error[0]) + 1e-14)
    assert found.error.max() < 1e-6


def test_where_lspe_diverges_it_has_no_limit():
    two = Case.from_matrix(np.array([[0.0, 1.0], [0.0, 1.0]]), np.ones(2), 0.9, weights=np.array([1.0, 0.0]))
    batch = Batch.of_cases([two.with_given(Phi=np.array([[1.0], [2.0]])), two.with_given(Phi=np.array([[2.0], [1.0]]))])
    limit = FloatFeatures(batch).limit()
    assert np.isnan(limit.value[0]).all()
    theta = 2 / (4 - 0.9 * 2)  # B = 4, C = 2, b = 2
    assert limit.value[1] == pytest.approx([2 * theta, theta])


def test_what_is_neither_zero_nor_positive_is_not_judged():
    two = Case.from_matrix(np.eye(2), np.ones(2), 0.5)
    batch = Batch.of_cases([two.with_given(Phi=np.array([[1.0, 1.0], [1.0, 1.0 + 1e-5]]))])
    assert np.isnan(FloatFeatures(batch).letter("L", 1).value).all()


def test_a_policy_needs_chains_of_as_many_states():
    case = as_floats(chain(0, zeros=False))
    one = Case.from_matrix(case.P_pi, case.r, case.gamma, end=case.end, given={"mu": np.ones(4)})
    assert np.isnan(FloatQuantities(Batch.of_cases([case, one]))("q_mu").value).all()


def test_given_parts_survive_rounding():
    case = chain(1, zeros=False)
    near = as_floats(case)
    assert set(near.given) == {"Phi", "mu", "D2"}
    assert np.allclose(near.given["Phi"], floats(case.given["Phi"]))


def test_covariances_of_features_that_the_data_do_not_see_have_a_pseudo_inverse():
    covariances = np.array([np.zeros((2, 2)), np.diag([4.0, 0.0]), np.diag([4.0, 0.5])])
    found = _pseudo_inverse(Rounded.exact(covariances), 2)
    assert found.value.tolist() == [np.zeros((2, 2)).tolist(), [[0.25, 0], [0, 0]], [[0.25, 0], [0, 2]]]
    assert found.error[0].max() == 0
