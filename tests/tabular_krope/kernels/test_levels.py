import numpy as np
import pytest
from scipy import sparse

from tabular_krope.kernels.levels import RewardLevels
from tabular_krope.kernels.reward import RewardKernel

EPS = np.finfo(float).eps
CASES = {
    "one": ([2.0], None),
    "equal": ([3.0] * 7, None),
    "equal-in-a-range": ([3.0] * 7, (0.0, 4.0)),
    "two": ([1.0, 0.0, 1.0], None),
    "few": (np.random.default_rng(0).integers(0, 4, 60), (-1.0, 7.0)),
    "many": (np.random.default_rng(1).uniform(-1, 1, 701), None),
    "many-far-from-zero": (np.random.default_rng(2).uniform(1e6, 1e6 + 1, 701), None),
}


def on_pairs(levels, n):
    E = levels.spread(sparse.eye_array(n, format="csr"))
    return E, E.T.tocsr()


@pytest.mark.parametrize("name", CASES)
def test_products_and_squares_are_those_of_the_matrix(name):
    r, span = CASES[name]
    reward = RewardKernel.of(r, span)
    levels = RewardLevels.of(reward)
    n = len(reward.r)
    E, Et = on_pairs(levels, n)
    K1, V = reward.matrix(), np.random.default_rng(3).standard_normal((n, 3))
    allowed = 8 * n * EPS * np.abs(V).sum() * (1 + np.abs(reward.r).max() * reward.slope)
    assert np.abs(E @ levels.smooth(Et @ V) - K1 @ V).max() <= allowed
    assert np.abs(E @ levels.smooth(Et @ V[:, 0]) - K1 @ V[:, 0]).max() <= allowed
    balanced = V - V.mean(axis=0)
    assert np.abs(E @ levels.smooth(Et @ balanced, balanced=True) - K1 @ balanced).max() <= 2 * allowed
    squares = np.einsum("xk,xy,yk->k", V, K1, V)
    assert np.abs(levels.squares(Et @ V) - squares).max() <= allowed * np.abs(V).sum()


def test_many_levels_are_laid_out_in_stretches():
    levels = RewardLevels.of(RewardKernel.of(CASES["many"][0]))
    assert levels.steps.shape == (6, 117)
    assert levels.size == 702  # one place of padding
    assert np.isclose(levels.steps.sum(), 1.0)


def test_equal_rewards_share_a_level_and_their_masses_add():
    levels = RewardLevels.of(RewardKernel.of([1.0, 0.0, 1.0]))
    assert levels.size == 2
    Pi = sparse.csr_array([[0.25, 0.5, 0.25]])
    assert levels.spread(Pi).toarray().tolist() == [[0.5, 0.5]]


def test_squares_of_opposite_masses_on_one_level_vanish():
    levels = RewardLevels.of(RewardKernel.of([0.3, 0.1, 0.3, 0.2]))
    _, Et = on_pairs(levels, 4)
    assert levels.squares(Et @ np.array([[1.0], [0.0], [-1.0], [0.0]])).tolist() == [0.0]
