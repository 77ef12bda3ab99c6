import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.arrays import dense
from tests.cases import all_mrps, random_mrp

CASES = all_mrps()


def test_value_error_weighs_by_the_start():
    mrp = tk.MRP.from_matrix(np.eye(2), [1.0, 2.0], 0.5, d0=[1.0, 3.0])  # q = (2, 4)
    assert tk.value_error(mrp, [3.0, 6.0]) == pytest.approx(0.25 * 1 + 0.75 * 4)
    assert tk.value_error(mrp, [3.0, 6.0], weights=[1.0, 0.0]) == pytest.approx(1.0)
    assert tk.value_error(mrp, [3.0, 6.0], q_random=[0.0, 0.0]) == pytest.approx(3.25 / 13.0)
    assert tk.value_error(mrp, mrp.q, q_random=[0.0, 0.0]) == 0
    with pytest.raises(tk.KropeError, match="q_random must differ from the target's values"):
        tk.value_error(mrp, [0.0, 0.0], q_random=mrp.q)
    with pytest.raises(tk.KropeError, match=r"q_hat must have shape \(2\)"):
        tk.value_error(mrp, [0.0])


@pytest.mark.parametrize("name", CASES)
def test_realizability(name):
    mrp = CASES[name]
    assert tk.realizability_error(mrp, tk.features(tk.krope_kernel(mrp))) <= 1e-20 * mrp.horizon**2
    q = mrp.q
    alone = np.random.default_rng(0).standard_normal((mrp.n_pairs, 1))
    expected = q @ q - (alone[:, 0] @ q) ** 2 / (alone[:, 0] @ alone[:, 0])  # Pythagoras
    scale = np.abs(q).mean()
    assert tk.realizability_error(mrp, alone) == pytest.approx(expected / scale if scale else 0, rel=1e-9, abs=1e-12)
    assert tk.realizability_error(mrp, np.zeros((mrp.n_pairs, 1))) == pytest.approx(q @ q / scale if scale else 0)


def test_realizability_of_a_zero_value_function():
    assert tk.realizability_error(tk.MRP.from_matrix([[1.0]], [0.0], 0.5), [[1.0]]) == 0


def test_orthogonality_is_pearson_over_unordered_pairs():
    mrp = random_mrp(0)
    Phi = np.random.default_rng(0).standard_normal((15, 4))
    a, b = [], []
    for x in range(15):
        for y in range(x):
            cos = Phi[x] @ Phi[y] / np.linalg.norm(Phi[x]) / np.linalg.norm(Phi[y])
            a.append(1 - abs(cos))
            b.append(abs(mrp.q[x] - mrp.q[y]))
    assert tk.orthogonality_correlation(mrp, Phi) == pytest.approx(np.corrcoef(a, b)[0, 1])
    assert tk.orthogonality_correlation(mrp, 5 * Phi) == pytest.approx(np.corrcoef(a, b)[0, 1])


def test_orthogonality_where_there_is_nothing_to_correlate():
    one = tk.MRP.from_matrix([[1.0]], [0.0], 0.5)
    assert np.isnan(tk.orthogonality_correlation(one, [[1.0]]))
    assert np.isnan(tk.orthogonality_correlation(CASES["constant-reward"], np.eye(2)))
    assert np.isnan(tk.orthogonality_correlation(random_mrp(0), np.ones((15, 2))))
    zero_row = np.vstack([np.zeros(2), np.random.default_rng(0).standard_normal((14, 2))])
    assert np.isfinite(tk.orthogonality_correlation(random_mrp(0), zero_row))


@pytest.mark.parametrize("name", CASES)
def test_mmd_is_its_double_expectation(name):
    mrp = CASES[name]
    K = tk.krope_kernel(mrp)
    mu, nu = np.random.default_rng(0).dirichlet(np.ones(mrp.n_pairs), 2)
    matrix = K.matrix()
    square = mu @ matrix @ mu + nu @ matrix @ nu - 2 * mu @ matrix @ nu
    assert tk.mmd(K, mu, nu) ** 2 == pytest.approx(square, abs=1e-12 * mrp.horizon)
    assert tk.mmd(K, mu, 3 * mu) <= 1e-15 * mrp.horizon
    # The distance recursion: d = (2/R)|dr| + gamma MMD^2 of the laws of what follows.
    P, R = dense(mrp.P_pi), K.reward.divisor
    if mrp.conservative and mrp.n_pairs > 1:
        gap = 2 * abs(mrp.r[0] - mrp.r[1]) / R if R else 0.0
        assert K.distance(0, 1) == pytest.approx(gap + mrp.gamma * tk.mmd(K, P[0], P[1]) ** 2, abs=1e-12 * mrp.horizon)


