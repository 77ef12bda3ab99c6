from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from tabular_krope.arrays import dense
from tabular_krope.errors import KropeError
from tabular_krope.metrics.mico import mico
from tabular_krope.metrics.partition import bisimulation_partition
from tabular_krope.metrics.pi_bisimulation import pi_bisimulation_metric
from tabular_krope.models.mrp import MRP
from tests.cases import all_mrps, random_mrp

CHAINS = all_mrps()
CHAINS["blown-up"] = MRP.from_matrix(
    [[0.1, 0.4, 0.5, 0.0], [0.3, 0.2, 0.2, 0.3], [0.0, 0.3, 0.6, 0.1], [0.2, 0.1, 0.1, 0.6]], [1.0, 1.0, 0.0, 0.0], 0.9
)
CONSERVATIVE = [name for name, chain in CHAINS.items() if chain.conservative]


@cache
def metric_of(name):
    return pi_bisimulation_metric(CHAINS[name])


def wasserstein_by_linear_program(p, q, D):
    n = len(p)
    A = np.vstack([np.kron(np.eye(n), np.ones(n)), np.kron(np.ones(n), np.eye(n))])[:-1]
    return linprog(D.reshape(-1), A_eq=A, b_eq=np.concatenate([p, q])[:-1], method="highs").fun


def value_iteration(chain, sweeps):
    """Plain iteration of the operator on dense rows with the end as a last point, by linear programs."""
    n = chain.n_pairs + 1
    P = np.zeros((n, n))
    P[:-1, :-1], P[:-1, -1], P[-1, -1] = dense(chain.P_pi), chain.end, 1.0
    r = np.append(chain.r, 0.0)
    D = np.zeros((n, n))
    for _ in range(sweeps):
        new = np.zeros((n, n))
        for i in range(n):
            for j in range(i):
                w = wasserstein_by_linear_program(P[i], P[j], D)
                new[i, j] = new[j, i] = abs(r[i] - r[j]) + chain.gamma * w
        D = new
    return D[:-1, :-1], D[:-1, -1]


@pytest.mark.parametrize("gamma", [0.0, 0.5, 0.99, 0.99999])
def test_two_absorbing_pairs(gamma):
    D = pi_bisimulation_metric(MRP.from_matrix(np.eye(2), [-1.0, 1.0], gamma)).matrix
    assert D[0, 1] == pytest.approx(2 / (1 - gamma), rel=1e-10)


def test_witness_c1_attains_the_value_bound():
    P = np.zeros((6, 6))
    P[0, 2:4], P[1, 2:4] = [0.75, 0.25], [0.25, 0.75]
    P[2, 4] = P[3, 5] = P[4, 4] = P[5, 5] = 1
    chain = MRP.from_matrix(P, [0, 0, 0, 0, 1, -1], 0.9)
    D = pi_bisimulation_metric(chain).matrix
    assert D[4, 5] == pytest.approx(20)
    assert D[2, 3] == pytest.approx(18)
    assert D[0, 1] == pytest.approx(8.1)
    assert D[0, 1] == pytest.approx(abs(chain.q[0] - chain.q[1]))


def test_witness_c3_is_told_apart_although_krope_cannot():
    P = np.zeros((7, 7))
    P[0, 2:4] = P[4, 5:7] = 0.5
    P[1, 4] = P[2, 5] = P[3, 6] = P[5, 5] = P[6, 6] = 1
    D = pi_bisimulation_metric(MRP.from_matrix(P, [0, 0, 0, 0, 0, 1, -1], 0.9)).matrix
    assert D[2, 4] == pytest.approx(9)
    assert D[0, 1] == pytest.approx(8.1)


def test_one_pair_that_may_end():
    found = pi_bisimulation_metric(MRP.from_matrix([[0.5]], [2.0], 0.9, end=[0.5]))
    assert found.matrix.tolist() == [[0.0]]
    assert found.to_end[0] == pytest.approx(2 / 0.55)


