"""Closed-form KROPE against its definition, the exact kernel, and LSPE on the rows."""

from dataclasses import replace

import numpy as np
import pytest

import tabular_krope as tk
from tests.tabular_krope.closed_form.transitions import literal, lspe_norm, random_rows, tabular_rows


@pytest.mark.parametrize("behaviour", ["everywhere", "pairs without data"])
@pytest.mark.parametrize("gamma", [0.0, 0.9, 0.99])
def test_one_hot_features_give_the_exact_kernel_of_the_empirical_mdp(behaviour, gamma):
    mdp = tk.garnet(6, 3, branching=3, gamma=gamma, seed=1)
    target = np.full((6, 3), 1 / 3)
    data_policy = np.full((6, 3), 1 / 3)
    if behaviour == "pairs without data":  # action 2 is never tried, and never wanted
        target, data_policy = np.tile([0.3, 0.7, 0.0], (6, 1)), np.tile([0.5, 0.5, 0.0], (6, 1))
    policy = tk.Policy(target)
    data = tk.sample_dataset(mdp, tk.Policy(data_policy), 3000, seed=2, restart=0.2)
    mrp = tk.empirical_mrp(data, policy)
    rows = *tabular_rows(data, policy), data.r
    out = tk.feature_space_krope(*rows, gamma=gamma, reward_range=(-1, 1))
    kernel = tk.krope_kernel(mrp, reward_range=(-1, 1))
    K = kernel.matrix()
    seen = mrp.weights > 0
    assert out.span == seen.sum() == (18 if behaviour == "everywhere" else 12)
    assert np.abs((out.map @ out.map.T - K)[np.ix_(seen, seen)]).max() <= 1e-11 / (1 - gamma)
    assert not out.map[~seen].any()
    assert out.values(np.eye(18))[seen] == pytest.approx(mrp.q[seen], abs=1e-9)
    top = tk.features(kernel, 4, weights=mrp.weights)
    four = tk.feature_space_krope(*rows, gamma=gamma, d=4, reward_range=(-1, 1))
    assert four.eigenvalues == pytest.approx(top.eigenvalues, rel=1e-10)
    assert np.abs((four.map @ four.map.T - top.matrix @ top.matrix.T)[np.ix_(seen, seen)]).max() <= 1e-9 / (1 - gamma)


@pytest.mark.parametrize("levels", [None, 3, 1])
@pytest.mark.parametrize(("ridge", "reward_range"), [(0.0, None), (0.3, (-9.0, 9.0))])
def test_every_quantity_follows_its_definition(levels, ridge, reward_range):
    Psi, Psi_next, r, weights = random_rows(0, levels=levels)
    G, A, M = literal(Psi, Psi_next, r, 0.9, weights, reward_range, ridge)
    out = tk.feature_space_krope(Psi, Psi_next, r, 0.9, None, weights, reward_range, ridge)
    assert out.map @ out.map.T == pytest.approx(M, rel=1e-9, abs=1e-9)
    assert out.base_radius == pytest.approx(np.abs(np.linalg.eigvals(A)).max())
    half = np.linalg.cholesky(G)
    eigenvalues, V = np.linalg.eigh(half.T @ M @ half)
    assert out.eigenvalues == pytest.approx(eigenvalues[::-1])
    top = np.linalg.solve(half.T, V[:, :-3:-1] * np.sqrt(eigenvalues[:-3:-1]))
    two = tk.feature_space_krope(Psi, Psi_next, r, 0.9, 2, weights, reward_range, ridge)
    assert two.map @ two.map.T == pytest.approx(top @ top.T)
    assert two.rank == out.rank == 5
    assert two.transitions == (weights > 0).sum()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("levels", [None, 2])
def test_certificate_holds_at_every_d_by_an_independent_computation(seed, levels):
    Psi, Psi_next, r, weights = random_rows(seed, levels=levels)
    for d in range(1, 6):
        out = tk.feature_space_krope(Psi, Psi_next, r, 0.95, d=d, weights=weights)
        Phi, Phi_next = out.features(Psi), out.features(Psi_next)
        found = lspe_norm(Phi, Phi_next, 0.95, weights)
        assert out.norm == pytest.approx(found, rel=1e-10)
        assert found <= np.sqrt(0.95) + out.tolerance
        assert out.tolerance < 1e-8
        lspe = tk.lspe_on_data(Phi, Phi_next, r, 0.95, weights)
        assert out.spectral_radius == pytest.approx(lspe.spectral_radius, rel=1e-9)
        assert out.theta == pytest.approx(lspe.theta, rel=1e-8)
        assert out.condition == pytest.approx(lspe.condition, rel=1e-8)
        assert out.values(Psi) == pytest.approx(lspe.q_hat, rel=1e-8)
        assert out.certified


def test_perturbing_one_row_of_the_features_breaks_the_check():
    # Two rewards and five features: sqrt(gamma) is attained, so that there is no slack for a perturbation to hide in.
    Psi, Psi_next, r, weights = random_rows(1, levels=2)
    out = tk.feature_space_krope(Psi, Psi_next, r, 0.95, weights=weights)
    Phi, Phi_next = out.features(Psi), out.features(Psi_next)
    assert out.norm == pytest.approx(np.sqrt(0.95), abs=1e-12)
    for row in (np.flatnonzero(weights)[i] for i in (0, 7, -1)):
        moved = Phi.copy()
        moved[row] += 1e-3
        assert lspe_norm(moved, Phi_next, 0.95, weights) > np.sqrt(0.95) + 1e3 * out.tolerance
        moved = Phi_next.copy()
        moved[row] += 1e-3
        assert lspe_norm(Phi, moved, 0.95, weights) > np.sqrt(0.95) + 1e3 * out.tolerance


