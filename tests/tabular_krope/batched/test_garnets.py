import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.arrays import dense
from tabular_krope.batched import garnets
from tabular_krope.batched.garnets import garnet_chains
from tabular_krope.errors import KropeError
from tabular_krope.runs import models_task


def numbers(seeds, more=()):
    return [np.random.default_rng([seed, *more]) if more else np.random.default_rng(seed) for seed in seeds]


@pytest.mark.parametrize("drawn", [True, False])
@pytest.mark.parametrize("sizes", [(8, 5, 3), (9, 2, 3), (10, 3, 2), (4, 3, 4), (1, 1, None), (20, 2, 17)])
def test_garnets_side_by_side_are_those_of_single_models_to_the_last_bit(sizes, drawn):
    S, A, b = sizes
    seeds = [3, 4, 11]
    chains = garnet_chains(S, A, b, 0.9, numbers(seeds), numbers(seeds, [1]) if drawn else None)
    for k, seed in enumerate(seeds):
        mdp = tk.garnet(S, A, b, gamma=0.9, seed=seed)
        policy = tk.random_policy(mdp, np.random.default_rng([seed, 1])) if drawn else tk.Policy.uniform(S, A)
        mrp = tk.induce(mdp, policy)
        assert np.array_equal(chains.P[k], dense(mrp.P))
        assert np.array_equal(chains.Pi[k], mrp.Pi.toarray())
        assert np.array_equal(chains.r[k], mrp.r)
        assert np.array_equal(chains.d0[k], mrp.d0)
        assert chains.gamma[k] == mrp.gamma


def test_too_many_are_refused(monkeypatch):
    monkeypatch.setattr(garnets, "DENSE_ENTRIES", 100)
    with pytest.raises(KropeError, match="models must have at most 100 probabilities together; got 108"):
        garnet_chains(3, 2, 2, 0.9, numbers(range(6)), None)


@pytest.mark.parametrize("policy", ["random", "uniform", "own"])
@pytest.mark.parametrize("features", ["krope", "random", "cholesky"])
def test_a_sweep_has_the_same_rows_as_one_by_one(monkeypatch, tmp_path, policy, features):
    names = {"model": "garnet:5x3x2", "gamma": "9/10", "policy": policy, "weights": "uniform", "features": features}
    asked = names | {"dims": [2, 0], "seeds": [4, 9], "digests": {}}
    found = models_task.run(asked, tmp_path)
    monkeypatch.setattr(models_task, "SIDE_BY_SIDE", ())
    assert models_task.run(asked, tmp_path) == found
