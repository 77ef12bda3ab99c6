"""Where the kernel does not exist on the whole span; and what a ridge does to the certificate."""

import numpy as np
import pytest

import tabular_krope as tk
from tests.tabular_krope.closed_form.transitions import literal, lspe_norm, random_rows


def test_growing_directions_are_dropped_by_hand():
    # Three invariant directions that grow by 3, 1.05 and 0.5 a step; at gamma = 0.9 only growth below 1.054 may stay.
    Psi = np.eye(3)
    Psi_next = np.diag([3.0, 1.05, 0.5])
    out = tk.feature_space_krope(Psi, Psi_next, [0.0, 1.0, 2.0], gamma=0.9)
    assert out.dropped.tolist() == pytest.approx([3.0])
    assert (out.span, out.rank, out.d) == (3, 2, 2)
    assert out.base_radius == pytest.approx(3.0)
    assert np.abs(out.map[0]).max() <= 1e-15
    assert out.spectral_radius == pytest.approx(0.945)
    assert "left out: 1 direction that grows by up to 3 in one step" in str(out)
    with pytest.raises(tk.KropeError, match=r"gamma rho\(A\)\^2 must be below 1 for the kernel to exist .*; got 8.1"):
        tk.feature_space_krope(Psi, Psi_next, [0.0, 1.0, 2.0], gamma=0.9, restrict=False)


def test_nothing_left_is_refused_with_the_reason():
    with pytest.raises(
        tk.KropeError,
        match=r"below 1 on some part of the span of Psi .* rho: its spectral radius\); got 3.6 or more on all of it",
    ):
        tk.feature_space_krope([[1.0]], [[2.0]], [0.0], gamma=0.9)
    # The constant alone, on a chain that never ends, at gamma = 1: growth exactly 1.
    with pytest.raises(tk.KropeError, match="got 1 or more on all of it"):
        tk.feature_space_krope(np.ones((5, 1)), np.ones((5, 1)), np.arange(5), gamma=1.0)


@pytest.mark.parametrize("seed", range(6))
def test_restricted_span_is_invariant_and_keeps_the_certificate(seed):
    Psi, Psi_next, r, weights = random_rows(seed, p=6, size=4.0)
    out = tk.feature_space_krope(Psi, Psi_next, r, 0.95, weights=weights)
    D = weights / weights.sum()
    A = np.linalg.solve((Psi.T * D) @ Psi, (Psi.T * D) @ Psi_next)
    moduli = np.sort(np.abs(np.linalg.eigvals(A)))[::-1]
    grows = np.sqrt(0.95) * moduli >= 1
    assert 0 < grows.sum() < 6
    assert out.dropped == pytest.approx(moduli[grows])
    assert out.base_radius == pytest.approx(moduli[0])
    assert out.d == 6 - grows.sum()
    # A maps the span of the map into itself, and the kernel is the one of the features that are left, from scratch.
    inside = out.map @ np.linalg.pinv(out.map)
    assert np.abs(A @ out.map - inside @ A @ out.map).max() <= 1e-8 * np.abs(A).max() * np.abs(out.map).max()
    basis = np.linalg.qr(out.map)[0]
    M = literal(Psi @ basis, Psi_next @ basis, r, 0.95, weights)[2]
    assert out.map @ out.map.T == pytest.approx(basis @ M @ basis.T, rel=1e-7, abs=1e-7 * np.abs(M).max())
    for d in range(1, out.d + 1):
        some = tk.feature_space_krope(Psi, Psi_next, r, 0.95, d, weights)
        assert lspe_norm(some.features(Psi), some.features(Psi_next), 0.95, weights) <= np.sqrt(0.95) + some.tolerance


def test_powers_that_grow_before_they_decay_are_refused():
    # Nilpotent after 12 steps, but 1e4 times larger at each: no digit of the sum would be left.
    Psi_next = 1e4 * np.eye(12, k=1)
    with pytest.raises(tk.KropeError, match="must decay without growing beyond 1e"):
        tk.feature_space_krope(np.eye(12), Psi_next, np.arange(12.0), gamma=0.9)


