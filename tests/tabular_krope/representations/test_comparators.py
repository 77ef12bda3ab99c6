import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.arrays import dense
from tabular_krope.representations import comparators as module
from tests.cases import all_mrps, random_mrp

CASES = all_mrps()


def test_one_hot_is_the_identity_at_full_size():
    assert (tk.comparator_features(random_mrp(0), "one-hot", 15) == np.eye(15)).all()
    grouped = tk.comparator_features(random_mrp(0), "one-hot", 4)
    assert (grouped.sum(axis=1) == 1).all()
    assert (grouped[0] == grouped[4]).all()


def test_random_uses_its_seed():
    mrp = random_mrp(0)
    a, b = (tk.comparator_features(mrp, "random", 3, seed=s) for s in (1, 2))
    assert (a == tk.comparator_features(mrp, "random", 3, seed=1)).all()
    assert (a != b).all()


@pytest.mark.parametrize("name", CASES)
def test_successor_features_span_the_leading_directions(name):
    mrp = CASES[name]
    X = mrp.n_pairs
    successor = np.linalg.inv(np.eye(X) - mrp.gamma * dense(mrp.P_pi))
    phi = tk.comparator_features(mrp, "successor", X)
    assert np.abs(phi @ phi.T - successor @ successor.T).max() <= 1e-12 * mrp.horizon**2
    assert np.linalg.norm(phi, axis=0) == pytest.approx(np.linalg.svd(successor, compute_uv=False))


@pytest.mark.parametrize("name", CASES)
def test_eigen_features_are_invariant_and_orthonormal(name):
    mrp = CASES[name]
    P = dense(mrp.P_pi)
    moduli = np.sort(np.abs(np.linalg.eigvals(P)))[::-1]
    for d in range(1, mrp.n_pairs + 1):
        phi = tk.comparator_features(mrp, "eigen", d)
        assert np.abs(phi.T @ phi - np.eye(d)).max() <= 1e-12
        if d == mrp.n_pairs or moduli[d] < moduli[d - 1] * (1 - 1e-6):  # no tie is cut
            outside = P @ phi - phi @ (phi.T @ P @ phi)
            assert np.abs(outside).max() <= 1e-7


def test_bad_input():
    mrp = random_mrp(0)
    with pytest.raises(tk.KropeError, match=r"kind must be one of .*; got 'onehot' \(did you mean 'one-hot'\?\)"):
        tk.comparator_features(mrp, "onehot", 2)
    with pytest.raises(tk.KropeError, match="d must be at most the number of pairs 15; got 16"):
        tk.comparator_features(mrp, "random", 16)


@pytest.mark.parametrize("kind", ["successor", "eigen"])
def test_arrays_too_large_to_decompose_are_refused_before_they_are_made(monkeypatch, kind):
    mrp = random_mrp(0)
    with monkeypatch.context() as smaller:
        smaller.setattr(module, "MATRIX_BYTES", 4 * 8 * 15 * 15)
        assert tk.comparator_features(mrp, kind, 2).shape == (15, 2)
        smaller.setattr(module, "MATRIX_BYTES", 4 * 8 * 15 * 15 - 1)
        with pytest.raises(tk.KropeError, match="mrp must have at most 14 pairs"):
            tk.comparator_features(mrp, kind, 2)
        assert tk.comparator_features(mrp, "one-hot", 2).shape == (15, 2)
    large = tk.induce(tk.garnet(3000, 4, branching=2, gamma=0.9, seed=0, sparse=True), tk.Policy.uniform(3000, 4))
    with pytest.raises(tk.KropeError, match=f"mrp must have at most 11585 pairs for '{kind}' features.*; got 12000"):
        tk.comparator_features(large, kind, 2)