def test_what_does_not_matter():
    Psi, Psi_next, r, weights = random_rows(3, levels=4)
    rng = np.random.default_rng(0)
    base = tk.feature_space_krope(Psi, Psi_next, r, 0.9, 3, weights)
    Phi = base.features(Psi)
    mix = rng.standard_normal((5, 5)) * np.array([1.0, 1e4, 1e-4, 1.0, 10.0])
    order = rng.permutation(len(r))
    seen = weights > 0

    def features(Psi, Psi_next, r, weights):
        return tk.feature_space_krope(Psi, Psi_next, r, 0.9, 3, weights)

    twice = [np.concatenate([v, v]) for v in (Psi, Psi_next, r, weights)]
    wider = [np.hstack([v, 0 * v[:, :1]]) for v in (Psi, Psi_next)]
    same = {
        "other coordinates": features(Psi @ mix, Psi_next @ mix, r, weights).features(Psi @ mix),
        "scaled rewards": features(Psi, Psi_next, 7 * r - 3, weights).features(Psi),
        "scaled weights": features(Psi, Psi_next, r, 50 * weights).features(Psi),
        "order of the rows": features(Psi[order], Psi_next[order], r[order], weights[order]).features(Psi),
        "rows without weight": features(Psi[seen], Psi_next[seen], r[seen], weights[seen]).features(Psi),
        "rows in two halves": features(*twice).features(Psi),
        "single precision rewards": features(Psi, Psi_next, r.astype(np.float32), weights).features(Psi),
        "a column of zeros": features(*wider, r, weights).features(wider[0]),
    }
    for name, other in same.items():
        assert np.abs(other @ other.T - Phi @ Phi.T).max() <= 1e-7 * np.abs(Phi @ Phi.T).max(), name


def test_single_precision_arrays_are_read_as_they_are():
    Psi, Psi_next, r, _ = random_rows(3)
    Psi, Psi_next = Psi.astype(np.float32), Psi_next.astype(np.float32)
    low = tk.feature_space_krope(Psi, Psi_next, r, 0.9)
    assert np.array_equal(low.map, tk.feature_space_krope(Psi.astype(float), Psi_next.astype(float), r, 0.9).map)


def test_gamma_zero_and_ends_everywhere():
    Psi, Psi_next, r, weights = random_rows(4)
    for gamma, after in ((0.0, Psi_next), (0.9, 0 * Psi_next), (1.0, 0 * Psi_next)):
        out = tk.feature_space_krope(Psi, after, r, gamma, 2, weights)
        assert out.norm == out.spectral_radius == 0
        root = np.sqrt(weights)[:, None]
        full = tk.feature_space_krope(Psi, after, r, gamma, None, weights)
        regression = np.linalg.lstsq(root * Psi, root[:, 0] * r, rcond=None)[0]
        assert full.values(Psi) == pytest.approx(Psi @ regression)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"Psi": np.zeros((3, 0)), "Psi_next": np.zeros((3, 0))}, "Psi must be a matrix with at least one row"),
        ({"Psi": np.ones(3)}, "Psi must be a matrix"),
        ({"Psi": "abc"}, "Psi must be an array of numbers"),
        ({"Psi_next": np.ones((3, 1))}, r"Psi_next must have shape \(3, 2\) like Psi; got \(3, 1\)"),
        ({"Psi_next": np.array([[0, 0], [0, np.nan], [0, 0]])}, r"Psi_next\[1, 1\] must be finite; got nan"),
        ({"Psi_next": np.array([[0, np.inf], [0, 0], [0, 0]])}, r"Psi_next\[0, 1\] must be finite; got inf"),
        ({"r": [1.0]}, r"r must have shape \(3\)"),
        ({"weights": [0, 0, 0]}, "weights must have a positive sum"),
        ({"d": 3}, "d must be at most the rank 2 of the kernel on the data; got 3"),
        ({"d": 0}, "d must be an integer of at least 1"),
        ({"gamma": -1}, "gamma must lie"),
        ({"ridge": -1.0}, "ridge must be a number in"),
        ({"ridge": True}, "ridge must be a number in"),
        ({"rcond": 1.0}, "rcond must be a number in"),
        ({"reward_range": (0.0, 0.5)}, "reward_range must cover"),
        ({"Psi": np.zeros((3, 2))}, "Psi must have a non-zero row with positive weight; got zeros only"),
        ({"Psi": np.array([[1.0, 0], [-1, 0], [0, 0]]), "r": [0, 0, 0]}, "got a kernel that is zero"),
    ],
)
def test_bad_input(change, message):
    given = {"Psi": np.array([[1.0, 0], [0, 1], [1, 1]]), "Psi_next": np.zeros((3, 2)), "r": [0, 1, 2], "gamma": 0.9}
    with pytest.raises(tk.KropeError, match=message):
        tk.feature_space_krope(**given | change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"norm": -1.0}, "norm must be a finite number of at least 0; got -1"),
        ({"condition": np.inf}, "condition must be a finite number"),
        ({"ridge": "0"}, "ridge must be a finite number"),
        ({"rank": 0}, "rank must be an integer of at least 1"),
        ({"theta": [0.0]}, r"theta must have shape \(2\)"),
        ({"gamma": 2.0}, "gamma must lie"),
    ],
)
def test_a_feature_map_that_cannot_be(change, message):
    out = tk.feature_space_krope(np.eye(2), np.eye(2)[::-1], [0.0, 1.0], gamma=0.9)
    with pytest.raises(tk.KropeError, match=message):
        replace(out, **change)
