"""The ridge that spares the constant: certificate, definition, exact cases, invariances."""

import numpy as np
import pytest
import scipy.linalg
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

import tabular_krope as tk
from tabular_krope.closed_form.moments import moments
from tabular_krope.closed_form.spared_ridge import span_value, spared_fit
from tabular_krope.errors import KropeError
from tabular_krope.exact.exact_stein import solve_stein_exactly
from tabular_krope.exact.psd import is_psd
from tabular_krope.exact.rationals import diagonal, identity, rational, rational_matrix


def rows(seed=0, n=80, p=5, size=0.6, ends=0.0, levels=4):
    """Rows whose first feature is the constant, which successors have, too, unless the episode ends."""
    rng = np.random.default_rng(seed)
    Psi, Psi_next = rng.standard_normal((2, n, p)) * rng.uniform(0.2, 3.0, p) + rng.standard_normal(p)
    Psi_next = size * Psi_next
    Psi[:, 0] = Psi_next[:, 0] = 1.0
    Psi_next[rng.random(n) < ends] = 0.0
    start = np.append(1.0, rng.standard_normal(p - 1))
    return Psi, Psi_next, rng.integers(0, levels, n).astype(float), start


def moments_of(Psi, Psi_next, r, start, block=30):
    parts = [(Psi[i : i + block], Psi_next[i : i + block], r[i : i + block]) for i in range(0, len(r), block)]
    return moments(parts, start, r)


def with_the_ridge_as_rows(Psi, Psi_next, r, ridge):
    """The data with one more row for each feature but the constant: that feature alone, no successor, no reward."""
    n, p = Psi.shape
    more = np.sqrt(ridge * n) * np.diag(Psi.std(axis=0))[1:]
    more[:, 0] = 0.0
    return np.vstack([Psi, more]), np.vstack([Psi_next, 0 * more]), np.append(r, np.zeros(p - 1))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("size", [0.6, 3.0])
@pytest.mark.parametrize("ridge", [1e-6, 1e-2, 1.0])
def test_certificate_on_the_data_with_the_ridge_as_rows(seed, size, ridge):
    Psi, Psi_next, r, start = rows(seed, size=size, ends=0.1)
    m = moments_of(Psi, Psi_next, r, start)
    more, more_next, _ = with_the_ridge_as_rows(Psi, Psi_next, r, ridge)
    for d in range(1, 6):
        fit = spared_fit(m, 0.9, ridge, d)
        L = 0.9 * np.linalg.pinv(more @ fit.map, rcond=1e-13) @ (more_next @ fit.map)
        assert np.linalg.norm(L, 2) <= np.sqrt(0.9) + fit.tolerance
        assert fit.norm == pytest.approx(np.linalg.norm(L, 2), abs=fit.tolerance)
        assert fit.spectral_radius == pytest.approx(np.abs(np.linalg.eigvals(L)).max(), abs=1e-7)
        assert fit.certified
        assert fit.tolerance < 1e-6


@pytest.mark.parametrize("ends", [0.0, 0.3])
def test_value_is_the_fixed_point_of_lspe_with_the_ridge_as_rows(ends):
    Psi, Psi_next, r, start = rows(1, ends=ends)
    fit = spared_fit(moments_of(Psi, Psi_next, r, start), 0.9, 0.05)
    more, more_next, r_more = with_the_ridge_as_rows(Psi, Psi_next, r, 0.05)
    theta = np.linalg.solve(more.T @ (more - 0.9 * more_next), more.T @ r_more)
    assert fit.coefficients == pytest.approx(theta, rel=1e-9)
    assert fit.value == pytest.approx(start @ theta, rel=1e-9)
    assert fit.base_value == pytest.approx(fit.value, rel=1e-9) == fit.span_value
    assert fit.value == pytest.approx(span_value(moments_of(Psi, Psi_next, r, start), 0.9, 0.05))
    assert fit.value == pytest.approx(np.mean((Psi @ fit.dual) * r), rel=1e-9)


def test_dual_weights_balance_every_feature_but_for_the_ridge():
    Psi, Psi_next, r, start = rows(2)
    fit = spared_fit(moments_of(Psi, Psi_next, r, start), 0.9, 0.05)
    w = Psi @ fit.dual
    balance = (w @ (Psi - 0.9 * Psi_next)) / len(w) - start
    assert balance[0] == pytest.approx(0, abs=1e-12)  # the constant is balanced exactly: the weights sum to 1/(1-gamma)
    assert w.mean() == pytest.approx(10.0, rel=1e-12)
    assert balance == pytest.approx(-0.05 * Psi.var(axis=0) * fit.dual, abs=1e-10)


