import numpy as np
import pytest
from flint import fmpq, fmpq_mat
from scipy import sparse

from tabular_krope.errors import KropeError
from tabular_krope.exact.rationals import float_vector
from tabular_krope.models.garnet import garnet
from tabular_krope.models.induce import induce
from tabular_krope.models.mrp import MRP
from tabular_krope.models.random_policy import random_policy
from tabular_krope.models.rational_garnet import rational_garnet
from tabular_krope.models.values import occupancy, stationary_distribution
from tests.cases import all_mrps

EPS = np.finfo(float).eps
CHAINS = all_mrps()
ENDLESS = {name: mrp for name, mrp in CHAINS.items() if mrp.conservative}


def test_occupancy_by_hand():
    mrp = MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [0.0, 1.0], 0.75, d0=[1.0, 0.0])
    assert occupancy(mrp).tolist() == [0.25, 0.75]
    ends = MRP.from_matrix([[0.0, 0.5], [0.0, 0.0]], [0.0, 1.0], 1.0, end=[0.5, 1.0], d0=[1.0, 0.0])
    np.testing.assert_allclose(occupancy(ends), [2 / 3, 1 / 3], rtol=4 * EPS)  # 1 and 1/2 steps of 3/2


@pytest.mark.parametrize("name", CHAINS)
def test_occupancy_is_the_normalized_power_sum(name):
    mrp = CHAINS[name]
    total, term, n = mrp.d0.copy(), mrp.d0.copy(), 0
    while term.sum() > EPS:
        term = mrp.gamma * (mrp.P_pi.T @ term)
        total += term
        n += 1
    rho = occupancy(mrp)
    assert (rho >= 0).all()
    assert abs(rho.sum() - 1) <= mrp.n_pairs * EPS
    np.testing.assert_allclose(rho, total / total.sum(), atol=8 * (n + mrp.n_pairs) * EPS * mrp.horizon)
    if mrp.conservative:
        np.testing.assert_allclose(total.sum() * (1 - mrp.gamma), 1, atol=4 * n * EPS * mrp.horizon)


@pytest.mark.parametrize("name", CHAINS)
def test_occupancy_averages_rewards_to_the_value(name):
    mrp = CHAINS[name]
    lifetime = mrp.d0 @ mrp.lifetimes
    bound = 32 * mrp.n_pairs * EPS * mrp.horizon**2 * (1 + np.abs(mrp.r).max())
    assert abs(occupancy(mrp) @ mrp.r * lifetime - mrp.d0 @ mrp.q) <= bound


@pytest.mark.parametrize("seed", range(3))
def test_occupancy_against_exact_rationals(seed):
    ex = rational_garnet(5, 2, seed=seed)
    X = ex.n_pairs
    identity = fmpq_mat(X, X, [int(i == j) for i in range(X) for j in range(X)])
    exact = (identity - ex.gamma * ex.P_pi.transpose()).solve(fmpq_mat(X, 1, list(ex.d0))) * (1 - ex.gamma)
    np.testing.assert_allclose(occupancy(ex.to_float()), float_vector(exact.entries()), atol=64 * EPS)


@pytest.mark.parametrize("name", ENDLESS)
def test_stationary_is_the_average_over_time(name):
    mrp = ENDLESS[name]
    mu = stationary_distribution(mrp)
    assert (mu >= 0).all()
    np.testing.assert_allclose(mrp.P_pi.T @ mu, mu, atol=32 * mrp.n_pairs * EPS)
    # The lazy chain has the same stationary laws, the same absorption, and no period: its powers converge.
    power = (sparse.csr_array(mrp.P_pi).toarray() + np.eye(mrp.n_pairs)) / 2
    for _ in range(20):
        power = power @ power
        power /= power.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(mu, mrp.d0 @ power, atol=1e-10)


@pytest.mark.parametrize("seed", range(3))
def test_stationary_is_the_eigenvector_of_a_single_class(seed):
    mdp = garnet(12, 3, seed=seed)
    mrp = induce(mdp, random_policy(mdp, seed=seed))
    values, vectors = np.linalg.eig(mrp.P_pi.T)
    top = np.real(vectors[:, np.argmax(values.real)])
    np.testing.assert_allclose(stationary_distribution(mrp), top / top.sum(), atol=1e-12)


