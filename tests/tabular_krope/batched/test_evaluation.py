"""Stacks against the functions that judge single models: other algorithms for kernel, features and solves."""

import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.batched.chains import Chains, krope_features, weighted_spectra
from tabular_krope.batched.evaluation import evaluate
from tabular_krope.kernels.stein import stein_solutions
from tabular_krope.models.mrp import MRP

N = 6


@pytest.fixture(scope="module")
def mrps():
    models = [tk.garnet(5, 3, branching=2, gamma=g, seed=k) for k, g in enumerate((0.5, 0.9, 0.99, 0.9, 0.0, 0.99))]
    return [tk.induce(mdp, tk.random_policy(mdp, seed=k)) for k, mdp in enumerate(models)]


@pytest.fixture(scope="module")
def chains(mrps):
    return Chains.stack(mrps)


def weights(name, mrps):
    if name == "uniform":
        return np.full((N, 15), 1 / 15)
    if name == "occupancy":
        return np.stack([tk.occupancy(mrp) for mrp in mrps])
    D = np.random.default_rng(5).dirichlet(np.ones(15), N)
    D[:, ::4] = 0
    return D / D.sum(axis=1, keepdims=True)


def assert_close(found, wanted, condition=1.0, size=1.0):
    assert found == pytest.approx(wanted, rel=1e-9 * condition, abs=1e-11 * condition * size)


def test_values_and_kernels(mrps, chains):
    K = chains.kernel()
    for k, mrp in enumerate(mrps):
        assert_close(chains.q[k], mrp.q)
        assert_close(K[k], tk.krope_kernel(mrp).matrix())
        assert_close(chains.after(np.ones((N, 15, 1)))[k], np.ones((15, 1)))


def test_pairs_may_be_the_states(chains):
    """The same processes with transitions between pairs: everything is solved on pairs, and is the same."""
    on_pairs = Chains(chains.P @ chains.Pi, chains.r, chains.gamma, chains.end)
    assert_close(on_pairs.q, chains.q)
    assert_close(on_pairs.kernel(), chains.kernel())
    F = np.random.default_rng(0).standard_normal((N, 15, 2))
    assert_close(on_pairs.after(F), chains.after(F))
    assert_close(on_pairs.take([3]).member(0).q, chains.q[3])


def test_a_member_ends_where_its_chain_does():
    law = [[0.25, 0.5], [0.0, 1.0]]
    alone = Chains(np.array([law]), np.array([[1.0, 2.0]]), np.array([0.5]), np.array([[0.25, 0.0]])).member(0)
    assert alone.end.tolist() == [0.25, 0.0]
    assert alone.d0.tolist() == [0.5, 0.5]
    assert_close(alone.q, MRP.from_matrix(law, [1.0, 2.0], 0.5, end=[0.25, 0.0]).q)


def test_stein_solutions_against_the_kronecker_system():
    rng = np.random.default_rng(0)
    Q, C = rng.dirichlet(np.ones(3), (2, 3)), rng.standard_normal((2, 3, 3))
    C = C + C.transpose(0, 2, 1)
    for gamma, k in ((0.9, 0), (0.3, 1)):
        direct = np.linalg.solve(np.eye(9) - gamma * np.kron(Q[k], Q[k]), C[k].reshape(-1)).reshape(3, 3)
        assert_close(stein_solutions(Q, C, np.array([0.9, 0.3]))[k], direct)


def test_stein_solutions_without_discounting_where_every_episode_ends():
    rng = np.random.default_rng(1)
    Q = np.stack([rng.dirichlet(np.ones(4), 3)[:, :3], np.diag([1 - 1e-3] * 3), np.eye(3, k=1)])
    C = np.stack([np.ones((3, 3))] * 3)
    found = stein_solutions(Q, C, np.array([1.0, 1.0, 1.0]))
    for k in range(3):
        direct = np.linalg.solve(np.eye(9) - np.kron(Q[k], Q[k]), C[k].reshape(-1)).reshape(3, 3)
        assert_close(found[k], direct)
    assert_close(stein_solutions(Q, C, np.array([1.0, 0.5, 1.0]))[2], np.array([[3, 2, 1], [2, 2, 1], [1, 1, 1]]))


@pytest.mark.parametrize("name", ["uniform", "occupancy", "zeros"])
def test_features_are_the_nystrom_form(mrps, chains, name):
    D = weights(name, mrps)
    K = chains.kernel()
    Phi, values = krope_features(K, D)
    assert (np.diff(weighted_spectra(K, D)[0], axis=1) <= 0).all()
    for k, mrp in enumerate(mrps):
        single = tk.features(tk.krope_kernel(mrp), 4, D[k])
        assert_close(values[k, :4], single.eigenvalues, condition=10)
        signs = np.sign(np.sum(Phi[k, :, :4] * single.matrix, axis=0))
        assert_close(Phi[k, :, :4] * signs, single.matrix, condition=1e3)


