"""Small cases over the rationals: what the floats claim is decided without rounding."""

from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

import tabular_krope as tk
from tabular_krope.exact.exact_stein import solve_stein_exactly
from tabular_krope.exact.psd import is_psd
from tabular_krope.exact.rationals import diagonal, float_matrix, identity, rational, rational_matrix, rational_vector
from tests.tabular_krope.closed_form.transitions import random_rows


def exact_lspe(Phi, Phi_next, gamma, weights):
    """``L = gamma (Phi' D Phi)^-1 Phi' D Phi_next`` over the rationals, from floats read as rationals."""
    Phi, Phi_next = rational_matrix(Phi), rational_matrix(Phi_next)
    weighted = Phi.transpose() * diagonal(rational_vector(weights))
    return gamma * (weighted * Phi).solve(weighted * Phi_next)


def at_most(L, bound):
    """Whether ``norm2(L) <= bound``, decided."""
    return is_psd(bound * bound * identity(L.nrows()) - L * L.transpose())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("levels", [None, 2])
def test_norm_of_the_returned_features_is_certified_in_rationals(seed, levels):
    Psi, Psi_next, r, weights = random_rows(seed, n=15, p=3, levels=levels)
    gamma, root = fmpq(81, 100), fmpq(9, 10)
    for d in (1, 2, 3):
        out = tk.feature_space_krope(Psi, Psi_next, r, 0.81, d, weights)
        # Features as products of rationals: not even the product Psi @ map is rounded.
        W = rational_matrix(out.map)
        Phi, Phi_next = (rational_matrix(V) * W for V in (Psi, Psi_next))
        weighted = Phi.transpose() * diagonal(rational_vector(weights))
        L = gamma * (weighted * Phi).solve(weighted * Phi_next)
        assert at_most(L, root + rational(out.tolerance))
        assert at_most(L, rational(out.norm + out.tolerance))
        assert not at_most(L, rational(max(out.norm - out.tolerance, 0.0)))
    # The same decision on the floats that a user computes, and on features with one row moved.
    Phi, Phi_next = out.features(Psi), out.features(Psi_next)
    assert at_most(exact_lspe(Phi, Phi_next, gamma, weights), root + rational(out.tolerance))
    if levels == 2:  # sqrt(gamma) is attained, so that a small move up or down must break the bound
        moved = [Phi + step * (np.arange(15) == 0)[:, None] for step in (1e-6, -1e-6)]
        kept = [at_most(exact_lspe(other, Phi_next, gamma, weights), root + rational(out.tolerance)) for other in moved]
        assert not all(kept)


def test_kernel_of_integers_by_fractions():
    # psi = 1, 2 and psi' = 1, 0 with weights 1/2; rewards 0, 1: G = 5/2, A = 1/5, Psi' D K1 D Psi = (1 + 4)/4.
    G, A, T = Fraction(5, 2), Fraction(1, 5), Fraction(5, 4)
    M = T / G**2 / (1 - Fraction(9, 10) * A**2)
    assert M == Fraction(50, 241)
    out = tk.feature_space_krope([[1.0], [2.0]], [[1.0], [0.0]], [0.0, 1.0], gamma=0.9)
    assert out.map[0, 0] ** 2 == pytest.approx(float(M), rel=1e-14)
    assert out.eigenvalues[0] == pytest.approx(float(G * M), rel=1e-14)
    assert out.norm == pytest.approx(float(Fraction(9, 10) * A), rel=1e-14)


def test_kernel_of_an_integer_data_set_over_the_rationals():
    rng = np.random.default_rng(3)
    Psi, Psi_next = rng.integers(-2, 3, (2, 8, 3))
    r, weights = rng.integers(0, 4, 8), rng.integers(0, 3, 8)
    gamma, D = fmpq(1, 5), [fmpq(int(w), int(weights.sum())) for w in weights]
    Psi_q, Next_q = rational_matrix(Psi), rational_matrix(Psi_next)
    weighted = Psi_q.transpose() * diagonal(D)
    G = weighted * Psi_q
    A = G.solve(weighted * Next_q)
    K1 = rational_matrix([[1 - Fraction(abs(int(a - b)), 3) for a in r] for b in r])
    M1 = G.solve(G.solve(weighted * K1 * weighted.transpose()).transpose())
    M = solve_stein_exactly(A, M1, gamma)
    L = gamma * A
    assert is_psd(M)
    assert is_psd(gamma * M - L * M * L.transpose())  # the theorem, without roots
    out = tk.feature_space_krope(Psi, Psi_next, r, 0.2, weights=weights, reward_range=(0, 3))
    exact = float_matrix(M)
    assert np.abs(out.map @ out.map.T - exact).max() <= 1e-12 * np.abs(exact).max()
