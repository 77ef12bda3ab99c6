import numpy as np
import pytest
from scipy import sparse

from tabular_krope.kernels import state_rewards as module
from tabular_krope.kernels.reward import RewardKernel
from tabular_krope.kernels.state_rewards import state_rewards

EPS = np.finfo(np.float64).eps


def policy(kind, S=12, A=4, seed=0):
    """A policy matrix [S, X]: pairs in the order of states, in another order, shared by states, or missing."""
    rng = np.random.default_rng(seed)
    X = S * A
    Pi = np.zeros((S, X))
    for s in range(S):
        Pi[s, s * A : (s + 1) * A] = rng.dirichlet(np.ones(A))
    if kind == "shuffled":
        Pi = Pi[:, rng.permutation(X)]
    if kind == "shared":
        Pi = rng.dirichlet(np.ones(X), size=S)
    if kind == "leaking":  # states whose weights do not add up to one, and one without any pair
        Pi *= rng.uniform(0.5, 1.0, size=(S, 1))
        Pi[S // 2] = 0.0
    if kind == "deterministic":
        Pi = np.where(Pi == Pi.max(axis=1, keepdims=True), 1.0, 0.0)
    return Pi


@pytest.mark.parametrize("blocks", [1, 5, 12])
@pytest.mark.parametrize("by", ["distances", "sorting"])
@pytest.mark.parametrize("kind", ["sorted", "shuffled", "shared", "leaking", "deterministic"])
def test_is_the_product_with_the_whole_reward_kernel(kind, by, blocks, monkeypatch):
    Pi = policy(kind)
    S, X = Pi.shape
    monkeypatch.setattr(module, "BLOCK_NUMBERS", X * X if blocks == 1 else 1)
    monkeypatch.setattr(module, "MOST_BLOCKS", blocks)
    monkeypatch.setattr(module, "SORTED_STATES", -(-S // blocks))
    monkeypatch.setattr(module, "SMALL_PAIRS", 1)
    monkeypatch.setattr(module, "FEW_PAIRS", X if by == "distances" else 0)
    reward = RewardKernel.of(np.random.default_rng(1).uniform(5.0, 6.0, size=X), (4.0, 7.0))
    found = state_rewards(sparse.csr_array(Pi), reward)
    assert np.abs(found - Pi @ reward.matrix() @ Pi.T).max() <= 4 * X * EPS
    assert (found == found.T).all()


def test_equal_rewards_are_all_alike():
    Pi = sparse.csr_array(policy("sorted"))
    assert np.abs(state_rewards(Pi, RewardKernel.of(np.full(Pi.shape[1], 3.0))) - 1.0).max() <= 8 * EPS
