import numpy as np

import tabular_krope as tk
from deep.tabular.problems import minibatch_counts, minibatch_indices, problems
from deep.tabular.run_settings import GarnetConfig

SMALL = GarnetConfig(trials=3, transitions=400, batch=150)
OTHER = GarnetConfig("fqe", 7, trials=5, transitions=400, batch=150)


def test_a_trial_does_not_depend_on_the_others_nor_on_the_algorithm():
    few, many = problems(SMALL), problems(OTHER)
    np.testing.assert_array_equal(few.cells, many.cells[:3])
    np.testing.assert_array_equal(few.r, many.r[:3])
    np.testing.assert_array_equal(minibatch_indices(SMALL, 2, 9), minibatch_indices(OTHER, 2, 9))


def test_seed_sets_and_trials_and_epochs_differ():
    one, other = problems(SMALL), problems(GarnetConfig(seed_set=1, trials=3, transitions=400))
    assert not np.array_equal(one.r, other.r)
    assert not np.array_equal(one.r[0], one.r[1])
    assert not np.array_equal(minibatch_counts(SMALL, one, 0), minibatch_counts(SMALL, one, 1))


def test_counts_are_those_of_the_drawn_transitions():
    stacked = problems(SMALL)
    counts = minibatch_counts(SMALL, stacked, 4)
    assert counts.shape == (3, 3, 40, 8)
    data, rows = stacked.each[1].dataset, minibatch_indices(SMALL, 1, 4)[2]
    by_hand = np.zeros((40, 8))
    for i in rows:
        by_hand[data.s[i] * 5 + data.a[i], data.s_next[i]] += 1
    np.testing.assert_array_equal(counts[2, 1], by_hand)


def test_batches_too_large_for_short_counts():
    config = GarnetConfig(trials=1, transitions=10, batch=40_000)
    assert minibatch_counts(config, problems(config), 0).sum() == 40_000


def test_the_mean_of_the_counts_is_the_empirical_chain():
    config = GarnetConfig(trials=1, transitions=2000, batch=2000)
    stacked = problems(config)
    mrp = tk.empirical_mrp(stacked.each[0].dataset, stacked.each[0].policy)
    counts = sum(minibatch_counts(config, stacked, epoch)[0, 0].astype(float) for epoch in range(200)) / 200
    expected = 2000 * mrp.weights[:, None] * mrp.P
    # 200 draws of binomial counts: five standard errors each
    assert (np.abs(counts - expected) <= 5 * np.sqrt(expected / 200) + 1e-12).all()
