import numpy as np
import pytest
from scipy.sparse.linalg import LinearOperator, eigsh

import tabular_krope as tk
from tabular_krope.representations import lanczos as module
from tabular_krope.representations.lanczos import top_pairs
from tests.cases import random_mrp


def weighted_spectrum(K, D):
    root = np.sqrt(D)
    return np.linalg.eigvalsh(root[:, None] * K * root)[::-1]


def test_top_32_of_5000_pairs_by_at_most_70_products():
    mdp = tk.garnet(1000, 5, branching=5, gamma=0.99, seed=0, sparse=True)
    mrp = tk.induce(mdp, tk.random_policy(mdp, seed=1))
    K = tk.krope_kernel(mrp, "matrix-free")
    phi = tk.features(K, 32)
    assert phi.products <= 70
    # The dense equation on states is solved by doubling; the spectrum comes from ARPACK.
    dense = tk.krope_kernel(mrp, "reduced")
    operator = LinearOperator((5000, 5000), matvec=lambda v: dense @ v.reshape(-1) / 5000, dtype=float)
    truth = eigsh(operator, k=32, which="LA", v0=np.ones(5000))[0][::-1]
    assert np.all(np.abs(phi.eigenvalues - truth) <= 1e-8 * truth)
    assert np.all(np.abs(phi.eigenvalues - truth) <= phi.errors)
    assert np.all(phi.residuals <= 1e-7 * phi.eigenvalues)
    out = tk.lspe(mrp, phi)
    assert out.norm <= np.sqrt(0.99) * (1 + 1e-7)


@pytest.mark.parametrize("zeros", [False, True])
def test_features_are_the_dense_ones_for_any_weights(zeros):
    mrp = random_mrp(3, S=12, A=4, gamma=0.95)
    D = np.random.default_rng(0).dirichlet(np.ones(48))
    if zeros:
        D[::3] = 0.0
        D /= D.sum()
    dense, free = (tk.features(tk.krope_kernel(mrp, method), 6, D) for method in ("reduced", "matrix-free"))
    assert free.products > 0 == dense.products
    assert np.abs(free.eigenvalues - dense.eigenvalues).max() <= 1e-10 * dense.eigenvalues[0]
    assert np.abs(free.matrix - dense.matrix).max() <= 1e-6
    assert tk.lspe(mrp, free, D).norm <= np.sqrt(0.95) * (1 + 1e-9)


def test_every_copy_of_a_repeated_eigenvalue_is_found():
    mdp = tk.garnet(60, 2, 3, gamma=0.9, seed=0)
    P = np.kron(np.eye(4), mdp.P.reshape(120, 60))  # four copies that never meet
    twins = tk.induce(tk.MDP(P.reshape(240, 2, 240), np.tile(mdp.r, (4, 1)), 0.9), tk.Policy.uniform(240, 2))
    # Copies see each other through the reward kernel only; without that, every eigenvalue comes four times.
    matrix = tk.krope_kernel(twins, "reduced").matrix() * np.kron(np.eye(4), np.ones((120, 120)))
    truth = weighted_spectrum(matrix, np.full(480, 1 / 480))
    assert truth[:12].reshape(3, 4) == pytest.approx(truth[:12:4, None] * np.ones(4), rel=1e-9)
    root = np.full(480, 480**-0.5)
    found = top_pairs(lambda v: matrix @ v, root, 12)
    assert np.abs(found.values - truth[:12]).max() <= 1e-10 * truth[0]
    assert np.all(np.abs(found.values - truth[:12]) <= found.errors)


def test_small_spaces_are_exhausted_and_null_directions_reported():
    K = np.diag([3.0, 0.0, 2.0, 0.0])
    found = top_pairs(lambda v: K @ v, np.ones(4), 4)
    assert found.values == pytest.approx([3.0, 2.0, 0.0, 0.0], abs=1e-14)
    assert found.products == 4
    masked = top_pairs(lambda v: K @ v, np.array([1.0, 1.0, 0.0, 0.0]), 2)
    assert masked.values == pytest.approx([3.0, 0.0], abs=1e-14)
    assert masked.products == 2


def test_a_chain_that_does_not_converge_raises(monkeypatch):
    monkeypatch.setattr(module, "MOST_PER_PAIR", 0)
    monkeypatch.setattr(module, "MOST_MORE", 6)
    K = np.diag(np.linspace(1.0, 2.0, 100))
    with pytest.raises(tk.KropeError, match=r"Lanczos must reach residuals of 1e-07 .* within 6 products; got"):
        top_pairs(lambda v: K @ v, np.ones(100), 3)


def test_more_features_than_the_rank_are_refused():
    flat = tk.MRP.from_matrix(np.eye(40), np.zeros(40), 0.5)
    with pytest.raises(tk.KropeError, match="d must be at most the rank 1 of the weighted kernel; got 3"):
        tk.features(tk.krope_kernel(flat, "matrix-free"), 3)
