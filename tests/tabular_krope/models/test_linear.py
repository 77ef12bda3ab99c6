import numpy as np
import pytest
from scipy import sparse

from tabular_krope.errors import KropeError
from tabular_krope.models import linear
from tabular_krope.models.linear import solve_discounted
from tests.cases import all_mrps

EPS = np.finfo(float).eps
CHAINS = all_mrps()


def cycle(n):
    return sparse.csr_array((np.ones(n), (np.arange(n), (np.arange(n) + 1) % n)), shape=(n, n))


def random_sparse(n, seed=0):
    rng = np.random.default_rng(seed)
    Q = sparse.random_array((n, n), density=4 / n, rng=rng, format="csr") + sparse.eye_array(n, format="csr")
    return sparse.csr_array(sparse.diags_array(1 / Q.sum(axis=1)) @ Q)


def test_by_hand():
    v = solve_discounted(np.array([[0.5, 0.5], [0.0, 1.0]]), np.array([1.0, 0.0]), 0.5)
    np.testing.assert_allclose(v, [4 / 3, 0.0], rtol=4 * EPS)


@pytest.mark.parametrize("name", CHAINS)
def test_against_the_power_series(name):
    mrp = CHAINS[name]
    b = np.random.default_rng(0).standard_normal((mrp.n_states, 2))
    total, term, n = b.copy(), b.copy(), 0
    while np.abs(term).max() > EPS:
        term = mrp.gamma * (mrp.Q @ term)
        total += term
        n += 1
    # an error of eps in each of n steps, and the tail that was left out
    bound = (n + mrp.n_states) * EPS * mrp.horizon * np.abs(b).max() * 4
    for columns in (slice(None), 0):
        np.testing.assert_allclose(solve_discounted(mrp.Q, b[:, columns], mrp.gamma), total[:, columns], atol=bound)


@pytest.mark.parametrize("columns", [(), (2,)])
@pytest.mark.parametrize("gamma", [0.9, 0.9999])
def test_the_sparse_solvers_agree_with_dense_lu(monkeypatch, gamma, columns):
    n = 300
    b = np.random.default_rng(1).standard_normal((n, *columns))
    for Q in (random_sparse(n), cycle(n)):
        exact = solve_discounted(Q.toarray(), b, gamma)
        monkeypatch.setattr(linear, "DENSE_STATES", 10)
        v = solve_discounted(Q, b, gamma)
        monkeypatch.undo()
        np.testing.assert_allclose(v, exact, atol=16 * 10 * EPS * np.abs(exact).max() / (1 - gamma))


def test_gmres_does_not_spin_on_a_large_random_graph_nor_give_up_on_a_long_cycle(monkeypatch):
    calls = {"gmres": 0, "spsolve": 0}
    for name in calls:
        real = getattr(linear.sparse_linalg, name)

        def counted(*args, _real=real, _name=name, **kwargs):
            calls[_name] += 1
            return _real(*args, **kwargs)

        monkeypatch.setattr(linear.sparse_linalg, name, counted)
    b = np.random.default_rng(2).standard_normal(4000)
    Q = random_sparse(4000)
    v = solve_discounted(Q, b, 0.99)
    assert np.abs(b + 0.99 * (Q @ v) - v).max() <= 20 * EPS * np.abs(v).max()
    assert calls["spsolve"] == 0
    assert calls["gmres"] <= 4
    v = solve_discounted(cycle(4000), b, 0.999)
    assert np.abs(b + 0.999 * np.roll(v, -1) - v).max() <= 8 * EPS * np.abs(v).max()
    assert calls["spsolve"] >= 1


def test_a_zero_right_hand_side_gives_zero():
    assert not solve_discounted(cycle(4000), np.zeros(4000), 0.999).any()


@pytest.mark.parametrize("Q", [np.array([[1.0]]), np.array([[0.5, 0.5], [0.0, 1.0]])])
def test_a_singular_system_is_refused_not_warned_about(Q):
    with pytest.raises(KropeError, match="I - gamma Q must be far from singular in float64; got"):
        solve_discounted(Q, np.ones(len(Q)), 1.0)
    with pytest.raises(KropeError, match="I - gamma Q must be far from singular in float64; got"):
        solve_discounted(np.array([[0.5, 0.5], [0.0, 1.0]]), np.ones(2), 1 - EPS / 2)


def test_a_singular_sparse_system_is_refused(monkeypatch):
    monkeypatch.setattr(linear, "DENSE_STATES", 1)
    with pytest.raises(KropeError, match=r"I - gamma Q must be solvable to a residual of .* in float64; got"):
        solve_discounted(cycle(3), np.array([1.0, 0.0, 0.0]), 1.0)
