import tracemalloc

import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.kernels import kernel, krope, matrix_free
from tests.cases import all_mrps, random_mrp

CASES = all_mrps()


def slow_chain(second, gamma, S=30, A=2):
    """Two halves of a garnet, joined so weakly that the second eigenvalue of Q is about ``second``."""
    half = tk.garnet(S // 2, A, 3, gamma=gamma, seed=5).P
    P, stay = np.zeros((S, A, S)), (1 + second) / 2
    P[: S // 2, :, : S // 2] = P[S // 2 :, :, S // 2 :] = stay * half
    P[: S // 2, :, S // 2 :] = P[S // 2 :, :, : S // 2] = (1 - stay) * half
    r = np.random.default_rng(0).uniform(-1, 1, (S, A))
    mdp = tk.MDP(P, r, gamma)
    return tk.induce(mdp, tk.Policy.uniform(S, A))


def both(mrp):
    return tk.krope_kernel(mrp, "matrix-free"), tk.krope_kernel(mrp, "reduced").matrix()


@pytest.mark.parametrize("name", CASES)
def test_entries_rows_distances_and_squares_on_demand(name):
    K, matrix = both(CASES[name])
    X, h = len(matrix), K.mrp.horizon
    rng = np.random.default_rng(0)
    i, j = rng.integers(0, X, 12).reshape(3, 4), rng.integers(0, X, 12).reshape(3, 4)
    allowed = 1e-13 * h * h
    assert np.abs(K.entries(i, j) - matrix[i, j]).max() <= allowed
    assert np.abs(K.entries(i[:1], j[:, :1]) - matrix[i[:1], j[:, :1]]).max() <= allowed
    assert np.abs(K.rows([0, X - 1, 0]) - matrix[[0, X - 1, 0]]).max() <= allowed
    assert np.abs(K.rows(0) - matrix[0]).max() <= allowed
    assert K.rows(np.array([], dtype=int)).shape == (0, X)
    assert K.entries(i[:0], j[:0]).shape == K.distance(i[:0], j[:0]).shape == (0, 4)
    assert np.abs(K.diagonal() - np.diagonal(matrix)).max() <= allowed
    truth = tk.krope_kernel(K.mrp, "reduced").distance()
    assert np.abs(K.distance(i, j) - truth[i, j]).max() <= allowed
    assert np.abs(K.distance() - truth).max() <= allowed
    V = rng.standard_normal((X, 2))
    assert np.abs(K.squares(V) - np.einsum("xk,xy,yk->k", V, matrix, V)).max() <= allowed * np.abs(V).sum() ** 2
    assert K.squares(V[:, 0]) == pytest.approx(tk.krope_kernel(K.mrp, "reduced").squares(V)[0], abs=allowed * X)


def test_blocks_of_columns_do_not_change_a_number(monkeypatch):
    K, matrix = both(CASES["random"])
    monkeypatch.setattr(matrix_free, "BLOCK_BYTES", 8 * 15 * 4)
    x = np.arange(15)
    assert np.abs(K.matrix() - matrix).max() <= 1e-11
    assert np.abs(K.entries(x, x[::-1]) - matrix[x, x[::-1]]).max() <= 1e-11
    assert np.abs(K.distance(x, 0) - tk.krope_kernel(K.mrp).distance(x, 0)).max() <= 1e-11


@pytest.mark.parametrize(("second", "gamma"), [(0.9999, 0.99), (0.97, 0.999), (0.9999, 0.999), (0.5, 0.999)])
def test_right_on_slowly_mixing_chains_and_long_horizons(second, gamma):
    mrp = slow_chain(second, gamma)
    eigenvalues = np.sort(np.abs(np.linalg.eigvals(mrp.Q)))
    assert eigenvalues[-2] >= second - 1e-9
    K, matrix = both(mrp)
    assert K.matrix_free == ("closed" in K.evidence.plan) == (second < 0.999)
    assert ("doubling on states" in K.evidence.plan) == (second > 0.999)
    V = np.random.default_rng(0).standard_normal((60, 2))
    scale = np.abs(matrix @ V).max()
    assert np.abs(K @ V - matrix @ V).max() <= 1e-10 * scale
    assert K.evidence.residual <= 1e-12 * mrp.horizon
    assert np.abs(K @ V - matrix @ V).max() <= (K.evidence.error_bound + 1e-13 * mrp.horizon**2) * np.abs(V).sum()


def test_right_by_the_full_series_too(monkeypatch):
    monkeypatch.setattr(krope, "SMALL_STATE_BYTES", 0)
    K, matrix = both(slow_chain(0.9999, 0.99, S=10))
    assert K.evidence.plan == "full series, at most 3242 terms"
    V = np.random.default_rng(0).standard_normal((20, 2))
    assert np.abs(K @ V - matrix @ V).max() <= 1e-12 * np.abs(matrix @ V).max()


def test_pairs_that_cannot_be_told_apart_are_at_distance_zero_exactly():
    P = [[0.0, 0.0, 0.5, 0.5], [0.0, 0.0, 0.5, 0.5], [0.3, 0.3, 0.2, 0.2], [0.1, 0.2, 0.3, 0.4]]
    K = tk.krope_kernel(tk.MRP.from_matrix(P, [1.0, 1.0, 0.0, 0.5], 0.95), "matrix-free")
    assert K.distance(0, 1) == 0.0
    assert K.distance(0, 2) > 0.1


def test_auto_takes_the_matrix_free_way_when_an_array_on_states_would_not_fit(monkeypatch):
    mrp = random_mrp(0)
    assert tk.krope_kernel(mrp).evidence.method == "reduced"
    monkeypatch.setattr(krope, "DENSE_STATE_BYTES", 8 * 5 * 5)
    assert tk.krope_kernel(mrp).evidence.method == "reduced"
    monkeypatch.setattr(krope, "DENSE_STATE_BYTES", 8 * 5 * 5 - 1)
    evidence = tk.krope_kernel(mrp).evidence
    assert evidence.method == "matrix-free"
    assert evidence.plan == f"stationary part closed, at most {evidence.iterations} terms"
    with pytest.raises(tk.KropeError, match=r"series must reach an error of 1e-16; got .* in float64"):
        tk.krope_kernel(mrp, tolerance=1e-16)
    assert tk.krope_kernel(mrp, tolerance=1e-6).evidence.error_bound <= 1e-6


def test_arrays_on_pairs_that_would_not_fit_are_refused(monkeypatch):
    K = tk.krope_kernel(random_mrp(0), "matrix-free")
    monkeypatch.setattr(kernel, "MATRIX_BYTES", 8 * 14 * 14)
    for name in ("matrix", "diagonal", "distance", "factor"):
        with pytest.raises(tk.KropeError, match=rf"K must have at most 14 pairs for {name}\(\); got 15"):
            getattr(K, name)()
    assert K.entries(0, 1) > 0
    assert K.distance([0], [1]) > 0
    assert tk.krope_kernel(random_mrp(0)).diagonal().shape == (15,)


def test_no_array_on_all_pairs_or_all_states_is_ever_made():
    mdp = tk.garnet(20_000, 2, 2, seed=0)
    mrp = tk.induce(mdp, tk.Policy.uniform(20_000, 2))
    tracemalloc.start()
    K = tk.krope_kernel(mrp)
    assert K.evidence.method == "matrix-free"
    K @ np.ones(40_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60e6  # an S-by-S array would take 3.2 GB
    assert K.evidence.residual <= 1e-12 * mrp.horizon


@pytest.mark.parametrize("gamma", [0.99999, 0.9999999])
def test_chains_that_forget_need_few_terms_whatever_the_horizon(gamma):
    mdp = tk.garnet(40, 2, 4, gamma=gamma, seed=3)
    K, matrix = both(tk.induce(mdp, tk.Policy.uniform(40, 2)))
    assert K.matrix_free
    assert K.evidence.iterations < 60
    assert np.abs(K.matrix() - matrix).max() <= K.evidence.error_bound
    assert K.evidence.error_bound <= 1e-8 / (1 - gamma)


def test_chains_that_do_not_are_solved_by_doubling_near_gamma_one(monkeypatch):
    cycle = tk.MRP.from_matrix(np.roll(np.eye(6), 1, axis=1), np.arange(6.0), gamma=0.99999)
    K, matrix = both(cycle)
    assert K.evidence.plan == "doubling on states, since the series would take more than 1000 terms"
    assert np.abs(K.matrix() - matrix).max() == 0
    monkeypatch.setattr(krope, "DENSE_STATE_BYTES", 1)
    with pytest.raises(tk.KropeError, match="series must end within 1000 terms"):
        tk.krope_kernel(cycle, "matrix-free")


def test_an_end_at_the_size_of_rounding_is_an_end():
    P = np.asarray(tk.induce(tk.garnet(20, 2, 4, seed=3), tk.Policy.uniform(20, 2)).P_pi)
    mrp = tk.MRP.from_matrix((1 - 2.0**-50) * P, np.arange(40.0), gamma=0.999, end=np.full(40, 2.0**-50))
    K, matrix = both(mrp)
    assert K.evidence.plan.startswith(("full", "doubling"))
    assert np.abs(K.matrix() - matrix).max() <= K.evidence.error_bound


def test_probabilities_of_ten_digits_cost_nothing():
    mdp = tk.garnet(40, 2, 4, gamma=0.99, seed=3)
    rounded = tk.MDP(np.round(mdp.P, 10), mdp.r, 0.99)
    policy = tk.Policy(np.full((40, 2), 0.5))
    K, matrix = both(tk.induce(rounded, policy))
    assert K.evidence.plan.startswith("stationary part closed")
    assert np.abs(K.matrix() - matrix).max() <= K.evidence.error_bound
    assert np.abs(matrix - tk.krope_kernel(tk.induce(mdp, policy)).matrix()).max() <= 1e-9 * 100**2
