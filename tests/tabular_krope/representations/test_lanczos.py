import numpy as np
import pytest
from scipy.sparse.linalg import LinearOperator, eigsh

import tabular_krope as tk
from tabular_krope.arrays import dense
from tabular_krope.representations import features as features_module
from tabular_krope.representations import lanczos as module
from tabular_krope.representations.lanczos import top_pairs
from tests.cases import random_mrp


def weighted_spectrum(K, D):
    root = np.sqrt(D)
    return np.linalg.eigvalsh(root[:, None] * K * root)[::-1]


@pytest.mark.parametrize("S", [1000, 4000])
def test_the_check_keeps_within_70_products(S):
    mrp = tk.induce(tk.garnet(S, 5, branching=5, gamma=0.99, seed=0, sparse=True), tk.Policy.uniform(S, 5))
    phi = tk.features(tk.krope_kernel(mrp, "matrix-free"), 32)
    assert phi.products <= 70
    assert np.all(phi.residuals <= 1e-7 * phi.eigenvalues)


def test_top_32_of_5000_pairs_by_at_most_70_products():
    mdp = tk.garnet(1000, 5, branching=5, gamma=0.99, seed=0, sparse=True)
    mrp = tk.induce(mdp, tk.random_policy(mdp, seed=1))
    K = tk.krope_kernel(mrp, "matrix-free")
    phi = tk.features(K, 32)
    assert phi.products <= 70
    # The dense equation on states is solved by doubling; the spectrum comes from ARPACK.
    reduced = tk.krope_kernel(mrp, "reduced")
    operator = LinearOperator((5000, 5000), matvec=lambda v: reduced @ v.reshape(-1) / 5000, dtype=float)
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
    full, free = (tk.features(tk.krope_kernel(mrp, method), 6, D) for method in ("reduced", "matrix-free"))
    assert free.products > 0 == full.products
    assert np.abs(free.eigenvalues - full.eigenvalues).max() <= 1e-10 * full.eigenvalues[0]
    assert np.abs(free.matrix - full.matrix).max() <= 1e-6
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


def hidden(top, copies, gap, seed, bulk=1500):
    """Eigenvalues, shuffled: some on top, one repeated, the next only ``gap`` below it, over a dense bulk."""
    rng = np.random.default_rng(seed)
    return rng.permutation(np.r_[top, [1 + gap] * copies, 1.0, rng.uniform(0.0, 1 - gap, bulk)])


# A diagonal matrix is as good as any: the random vectors have no direction that they prefer.
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("copies", "d"), [(1, 2), (2, 2), (2, 3), (3, 4), (4, 3)])
@pytest.mark.parametrize("gap", [0.02, 0.05, 0.3])
def test_no_copy_hides_above_a_dense_bulk(gap, copies, d, seed):
    spectrum = hidden([10.0], copies, gap, seed)
    found = top_pairs(lambda v: spectrum * v, np.ones(len(spectrum)), d)
    wrong = np.abs(found.values - np.sort(spectrum)[::-1][:d])
    assert np.all(wrong <= found.errors)
    assert np.all(wrong <= 1e-12)
    # Nothing is left undecided: at a tie, the bar and the residuals of the copies.
    assert np.all(found.errors <= (1 + np.sqrt(copies)) * module.TOLERANCE * found.values)


def test_the_spectrum_of_the_review():
    rng = np.random.default_rng(0)
    spectrum = np.r_[10, 1.05, 1.05, 1.0, rng.uniform(0, 0.95, 2000)]
    found = top_pairs(lambda v: spectrum * v, np.ones(2004), 3)
    assert found.values == pytest.approx([10.0, 1.05, 1.05], rel=1e-12)
    assert found.errors.max() <= 1e-10
    assert found.products <= 150


@pytest.mark.parametrize("d", [1, 2, 5, 9, 16])
@pytest.mark.parametrize("copies", [1, 2, 3])
def test_errors_cover_repeated_and_decaying_eigenvalues(copies, d):
    spectrum = np.repeat(0.9 ** np.arange(200), copies)
    found = top_pairs(lambda v: spectrum * v, np.ones(len(spectrum)), d)
    assert np.all(np.abs(found.values - spectrum[:d]) <= found.errors)
    assert np.all(found.errors <= (1 + np.sqrt(copies)) * module.TOLERANCE * found.values)
    assert np.all(found.residuals <= 1.1e-7 * found.values)


@pytest.mark.parametrize(("most", "missed"), [(49, True), (52, True), (103, False)])
def test_what_is_undecided_when_products_run_out_is_in_the_errors(monkeypatch, most, missed):
    spectrum = hidden([10.0], 2, 0.05, 3)
    monkeypatch.setattr(module, "MOST_PER_PAIR", 0)
    monkeypatch.setattr(module, "MOST_MORE", most)
    found = top_pairs(lambda v: spectrum * v, np.ones(len(spectrum)), 3)
    assert found.products == most
    assert found.values == pytest.approx([10.0, 1.05, 1.0 if missed else 1.05], rel=1e-12)  # the second copy
    assert found.errors[2] >= 0.05
    assert found.errors[0] <= 1e-12  # nothing undecided reaches up to the first


