"""LSPE from Gram matrices over the rationals against LSPE from features in floats."""

import numpy as np
import pytest

from proofs_check.arithmetic.linear_algebra import floats, rationals
from proofs_check.arithmetic.regression import (
    gram_norm_excess,
    gram_stable,
    iteration,
    kernel_iteration,
    norm,
    radius,
    top_features,
)
from proofs_check.chains.generators import chains, numbers
from proofs_check.chains.witness import float_case, witness_from_case
from proofs_check.search.trials import draw
from tabular_krope.evaluation.lspe import lspe

FEATURES = chains(extra=lambda rng, case: {"phi": numbers(rng, case.exact, case.X, 2)}, positive_gamma=True)


def test_gram_matrices_decide_as_the_features_do():
    stable, bounded = set(), set()
    for case in draw(FEATURES, "gram", 60, 0, True):
        Phi = case.given["phi"]
        if not any(any(row != 0) for row in Phi[case.weights > 0]):
            continue
        L = floats(iteration(case, Phi).L)
        rho, size = radius(L), norm(L) ** 2 - float(floats(case.gamma))
        if abs(rho - 1) > 1e-9:
            assert gram_stable(case, Phi @ Phi.T) == (rho < 1)
            stable.add(rho < 1)
        if abs(size) > 1e-9:
            assert (gram_norm_excess(case, Phi @ Phi.T) <= 0) == (size < 0)
            bounded.add(size < 0)
    assert stable == bounded == {True, False}  # both answers were seen


def test_floats_agree_with_the_package():
    for case in draw(FEATURES, "package", 20, 0, False):
        mine, theirs = iteration(case, case.given["phi"]), lspe(case.mrp(), case.given["phi"], case.weights)
        np.testing.assert_allclose(mine.L, theirs.L, atol=1e-9 * mine.condition)
        np.testing.assert_allclose(mine.b, theirs.b, atol=1e-9 * mine.condition)


def test_kernel_features_in_floats_and_rationals():
    for case in draw(chains(rewards="distinct"), "kernel", 20, 0, True):
        rounded = float_case(witness_from_case(case))
        assert norm(kernel_iteration(rounded).L) ** 2 <= rounded.gamma + 1e-9
        assert gram_norm_excess(case, case.K) <= 0
        assert gram_stable(case, case.K)


def test_top_features_are_orthogonal_under_the_weights():
    for case in draw(chains(rewards="distinct"), "top", 10, 0, False):
        Phi, eigenvalues = top_features(case)
        np.testing.assert_allclose(
            Phi.T @ (case.weights[:, None] * Phi), np.diag(eigenvalues), atol=1e-10 * case.horizon
        )
        assert np.all(np.diff(eigenvalues) <= 0)


def test_features_that_vanish_on_the_data():
    case = float_case({"P_pi": [["0", "1"], ["0", "1"]], "r": ["0", "1"], "gamma": "1/2", "weights": ["1", "0"]})
    it = iteration(case, np.array([[0.0], [1.0]]))
    assert it.L.tolist() == [[0.0]]
    assert it.condition == 1.0
    assert it.limit().tolist() == [0.0]


def test_the_limit_is_the_fixed_point():
    case = next(iter(draw(FEATURES, "limit", 1, 0, True)))
    it = iteration(case, case.given["phi"])
    assert (it.b + it.L @ it.limit() == it.limit()).all()
    assert rationals(it.limit()).dtype == object
    with pytest.raises(ZeroDivisionError):
        type(it)(rationals([[1]]), rationals([1])).limit()


def test_nothing_magnifies_rounding_over_the_rationals():
    """There is none; in floats it is the ratio of the singular values of ``D^1/2 Phi``, at least 1."""
    seen = 0
    for exact in (True, False):
        for case in draw(FEATURES, "condition", 10, 0, exact):
            condition = iteration(case, case.given["phi"]).condition
            if exact:
                assert condition == 1
                continue
            sigma = np.linalg.svd(np.sqrt(case.weights)[:, None] * case.given["phi"], compute_uv=False)
            if sigma[-1] > 1e-6 * sigma[0] and min(case.weights) > 1e-3:
                assert condition == pytest.approx(sigma[0] / sigma[-1], rel=1e-6)
                seen += 1
    assert seen > 0


@pytest.mark.parametrize("exact", [True, False])
def test_the_map_is_that_of_the_weights_that_are_asked_for(exact):
    """Of the instance's own, which are kept, and of others; by their definition, where these are positive."""
    for case in draw(FEATURES, "weights", 5, 0, exact):
        Phi, P = floats(case.given["phi"]), floats(case.P_pi)
        other = case.weights * 0 + case.weights.sum() / case.X
        for D in (None, other, None):
            w = floats(case.weights if D is None else D)
            if np.linalg.cond(np.sqrt(w)[:, None] * Phi) < 1e4:
                wanted = float(floats(case.gamma)) * np.linalg.pinv(Phi.T * w @ Phi) @ (Phi.T * w) @ P @ Phi
                assert floats(iteration(case, case.given["phi"], D).L) == pytest.approx(wanted, rel=1e-6, abs=1e-6)
