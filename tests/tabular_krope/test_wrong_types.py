"""A thing of another kind, or a number out of reach, gets a KropeError that says what to do."""

import os

import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.data.atomic import atomic_write
from tests.cases import random_mrp

MRP = random_mrp(0, S=3, A=2)
MDP = tk.garnet(3, 2, seed=0)
PHI = np.eye(6)
ON_CHAINS = {
    "lspe": lambda model: tk.lspe(model, PHI),
    "krope_kernel": tk.krope_kernel,
    "occupancy": tk.occupancy,
    "stationary_distribution": tk.stationary_distribution,
    "value_error": lambda model: tk.value_error(model, np.zeros(6)),
    "bellman_completeness_error": lambda model: tk.bellman_completeness_error(model, PHI),
    "piecewise_completeness_error": lambda model: tk.piecewise_completeness_error(model, [0] * 6),
    "realizability_error": lambda model: tk.realizability_error(model, PHI),
    "orthogonality_correlation": lambda model: tk.orthogonality_correlation(model, PHI),
    "stabilizing_weights": lambda model: tk.stabilizing_weights(model, PHI),
    "residual_certificate": lambda model: tk.residual_certificate(model, PHI),
    "comparator_features": lambda model: tk.comparator_features(model, "random", 2),
}
ON_KERNELS = {
    "features": tk.features,
    "pivoted_cholesky": tk.pivoted_cholesky,
    "value_bounds": tk.value_bounds,
    "mmd": lambda K: tk.mmd(K, np.ones(6), np.ones(6)),
}


@pytest.mark.parametrize("name", ON_CHAINS)
def test_a_model_without_its_policy(name):
    with pytest.raises(tk.KropeError, match=r"mrp must be an MRP; got MDP \(induce\(mdp, policy\) makes one\)"):
        ON_CHAINS[name](MDP)
    with pytest.raises(tk.KropeError, match="mrp must be an MRP; got ndarray"):
        ON_CHAINS[name](np.eye(6))


@pytest.mark.parametrize("name", [name for name in ON_CHAINS if name not in ("lspe", "krope_kernel")])
def test_a_rational_chain_where_floats_are_wanted(name):
    with pytest.raises(tk.KropeError, match=r"got ExactMRP \(mrp.to_float\(\) makes one\)"):
        ON_CHAINS[name](MRP.exact())


@pytest.mark.parametrize("name", ON_KERNELS)
def test_a_chain_where_a_kernel_is_wanted(name):
    with pytest.raises(tk.KropeError, match=r"K must be a Kernel; got MRP \(krope_kernel\(mrp\) makes one\)"):
        ON_KERNELS[name](MRP)


K = tk.krope_kernel(MRP)
REFUSED = {
    "rcond-nan": (lambda: tk.lspe(MRP, PHI, solver="covariance", rcond=np.nan), r"rcond must be a number in \[0, 1\)"),
    "rcond-large": (lambda: tk.lspe(MRP, PHI, solver="covariance", rcond=5), r"rcond must be a number .* got 5"),
    "rcond-text": (lambda: tk.lspe(MRP, PHI, solver="covariance", rcond="x"), "rcond must be a number"),
    "rcond-unused": (lambda: tk.lspe(MRP, PHI, rcond=0.1), "rcond must be None unless solver is 'covariance'; got 0.1"),
    "features-large": (lambda: tk.lspe(MRP, PHI * 1e300), r"phi\[0, 0\] must be at most .* in size for float64"),
    "features-float32": (lambda: tk.lspe(MRP, PHI * 1e30, dtype="float32"), "in size for float32; got 1e"),
    "rewards-large": (lambda: tk.MRP.from_matrix(np.eye(2), [1e308, 0], 0.9), r"r\[0\] must be at most 1e\+100"),
    "rewards-subnormal": (lambda: tk.reward_kernel([5e-324, 0.0]), "r must be equal or differ by at least"),
    "range-number": (lambda: tk.krope_kernel(MRP, "exact", reward_range=5), "reward_range must be two numbers; got 5"),
    "range-short": (lambda: tk.krope_kernel(MRP.exact(), reward_range=(0,)), "reward_range must be two numbers"),
    "tolerance-text": (lambda: tk.krope_kernel(MRP, tolerance="a"), "tolerance must be positive; got 'a'"),
    "tolerance-exact": (lambda: tk.krope_kernel(MRP, "exact", tolerance=-1), "tolerance must be positive; got -1"),
    "entries": (lambda: K.entries([0, 1], [0, 1, 2]), r"shapes that broadcast; got \(2,\) and \(3,\)"),
    "distance": (lambda: K.distance([0, 1], [0, 1, 2]), "i and j must have shapes that broadcast"),
    "rows": (lambda: K.rows([[0, 1], [1, 2]]), r"i must be an integer or a vector of them; got shape \(2, 2\)"),
    "product": (lambda: K @ "a", r"V must have 6 rows; got shape \(\)"),
    "product-nan": (lambda: K @ np.full(6, np.nan), r"V\[0\] must be finite; got nan"),
    "seed": (lambda: tk.comparator_features(MRP, "random", 2, seed=-1), "seed must be"),
    "path": (lambda: tk.load(None), "path must be a string or a Path; got None"),
    "device": (lambda: atomic_write(os.devnull, lambda stream: None), "must be an ordinary file or not exist yet"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    act, message = REFUSED[name]
    with pytest.raises(tk.KropeError, match=message):
        act()


def test_features_act_as_an_array():
    phi = tk.features(K, 3)
    assert (phi[0] == phi.matrix[0]).all()
    assert (phi.T == phi.matrix.T).all()
    assert ((2 * phi + phi) == 3 * phi.matrix).all()
    assert (PHI @ phi == phi.matrix).all()
    assert np.allclose(phi @ phi.T, phi.matrix @ phi.matrix.T)
    assert [row.shape for row in phi] == [(3,)] * 6
    assert np.abs(phi).shape == (6, 3)


def test_what_is_cached_of_a_sparse_chain_cannot_be_changed():
    mrp = random_mrp(1, csr=True)
    for matrix in (mrp.P_pi, mrp.Q, mrp.P):
        with pytest.raises(ValueError, match="read-only"):
            matrix.data[0] = 0.5
