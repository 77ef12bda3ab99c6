import numpy as np
import pytest

import tabular_krope as tk


def test_products_of_fourier_features_approach_the_gaussian_kernel():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((200, 3)) * [1.0, 10.0, 0.1] + [0.0, 5.0, -3.0]
    base = tk.random_fourier_features(x, p=20001, seed=1)
    scaled = (x - x.mean(axis=0)) / x.std(axis=0)
    gaps = np.linalg.norm(scaled[:, None] - scaled[None], axis=2)
    assert base.bandwidth == pytest.approx(np.median(gaps[np.triu_indices(200, 1)]))
    Psi = base(x)
    assert Psi.shape == (200, base.p) == (200, 20001)
    assert np.array_equal(Psi[:, 0], np.ones(200))
    kernel = np.exp(-(gaps**2) / (2 * base.bandwidth**2))
    assert np.abs(Psi[:, 1:] @ Psi[:, 1:].T - kernel).max() < 0.05  # five standard errors of 20,000 cosines


def test_given_bandwidth_seed_and_large_samples():
    x = np.random.default_rng(0).standard_normal((3000, 2))
    base = tk.random_fourier_features(x, 8, bandwidth=0.5, seed=3)
    again = tk.random_fourier_features(x, 8, bandwidth=0.5, seed=3)
    assert base.bandwidth == 0.5
    assert np.array_equal(base.frequencies, again.frequencies)
    assert not np.array_equal(base.frequencies, tk.random_fourier_features(x, 8, bandwidth=0.5, seed=4).frequencies)
    assert tk.random_fourier_features(x, 8).bandwidth == pytest.approx(np.sqrt(2 * np.log(2) * 2), rel=0.1)


def test_inputs_that_do_not_vary_and_a_single_feature():
    base = tk.random_fourier_features(np.full((4, 2), 0.1), 3)
    assert base.bandwidth == 1.0
    assert np.isfinite(base(np.zeros((2, 2)))).all()
    assert tk.random_fourier_features(np.eye(2), 1)([[7.0, 8.0]]).tolist() == [[1.0]]


@pytest.mark.parametrize("value", [0.0, 3.0])
def test_a_column_that_does_not_vary_changes_nothing_but_is_no_reason_to_fail(value):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((50, 1))
    beside = np.column_stack([x, np.full(50, value)])
    base = tk.random_fourier_features(beside, 5001, seed=2)
    assert base.bandwidth == pytest.approx(tk.random_fourier_features(x, 5, seed=2).bandwidth)
    assert np.isfinite(base.frequencies).all()
    Psi = base(beside)[:, 1:]
    scaled = x / x.std()
    kernel = np.exp(-((scaled - scaled.T) ** 2) / (2 * base.bandwidth**2))
    assert np.abs(Psi @ Psi.T - kernel).max() < 0.1  # five standard errors of 5,000 cosines
    # In units of 1 the column still has frequencies: an input that differs there is another input.
    assert np.abs(base.frequencies[1]).max() > 0


def test_one_hot_rows_are_pairs_and_expectations():
    mdp = tk.garnet(4, 3, seed=0)
    policy = tk.random_policy(mdp, seed=1)
    data = tk.sample_dataset(tk.zoo("van-roy").model, tk.Policy.uniform(tk.zoo("van-roy").model.n_states, 1), 50)
    Psi, Psi_next, r = tk.one_hot_rows(data, tk.Policy.uniform(data.n_states, 1))
    assert np.array_equal(Psi, np.eye(data.n_states)[data.pairs])
    assert np.array_equal(Psi_next, np.where(data.done[:, None], 0.0, np.eye(data.n_states)[data.s_next]))
    assert data.done.any()
    assert r is data.r
    more = tk.sample_dataset(mdp, policy, 50)
    assert np.array_equal(tk.one_hot_rows(more, policy)[1], policy.matrix().toarray()[more.s_next])
    assert np.array_equal(tk.OneHotFeatures(4, 3)(np.stack([more.s, more.a], axis=1)), np.eye(12)[more.pairs])
    assert tk.OneHotFeatures(4, 3).p == 12


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: tk.random_fourier_features(np.zeros((0, 2)), 3), "inputs must have at least one row"),
        (lambda: tk.random_fourier_features(np.zeros(3), 3), "inputs must have shape"),
        (lambda: tk.random_fourier_features(np.eye(2), 0), "p must be an integer of at least 1"),
        (lambda: tk.random_fourier_features(np.eye(2), 3, bandwidth=0.0), "bandwidth must be a positive number"),
        (lambda: tk.random_fourier_features(np.eye(2), 3, bandwidth=True), "bandwidth must be a positive number"),
        (lambda: tk.FourierFeatures(np.eye(2), np.zeros(3), 1.0), r"phases must have shape \(2\)"),
        (lambda: tk.random_fourier_features(np.eye(2), 3)([[1.0]]), r"inputs must have shape \(any, 2\)"),
        (lambda: tk.OneHotFeatures(2, 2)([[0, 2]]), r"inputs\[0, 1\] must be integers below 2 and 2; got 2"),
        (lambda: tk.OneHotFeatures(2, 2)([[0.5, 0]]), r"inputs\[0, 0\] must be integers"),
        (lambda: tk.OneHotFeatures(0, 2), "n_states must be an integer"),
        (lambda: tk.one_hot_rows("data", tk.Policy.uniform(1, 1)), "dataset must be a Dataset; got str"),
        (lambda: tk.one_hot_rows(DATA, tk.Policy.uniform(1, 1)), r"policy must be .* \(2, 1\) like the data; got"),
        (lambda: tk.one_hot_rows(DATA, None), "like the data; got NoneType"),
    ],
)
def test_bad_input(wrong, message):
    with pytest.raises(tk.KropeError, match=message):
        wrong()


DATA = tk.Dataset(s=[0], a=[0], r=[0.0], s_next=[1], done=[False], n_states=2, n_actions=1, gamma=0.9)
