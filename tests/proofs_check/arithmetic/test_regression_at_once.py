"""Many instances by one call: the library's own features and maps, to the last bit."""

from dataclasses import replace

import numpy as np
import pytest

from proofs_check.arithmetic.linear_algebra import NULL
from proofs_check.arithmetic.regression import kernel_features, kernel_iteration, top_norms
from proofs_check.arithmetic.regression_at_once import iterations, kernel_factors, on_states
from proofs_check.chains.at_once import stand_together
from proofs_check.chains.case import Case
from proofs_check.chains.generators import chains
from proofs_check.search.trials import draw
from tabular_krope.evaluation.lspe_on_chain import chain_iteration
from tabular_krope.kernels.factor import kernel_factor
from tabular_krope.kernels.reward import RewardKernel

CASES = list(draw(chains(), "many", 60, 0, False))


def test_kernel_features_are_those_of_the_library():
    together = [replace(case) for case in CASES]
    stand_together(together)
    for case, alone in zip(together, CASES, strict=True):
        G = kernel_factor(alone.mrp(), RewardKernel.of(alone.r, alone.reward_range))
        assert np.array_equal(kernel_features(case), G)
        assert np.array_equal(kernel_factors([replace(alone)])[0], G)
        np.testing.assert_allclose(G @ G.T, alone.K, atol=1e-11 * alone.horizon**2)


@pytest.mark.parametrize("light", [1.0, 1e-9, 0.0])
def test_maps_are_those_of_the_library(light):
    rng = np.random.default_rng(0)
    maker = chains(most=6)
    cases = [case for case in draw(maker, "maps", 60, 0, False) if case.X >= 4]
    features = [rng.standard_normal((case.X, 3)) @ np.diag([1.0, 1.0, k % 3 > 0]) for k, case in enumerate(cases)]
    weights = [np.where(np.arange(case.X) < 2, light, 1.0) for case in cases]
    for case, Phi, D, found in zip(cases, features, weights, iterations(cases, features, weights), strict=True):
        alone = chain_iteration(case.mrp(), Phi, np.sqrt(D), NULL)
        for mine, theirs in zip(found, (alone.L, alone.b, alone.condition), strict=True):
            assert np.array_equal(mine, theirs)


def test_the_map_of_features_that_are_zero_has_condition_one():
    case = CASES[0]
    L, b, condition = iterations([case], [np.zeros((case.X, 2))], [case.weights])[0]
    assert condition == 1.0
    assert L.shape == (2, 2)
    assert not L.any()
    assert not b.any()


def test_norms_of_truncations_do_not_depend_on_who_stands_beside():
    together = [replace(case) for case in CASES[:30]]
    stand_together(together)
    for case, alone in zip(together, CASES, strict=False):
        assert np.array_equal(top_norms(case), top_norms(replace(alone)))
        assert np.array_equal(kernel_iteration(case).L, kernel_iteration(replace(alone)).L)


def test_means_over_the_pairs_of_a_state():
    rng = np.random.default_rng(0)
    for case in CASES[:20]:
        F = rng.standard_normal((case.X, 2))
        np.testing.assert_allclose(on_states(case.shares, case.Pi, F), case.Pi @ F, atol=1e-14)
    other = Case(
        np.full((2, 2), 0.5), np.array([[0.5, 0.5], [0.0, 1.0]]), np.zeros(2), 0.5, np.zeros(2), np.ones(2) / 2
    )
    assert other.shares is None
    assert np.array_equal(on_states(other.shares, other.Pi, np.eye(2)), other.Pi)
