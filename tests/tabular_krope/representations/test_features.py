from dataclasses import replace

import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.representations import features as module
from tests.cases import all_mrps, random_mrp

CASES = all_mrps()


def some_weights(X, seed=0, zeros=False):
    rng = np.random.default_rng(seed)
    D = rng.uniform(0.1, 1.0, X)
    if zeros:
        D[rng.permutation(X)[: X // 2]] = 0.0
    return D / D.sum()


@pytest.mark.parametrize("name", CASES)
def test_full_rank_features_factor_the_kernel(name):
    K = tk.krope_kernel(CASES[name])
    phi = tk.features(K)
    scale = CASES[name].horizon
    assert np.abs(phi.matrix @ phi.matrix.T - K.matrix()).max() <= 1e-14 * scale * CASES[name].n_pairs
    assert phi.d == np.linalg.matrix_rank(K.factor(), tol=1e-8 * np.linalg.norm(K.factor(), 2))
    assert (np.diff(phi.eigenvalues) <= 0).all()
    assert np.linalg.norm(phi.residuals) <= 1e-13 * scale


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("zeros", [False, True])
def test_nystrom_form_by_its_formula(name, zeros):
    """Phi = K D^1/2 U S^-1/2 from an eigendecomposition, the textbook way."""
    mrp = CASES[name]
    K, D = tk.krope_kernel(mrp), some_weights(mrp.n_pairs, zeros=zeros)
    phi = tk.features(K, weights=D)
    root, matrix = np.sqrt(D), K.matrix()
    S, U = np.linalg.eigh(root[:, None] * matrix * root)
    S, U = S[::-1][: phi.d], U[:, ::-1][:, : phi.d]
    textbook = matrix @ (root[:, None] * U) / np.sqrt(S)
    # Columns of close eigenvalues may be rotated: compare what does not depend on that.
    small = np.sqrt(S[-1] / S[0])
    assert np.abs(phi.matrix @ phi.matrix.T - textbook @ textbook.T).max() <= 1e-13 * mrp.horizon / small**2
    assert phi.eigenvalues == pytest.approx(S, rel=1e-13 / small**2)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("zeros", [False, True])
def test_columns_are_eigenfunctions_of_the_weighted_kernel(name, zeros):
    mrp = CASES[name]
    K, D = tk.krope_kernel(mrp), some_weights(mrp.n_pairs, 1, zeros)
    phi = tk.features(K, weights=D)
    after = K @ (D[:, None] * phi.matrix)  # K D Phi = Phi S
    assert np.abs(after - phi.matrix * phi.eigenvalues).max() <= 1e-13 * mrp.horizon**2
    # D-orthogonal, with the eigenvalues as squared lengths.
    gram = phi.matrix.T @ (D[:, None] * phi.matrix)
    assert np.abs(gram - np.diag(phi.eigenvalues)).max() <= 1e-13 * mrp.horizon


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("zeros", [False, True])
def test_lspe_norm_is_at_most_the_root_of_gamma(name, zeros):
    mrp = CASES[name]
    K, D = tk.krope_kernel(mrp), some_weights(mrp.n_pairs, 2, zeros)
    top = tk.features(K, weights=D).d
    for d in range(1, top + 1):
        phi = tk.features(K, d=d, weights=D)
        out = tk.lspe(mrp, phi, weights=D)
        condition = np.sqrt(phi.eigenvalues[0] / phi.eigenvalues[-1])
        assert out.norm <= np.sqrt(mrp.gamma) + 64 * np.finfo(float).eps * mrp.n_pairs * condition


def test_d_features_are_the_first_of_the_full_ones():
    mrp = random_mrp(0)
    K = tk.krope_kernel(mrp)
    assert np.abs(tk.features(K, 4).matrix - tk.features(K).matrix[:, :4]).max() <= 1e-12


def test_small_eigenvalues_do_not_break_the_bound():
    """lambda_d / lambda_1 near 1e-12: an eigendecomposition of K would show a norm above the root of gamma."""
    mrp = tk.MRP.from_matrix([[0, 0.5, 0.5], [0.5, 0, 0.5], [0.25, 0.75, 0]], [0.0, 1e-9, 1.0], 0.99)
    phi = tk.features(tk.krope_kernel(mrp))
    assert phi.d == 3
    assert phi.eigenvalues[-1] < 1e-10 * phi.eigenvalues[0]
    assert tk.lspe(mrp, phi).norm <= np.sqrt(0.99) + 1e-10


def test_lanczos_agrees_with_the_dense_way(monkeypatch):
    mrp = random_mrp(1, S=10, A=5, gamma=0.95)
    K, D = tk.krope_kernel(mrp), some_weights(50, zeros=True)
    dense = tk.features(K, 5, D)
    monkeypatch.setattr(module, "DENSE_PAIRS", 20)
    lanczos = tk.features(K, 5, D)
    assert lanczos.eigenvalues == pytest.approx(dense.eigenvalues, rel=1e-10)
    assert np.abs(lanczos.matrix - dense.matrix).max() <= 1e-8
    assert lanczos.residuals.max() <= 1e-12 * lanczos.eigenvalues[0] * 50
    flat = tk.MRP.from_matrix(np.eye(40), np.zeros(40), 0.5)
    with pytest.raises(tk.KropeError, match="d must be at most the rank 1 of the weighted kernel; got 3"):
        tk.features(tk.krope_kernel(flat), 3)


def test_usable_as_an_array():
    phi = tk.features(tk.krope_kernel(random_mrp(0)), 3)
    assert phi.shape == np.shape(phi) == (15, 3)
    assert len(phi) == 15
    assert (phi @ np.eye(3) == np.asarray(phi)).all()
    assert np.array(phi).flags.writeable
    assert not np.asarray(phi).flags.writeable


@pytest.mark.parametrize(
    ("d", "weights", "message"),
    [
        (0, None, "d must be an integer of at least 1; got 0"),
        (1.5, None, "d must be an integer"),
        (True, None, "d must be an integer"),
        (5, None, "d must be at most the number of pairs 4; got 5"),
        (3, None, "d must be at most the rank 2 of the weighted kernel; got 3"),
        (1, [1.0, 1.0], r"weights must have shape \(4\); got \(2,\)"),
        (1, [1.0, -1.0, 0.0, 0.0], r"weights\[1\] must be non-negative; got -1"),
        (1, [0.0] * 4, "weights must have a positive sum; got 0"),
        (1, [1.0, np.inf, 0.0, 0.0], r"weights\[1\] must be finite; got inf"),
    ],
)
def test_bad_input(d, weights, message):
    with pytest.raises(tk.KropeError, match=message):
        tk.features(tk.krope_kernel(CASES["rank-deficient"]), d, weights)


@pytest.mark.parametrize("seed", range(3))
def test_errors_of_eigenvalues_are_bounds_and_no_larger_than_rounding_explains(seed):
    mrp = tk.induce(tk.garnet(6, 2, 3, seed=seed, gamma=0.9), tk.Policy.uniform(6, 2))
    K = tk.krope_kernel(mrp)
    D = np.random.default_rng(seed).dirichlet(np.ones(12))
    out = tk.features(K, None, D)
    root = np.sqrt(D)
    known = np.linalg.eigvalsh(root[:, None] * K.matrix() * root)[::-1][: len(out.eigenvalues)]
    top = known[0]
    assert np.all(np.abs(out.eigenvalues - known) <= out.errors + 64 * np.finfo(float).eps * top)
    assert np.all(out.errors <= 1e-11 * top)


@pytest.mark.parametrize("weights", [None, [0.4, 0.3, 0.2, 0.1]])
def test_the_kernels_own_error_comes_on_top_of_rounding(weights):
    """Twice ``sqrt(lambda_i lambda_1) eps sqrt(X)``, as of squared singular values, and what the kernel may be off."""
    K = tk.krope_kernel(CASES["reducible"])
    sure = replace(K, evidence=replace(K.evidence, error_bound=0.0))
    vague = replace(K, evidence=replace(K.evidence, error_bound=0.25))
    out = tk.features(sure, weights=weights)
    wanted = [2 * (v * out.eigenvalues[0]) ** 0.5 * 2.0**-52 * 4**0.5 for v in out.eigenvalues]
    assert out.errors == pytest.approx(wanted, rel=1e-12, abs=0)
    assert tk.features(vague, weights=weights).errors == pytest.approx([0.25 + error for error in wanted], rel=1e-15)