@pytest.mark.parametrize("name", CASES)
def test_exact_features_are_bellman_complete(name):
    mrp = CASES[name]
    phi = tk.features(tk.krope_kernel(mrp))
    assert tk.bellman_completeness_error(mrp, phi) <= 1e-20 * mrp.horizon**2
    small = np.sqrt(phi.eigenvalues[-1] / phi.eigenvalues[0])
    assert tk.bellman_completeness_error(mrp, phi, kind="linear") <= 1e-12 / small


def test_proxy_is_the_regression_it_names():
    mrp = random_mrp(0)
    rng = np.random.default_rng(0)
    Phi, D = rng.standard_normal((15, 3)), rng.dirichlet(np.ones(15))
    targets = np.hstack([mrp.gamma * mrp.P_pi @ Phi, mrp.r[:, None]])
    B = Phi.T @ np.diag(D) @ Phi
    fitted = Phi @ np.linalg.solve(B, Phi.T @ np.diag(D) @ targets)
    assert tk.bellman_completeness_error(mrp, Phi, D) == pytest.approx(D @ ((targets - fitted) ** 2).sum(axis=1))


def test_linear_error_does_not_depend_on_coordinates_and_is_attained():
    mrp = random_mrp(0)
    rng = np.random.default_rng(0)
    Phi, D = rng.standard_normal((15, 3)), rng.dirichlet(np.ones(15))
    error = tk.bellman_completeness_error(mrp, Phi, D, kind="linear")
    mixed = Phi @ rng.standard_normal((3, 3))
    assert tk.bellman_completeness_error(mrp, mixed, D, kind="linear") == pytest.approx(error)
    # No sampled f of D-norm 1 leads further outside, and some come near.
    W = np.sqrt(D)[:, None]
    Q, _ = np.linalg.qr(W * Phi)
    directions = rng.standard_normal((3, 4000))
    F = Phi @ directions / np.linalg.norm(W * (Phi @ directions), axis=0)
    led = W * (mrp.gamma * mrp.P_pi @ F)
    outside = np.linalg.norm(led - Q @ (Q.T @ led), axis=0)
    outside_r = np.linalg.norm(W[:, 0] * mrp.r - Q @ (Q.T @ (W[:, 0] * mrp.r)))
    assert max(outside.max(), outside_r) <= error * (1 + 1e-12)
    assert max(outside.max(), outside_r) >= 0.95 * error


def test_linear_error_is_infinite_when_the_data_hide_a_direction():
    # Pair 0 -> 1. The feature lives on pair 1, which has no data, but its image lives on pair 0, which has.
    mrp = tk.MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [0.0, 0.0], 0.5)
    assert tk.bellman_completeness_error(mrp, [[0.0], [1.0]], [1.0, 0.0], kind="linear") == np.inf
    assert tk.bellman_completeness_error(mrp, [[1.0], [0.0]], [1.0, 0.0], kind="linear") == 0


@pytest.mark.parametrize("name", [name for name in CASES if CASES[name].gamma < 1])
def test_piecewise_error_is_the_supremum_over_corners(name):
    mrp = CASES[name]
    labels = np.arange(mrp.n_pairs) % 2
    error = tk.piecewise_completeness_error(mrp, labels)
    low, high = mrp.r.min() / (1 - mrp.gamma), mrp.r.max() / (1 - mrp.gamma)
    if not mrp.conservative:
        low, high = min(low, 0), max(high, 0)
    worst = 0.0
    for a in (low, high):
        for b in (low, high):
            Tf = mrp.bellman(np.where(labels == 0, a, b))
            for g in range(labels.max() + 1):
                worst = max(worst, np.ptp(Tf[labels == g]) / 2)
    assert error == pytest.approx(worst, abs=1e-12 * mrp.horizon)


@pytest.mark.parametrize("name", [name for name in CASES if CASES[name].gamma < 1])
def test_bisimulation_classes_are_complete(name):
    mrp = CASES[name]
    assert tk.piecewise_completeness_error(mrp, tk.bisimulation_partition(mrp).labels) <= 1e-12 * mrp.horizon


def test_completeness_bad_input():
    mrp = random_mrp(0)
    with pytest.raises(tk.KropeError, match="kind must be one of linear, proxy; got 'exact'"):
        tk.bellman_completeness_error(mrp, np.ones((15, 1)), kind="exact")
    with pytest.raises(tk.KropeError, match="labels must be 15 integers"):
        tk.piecewise_completeness_error(mrp, [0.5] * 15)
    with pytest.raises(tk.KropeError, match="gamma must be below 1"):
        tk.piecewise_completeness_error(CASES["gamma-one"], [0, 1])