def test_a_tolerance_too_large_for_one_feature_is_refused(monkeypatch):
    from tabular_krope.closed_form import assembly

    monkeypatch.setattr(assembly, "CERTAINTY", 1e-18)
    with pytest.raises(tk.KropeError, match="rounding must leave the certificate of one feature right to 1e-18; got"):
        tk.feature_space_krope(np.eye(2), np.eye(2)[::-1], [0.0, 1.0], gamma=0.9)


def test_features_that_break_the_certificate_are_never_returned(monkeypatch):
    from tabular_krope.closed_form import assembly

    # As if the doubling had returned the kernel of something else.
    monkeypatch.setattr(assembly, "kernel_factor", lambda A, N, gamma: np.diag(np.logspace(0, -4, len(A))))
    monkeypatch.setattr(assembly, "defects", lambda *_: 0.0)
    Psi, Psi_next, r, weights = random_rows(0)
    with pytest.raises(tk.KropeError, match=r"LSPE on the features must have a norm of at most 0.9746794345"):
        tk.feature_space_krope(Psi, Psi_next, r, 0.95, None, weights)


def test_the_ridge_of_the_one_sample_example():
    # A ridge of 3/2 in A alone makes A = 0.8 and promises stability, while LSPE on the data has L = 1.8. Here the
    # promise is about LSPE with the ridge, L = 1.8 / 2.5, and LSPE without it is bounded by sqrt(gamma) * 2.5.
    out = tk.feature_space_krope([[1.0]], [[2.0]], [1.0], gamma=0.9, ridge=1.5)
    assert out.base_radius == pytest.approx(0.8)
    assert out.norm == pytest.approx(0.72)
    assert out.plain_norm == pytest.approx(1.8)
    assert out.plain_radius == pytest.approx(1.8)
    assert out.plain_bound == pytest.approx(2.5 * np.sqrt(0.9))
    assert out.values([[1.0]]) == pytest.approx([1 / 2.5 / (1 - 0.72)])
    assert "without the ridge its norm is 1.800000 (at most 2.371708), its spectral radius 1.800000" in str(out)


@pytest.mark.parametrize("ridge", [1e-8, 1e-2, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_ridge_in_features_and_lspe_alike(seed, ridge):
    Psi, Psi_next, r, weights = random_rows(seed, size=1.2)
    D = weights / weights.sum()
    for d in (1, 3, None):
        out = tk.feature_space_krope(Psi, Psi_next, r, 0.95, d, weights, ridge=ridge)
        Phi, Phi_next = out.features(Psi), out.features(Psi_next)
        L = 0.95 * np.linalg.solve((Phi.T * D) @ Phi + ridge * out.map.T @ out.map, (Phi.T * D) @ Phi_next)
        assert out.norm == pytest.approx(np.linalg.norm(L, 2))
        assert out.norm <= np.sqrt(0.95) + out.tolerance
        plain = lspe_norm(Phi, Phi_next, 0.95, weights)
        assert out.plain_norm == pytest.approx(plain)
        assert plain <= out.plain_bound + 1e-9
        same = tk.lspe_on_data(Phi, Phi_next, r, 0.95, weights, penalty=out.penalty)
        assert same.norm == pytest.approx(out.norm)
        assert same.theta == pytest.approx(out.theta)
    assert tk.feature_space_krope(Psi, Psi_next, r, 0.95, 1, weights).penalty is None


def test_a_small_ridge_costs_little_and_a_ridge_saves_directions():
    Psi, Psi_next, r, weights = random_rows(1, p=6, size=3.0)
    assert len(tk.feature_space_krope(Psi, Psi_next, r, 0.95, weights=weights).dropped)
    assert not len(tk.feature_space_krope(Psi, Psi_next, r, 0.95, weights=weights, ridge=30.0).dropped)
    Psi, Psi_next, r, weights = random_rows(1)
    small = tk.feature_space_krope(Psi, Psi_next, r, 0.95, 3, weights, ridge=1e-9)
    assert small.plain_bound == pytest.approx(np.sqrt(0.95), rel=1e-8)