@pytest.mark.parametrize("name", ["uniform", "occupancy", "zeros"])
@pytest.mark.parametrize("kind", ["krope", "one-hot", "random", "successor", "eigen", "doubled"])
@pytest.mark.parametrize("d", [1, 4])
def test_every_number_is_that_of_the_single_model(mrps, chains, name, kind, d):
    D = weights(name, mrps)
    if kind == "krope":
        each = [tk.features(tk.krope_kernel(mrp), d, D[k]).matrix for k, mrp in enumerate(mrps)]
    elif kind == "doubled":  # rank d with 2 d columns
        each = [np.tile(tk.comparator_features(mrp, "random", d, seed=k), 2) for k, mrp in enumerate(mrps)]
    else:
        each = [tk.comparator_features(mrp, kind, d, seed=k) for k, mrp in enumerate(mrps)]
    found = evaluate(chains, np.stack(each), D)
    for k, (mrp, phi) in enumerate(zip(mrps, each, strict=True)):
        out = tk.lspe(mrp, phi, D[k], steps=0)
        c, size = out.condition**2 if out.rank else 1.0, max(1.0, float(np.abs(out.q_hat).max()))
        assert_close(found.spectral_radius[k], out.spectral_radius, condition=10 * c)
        assert_close(found.norm[k], out.norm, condition=c)
        assert found.rank[k] == out.rank == np.linalg.matrix_rank(np.sqrt(D[k])[:, None] * phi)
        assert_close(found.condition[k], out.condition, condition=c)
        assert_close(
            found.realizability[k], tk.realizability_error(mrp, phi), condition=c, size=float(np.abs(mrp.q).max())
        )
        amplified = c / abs(1 - out.spectral_radius)
        assert_close(found.value_error[k], tk.value_error(mrp, out.q_hat), condition=amplified, size=size**2)
        assert_close(found.largest_error[k], np.abs(out.q_hat - mrp.q).max(), condition=amplified, size=size)
        assert_close(found.completeness[k], tk.bellman_completeness_error(mrp, phi, D[k]), condition=c)
        assert_close(
            found.completeness_linear[k], tk.bellman_completeness_error(mrp, phi, D[k], kind="linear"), condition=c
        )


def test_a_fixed_point_that_is_not_unique_is_that_of_least_norm():
    chain = MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [1.0, 0.0], gamma=0.5)
    phi, D = np.array([[1.0], [2.0]]), np.array([1.0, 0.0])  # L = 1
    found = evaluate(Chains.stack([chain]), phi[None], D[None])
    assert found.spectral_radius == pytest.approx(1.0)
    assert found.largest_error == pytest.approx(np.abs(tk.lspe(chain, phi, D).q_hat - chain.q).max())


def test_data_that_do_not_see_a_direction_make_the_linear_class_incomplete():
    chain = MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [0.0, 0.0], gamma=0.9)
    found = evaluate(Chains.stack([chain]), np.eye(2)[None], np.array([[1.0, 0.0]]))
    assert found.completeness_linear == np.inf == tk.bellman_completeness_error(chain, np.eye(2), [1, 0], kind="linear")


def test_features_of_singular_kernels_leave_out_null_directions():
    # Two twins: the kernel has rank 1, and its null direction must give a zero column, not a division by zero.
    chain = MRP.from_matrix([[0.5, 0.5], [0.5, 0.5]], [1.0, 1.0], gamma=0.5)
    stack = Chains.stack([chain])
    K = stack.kernel()
    Phi, values = krope_features(K, np.array([[0.5, 0.5]]))
    assert K[0].tolist() == [[2.0, 2.0], [2.0, 2.0]]
    assert_close(values[0], [2.0, 0.0])
    assert_close(np.abs(Phi[0]), np.array([[2**0.5, 0.0], [2**0.5, 0.0]]))


@pytest.mark.parametrize("seed", range(3))
def test_small_singular_values_do_not_spoil_the_radius_where_a_pair_has_no_data(seed):
    # Data on a closed set and as many features: rho(L) = gamma exactly, however nearly dependent the features are.
    rng = np.random.default_rng(seed)
    P = np.zeros((5, 5))
    P[:, :4] = rng.dirichlet(np.ones(4), 5)
    chain = MRP.from_matrix(P, rng.standard_normal(5), gamma=0.9)
    D = np.array([[0.25, 0.25, 0.25, 0.25, 0.0]])
    U, V = (np.linalg.qr(rng.standard_normal((4, 4)))[0] for _ in range(2))
    Phi = np.vstack([U * [1.0, 1e-3, 1e-6, 1e-9] @ V, rng.standard_normal((1, 4))])
    found = evaluate(Chains.stack([chain]), Phi[None], D)
    assert found.condition[0] > 1e8
    assert found.spectral_radius[0] == pytest.approx(0.9, abs=1e-12)


def test_values_of_zero_are_realizable_by_anything():
    chain = MRP.from_matrix([[1.0]], [0.0], gamma=0.9)
    assert evaluate(Chains.stack([chain]), np.ones((1, 1, 1)), np.ones((1, 1))).realizability == [0.0]


def test_what_cannot_be_stacked_is_refused(mrps):
    with pytest.raises(
        tk.KropeError, match=r"mrps must be at least one, all of one size; got .* \[\(1, 1\), \(15, 5\)\]"
    ):
        Chains.stack([mrps[0], MRP.from_matrix([[1.0]], [1.0], 0.5)])
    with pytest.raises(tk.KropeError, match=r"mrps\[0\] must have gamma below 1; got 1"):
        Chains.stack([MRP.from_matrix([[0.0]], [1.0], 1.0, end=[1.0])])