@given(st.integers(0, 2**32 - 1), st.sampled_from([1e-4, 1e-2, 1.0, 100.0]), st.sampled_from([0.5, 0.99]))
def test_constants_keep_their_value(seed, ridge, gamma):
    Psi, Psi_next, r, start = rows(seed % 1000, size=0.3)
    shifted = spared_fit(moments_of(Psi, Psi_next, r + 7.0, start), gamma, ridge).value
    assert shifted == pytest.approx(
        spared_fit(moments_of(Psi, Psi_next, r, start), gamma, ridge).value + 7 / (1 - gamma)
    )
    only = spared_fit(moments_of(Psi, Psi_next, 0 * r + 2.0, start), gamma, ridge)
    assert only.value == pytest.approx(2 / (1 - gamma), rel=1e-9)


def test_a_ridge_on_the_constant_would_shrink_them():
    Psi, Psi_next, r, _ = rows(3)
    out = tk.feature_space_krope(Psi, Psi_next, 0 * r + 2.0, 0.9, ridge=0.1)
    assert out.values(Psi).max() < 0.7 * 20


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.3, 1.0, 4.0]), st.sampled_from([0.0, 0.3]))
def test_certificate_over_random_data(seed, size, ends):
    Psi, Psi_next, r, start = rows(seed % 10_000, n=40, p=1 + seed % 7, size=size, ends=ends)
    ridge, gamma = 10.0 ** -(seed % 5), (0.9, 0.5, 0.99, 0.0)[seed % 4]
    fit = spared_fit(moments_of(Psi, Psi_next, r, start), gamma, ridge)
    more, more_next, _ = with_the_ridge_as_rows(Psi, Psi_next, r, ridge)
    L = gamma * np.linalg.pinv(more @ fit.map, rcond=1e-13) @ (more_next @ fit.map)
    assert fit.certified
    assert np.linalg.norm(L, 2) <= np.sqrt(gamma) + fit.tolerance


def test_directions_that_grow_are_dropped_and_the_constant_is_kept():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((200, 2))
    Psi = np.column_stack([np.ones(200), x])
    Psi_next = np.column_stack([np.ones(200), 3 * x[:, 0] + 0.1 * rng.standard_normal(200), 0.5 * x[:, 1]])
    fit = spared_fit(moments_of(Psi, Psi_next, np.ones(200), np.array([1.0, 0.3, 0.3])), 0.9, 1e-3)
    assert fit.dropped == 1
    assert fit.base_radius > 2
    assert fit.spectral_radius < 1
    assert fit.value == pytest.approx(10.0, abs=1e-6)


def test_where_powers_grow_too_much_the_ridge_does():
    Psi = scipy.linalg.hadamard(8).astype(float)[:, :7]  # the constant and six features that are orthonormal
    x = Psi[:, 1:]
    Psi_next = np.column_stack([np.ones(8), 200 * x[:, 1:], 0 * x[:, :1]])  # nilpotent: powers exceed 1e9, then 0
    fit = spared_fit(moments_of(Psi, Psi_next, np.ones(8), np.append(1.0, np.zeros(6))), 0.9, 1e-6)
    assert fit.ridge > 1e-6
    assert fit.certified
    assert fit.value == pytest.approx(10.0, abs=1e-6)


def test_an_eigenvalue_of_one_over_gamma_leaves_no_fixed_point_on_all_features():
    Psi = np.array([[1.0, -1.0], [1.0, 1.0]])
    Psi_next = Psi * [1.0, 4.0]  # with the ridge 1 the second feature doubles at each step, and gamma = 1/2
    fit = spared_fit(moments_of(Psi, Psi_next, np.ones(2), np.array([1.0, 0.0])), 0.5, 1.0)
    assert np.isnan(fit.base_value)
    assert fit.dropped == 1
    assert fit.value == pytest.approx(2.0)


def test_what_does_not_matter():
    Psi, Psi_next, r, start = rows(4)
    value = spared_fit(moments_of(Psi, Psi_next, r, start), 0.9, 0.1).value
    scale = np.array([1.0, 1e4, 1e-4, -3.0, 1.0])
    units = spared_fit(moments_of(Psi * scale, Psi_next * scale, r, start * scale), 0.9, 0.1)
    blocks = spared_fit(moments_of(Psi, Psi_next, r, start, block=7), 0.9, 0.1)
    flat = [np.column_stack([V, V[:, 0], 0 * V[:, 0]]) for V in (Psi, Psi_next, start[None])]
    more = spared_fit(moments_of(*flat[:2], r, flat[2][0]), 0.9, 0.1)
    assert [units.value, blocks.value, more.value] == pytest.approx([value] * 3, rel=1e-9)
    assert not more.map[5:].any()


