"""The quantities of an instance against the package, which computes them another way."""

import numpy as np
import pytest
from hypothesis import given

from proofs_check.arithmetic.linear_algebra import floats, rationals
from proofs_check.chains.case import Case, rounding
from proofs_check.chains.generators import chains
from proofs_check.chains.witness import case_from_witness, float_case, rational_case, witness_from_case
from proofs_check.search.trials import draw
from proofs_check.strategies import rational_mrps
from tabular_krope.errors import KropeError
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.metrics.mico import mico
from tests.proofs_check.corrupting import with_quantities


def test_quantities_agree_with_the_package():
    for case in draw(chains(), "case", 40, 0, False):
        allowed = rounding(case)
        mrp = case.mrp()
        K = krope_kernel(mrp, method="doubling", reward_range=case.reward_range, tolerance=allowed)
        np.testing.assert_allclose(case.K, K.matrix(), atol=allowed)
        np.testing.assert_allclose(case.d, K.distance(), atol=4 * allowed)
        np.testing.assert_allclose(case.q, mrp.q, atol=allowed)
        np.testing.assert_allclose(case.U, mico(mrp), atol=allowed)
        assert case.horizon == pytest.approx(mrp.horizon)


@given(rational_mrps())
def test_rationals_and_floats_agree(mrp):
    exact = Case(
        rationals(mrp.P),
        rationals(mrp.Pi),
        rationals(list(mrp.r)),
        mrp.gamma,
        rationals(list(mrp.end)),
        rationals([1] * mrp.n_pairs) / mrp.n_pairs,
    )
    rounded = Case.from_matrix(floats(exact.P_pi), floats(exact.r), float(floats(exact.gamma)), end=floats(exact.end))
    np.testing.assert_allclose(floats(exact.K), rounded.K, atol=rounding(rounded))
    np.testing.assert_allclose(floats(exact.q), rounded.q, atol=rounding(rounded))
    assert exact.exact_mrp().q == mrp.q
    assert exact.conservative == mrp.conservative


def test_a_replaced_quantity_flows_on():
    case = Case.from_matrix(np.eye(2), np.array([0.0, 1.0]), 0.5)
    assert with_quantities(case, K=np.diag([1.0, 3.0])).d[0, 1] == 4.0
    assert case.d[0, 1] == 4.0  # the original: K = diag(2, 2)


def test_serialized_instances_come_back():
    for case in draw(
        chains(extra=lambda rng, case: {"phi": case.r[:, None], "pair": np.array([0, 0])}), "w", 10, 0, True
    ):
        again = case_from_witness(witness_from_case(case))
        assert again.K.tolist() == case.K.tolist()
        assert again.weights.tolist() == case.weights.tolist()
        assert again.given["phi"].tolist() == case.given["phi"].tolist()
        assert again.given["pair"].tolist() == [0, 0]
        np.testing.assert_allclose(float_case(witness_from_case(case)).K, floats(case.K), rtol=1e-9)


def test_a_float_instance_reads_as_rationals():
    for case in draw(chains(), "r", 5, 0, False):
        exact = rational_case(case)
        assert sum(exact.weights) == 1
        np.testing.assert_allclose(floats(exact.K), case.K, atol=rounding(case))


def test_a_witness_with_a_bad_row_is_refused():
    with pytest.raises(KropeError, match=r"P\[0, :\] must sum to 1; got 3/4"):
        case_from_witness({"P_pi": [["3/4"]], "r": ["0"], "gamma": "1/2"})
