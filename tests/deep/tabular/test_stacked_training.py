import numpy as np
import pytest
import torch

import tabular_krope as tk
from deep.tabular.one_by_one import train_one
from deep.tabular.problems import minibatch_counts, problems
from deep.tabular.run_settings import ALGORITHMS, GarnetConfig
from deep.tabular.stacked_training import train
from tabular_krope.errors import KropeError

SMALL = {"n_states": 3, "n_actions": 2, "branching": 2, "trials": 3, "transitions": 120, "batch": 50, "gamma": 0.9}


@pytest.fixture(autouse=True)
def _one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_counts_train_as_single_transitions_do(algorithm):
    """On the same minibatches the batched trainer follows the reference step by step."""
    config = GarnetConfig(algorithm, 4, epochs=4, learning_rate=1e-2, model_learning_rate=1e-2, **SMALL)
    features = train(config).features
    # The angle of equal rows is 0 up to the root of eps, and differently in the two forms.
    tolerance = 1e-5 if algorithm == "rope" else 1e-9
    for trial in range(config.trials):
        np.testing.assert_allclose(features[trial], train_one(config, trial), rtol=tolerance, atol=tolerance)


def test_own_minibatches_and_sampled_actions_agree_statistically():
    """Kernel errors of KROPE's features: the difference of means within four standard errors."""
    config = GarnetConfig("krope", 3, epochs=15, learning_rate=1e-2, **(SMALL | {"trials": 8, "transitions": 400}))
    stacked, features = problems(config), train(config).features
    ours, theirs = [], []
    for trial, one in enumerate(stacked.each):
        mrp = tk.empirical_mrp(one.dataset, one.policy)
        K = tk.krope_kernel(mrp).matrix()
        for found, phi in ((ours, features[trial]), (theirs, train_one(config, trial, np.random.default_rng(trial)))):
            found.append(np.linalg.norm(phi @ phi.T - K) / np.linalg.norm(K))
    gap = np.array(ours) - np.array(theirs)
    assert abs(gap.mean()) < 4 * gap.std(ddof=1) / np.sqrt(len(gap)) + 1e-3
    assert np.mean(ours) < 0.95


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_sizes_of_features_agree_statistically_with_the_reference(algorithm):
    """Own minibatches and sampled next actions: the mean size of the Gram matrix within four standard errors."""
    sizes = SMALL | {"trials": 6, "transitions": 400}
    config = GarnetConfig(algorithm, 3, epochs=6, learning_rate=1e-2, model_learning_rate=1e-2, **sizes)
    ours = [np.linalg.norm(phi @ phi.T) for phi in train(config).features]
    theirs = [np.linalg.norm(phi @ phi.T) for phi in (train_one(config, t, np.random.default_rng(t)) for t in range(6))]
    gap = np.array(ours) - np.array(theirs)
    assert abs(gap.mean()) < 4 * gap.std(ddof=1) / np.sqrt(len(gap)) + 1e-3 * np.mean(theirs)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_seed_gives_the_same_bits_and_resuming_changes_none(algorithm, tmp_path):
    config = GarnetConfig(algorithm, 3, epochs=6, dtype="float32", **SMALL)
    whole, again = train(config), train(config)
    np.testing.assert_array_equal(whole.features, again.features)
    assert whole.features.dtype == np.float32
    path, seen = tmp_path / "run.checkpoint", []

    def stop(epoch):
        seen.append(epoch)
        if epoch == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(config, checkpoint=path, every=2, progress=stop)
    resumed = train(config, checkpoint=path, every=2, progress=seen.append)
    assert seen == [1, 2, 3, 4, 5, 5, 6]
    np.testing.assert_array_equal(whole.features, resumed.features)
    np.testing.assert_array_equal(whole.loss, resumed.loss)


def test_trials_do_not_influence_each_other():
    config = GarnetConfig("krope", 3, epochs=3, **SMALL)
    alone = train(GarnetConfig("krope", 3, epochs=3, **(SMALL | {"trials": 1})))
    np.testing.assert_allclose(train(config).features[0], alone.features[0], rtol=1e-12, atol=1e-14)


def test_drawn_counts_can_be_given():
    config = GarnetConfig("fqe", 2, epochs=2, **SMALL)
    stacked = problems(config)
    drawn = [minibatch_counts(config, stacked, epoch) for epoch in range(2)]
    np.testing.assert_array_equal(train(config, stacked, drawn.__getitem__).features, train(config).features)


def test_a_checkpoint_of_other_settings_is_refused(tmp_path):
    path = tmp_path / "run.checkpoint"
    train(GarnetConfig("fqe", 2, epochs=2, **SMALL), checkpoint=path, every=1)
    with pytest.raises(KropeError, match=r"must come from the settings asked for, alpha = 0.3; got 0.1"):
        train(GarnetConfig("fqe", 2, epochs=2, alpha=0.3, **SMALL), checkpoint=path)
    path.write_bytes(b"nothing")
    with pytest.raises(KropeError, match=r"run\.checkpoint: the file must be a complete"):
        train(GarnetConfig("fqe", 2, epochs=2, **SMALL), checkpoint=path)


def test_a_divergence_is_an_error():
    with pytest.raises(KropeError, match=r"features\[0\] must be finite after training; got a divergence \(krope-d2"):
        train(GarnetConfig("krope", 2, epochs=3, learning_rate=1e300, **SMALL))


def test_learning_brings_the_kernel_nearer():
    config = GarnetConfig("krope", 6, epochs=200, learning_rate=1e-2, alpha=1.0, weight_decay=0.0, **SMALL)
    one = problems(config).each[0]
    K = tk.krope_kernel(tk.empirical_mrp(one.dataset, one.policy)).matrix()
    phi = train(config).features[0]
    assert np.linalg.norm(phi @ phi.T - K) < 0.1 * np.linalg.norm(K)
