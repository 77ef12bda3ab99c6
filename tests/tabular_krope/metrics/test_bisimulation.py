import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import linprog

from tabular_krope.errors import KropeError
from tabular_krope.metrics.bisimulation import _longest_lifetime, bisimulation_metric
from tabular_krope.metrics.partition import bisimulation_partition
from tabular_krope.metrics.pi_bisimulation import pi_bisimulation_metric
from tabular_krope.models.induce import induce
from tabular_krope.models.mdp import MDP
from tabular_krope.models.policy import Policy


def random_mdp(seed, S=4, A=3, gamma=0.9, ending=False, levels=None, ends=(0.1, 0.5)):
    rng = np.random.default_rng(seed)
    end = rng.choice(ends, size=(S, A)) if ending else np.zeros((S, A))
    P = rng.dirichlet(np.full(S, 0.5), size=(S, A)) * (1 - end)[:, :, None]
    r = rng.integers(0, levels, size=(S, A)).astype(float) if levels else rng.uniform(-1, 1, size=(S, A))
    return MDP(P, r, gamma, end=end)


def wasserstein_by_linear_program(p, q, D):
    n = len(p)
    A = np.vstack([np.kron(np.eye(n), np.ones(n)), np.kron(np.ones(n), np.eye(n))])[:-1]
    return linprog(D.reshape(-1), A_eq=A, b_eq=np.concatenate([p, q])[:-1], method="highs").fun


def value_iteration(mdp, sweeps):
    """Plain iteration of Ferns' operator on dense rows with the end as a last point, by linear programs."""
    n, A = mdp.n_states + 1, mdp.n_actions
    P, r = np.zeros((n, A, n)), np.zeros((n, A))
    P[:-1, :, :-1], P[:-1, :, -1], P[-1, :, -1], r[:-1] = mdp.P, mdp.end, 1.0, mdp.r
    D = np.zeros((n, n))
    for _ in range(sweeps):
        new = np.zeros((n, n))
        for i in range(n):
            for j in range(i):
                costs = [
                    abs(r[i, a] - r[j, a]) + mdp.gamma * wasserstein_by_linear_program(P[i, a], P[j, a], D)
                    for a in range(A)
                ]
                new[i, j] = new[j, i] = max(costs)
        D = new
    return D[:-1, :-1], D[:-1, -1]


def optimal_values(mdp):
    V = np.zeros(mdp.n_states)
    for _ in range(10_000):
        V = (mdp.r + mdp.gamma * (mdp.P_pairs @ V).reshape(mdp.r.shape)).max(axis=1)
    return V


@pytest.mark.parametrize("gamma", [0.0, 0.5, 0.99])
def test_two_absorbing_states(gamma):
    P = np.zeros((2, 2, 2))
    P[0, :, 0] = P[1, :, 1] = 1
    D = bisimulation_metric(MDP(P, [[0.0, 1.0], [0.5, -1.0]], gamma)).matrix
    assert D[0, 1] == pytest.approx(2 / (1 - gamma))


def test_the_first_choice_of_action_is_given_up():
    # In states 0 and 1 action 0 differs by 1 now and never again, action 1 by nothing now and by 1 for ever after.
    P = np.zeros((4, 2, 4))
    P[:2, 0, 2] = P[2, :, 2] = P[3, :, 3] = 1
    P[0, 1, 2] = P[1, 1, 3] = 1
    r = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0], [1.0, 1.0]])
    D = bisimulation_metric(MDP(P, r, 0.9)).matrix
    assert D[2, 3] == pytest.approx(10)
    assert D[0, 1] == pytest.approx(9)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("ending", [False, True])
def test_agrees_with_value_iteration_by_linear_programs(seed, ending):
    mdp = random_mdp(seed, S=3, A=2, gamma=0.4, ending=ending)
    D, to_end = value_iteration(mdp, sweeps=25)
    found = bisimulation_metric(mdp)
    left = 0.4**25 * 2 / 0.6
    assert found.matrix == pytest.approx(D, abs=left + 1e-9)
    assert (found.to_end is None) == (not ending)
    if ending:
        assert found.to_end == pytest.approx(to_end, abs=left + 1e-9)


def test_gamma_one_where_every_policy_ends():
    mdp = MDP([[[0.75], [0.0]]], [[1.0, 3.0]], 1.0, end=[[0.25, 1.0]])
    # d(s, end) = max(1 + 3/4 d(s, end), 3) = 4.
    assert bisimulation_metric(mdp).to_end[0] == pytest.approx(4)
    assert _longest_lifetime(mdp) == pytest.approx(4)
    more = random_mdp(0, S=3, A=2, gamma=1.0, ending=True, ends=(0.5, 0.8))
    D, to_end = value_iteration(more, sweeps=30)
    found = bisimulation_metric(more)
    assert found.matrix == pytest.approx(D, abs=8 * 0.5**30)
    assert found.to_end == pytest.approx(to_end, abs=8 * 0.5**30)


