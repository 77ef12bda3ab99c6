"""Eigenspaces of the data's covariance over the rationals, and the truncations that are enclosed in balls."""

import numpy as np
import pytest
from flint import arb, fmpq

from proofs_check.arithmetic.eigenspaces import (
    decided,
    eigenspaces,
    enclosed_errors,
    enclosed_norms,
    squared_norm,
    unions,
)
from proofs_check.arithmetic.linear_algebra import floats, null_space, pivot_columns, rationals
from proofs_check.arithmetic.regression import iteration, seen, top_features
from proofs_check.chains.generators import chains
from proofs_check.chains.rational_spectra import odd_features, tight_norm, tight_radius, two_data_pairs
from proofs_check.chains.witness import float_case, witness_from_case
from proofs_check.statements.truncation.error_proof import approximations
from proofs_check.statements.truncation.proof import truncations


def rng(seed=0):
    return np.random.default_rng(seed)


def test_null_space():
    M = rationals([[1, 2, 0, 1], [0, 0, 1, 1]])
    V = null_space(M)
    assert V.shape == (4, 2)
    assert np.all(M @ V == 0)
    assert pivot_columns(M) == [0, 2]
    assert null_space(rationals([[1, 0], [0, 1]])).shape == (2, 0)


@pytest.mark.parametrize("seed", range(8))
def test_two_data_pairs_have_rational_features(seed):
    case = two_data_pairs(rng(seed))
    assert int(np.sum(case.weights > 0)) == 2
    assert case.weights.sum() == 1
    assert all(space.shape[1] == 1 for space in eigenspaces(case))


@pytest.mark.parametrize("seed", range(6))
def test_eigenspaces_make_up_what_the_data_see(seed):
    case = chains()(rng(seed), True)
    here = seen(case)
    spaces = eigenspaces(case)
    assert sum(space.shape[1] for space in spaces) == len(here.points)
    for i, V in enumerate(spaces):
        for W in spaces[:i]:
            assert np.all(V.T @ here.gram @ W == 0)  # orthogonal in the RKHS
            assert np.all((here.Psi @ V).T @ (case.weights[:, None] * (here.Psi @ W)) == 0)  # and under the data
    assert len(unions(case)) == 2 ** len(spaces) - 1


def float_norms(case):
    near = float_case(witness_from_case(case))
    Phi, _ = top_features(near)
    return [np.linalg.norm(iteration(near, Phi[:, :d]).L, 2) ** 2 for d in range(1, Phi.shape[1] + 1)]


@pytest.mark.parametrize("seed", range(6))
def test_balls_agree_with_floats(seed):
    case = chains(rewards="distinct", positive_gamma=True)(rng(seed), True)
    norms = float_norms(case)
    for d, ball in enclosed_norms(case):
        assert float(ball.mid()) == pytest.approx(norms[d - 1], abs=1e-7)
        assert float(ball.rad()) < 1e-30


@pytest.mark.parametrize("seed", [0, 1, 3, 4])
def test_balls_agree_with_rationals(seed):
    """On two data pairs the top feature is rational, so its error is known in both ways."""
    case = two_data_pairs(rng(seed))
    found = enclosed_errors(case)
    assert found
    exactly = [(part.rest, part.wrong, max(part.error**2)) for part in approximations(case)]
    for balls in found:
        assert any(all(ball.overlaps(arb(value)) for ball, value in zip(balls, one, strict=True)) for one in exactly)


def test_the_families_are_those_of_the_theory():
    """F1 attains the norm; F2 has the radius sqrt(gamma) sum b_m b_{m+1} / sum b_m^2 on its odd feature."""
    case = tight_norm(rng())
    L = iteration(case, odd_features(case)).L
    assert (L @ L.T).tolist() == [[0, 0], [0, case.gamma]]
    sizes = [np.linalg.norm(floats(part.L), 2) for part in truncations(case)]
    assert len(sizes) >= 3
    case = tight_radius(rng())
    b = floats(case.given["b"])
    radii = [abs(np.linalg.eigvals(floats(part.L))).max() for part in truncations(case)]
    odd = float(floats(case.gamma)) ** 0.5 * (b[:-1] @ b[1:]) / (b @ b)
    assert any(abs(radius - odd) < 1e-12 for radius in radii)


def test_squared_norm_and_decisions():
    case = chains(rewards="distinct")(rng(3), True)
    own = [squared_norm(case, case.K[:, x]) for x in range(case.X)]
    assert own == list(np.diagonal(case.K))
    assert decided(arb(2), arb(1)) == (1, 0)
    assert decided(arb(float("inf")), arb(1)) is None
    side = decided(arb(1) / 3, arb(1))
    assert isinstance(side[0], fmpq)
    assert side[0] < 0 == side[1]
