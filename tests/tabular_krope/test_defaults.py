"""What is taken where the caller says nothing: the numbers and words that users rely on."""

import tabular_krope as package
from tests.signatures import public_defaults

#: Public names, and those of their defaults that are numbers or words.
DEFAULTS = {
    "ContinuousDataset.blocks": {"size": 65536},
    "Features": {"products": 0},
    "MDP": {"normalize": False},
    "MRP": {"normalize": False},
    "MRP.from_matrix": {"normalize": False},
    "Policy": {"normalize": False},
    "bellman_completeness_error": {"kind": "proxy"},
    "bisimulation_partition": {"actions": "name"},
    "blackjack": {"natural": False, "sab": True, "gamma": 1},
    "comparator_features": {"seed": 0},
    "compare_estimators": {"level": 0.95, "replicates": 400, "seed": 0},
    "diagnose": {"level": 0.95, "replicates": 400, "seed": 0},
    "doubly_robust": {"level": 0.95},
    "estimate_on_rows": {"level": 0.95, "replicates": 400, "seed": 0},
    "estimate_value": {"level": 0.95, "replicates": 400, "seed": 0},
    "feature_space_krope": {"ridge": 0.0, "rcond": 1e-06, "restrict": True},
    "feature_space_krope_stream": {"ridge": 0.0, "rcond": 1e-06, "restrict": True, "levels": 4096},
    "fqe": {"steps": 1000},
    "from_gymnasium": {"gamma": 0.99, "masked": False},
    "garnet": {"gamma": 0.99, "seed": 0, "rewards": "uniform"},
    "importance_sampling": {"level": 0.95},
    "krope_kernel": {"method": "auto"},
    "lspe": {"solver": "svd", "dtype": "float64", "steps": 100},
    "lspe_on_data": {"solver": "svd", "dtype": "float64", "steps": 100},
    "offline_problem": {"seed": 0},
    "random_fourier_features": {"seed": 0},
    "random_policy": {"seed": 0, "kind": "stochastic", "epsilon": 0.1},
    "rational_garnet": {"gamma": "9/10", "seed": 0, "denominator": 12},
    "sample_dataset": {"seed": 0},
    "simulate": {"n": 1000, "seed": 0, "restart": 0.0},
    "stabilising_weights": {"least": 0.0},
    "stabilizing_weights": {"least": 0.0},
    "stream": {"size": 65536},
    "td": {"steps": 1000},
    "union_features": {"seed": 0, "polynomials": 520, "fourier": 512, "clip": 3.0},
    "value_iteration": {"tolerance": 1e-08, "most": 1000000},
}


def test_public_defaults_are_those_that_are_written_here():
    found = public_defaults(package)
    assert found == DEFAULTS
    pairs = [(found[name][key], value) for name, values in DEFAULTS.items() for key, value in values.items()]
    assert [type(one) for one, _ in pairs] == [type(other) for _, other in pairs]  # 1 is not True