def test_several_classes_are_weighted_by_absorption():
    # 0 -> 1 (1/4), 2 (1/4), itself (1/2); 1 absorbing; 2 <-> 3. Start: 0 or 3.
    P = [[0.5, 0.25, 0.25, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0]]
    mrp = MRP.from_matrix(P, np.zeros(4), 0.9, d0=[0.5, 0.0, 0.0, 0.5])
    np.testing.assert_allclose(stationary_distribution(mrp), [0.0, 0.25, 0.375, 0.375], atol=4 * EPS)
    only = MRP.from_matrix(P, np.zeros(4), 0.9, d0=[0.0, 1.0, 0.0, 0.0])
    assert stationary_distribution(only).tolist() == [0.0, 1.0, 0.0, 0.0]


def test_absorption_through_several_transient_states():
    # 0 -> 1 or 2 (1/2 each), 1 -> 3; 2 and 3 absorbing.
    P = [[0.0, 0.5, 0.5, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
    mrp = MRP.from_matrix(P, np.zeros(4), 0.9, d0=[1.0, 0.0, 0.0, 0.0])
    np.testing.assert_allclose(stationary_distribution(mrp), [0.0, 0.0, 0.5, 0.5], atol=4 * EPS)


@pytest.mark.parametrize("seed", range(4))
def test_absorption_against_powers_of_a_random_chain(seed):
    rng = np.random.default_rng(seed)
    P = np.triu(rng.dirichlet(np.ones(6), 6))  # states only go up: the last two absorb
    P[4:] = np.eye(6)[4:]
    P /= P.sum(axis=1, keepdims=True)
    mrp = MRP.from_matrix(P, np.zeros(6), 0.9, d0=np.eye(6)[0])
    np.testing.assert_allclose(stationary_distribution(mrp), np.linalg.matrix_power(P, 4096)[0], atol=1e-12)


def test_stationary_against_exact_rationals():
    ex = rational_garnet(6, 2, seed=4, branching=3)
    X = ex.n_pairs
    system = ex.P_pi.transpose() - fmpq_mat(X, X, [int(i == j) for i in range(X) for j in range(X)])
    for j in range(X):
        system[X - 1, j] = 1
    exact = system.solve(fmpq_mat(X, 1, [fmpq(0)] * (X - 1) + [fmpq(1)]))  # unique: the chain has one class
    np.testing.assert_allclose(stationary_distribution(ex.to_float()), float_vector(exact.entries()), atol=64 * EPS)


def test_large_sparse_chains():
    mdp = garnet(4000, 2, sparse=True, gamma=0.99, seed=0)
    mrp = induce(mdp, random_policy(mdp))
    mu, rho = stationary_distribution(mrp), occupancy(mrp)
    np.testing.assert_allclose(mrp.P_pi.T @ mu, mu, atol=1e3 * EPS * mu.max())
    np.testing.assert_allclose(rho, 0.01 * mrp.d0 + 0.99 * (mrp.P_pi.T @ rho), atol=1e3 * EPS * rho.max())


def test_a_chain_that_ends_has_none():
    with pytest.raises(KropeError, match=r"mrp must never end from d0 .*; got an end after pair 0"):
        stationary_distribution(CHAINS["ending"])
    P, end = [[0.0, 1.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 1.0]], [0.0, 0.5, 0.0]
    with pytest.raises(KropeError, match=r"mrp must never end from d0 .*; got an end after state 1"):
        stationary_distribution(MRP.from_matrix(P, np.zeros(3), 0.9, end, d0=[1.0, 0.0, 0.0]))
    away = MRP.from_matrix(P, np.zeros(3), 0.9, end, d0=[0.0, 0.0, 1.0])
    assert stationary_distribution(away).tolist() == [0.0, 0.0, 1.0]


def test_a_pair_that_may_end_is_named_though_others_do_not():
    mrp = MRP.from_matrix([[0.5, 0.0], [0.0, 1.0]], r=[0.0, 1.0], gamma=0.5, end=[0.5, 0.0])
    with pytest.raises(KropeError, match="pair 0"):
        stationary_distribution(mrp)
