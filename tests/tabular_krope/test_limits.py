"""Limits of iterations: as many steps as it takes are enough, one fewer is told; bounds are above errors."""

import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.errors import KropeError
from tabular_krope.kernels import factor, stein
from tabular_krope.kernels.operator import iterate
from tabular_krope.kernels.reward import reward_kernel
from tabular_krope.kernels.stein import solve_stein, stein_residual, stein_solutions
from tabular_krope.metrics import strategy_iteration
from tabular_krope.metrics.pi_bisimulation import pi_bisimulation_metric
from tabular_krope.models import optimal
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP
from tabular_krope.models.solving import value_iteration


def corridor(n):
    """Left or right along ``n`` states; the last one pays, so that the news travels one state a round."""
    P = np.zeros((n, 2, n))
    for s in range(n):
        P[s, 0, max(s - 1, 0)] = P[s, 1, min(s + 1, n - 1)] = 1.0
    r = np.zeros((n, 2))
    r[:, 0], r[n - 1, 1] = 0.01, 1.0
    return MDP(P, r, 0.95)


def swap(gamma, leak=0.0):
    """Two states that change places, which nothing but the discount forgets."""
    return MRP.from_matrix([[0.0, 1.0 - leak], [1.0 - leak, 0.0]], [0.0, 1.0], gamma, end=[leak, leak])


def test_rounds_of_policy_iteration(monkeypatch):
    mdp = corridor(6)
    *_, rounds = optimal.howard(mdp)
    assert rounds >= 3
    for most in (rounds, rounds + 1):
        monkeypatch.setattr(optimal, "MOST_ROUNDS", most)
        assert optimal.howard(mdp)[-1] == rounds
    monkeypatch.setattr(optimal, "MOST_ROUNDS", rounds - 1)
    with pytest.raises(KropeError, match=f"policy iteration must end within {rounds - 1} rounds"):
        optimal.howard(mdp)


def test_sweeps_of_value_iteration():
    mdp = corridor(4)
    sweeps = value_iteration(mdp, 1e-3).iterations
    assert sweeps >= 3
    assert value_iteration(mdp, 1e-3, most=sweeps).iterations == sweeps
    with pytest.raises(KropeError, match="must"):
        value_iteration(mdp, 1e-3, most=sweeps - 1)


@pytest.mark.parametrize("gamma", [0.5, 0.99, 1 - 1e-9])
def test_doublings_of_the_stein_equation(gamma, monkeypatch):
    mrp = swap(gamma)
    C = np.asarray(reward_kernel(mrp.r))
    steps = solve_stein(mrp.Q, C, gamma, mrp.horizon).iterations
    monkeypatch.setattr(stein, "MOST_DOUBLINGS", steps)
    assert solve_stein(mrp.Q, C, gamma, mrp.horizon).iterations == steps
    monkeypatch.setattr(stein, "MOST_DOUBLINGS", steps - 2)
    with pytest.raises(KropeError, match=f"doubling must end within {steps - 2} steps"):
        solve_stein(mrp.Q, C, gamma, mrp.horizon)


@pytest.mark.parametrize("gamma", [0.0, 0.5, 0.99])
def test_bounds_are_the_residual_magnified_and_more_than_the_error(gamma):
    """What is left over is undone by the operator's own series, whose sum is at most the horizon."""
    for leak in (0.0, 0.25):
        mrp = swap(gamma, leak)
        C = np.asarray(reward_kernel(mrp.r))
        same, apart = 1.0, 0.0
        turn = gamma * (1 - leak) ** 2  # K_01 is its own successor; K_00 and K_11 change places
        exact = np.array([[same / (1 - turn), apart / (1 - turn)], [apart / (1 - turn), same / (1 - turn)]])
        for tolerance in (None, 1e-3, 0.1):
            for found in (solve_stein(mrp.Q, C, gamma, mrp.horizon, tolerance), iterate(mrp, C, tolerance)):
                error = np.abs(found.matrix - exact).max()
                assert error <= found.error_bound
                assert found.residual * mrp.horizon <= found.error_bound * (1 + 1e-9)
                assert tolerance is None or found.error_bound <= tolerance


@pytest.mark.parametrize("size", [1e-3, 2.0])
def test_a_residual_is_the_largest_gap_of_the_equation(size):
    mrp = swap(0.0)
    C = np.asarray(reward_kernel(mrp.r))
    wrong = np.array([[0.0, size], [size, 0.5 * size]])
    assert stein_residual(C + wrong, mrp.P_pi, C, 0.0) == pytest.approx(size)
    mrp = swap(0.5)
    K = solve_stein(mrp.Q, C, 0.5, mrp.horizon).matrix
    assert stein_residual(K + size * np.eye(2), mrp.P_pi, C, 0.5) == pytest.approx(size / 2)  # I - gamma P P' = I/2


def test_stacks_are_doubled_until_the_slowest_is_done(monkeypatch):
    gammas = np.array([0.1, 0.9, 0.999])
    Q, C = np.ones((3, 1, 1)), np.ones((3, 1, 1))
    assert stein_solutions(Q, C, gammas)[:, 0, 0] == pytest.approx(1 / (1 - gammas), rel=1e-12)
    monkeypatch.setattr(stein, "MOST_DOUBLINGS", 3)
    assert stein_solutions(Q, C, gammas)[:, 0, 0] == pytest.approx((1 - gammas**8) / (1 - gammas), rel=1e-12)


def test_doublings_of_a_factor(monkeypatch):
    A, N = np.array([[0.5]]), np.array([[1.0]])
    # The power 1/2^(2^n) is below eps = 2^-52 after 6 doublings, which are seen at the start of the seventh.
    for most, there in ((7, True), (6, False)):
        monkeypatch.setattr(factor, "MOST_DOUBLINGS", most)
        found, _ = factor.stein_factor(A, N, 1.0)
        assert (found is not None) == there
        assert not there or float(found[0, 0]) ** 2 == pytest.approx(4 / 3)


def test_steps_of_a_metric(monkeypatch):
    mrp = tk.induce(tk.garnet(6, 2, 2, seed=3, gamma=0.9), tk.Policy.uniform(6, 2))
    found = pi_bisimulation_metric(mrp)
    assert found.error_bound >= found.residual * mrp.horizon * (1 - 1e-9)
    monkeypatch.setattr(strategy_iteration, "MOST_STEPS", 1)
    with pytest.raises(KropeError, match=r"the metric must reach an error of .*; got .* after \d+ steps"):
        pi_bisimulation_metric(mrp)
