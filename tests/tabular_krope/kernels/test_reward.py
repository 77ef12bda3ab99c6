import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabular_krope as tk
from tabular_krope.kernels.reward import RewardKernel

EPS = np.finfo(float).eps
# Multiples of 1/16: ties are common, and differences are exact.
REWARDS = st.lists(st.integers(-32, 32).map(lambda n: n / 16), min_size=1, max_size=12)


def test_hand_computed():
    K1 = tk.reward_kernel([0.0, 1.0, 0.25])
    assert K1.tolist() == [[1.0, 0.0, 0.75], [0.0, 1.0, 0.25], [0.75, 0.25, 1.0]]


def test_wider_range_divides_by_it():
    assert tk.reward_kernel([0.0, 1.0], reward_range=(-1.0, 3.0))[0, 1] == 0.75


def test_equal_rewards_give_ones():
    assert (tk.reward_kernel([2.0, 2.0]) == 1.0).all()


@given(REWARDS, st.booleans())
def test_laws(r, wide):
    kernel = RewardKernel.of(r, (min(r) - 0.5, max(r) + 1.0) if wide else None)
    K1 = kernel.matrix()
    X = len(r)
    assert (K1 == K1.T).all()
    assert (np.diag(K1) == 1).all()
    assert np.linalg.eigvalsh(K1)[0] >= -X * X * EPS
    Z = kernel.factor()
    assert np.abs(Z @ Z.T - K1).max() <= 8 * X * EPS
    V = np.random.default_rng(X).standard_normal((X, 2))
    size = np.abs(V).sum()
    assert np.abs(kernel.product(V) - K1 @ V).max() <= 16 * X * EPS * size
    assert np.abs(kernel.product(V[:, 0]) - K1 @ V[:, 0]).max() <= 16 * X * EPS * size
    i, j = np.indices(K1.shape)
    assert (kernel.entries(i, j) == K1).all()


def test_factor_blocks_join_to_the_factor():
    kernel = RewardKernel.of(np.random.default_rng(0).uniform(size=9), (-1.0, 2.0))
    blocks = list(kernel.factor_blocks(3))
    assert max(block.shape[1] for block in blocks) <= 6
    joined = np.hstack(blocks)
    assert np.abs(joined @ joined.T - kernel.matrix()).max() <= 100 * EPS


def test_factor_keeps_small_increments():
    # Two rewards 1e-12 apart: the matrix K1 has lost four digits of the difference, the factor has not.
    Z = RewardKernel.of([0.0, 1e-12, 1.0]).factor()
    assert np.linalg.svd(Z[:2] - Z[:1].mean(axis=0))[1][0] == pytest.approx(np.sqrt(2e-12), rel=1e-6)


def test_product_does_not_cancel_for_rewards_far_from_zero():
    r = 1e6 + np.linspace(0, 1, 50)
    V = np.random.default_rng(1).standard_normal(50)
    assert np.abs(RewardKernel.of(r).product(V) - tk.reward_kernel(r) @ V).max() <= 1e-8


@pytest.mark.parametrize(
    ("r", "reward_range", "message"),
    [
        ([], None, "r must have at least one reward"),
        ([0.0, np.nan], None, r"r\[1\] must be finite; got nan"),
        ([[0.0]], None, r"r must have shape \(any\); got \(1, 1\)"),
        ([0.0, 2.0], (0.0, 1.0), r"reward_range must cover the rewards \[0, 2\]; got \(0, 1\)"),
        ([0.0, 2.0], (0.0,), r"reward_range must have shape \(2\)"),
        (["a"], None, "r must be an array of numbers"),
        ([-4e-310, 4e-310], None, "r must be equal or differ by at least 2.23e-308; got 8e-310"),
    ],
)
def test_bad_input(r, reward_range, message):
    with pytest.raises(tk.KropeError, match=message):
        tk.reward_kernel(r, reward_range)


def test_equal_rewards_may_be_as_small_as_they_like():
    assert tk.reward_kernel([4e-310, 4e-310]).tolist() == [[1, 1], [1, 1]]