def test_gamma_one_where_only_the_last_step_ends():
    # 0 -> 1 -> 2 -> end, one unit a step: the end is as far as the steps that are left.
    path = MDP(np.eye(3, k=1)[:, None, :], np.ones((3, 1)), 1.0, end=[[0.0], [0.0], [1.0]])
    found = bisimulation_metric(path)
    assert found.to_end == pytest.approx([3, 2, 1])
    assert found.matrix == pytest.approx(np.abs(np.subtract.outer([3, 2, 1], [3, 2, 1])))
    assert _longest_lifetime(path) == pytest.approx(3)


def test_longest_lifetime_is_the_best_over_all_policies():
    mdp = random_mdp(3, S=3, A=2, gamma=1.0, ending=True)
    longest = 0.0
    for choice in np.ndindex(2, 2, 2):
        chain = mdp.P[np.arange(3), list(choice)]
        longest = max(longest, np.linalg.solve(np.eye(3) - chain, np.ones(3)).max())
    assert _longest_lifetime(mdp) == pytest.approx(longest)


def test_gamma_one_where_a_policy_never_ends_is_refused():
    # State 0 can only go to 1; state 1 may stay for ever or end; state 2 ends.
    P = np.zeros((3, 2, 3))
    P[0, :, 1] = P[1, 0, 1] = 1
    end = [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    with pytest.raises(KropeError, match="gamma must be below 1 unless every policy ends; got 1 and state 0 can avoid"):
        bisimulation_metric(MDP(P, np.zeros((3, 2)), 1.0, end=end))


@settings(max_examples=12)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.5, 0.95]), st.booleans())
def test_laws(seed, gamma, ending):
    mdp = random_mdp(seed, gamma=gamma, ending=ending, levels=3)
    found, V = bisimulation_metric(mdp), optimal_values(mdp)
    D = found.matrix
    slack = 3 * found.error_bound + 64 * np.finfo(float).eps * (1 + np.abs(V).max()) / (1 - gamma)
    assert (D == D.T).all()
    assert (np.diag(D) == 0).all()
    assert (D[:, None, :] <= D[:, :, None] + D[None, :, :] + slack).all()
    assert (np.abs(V[:, None] - V) <= D + slack).all()
    if ending:
        assert (np.abs(V) <= found.to_end + slack).all()


@pytest.mark.parametrize("seed", range(3))
def test_zero_set_is_the_coarsest_bisimulation(seed):
    rng = np.random.default_rng(seed)
    S, A = 5, 2
    home = np.array([0, 0, 1, 1, 2])
    base = rng.dirichlet(np.ones(3), size=(3, A))
    P = np.zeros((S, A, S))
    for s in range(S):
        for b in range(3):
            members = home == b
            P[s][:, members] = base[home[s]][:, [b]] * rng.dirichlet(np.ones(members.sum()), size=A)
    mdp = MDP(P, rng.uniform(size=(3, A))[home], 0.9)
    found = bisimulation_metric(mdp)
    labels = bisimulation_partition(mdp).labels
    assert labels.tolist() == home.tolist()
    assert ((found.matrix <= found.error_bound) == (labels[:, None] == labels)).all()


def test_gamma_zero_sees_rewards_only():
    mdp = random_mdp(0, gamma=0.0)
    assert np.array_equal(bisimulation_metric(mdp).matrix, np.abs(mdp.r[:, None] - mdp.r).max(axis=2))


def test_one_action_is_the_pi_metric():
    for ending in (False, True):
        mdp = random_mdp(5, A=1, ending=ending)
        chain = induce(mdp, Policy.uniform(4, 1))
        found, other = bisimulation_metric(mdp), pi_bisimulation_metric(chain)
        assert found.matrix == pytest.approx(other.matrix, abs=found.error_bound + other.error_bound)


def test_sparse_models_give_the_same():
    mdp = random_mdp(1)
    csr = MDP(sparse.csr_array(mdp.P_pairs), mdp.r, mdp.gamma)
    assert np.allclose(bisimulation_metric(mdp), bisimulation_metric(csr), rtol=0, atol=1e-12)


def test_long_horizon_is_quick_and_certified():
    found = bisimulation_metric(random_mdp(2, S=6, A=3, gamma=0.99))
    assert found.iterations <= 100
    assert found.error_bound <= 1e-9


def test_bad_input():
    with pytest.raises(KropeError, match="mdp must be an MDP; got str"):
        bisimulation_metric("mdp")
