import numpy as np
import pytest

import tabular_krope as tk
from tests.cases import all_mrps, random_mrp

CASES = all_mrps()


@pytest.mark.parametrize("name", CASES)
def test_complete_factor(name):
    K = tk.krope_kernel(CASES[name])
    phi = tk.pivoted_cholesky(K)
    assert np.abs(phi.matrix @ phi.matrix.T - K.matrix()).max() <= 1e-13 * CASES[name].horizon * len(K.matrix())


def test_partial_factor_leaves_a_psd_remainder_and_says_how_much():
    K = tk.krope_kernel(random_mrp(0))
    phi = tk.pivoted_cholesky(K, 4)
    rest = K.matrix() - np.asarray(phi) @ np.asarray(phi).T
    assert np.linalg.eigvalsh(rest)[0] >= -1e-13
    assert np.abs(np.diag(rest) - phi.remaining).max() <= 1e-13
    assert np.abs(rest).max() <= phi.remaining.max() + 1e-13
    assert np.abs(rest[phi.pivots]).max() <= 1e-13


def test_pivots_are_greedy_and_follow_the_weights():
    K = tk.krope_kernel(random_mrp(0))
    assert tk.pivoted_cholesky(K, 1).pivots[0] == np.argmax(K.diagonal())
    D = np.zeros(15)
    D[[3, 7]] = 1.0
    assert set(tk.pivoted_cholesky(K, weights=D).pivots) == {3, 7}


def test_d_above_the_rank_is_refused():
    with pytest.raises(tk.KropeError, match="d must be at most the rank 2 of the weighted kernel; got 3"):
        tk.pivoted_cholesky(tk.krope_kernel(CASES["rank-deficient"]), 3)


def test_copies():
    phi = tk.pivoted_cholesky(tk.krope_kernel(random_mrp(0)), 2)
    assert np.array(phi) is not phi.matrix