def test_a_copy_that_was_found_too_late_raises(monkeypatch):
    spectrum = hidden([10.0], 2, 0.05, 3)
    monkeypatch.setattr(module, "MOST_PER_PAIR", 0)
    monkeypatch.setattr(module, "MOST_MORE", 70)
    with pytest.raises(tk.KropeError, match=r"Lanczos must reach residuals of 1e-07 .* within 70 products"):
        top_pairs(lambda v: spectrum * v, np.ones(len(spectrum)), 3)


def test_a_check_costs_little_where_the_rest_is_small():
    spectrum = np.r_[np.arange(8.0, 0.0, -1.0), 1e-3 * np.random.default_rng(0).uniform(0, 1, 1000)]
    found = top_pairs(lambda v: spectrum * v, np.ones(1008), 8)
    assert found.products <= 8 + 3 + 4
    assert np.abs(found.values - spectrum[:8]).max() <= found.errors.max() <= 1e-12


def test_the_zero_matrix_has_zero_eigenvalues():
    found = top_pairs(lambda v: 0.0 * v, np.ones(50), 2)
    assert (found.values == 0).all()
    assert (found.errors >= 0).all()
    assert np.isfinite(found.Phi).all()


def test_small_spaces_are_exhausted_and_null_directions_reported():
    K = np.diag([3.0, 0.0, 2.0, 0.0])
    found = top_pairs(lambda v: K @ v, np.ones(4), 4)
    assert found.values == pytest.approx([3.0, 2.0, 0.0, 0.0], abs=1e-14)
    assert found.products == 4
    masked = top_pairs(lambda v: K @ v, np.array([1.0, 1.0, 0.0, 0.0]), 2)
    assert masked.values == pytest.approx([3.0, 0.0], abs=1e-14)
    assert masked.products == 2
    fewer = top_pairs(lambda v: K @ v, np.array([1.0, 0.0, 1.0, 0.0]), 3)  # more than the pairs with weight
    assert fewer.values == pytest.approx([3.0, 2.0], abs=1e-14)
    assert fewer.Phi.shape == (4, 2)


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


@pytest.mark.parametrize("seen", [3, 10])
def test_more_features_than_pairs_with_weight_are_refused(seen):
    mrp = random_mrp(3, S=12, A=4, gamma=0.95)
    D = np.zeros(48)
    D[:seen] = np.arange(1.0, seen + 1)
    reduced, free = (tk.krope_kernel(mrp, method) for method in ("reduced", "matrix-free"))
    for K in (reduced, free):
        with pytest.raises(tk.KropeError, match=f"d must be at most the rank {seen} of the weighted kernel; got 11"):
            tk.features(K, 11, D)
    truth, found = tk.features(reduced, seen, D), tk.features(free, seen, D)
    assert found.products == seen
    assert np.all(np.abs(found.eigenvalues - truth.eigenvalues) <= truth.errors + found.errors)


@pytest.mark.parametrize("gamma", [0.999, 0.9999])
def test_errors_cover_those_of_the_kernel(gamma):
    """Against the series summed by doubling in long double."""
    mdp = tk.garnet(40, 3, branching=4, gamma=gamma, seed=0)
    mrp = tk.induce(mdp, tk.Policy.uniform(40, 3))
    P, r = dense(mrp.P_pi).astype(np.longdouble), mrp.r.astype(np.longdouble)
    P /= P.sum(axis=1, keepdims=True)
    truth, factor = 1 - np.abs(r[:, None] - r) / (r.max() - r.min()), np.longdouble(gamma)
    for _ in range(20):
        truth, P, factor = truth + factor * (P @ truth @ P.T), P @ P, factor**2
    assert factor < 1e-30
    K = tk.krope_kernel(mrp, "matrix-free")
    found = tk.features(K, 8)
    # The largest by long double power iteration, the others by LAPACK, whose rounding is that of the largest.
    v = np.ones(120, dtype=np.longdouble)
    for _ in range(60):
        v = truth @ v / 120
        top, v = np.sqrt(v @ v), v / np.sqrt(v @ v)
    assert abs(found.eigenvalues[0] - top) <= found.errors[0]
    values = np.linalg.eigvalsh((truth / 120).astype(float))[::-1][:8]
    assert np.all(np.abs(found.eigenvalues - values) <= found.errors + 8 * np.finfo(float).eps * float(top))
    assert np.all(found.errors >= K.evidence.error_bound)
    assert np.all(found.errors <= K.evidence.error_bound + 1e-7 * values)


@pytest.mark.parametrize(("size", "rank"), [(7, 1), (9, 2)])
def test_what_rounding_could_have_made_is_no_feature(monkeypatch, size, rank):
    flat = tk.krope_kernel(tk.MRP.from_matrix(np.eye(40), np.zeros(40), 0.5), "matrix-free")
    values = np.array([1.0, size * np.finfo(float).eps])
    pairs = module.TopPairs(values, np.ones((40, 2)), np.zeros(2), np.zeros(2), 2)
    monkeypatch.setattr(features_module, "top_pairs", lambda *_: pairs)
    if rank == 2:
        assert tk.features(flat, 2).d == 2
    else:
        with pytest.raises(tk.KropeError, match="d must be at most the rank 1 of the weighted kernel; got 2"):
            tk.features(flat, 2)