def test_theorem_over_the_rationals():
    """``G + C`` for ``G`` everywhere: ``gamma M - L M L'`` is PSD, ``A`` fixes constants; LSPE without ``C`` fails."""
    rng = np.random.default_rng(5)
    Psi, Psi_next = rng.integers(-2, 3, (2, 9, 3))
    Psi_next = 4 * Psi - Psi_next  # successors that grow: only the ridge makes a kernel exist
    Psi[:, 0] = Psi_next[:, 0] = 1
    gamma, D = fmpq(1, 4), diagonal([fmpq(1, 9)] * 9)
    P, N = rational_matrix(Psi), rational_matrix(Psi_next)
    C = diagonal([fmpq(0), fmpq(12), fmpq(9)])
    G = P.transpose() * D * P + C
    A = G.solve(P.transpose() * D * N)
    assert [A[i, 0] for i in range(3)] == [1, 0, 0]  # A e0 = e0: the constant is spared
    K1 = rational_matrix([[fmpq(3 - abs(i % 4 - j % 4), 3) for j in range(9)] for i in range(9)])
    half = G.solve(P.transpose() * D * K1)
    M1 = G.solve(P.transpose() * D * half.transpose())
    M = solve_stein_exactly(A, M1, gamma)
    L = gamma * A  # LSPE with the ridge as rows, in the coordinates of Psi
    assert is_psd(M)
    assert is_psd(gamma * M - L * M * L.transpose())
    plain = gamma * (P.transpose() * D * P).solve(P.transpose() * D * N)
    assert not is_psd(gamma * M - plain * M * plain.transpose())
    everywhere = (P.transpose() * D * P + identity(3)).solve(P.transpose() * D * N)
    assert everywhere[0, 0] != 1


def test_certificate_in_rationals():
    Psi, Psi_next, r, start = rows(6, n=12, p=3)
    fit = spared_fit(moments_of(Psi, Psi_next, r, start), 0.81, 0.25)
    W, n = rational_matrix(fit.map), 12
    P, N = rational_matrix(Psi) * W, rational_matrix(Psi_next) * W
    mean = [sum(map(rational, column)) / n for column in Psi.T]
    spread = [sum((rational(v) - mu) ** 2 for v in column) / n for column, mu in zip(Psi.T, mean, strict=True)]
    C = W.transpose() * diagonal([v * fmpq(1, 4) for v in spread]) * W
    L = fmpq(81, 100) * (P.transpose() * P / n + C).solve(P.transpose() * N / n)
    bound = fmpq(9, 10) + rational(fit.tolerance)
    assert is_psd(bound * bound * identity(L.nrows()) - L * L.transpose())


def test_reward_rows_are_those_of_the_reward_kernel():
    Psi, Psi_next, r, start = rows(7)
    m = moments_of(Psi, Psi_next, r, start)
    K1 = tk.reward_kernel(r)
    assert m.S.T @ m.S == pytest.approx(Psi.T @ K1 @ Psi / len(r) ** 2, rel=1e-9, abs=1e-9)
    assert m.variances == pytest.approx(np.append(0.0, Psi[:, 1:].var(axis=0)))


def test_kernel_follows_its_definition():
    Psi, Psi_next, r, start = rows(8, size=0.4)
    fit = spared_fit(moments_of(Psi, Psi_next, r, start), 0.9, 0.2)
    G = Psi.T @ Psi / len(r) + 0.2 * np.diag(Psi.var(axis=0))
    A = np.linalg.solve(G, Psi.T @ Psi_next / len(r))
    pull = np.linalg.solve(G, Psi.T / len(r))
    M = scipy.linalg.solve_discrete_lyapunov(np.sqrt(0.9) * A, pull @ tk.reward_kernel(r) @ pull.T, method="bilinear")
    assert fit.map @ fit.map.T == pytest.approx(M, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ridge": 0}, "ridge must be a positive number; got 0"),
        ({"ridge": True}, "ridge must be a positive number; got True"),
        ({"d": 0}, "d must be an integer of at least 1"),
        ({"gamma": 2}, "gamma must lie"),
    ],
)
def test_bad_input(change, message):
    Psi, Psi_next, r, start = rows()
    with pytest.raises(tk.KropeError, match=message):
        spared_fit(**({"m": moments_of(Psi, Psi_next, r, start), "gamma": 0.9, "ridge": 0.1} | change))


def test_moments_need_rows_and_a_constant():
    with pytest.raises(tk.KropeError, match="rows must hold a transition; got none"):
        moments([], np.zeros(1))
    with pytest.raises(tk.KropeError, match=r"Psi\[:, 0\] must be the constant 1"):
        moments([(np.zeros((2, 2)), np.zeros((2, 2)), np.zeros(2))], np.zeros(2))


def test_the_column_that_the_ridge_spares_must_be_constant_in_every_row():
    rows = np.array([[1.0, 2.0], [1.0, 3.0]])
    for wrong in ([0.0, 0.0], [1.0, 1.5], [0.0, 1.0]):
        Psi = rows.copy()
        Psi[:, 0] = wrong
        with pytest.raises(KropeError, match=r"Psi\[:, 0\] must be the constant 1"):
            moments([(rows, rows, np.zeros(2)), (Psi, rows, np.zeros(2))], np.ones(2))
    assert moments([(rows, rows, np.zeros(2))] * 2, np.ones(2)).transitions == 4
