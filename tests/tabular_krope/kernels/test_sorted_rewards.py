import numpy as np
import pytest
from scipy import sparse

from tabular_krope.kernels import compiled_loops
from tabular_krope.kernels.level_maps import LevelMaps
from tabular_krope.kernels.levels import RewardLevels
from tabular_krope.kernels.reward import RewardKernel
from tabular_krope.kernels.sorted_rewards import SortedRewards

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


def sorted_rewards(reward):
    return SortedRewards.of(reward, compiled_loops)


@pytest.mark.parametrize("name", CASES)
def test_products_and_squares_are_those_of_the_matrix(name):
    r, span = CASES[name]
    reward = RewardKernel.of(r, span)
    n, rewards = len(reward.r), sorted_rewards(reward)
    K1, V = reward.matrix(), np.random.default_rng(3).standard_normal((n, 3))
    allowed = 8 * n * EPS * np.abs(V).sum() * (1 + np.abs(reward.r).max() * reward.slope)
    assert np.abs(rewards.product(V) - K1 @ V).max() <= allowed
    assert np.abs(rewards.product(V[:, 0].copy()) - K1 @ V[:, 0]).max() <= allowed
    balanced = V - V.mean(axis=0)
    assert np.abs(rewards.product(balanced, balanced=True) - K1 @ balanced).max() <= 2 * allowed
    squares = np.einsum("xk,xy,yk->k", V, K1, V)
    assert np.abs(rewards.squares(V) - squares).max() <= allowed * np.abs(V).sum()


@pytest.mark.parametrize("name", CASES)
def test_on_states_it_is_the_product_with_any_policy(name):
    """Pairs that belong to several states, to none, and states without pairs included."""
    r, span = CASES[name]
    reward = RewardKernel.of(r, span)
    n, rng = len(reward.r), np.random.default_rng(4)
    Pi = rng.random((9, n)) * (rng.random((9, n)) < 0.4)
    Pi[2] = 0.0
    Pi[:, n // 2] = 0.0
    C, U = Pi @ reward.matrix() @ Pi.T, rng.standard_normal((9, 2))
    allowed = 64 * n * EPS * (1 + np.abs(C).max()) * np.abs(U).sum() * (1 + np.abs(reward.r).max() * reward.slope)
    for rewards in (sorted_rewards(reward), LevelMaps.of(RewardLevels.of(reward))):
        states = rewards.on(sparse.csr_array(Pi))
        assert np.abs(states.product(U) - C @ U).max() <= allowed
        squares = np.einsum("sk,st,tk->k", U, C, U)
        assert np.abs(states.squares(U) - squares).max() <= allowed * np.abs(U).sum()


def test_squares_of_opposite_masses_at_one_reward_vanish():
    rewards = sorted_rewards(RewardKernel.of([0.3, 0.1, 0.3, 0.2]))
    assert rewards.squares(np.array([[1.0], [0.0], [-1.0], [0.0]])).tolist() == [0.0]


def test_additions_are_counted_with_those_of_a_row():
    rewards = sorted_rewards(RewardKernel.of(np.arange(1000.0)))
    assert rewards.block == 10
    assert rewards.roundings == 3 * 11
    assert rewards.on(sparse.csr_array(np.ones((1, 1000)))).roundings == 3 * 11 + 1000
