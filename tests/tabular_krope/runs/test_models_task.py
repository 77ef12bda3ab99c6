import json
from pathlib import Path

import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.report.chosen_features import chosen_features
from tabular_krope.runs.grid import Grid
from tabular_krope.runs.models_task import run

NUMBERS = ("spectral_radius", "norm", "condition", "realizability", "value_error", "largest_error", "completeness")


def rows_of(**settings):
    """All rows of a grid, as dicts."""
    rows = []
    for configuration in Grid.of(settings).sweep().configurations:
        columns = run(configuration, Path("unused"))
        names = {key: value for key, value in configuration.items() if isinstance(value, str)}
        rows += [names | dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    return rows


def alone(row, mdp):
    """The same numbers from the functions that judge single models."""
    drawn = {"random": "stochastic", "deterministic": "deterministic"}.get(row["policy"])
    uniform = tk.Policy.uniform(mdp.n_states, mdp.n_actions)
    policy = tk.random_policy(mdp, np.random.default_rng([row["seed"], 1]), drawn) if drawn else uniform
    mrp = tk.induce(mdp, policy)
    D = {"uniform": None, "occupancy": tk.occupancy(mrp)}[row["weights"]]
    K, random = tk.krope_kernel(mrp), np.random.default_rng([row["seed"], 2])
    most = tk.features(K, None, D).d if row["features"] == "krope" else row["d"]
    phi = chosen_features(K, row["features"], min(row["d"], most), D, random)
    out = tk.lspe(mrp, phi, D, steps=0)
    errors = (tk.value_error(mrp, out.q_hat), float(np.abs(out.q_hat - mrp.q).max()))
    real, complete = tk.realizability_error(mrp, phi), tk.bellman_completeness_error(mrp, phi, D)
    values = (out.spectral_radius, out.norm, out.condition, real, *errors, complete)
    return out, dict(zip(NUMBERS, values, strict=True))


@pytest.mark.parametrize("features", ["krope", "one-hot", "random", "cholesky"])
@pytest.mark.parametrize(("policy", "weights"), [("random", "uniform"), ("deterministic", "occupancy")])
def test_rows_are_those_of_single_models(features, policy, weights):
    asked = {"models": "garnet:4x3x2", "policies": policy, "weights": weights, "features": features}
    found = rows_of(**asked, dims=[1, 3], gammas=[0.9], seed=7, count=3)
    assert [(row["d"], row["seed"]) for row in found] == [(1, 7), (1, 8), (1, 9), (3, 7), (3, 8), (3, 9)]
    for row in found:
        out, wanted = alone(row, tk.garnet(4, 3, branching=2, gamma=0.9, seed=row["seed"]))
        tolerance = 1e-10 * out.condition**2 / abs(1 - out.spectral_radius)
        for name, value in wanted.items():
            assert row[name] == pytest.approx(value, rel=1e-8 + tolerance, abs=1e-10 + 100 * tolerance), name
        assert (row["stable"], row["rank"]) == (out.stable, out.rank)
        assert (row["gamma"], row["pairs"], row["sqrt_gamma"]) == (0.9, 12, pytest.approx(0.9**0.5))
        assert row["violation"] == pytest.approx(max(row["norm"] - 0.9**0.5, 0))
        if features == "krope":
            assert row["violation"] <= row["allowed"] < 1e-6


@pytest.mark.parametrize("weights", ["uniform", "occupancy"])
def test_a_few_features_of_many_pairs_are_those_of_single_models(weights):
    found = rows_of(models="garnet:8x5x3", policies="random", weights=weights, dims=[2, 5], gammas=[0.9], count=3)
    for row in found:
        out, wanted = alone(row, tk.garnet(8, 5, branching=3, gamma=0.9, seed=row["seed"]))
        for name in ("spectral_radius", "norm", "condition", "completeness"):
            assert row[name] == pytest.approx(wanted[name], rel=1e-10), name
        assert row["determined"] == (not out.caveat)


def test_more_features_than_the_rank_are_those_that_there_are():
    (row,) = rows_of(models="zoo:c3-no-injectivity", dims=["full"])
    chain = tk.zoo("c3-no-injectivity").model
    assert row["d"] == row["pairs"] == 7
    assert row["rank"] == 5 == tk.features(tk.krope_kernel(chain.to_float())).d
    assert row["spectral_radius"] == pytest.approx(row["gamma"])
    assert row["realizability"] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("features", ["krope", "cholesky"])
def test_a_witness_keeps_its_reward_range(tmp_path, monkeypatch, features):
    monkeypatch.chdir(tmp_path)
    chain = {"P_pi": [["0", "0", "1"], ["3/4", "0", "1/4"], ["1", "0", "0"]], "r": ["-1", "1", "1"], "gamma": "9/10"}
    Path("wide.json").write_text(json.dumps(chain | {"reward_range": ["-3", "2"]}))
    Path("own.json").write_text(json.dumps(chain))
    wide, own = rows_of(models=["wide.json", "own.json"], features=features, dims=[1])
    mrp = tk.load("wide.json").to_float()
    for row, span in ((wide, (-3.0, 2.0)), (own, None)):
        phi = chosen_features(tk.krope_kernel(mrp, reward_range=span), features, 1, None)
        assert row["norm"] == pytest.approx(tk.lspe(mrp, phi).norm, rel=1e-9)
    assert abs(wide["norm"] - own["norm"]) > 1e-3


def test_what_draws_nothing_is_computed_once():
    assert len(rows_of(models=["zoo:two-state"], dims=[1], count=5)) == 1
    assert len(rows_of(models=["zoo:two-state"], features=["random", "krope"], dims=[1], count=5)) == 6


def test_what_means_the_same_in_a_model_is_computed_once():
    rows = rows_of(models=["garnet:3x2", "garnet:2x2"], dims=[4, "full"])
    assert [(row["model"], row["d"]) for row in rows] == [("garnet:3x2", 4), ("garnet:3x2", 6), ("garnet:2x2", 4)]
    assert [row["seed"] for row in rows_of(models="garnet:2x2", dims=["full", 4], count=3)] == [0, 1, 2]
    rows = rows_of(models="garnet:3x2", gammas=["0.9", "9/10", "own", "0.99"], policies=["own", "random"])
    found = [(row["gamma"], row["policy"]) for row in rows]
    assert found == [(0.9, "own"), (0.9, "random"), (0.99, "own"), (0.99, "random")]


def test_full_of_given_features_is_all_of_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Phi = np.random.default_rng(0).standard_normal((6, 8))
    np.save("few.npy", Phi[:, :3])
    np.save("many.npy", Phi)
    rows = rows_of(models="garnet:3x2", features=["few.npy", "many.npy", "random"], dims=[3, "full"])
    found = [(row["features"], row["d"]) for row in rows]
    assert found == [("few.npy", 3), ("many.npy", 3), ("many.npy", 6), ("random", 3), ("random", 6)]


def test_blocks_are_cut_and_joined(monkeypatch):
    asked = {"models": "garnet:3x2", "dims": [2], "count": 5}
    whole = rows_of(**asked)
    monkeypatch.setattr("tabular_krope.runs.grid.MOST_MODELS", 2)
    parts = rows_of(**asked)
    assert len(Grid.of(asked).sweep().configurations) == 3
    assert [row["seed"] for row in parts] == [0, 1, 2, 3, 4]
    assert [row["norm"] for row in parts] == pytest.approx([row["norm"] for row in whole])


def test_files_are_read_and_must_not_change(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mdp = tk.garnet(3, 2, gamma=0.8, seed=4)
    tk.save(mdp, "m.json")
    phi = np.random.default_rng(0).standard_normal((6, 3))
    np.save("phi.npy", phi)
    asked = {"models": "m.json", "features": "phi.npy", "dims": [2]}
    (row,) = rows_of(**asked)
    mrp = tk.induce(mdp, tk.Policy.uniform(3, 2))
    assert row["norm"] == pytest.approx(tk.lspe(mrp, phi[:, :2]).norm)
    sweep = Grid.of(asked).sweep()
    assert sorted(sweep.configurations[0]["digests"]) == ["m.json", "phi.npy"]
    tk.save(tk.garnet(3, 2, gamma=0.8, seed=5), "m.json")
    assert Grid.of(asked).sweep().fingerprint != sweep.fingerprint
    with pytest.raises(tk.KropeError, match=r"m.json must be as it was when the sweep began"):
        run(sweep.configurations[0], tmp_path)
    (other,) = rows_of(**asked)
    assert other["norm"] == pytest.approx(
        tk.lspe(tk.induce(tk.load("m.json"), tk.Policy.uniform(3, 2)), phi[:, :2]).norm
    )
    with pytest.raises(tk.KropeError, match=r"dims must be at most the number of given features, 3 for m.json; got 4"):
        Grid.of(asked | {"dims": [4]}).sweep()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "models must be given, such as garnet:8x5x3"),
        ({"models": []}, "models must name at least one; got none"),
        ({"models": "garnet:8"}, "MODEL must be garnet:STATESxACTIONS"),
        ({"models": "zoo:nobody"}, "zoo model must be one of"),
        ({"models": "garnet:3x2", "model": "x"}, r"setting must be one of .*; got 'model' \(did you mean 'models'\?\)"),
        ({"models": ["garnet:3x2", "garnet:3x2"]}, "models must name each once; got 'garnet:3x2' twice"),
        ({"models": [3]}, r"models\[0\] must be text; got 3"),
        ({"models": "garnet:3x2", "dims": [7]}, "dims must be at most the number of pairs, 6 in garnet:3x2; got 7"),
        ({"models": "garnet:3x2", "dims": [-1]}, "dims must be an integer of at least 0; got -1"),
        ({"models": "garnet:3x2", "dims": ["two"]}, "dims must be an integer of at least 0; got 'two'"),
        ({"models": "garnet:3x2", "count": 0}, "count must be an integer of at least 1; got 0"),
        ({"models": "garnet:3x2", "seed": -1}, "seed must be an integer of at least 0; got -1"),
        ({"models": "garnet:3x2", "policies": "randon"}, r"policy must be one of .* \(did you mean 'random'\?\)"),
        ({"models": "garnet:3x2", "weights": "occupency"}, r"weights must be one of .*did you mean 'occupancy'"),
        ({"models": "garnet:3x2", "features": "kropes"}, r"features must be one of .*did you mean 'krope'"),
        ({"models": "garnet:3x2", "features": "own"}, "features must be named or given for a model without features"),
        ({"models": "garnet:3x2", "gammas": ["2"]}, r"gamma must lie in \[0, 1\]; got 2"),
        ({"models": "zoo:van-roy"}, "gammas must be below 1 in a sweep; got 1 in zoo:van-roy"),
        ({"models": "garnet:700x5"}, "models must have at most 3000 pairs in a sweep; got 3500 in garnet:700x5"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(tk.KropeError, match=message):
        Grid.of(settings).sweep()
