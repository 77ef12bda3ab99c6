"""Transport over the rationals: against linear programming, and by its own certificate."""

import numpy as np
import pytest
from scipy.optimize import linprog

from proofs_check.arithmetic.linear_algebra import floats, rationals
from proofs_check.arithmetic.transport import couple_exactly
from proofs_check.chains.generators import probabilities


def by_linear_programming(mu, nu, cost):
    n, m = cost.shape
    marginals = [np.kron(np.eye(n), np.ones(m)), np.kron(np.ones(n), np.eye(m))]
    return linprog(cost.reshape(-1), A_eq=np.vstack(marginals), b_eq=np.concatenate([mu, nu])).fun


@pytest.mark.parametrize("seed", range(12))
def test_cost_coupling_and_potentials(seed):
    rng = np.random.default_rng(seed)
    n, m = rng.integers(1, 6, size=2)
    mu, nu = probabilities(rng, True, 1, n)[0], probabilities(rng, True, 1, m)[0]
    cost = rationals(rng.integers(0, 6, size=(n, m)))
    found = couple_exactly(mu, nu, cost)
    assert found.cost == found.worth == (found.mass * cost).sum()
    assert np.all(found.mass.sum(axis=1) == mu)
    assert np.all(found.mass.sum(axis=0) == nu)
    assert np.all(found.mass >= 0)
    assert np.all(found.u[:, None] + found.v <= cost)
    assert float(floats(found.cost)) == pytest.approx(by_linear_programming(*map(floats, (mu, nu, cost))), abs=1e-9)


def test_equal_masses_leave_empty_cells_in_the_tree():
    """Four equal masses: every vertex is degenerate, and the cheapest coupling is the reversal."""
    quarter = rationals(["1/4"] * 4)
    cost = rationals([[int(i + j != 3) for j in range(4)] for i in range(4)])
    found = couple_exactly(quarter, quarter, cost)
    assert (found.cost, found.worth) == (0, 0)
    assert [found.mass[i, 3 - i] for i in range(4)] == list(quarter)
