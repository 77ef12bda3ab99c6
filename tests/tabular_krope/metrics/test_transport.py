import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from tabular_krope.errors import KropeError
from tabular_krope.metrics import transport as module
from tabular_krope.metrics.transport import couple, transport

EPS = np.finfo(float).eps


def by_linear_program(mu, nu, C):
    n, m = C.shape
    rows = np.kron(np.eye(n), np.ones(m))
    columns = np.kron(np.ones(n), np.eye(m))
    # The last constraint follows from the others; leaving it out keeps rounding from making the program infeasible.
    A, b = np.vstack([rows, columns])[:-1], np.concatenate([mu, nu])[:-1]
    return linprog(C.reshape(-1), A_eq=A, b_eq=b, method="highs").fun


def test_by_hand():
    # Half of the mass moves one step to the right, or a quarter moves two: the line's cost is the area between CDFs.
    C = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0)))
    found = transport([0.5, 0.5, 0.0], [0.25, 0.5, 0.25], C)
    assert found.value == pytest.approx(0.5)
    assert found.coupling[2].tolist() == [0, 0, 0]


@given(st.integers(0, 10**6))
def test_agrees_with_a_linear_program(seed):
    rng = np.random.default_rng(seed)
    n, m = rng.integers(1, 7, size=2)
    mu, nu = rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(m))
    mu[rng.random(n) < 0.3] = 0.0
    mu = mu / mu.sum() if mu.any() else np.ones(n) / n
    C = rng.uniform(size=(n, m)) * 10.0 ** rng.integers(-6, 6)
    found = transport(mu, nu, C)
    top = C.max()
    assert found.value / top == pytest.approx(by_linear_program(mu, nu, C / top), abs=1e-9)
    assert 0 <= found.gap <= 8 * EPS * (n + m) * top
    assert (found.coupling >= 0).all()
    assert np.allclose(found.coupling.sum(axis=1), mu, rtol=0, atol=4 * EPS)
    assert np.allclose(found.coupling.sum(axis=0), nu, rtol=0, atol=4 * EPS)
    assert found.value == pytest.approx((found.coupling * C).sum())


def test_small_costs_are_optimised_as_well_as_large_ones():
    rng = np.random.default_rng(0)
    for _ in range(20):
        mu, nu, C = rng.dirichlet(np.ones(9)), rng.dirichlet(np.ones(9)), rng.uniform(size=(9, 9))
        assert transport(mu, nu, 1e-9 * C).value == pytest.approx(1e-9 * transport(mu, nu, C).value, rel=1e-13)


def test_total_mass_scales_the_cost():
    C = [[0.0, 3.0], [1.0, 0.0]]
    assert transport([0.5, 0.0], [0.0, 0.5], C).value == 1.5
    assert transport([1.0, 1.0], [0.5, 1.5], C).value == 1.5
    assert transport([0.2, 0.2], [0.4, 0.0], C).value == pytest.approx(0.2)


def test_one_point_and_free_transport():
    assert couple(np.array([1.0]), np.array([0.5, 0.5]), np.array([[1.0, 3.0]])).value == 2.0
    free = couple(np.array([0.5, 0.5]), np.array([0.25, 0.75]), np.zeros((2, 2)))
    assert free.value == free.gap == 0.0
    assert np.allclose(free.coupling.sum(axis=0), [0.25, 0.75])


def test_a_coupling_that_is_not_optimal_is_refused(monkeypatch):
    def lazy(a, b, C):
        return np.outer(a, b), np.zeros(len(a))

    monkeypatch.setattr(module, "network_simplex", lambda: lazy)
    with pytest.raises(KropeError, match=r"network simplex must close its duality gap to .*; got 0\.5"):
        transport([0.5, 0.5], [0.5, 0.5], [[0.0, 1.0], [1.0, 0.0]])


@pytest.mark.parametrize(
    ("mu", "nu", "cost", "message"),
    [
        ([0.5, -0.5], [1.0], [[0.0], [0.0]], r"mu\[1\] must be non-negative; got -0.5"),
        ([1.0], [0.5], [[0.0]], "nu must have the same sum as mu, 1; got 0.5"),
        ([0.0], [0.0], [[0.0]], "mu must have a positive sum; got 0"),
        ([1.0], [0.0], [[0.0]], "nu must have a positive sum; got 0"),
        ([1.0], [1.0], [[np.nan]], r"cost\[0, 0\] must be finite; got nan"),
        ([1.0], [1.0], [[0.0, 1.0]], r"cost must have shape \(1, 1\); got \(1, 2\)"),
    ],
)
def test_bad_input(mu, nu, cost, message):
    with pytest.raises(KropeError, match=message):
        transport(mu, nu, cost)


def test_the_module_loads_without_pot():
    code = "import sys, tabular_krope.metrics.transport; sys.exit('ot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