def test_living_on_without_reward_is_as_good_as_ending():
    chain = MRP.from_matrix([[0, 0, 0], [0, 0, 1], [0, 0, 1]], [1.0, 1.0, 0.0], 0.9, end=[1.0, 0.0, 0.0])
    found = pi_bisimulation_metric(chain)
    assert found.matrix[0, 1] == found.to_end[2] == 0.0
    assert found.to_end[0] == found.to_end[1] == 1.0
    assert bisimulation_partition(chain).n_blocks == 3


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("ending", [False, True])
def test_agrees_with_value_iteration_by_linear_programs(seed, ending):
    chain = random_mrp(seed, S=2, A=2, gamma=0.4, ending=ending)
    D, to_end = value_iteration(chain, sweeps=25)
    found = pi_bisimulation_metric(chain)
    left = 0.4**25 * np.ptp(np.append(chain.r, 0.0)) / 0.6
    assert found.matrix == pytest.approx(D, abs=left + 1e-9)
    if ending:
        assert found.to_end == pytest.approx(to_end, abs=left + 1e-9)
    else:
        assert found.to_end is None


def test_gamma_one_agrees_with_value_iteration_by_linear_programs():
    chain = CHAINS["gamma-one"]
    D, to_end = value_iteration(chain, sweeps=25)
    found = metric_of("gamma-one")
    assert found.matrix == pytest.approx(D, abs=0.5**25 * 4)
    assert found.to_end == pytest.approx(to_end, abs=0.5**25 * 4)


@settings(max_examples=15)
@given(st.integers(0, 10**6))
def test_deterministic_chains_sum_reward_differences(seed):
    rng = np.random.default_rng(seed)
    step, r, gamma = rng.integers(0, 5, size=5), rng.uniform(size=5), 0.8
    chain = MRP.from_matrix(np.eye(5)[step], r, gamma)
    at, total = np.arange(5), np.zeros((5, 5))
    for n in range(200):
        total += gamma**n * np.abs(r[at][:, None] - r[at])
        at = step[at]
    found = pi_bisimulation_metric(chain)
    assert found.matrix == pytest.approx(total, abs=found.error_bound + 5 * gamma**200)
    assert found.matrix == pytest.approx(mico(chain), abs=1e-12)


@pytest.mark.parametrize("name", CHAINS)
def test_pseudometric(name):
    found = metric_of(name)
    D = found.matrix
    assert (D == D.T).all()
    assert (np.diag(D) == 0).all()
    assert (D >= 0).all()
    assert (D[:, None, :] <= D[:, :, None] + D[None, :, :] + 3 * found.error_bound).all()


@pytest.mark.parametrize("name", CHAINS)
def test_values_differ_by_no_more(name):
    found, q = metric_of(name), CHAINS[name].q
    slack = found.error_bound + 64 * np.finfo(float).eps * np.abs(q).max()
    assert (np.abs(q[:, None] - q) <= found.matrix + slack).all()
    if found.to_end is not None:
        assert (np.abs(q) <= found.to_end + slack).all()


@pytest.mark.parametrize("name", CONSERVATIVE)
def test_zero_set_is_the_coarsest_bisimulation(name):
    chain, found = CHAINS[name], metric_of(name)
    labels = bisimulation_partition(chain).labels if chain.gamma > 0 else chain.r
    assert ((found.matrix <= found.error_bound) == (labels[:, None] == labels)).all()


def test_the_blown_up_chain_has_two_blocks():
    assert bisimulation_partition(CHAINS["blown-up"]).blocks == ((0, 1), (2, 3))


@pytest.mark.parametrize("name", CHAINS)
def test_evidence(name):
    chain, found = CHAINS[name], metric_of(name)
    assert 0 <= found.residual <= found.error_bound
    if chain.conservative:
        assert found.error_bound >= found.residual / (1 - chain.gamma)
    lifetime = 2 * chain.horizon
    size = max(np.ptp(np.append(chain.r, 0.0)), np.ptp(chain.r)) * lifetime
    assert found.error_bound <= 8 * np.finfo(float).eps * max(chain.n_pairs + 1, 4) * size * lifetime
    assert found.iterations <= 20


def test_never_above_mico_on_a_chain_that_never_ends():
    # The independent coupling is one coupling among those that are minimized over.
    for name in CONSERVATIVE:
        assert (metric_of(name).matrix <= mico(CHAINS[name]) + metric_of(name).error_bound).all()


def test_bad_input():
    with pytest.raises(KropeError, match="mrp must be an MRP; got ExactMRP"):
        pi_bisimulation_metric(CHAINS["random"].exact())
