import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.exact.rationals import float_vector
from tabular_krope.kernels.factor import compress, state_factor
from tabular_krope.kernels.reward import RewardKernel
from tests.cases import random_mrp


def test_compress_keeps_the_product():
    G = np.random.default_rng(0).standard_normal((3, 10))
    small = compress(G)
    assert small.shape == (3, 3)
    assert np.abs(small @ small.T - G @ G.T).max() <= 1e-13
    assert compress(small) is small


def test_small_singular_values_survive():
    """Two rewards 1e-11 apart: the kernel's smallest eigenvalue is far below eps times its largest."""
    mrp = tk.MRP.from_matrix([[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]], [0.0, 1e-11, 1.0], 0.99)
    sigma = np.linalg.svd(tk.krope_kernel(mrp).factor(), compute_uv=False)
    # det K over the rationals, against the product of the squared singular values.
    det = tk.krope_kernel(mrp, "exact").exact_matrix().det()
    assert np.prod(sigma**2) == pytest.approx(float_vector([det])[0], rel=1e-4)
    assert sigma[-1] ** 2 < 1e-11 * sigma[0] ** 2


def test_state_factor_solves_the_equation_on_states():
    mrp = random_mrp(5, ending=True)
    reward = RewardKernel.of(mrp.r)
    N = state_factor(mrp, reward)
    M = N @ N.T
    right = mrp.Pi @ (mrp.Pi @ reward.matrix()).T + mrp.gamma * mrp.Q @ M @ mrp.Q.T
    assert np.abs(M - right).max() <= 1e-13


def test_tail_of_a_mixed_chain_is_closed():
    mrp = tk.MRP.from_matrix(np.tile([0.25, 0.75], (2, 1)), [0.0, 1.0], 0.999)
    N = state_factor(mrp, RewardKernel.of(mrp.r))
    assert np.abs(N @ N.T - tk.krope_kernel(mrp, "exact").matrix()).max() <= 1e-10


def test_endless_doubling_is_refused(monkeypatch):
    monkeypatch.setattr("tabular_krope.kernels.factor.MOST_DOUBLINGS", 2)
    mrp = tk.MRP.from_matrix([[0.0, 1.0], [1.0, 0.0]], [0.0, 1.0], 0.99)
    with pytest.raises(tk.KropeError, match="doubling must end within 2 steps"):
        state_factor(mrp, RewardKernel.of(mrp.r))
