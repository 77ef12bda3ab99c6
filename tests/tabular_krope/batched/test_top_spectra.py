import numpy as np
import pytest

from tabular_krope.batched import top_spectra as module
from tabular_krope.batched.chains import krope_features, weighted_spectra
from tabular_krope.batched.garnets import garnet_chains
from tabular_krope.batched.top_spectra import top_spectra

X = 40


def reflected(values, seed=0):
    """``H diag(values) H`` for a reflection ``H = I - 2 u u'``, and ``H``, whose columns are the eigenvectors."""
    u = np.random.default_rng(seed).standard_normal(len(values))
    H = np.eye(len(values)) - 2 * np.outer(u, u) / (u @ u)
    return (H * values) @ H, H


SPECTRA = {
    "decaying": 0.5 ** np.arange(X),
    "kernel-like": np.append(1000.0, 1.0 / np.arange(1, X) ** 2),
    "close": np.append([1.0, 1.0 - 1e-9, 1.0 - 2e-9], np.zeros(X - 3)),
    "equal": np.append(np.full(8, 2.0), np.full(X - 8, 1.0)),
    "of both signs": np.linspace(1.0, -2.0, X),
    "zero": np.zeros(X),
    "rank one": np.append(3.0, np.zeros(X - 1)),
    "tiny": 1e-300 * np.linspace(1.0, 0.0, X),
}


@pytest.mark.parametrize("d", [1, 5, 10])
@pytest.mark.parametrize("name", SPECTRA)
def test_pairs_are_those_that_the_matrix_was_made_of(name, d):
    each = [reflected(SPECTRA[name], seed) for seed in range(3)]
    W = np.stack([matrix for matrix, _ in each] + [np.diag(SPECTRA[name])])
    values, vectors = top_spectra(W, d)
    size = np.abs(SPECTRA[name]).max()
    for k, H in enumerate([*(H for _, H in each), np.eye(X)]):
        assert values[k] == pytest.approx(SPECTRA[name][:d], abs=1e-14 * X * size, rel=0)
        assert vectors[k].T @ vectors[k] == pytest.approx(np.eye(d), abs=1e-13)
        assert W[k] @ vectors[k] == pytest.approx(vectors[k] * values[k], abs=1e-14 * X * size, rel=0)
        if name == "decaying":
            assert np.abs(H[:, :d].T @ vectors[k]) == pytest.approx(np.eye(d), abs=1e-12)


def test_a_few_features_are_the_first_of_all(monkeypatch):
    chains = garnet_chains(8, 5, 3, 0.99, [np.random.default_rng(k) for k in range(20)], None)
    D = np.full((20, X), 1 / X)
    K = chains.kernel()
    every, values = krope_features(K, D)
    # all pairs come from the full decomposition, a few without it
    monkeypatch.setattr(module, "_from_all", lambda W, d: pytest.fail("all pairs were asked for"))
    few, top = krope_features(K, D, 5)
    assert top == pytest.approx(values[:, :5], rel=1e-11)
    assert (np.diff(weighted_spectra(K, D, 5)[0], axis=1) <= 0).all()
    assert np.abs(few) == pytest.approx(np.abs(every[:, :, :5]), abs=1e-9)


@pytest.mark.parametrize("wrong", ["not an eigenvector", "one twice"])
def test_pairs_that_fail_the_check_are_computed_from_all(monkeypatch, wrong):
    W = np.stack([reflected(SPECTRA["equal"], seed)[0] for seed in range(3)])
    stein, calls = module.dstein, []

    def failing(*arguments):
        Z, info = stein(*arguments)
        calls.append(info)
        if len(calls) == 2:
            Z[:, 0] = Z[:, 1] if wrong == "one twice" else np.roll(Z[:, 0], 1)
        return Z, info

    monkeypatch.setattr(module, "dstein", failing)
    values, vectors = top_spectra(W, 4)
    assert len(calls) == 3
    assert values == pytest.approx(np.full((3, 4), 2.0), abs=1e-13)
    assert W @ vectors == pytest.approx(2 * vectors, abs=1e-13)
    assert vectors.transpose(0, 2, 1) @ vectors == pytest.approx(np.tile(np.eye(4), (3, 1, 1)), abs=1e-13)


def test_many_pairs_and_small_matrices_are_decomposed_in_full(monkeypatch):
    monkeypatch.setattr(module, "dsytrd", lambda *arguments, **words: pytest.fail("one by one"))
    W, H = reflected(SPECTRA["decaying"])
    values, vectors = top_spectra(W[None], 11)
    assert values[0] == pytest.approx(SPECTRA["decaying"][:11], abs=1e-13)
    assert np.abs(H[:, :11].T @ vectors[0]) == pytest.approx(np.eye(11), abs=1e-10)
    assert top_spectra(np.eye(6)[None], 1)[0].tolist() == [[1.0]]
    assert top_spectra(np.eye(X)[None], 0)[1].shape == (1, X, 0)
