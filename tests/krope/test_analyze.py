import json
import os
import re
from pathlib import Path

import numpy as np
import pytest

import tabular_krope
from tabular_krope.data.files import save
from tabular_krope.models.garnet import garnet
from tabular_krope.models.policy import Policy
from tabular_krope.models.zoo import ZOO
from tabular_krope.report.analysis import analyze_model
from tests.cases import degenerate_mrps

PROMISED = {"gamma", "q", "kernel_residual", "spectral_radius", "norm", "stable", "rank", "condition"}


@pytest.fixture
def numbers(krope):
    def run(*words):
        found = krope("analyze", *words, "--json", "-")
        assert found.code == 0, found.err
        return json.loads(found.out)

    return run


def test_the_verdict_stands_before_the_tables(krope):
    found = krope("analyze", "zoo:two-state")
    assert (found.code, found.err) == (0, "")
    assert found.out.splitlines()[0].startswith("LSPE on 2 KROPE features is stable (spectral radius 0.9 < 1)")


def test_json_on_stdout_is_alone_and_complete(numbers):
    found = numbers("zoo:two-state")
    assert set(found) >= PROMISED | {"settings", "krope_version"}
    assert found["krope_version"] == tabular_krope.__version__
    np.testing.assert_allclose(found["q"], [20 / 11, 0.0])
    assert found["spectral_radius"] == pytest.approx(0.9)


def test_json_in_a_file_comes_with_tables(krope, tmp_path):
    found = krope("analyze", "zoo:two-state", "--json", tmp_path / "out.json")
    assert "KROPE kernel" in found.out
    assert set(json.loads((tmp_path / "out.json").read_text())) >= PROMISED
    assert os.listdir(tmp_path) == ["out.json"]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--policy", ["optimal"]),
        ("--features", ["one-hot"]),
        ("--dim", ["3"]),
        ("--weights", ["occupancy"]),
        ("--gamma", ["9/10"]),
        ("--seed", ["1"]),
        ("--reward-range", ["-2", "3"]),
    ],
)
def test_every_option_changes_the_result_and_is_recorded(numbers, option, value):
    plain, changed = numbers("garnet:4x3"), numbers("garnet:4x3", option, *value)
    recorded = changed["settings"].pop(option[2:].replace("-", "_"))
    assert recorded in (value, value[0], int(value[0]) if value[0].isdigit() else None)
    del plain["settings"], changed["settings"]
    assert plain != changed


def test_the_seed_reaches_policy_and_features_apart_from_the_model(numbers, tmp_path):
    save(garnet(4, 3, seed=0), tmp_path / "m.npz")
    a, b = (numbers(tmp_path / "m.npz", "--policy", "random", "--seed", seed) for seed in (0, 1))
    assert a["q"] != b["q"]
    words = ("--features", "random", "--dim", "2")
    a, b = (numbers(tmp_path / "m.npz", *words, "--seed", seed) for seed in (0, 1))
    assert a["q"] == b["q"]
    assert a["norm"] != b["norm"]
    mrp = tabular_krope.induce(garnet(4, 3, seed=0), Policy.uniform(4, 3))
    assert a["norm"] == analyze_model(mrp, "random", 2, seed=np.random.default_rng([0, 2])).stability.norm


def test_own_files_give_what_the_library_gives(numbers, tmp_path):
    mdp, phi, weights = garnet(4, 3, seed=0), np.random.default_rng(0).random((12, 3)), np.arange(12.0)
    policy = Policy.deterministic([0, 1, 2, 0], 3)
    save(mdp, tmp_path / "m.json")
    save(policy, tmp_path / "pi.npz")
    np.save(tmp_path / "phi.npy", phi)
    save(weights, tmp_path / "w.json")
    words = ("--policy", tmp_path / "pi.npz", "--features", tmp_path / "phi.npy", "--weights", tmp_path / "w.json")
    found = numbers(tmp_path / "m.json", *words, "--dim", "2")
    expected = analyze_model(tabular_krope.induce(mdp, policy), phi, 2, weights).as_json()
    assert {key: found[key] for key in expected} == json.loads(json.dumps(expected))


def test_the_zoo_speaks_for_itself(numbers, krope):
    assert numbers("zoo:van-roy", "--features", "own", "--weights", "own")["stable"] is False
    assert "the model's own" in krope("analyze", "zoo:baird").out


def test_pictures_come_with_their_numbers(krope, tmp_path):
    folder = tmp_path / "new" / "pictures"
    found = krope("analyze", "zoo:two-state", "--plot", folder)
    assert found.code == 0
    names = {"kernel.png", "eigenvalues.png", "stability.png", "model.png", "values.png", "analysis.json"}
    assert set(os.listdir(folder)) == names
    assert all(f"wrote {folder / name}" in found.out for name in names)
    data = json.loads((folder / "analysis.json").read_text())
    assert data["settings"]["model"] == "zoo:two-state"
    assert data["krope_version"] == tabular_krope.__version__


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["zoo:bairds"], "zoo model must be one of"),
        (["missing.npz"], "path must be an existing file; got 'missing.npz'"),
        (["garnet:4x3", "--gamma", "1.5"], "gamma must lie in [0, 1]; got 1.5"),
        (["garnet:4x3", "--gamma", "nan"], "gamma must be a number or a fraction; got 'nan'"),
        (["garnet:4x3", "--gamma", "1"], "gamma must be below 1 unless episodes end; got 1 and no end after state 0"),
        (["garnet:4x3", "--dim", "13"], "dim must be at most the number of pairs 12; got 13"),
        (["zoo:baird", "--dim", "2"], "dim must be at most the rank 1 of the weighted kernel; got 2"),
        (["zoo:baird", "--dim", "0"], "dim must be an integer of at least 1; got 0"),
        (["garnet:4x3", "--seed", "-1"], "seed must be an integer of at least 0; got -1"),
        (["garnet:4x3", "--policy", "optimum"], "did you mean 'optimal'?"),
        (["garnet:4x3", "--features", "krop"], "did you mean 'krope'?"),
        (["garnet:4x3", "--weights", "stationry"], "did you mean 'stationary'?"),
        (["garnet:4x3", "--reward-range", "0", "0.1"], "reward_range must cover the rewards"),
        (["garnet:4x3", "--reward-range", "0", "x"], "reward_range must be a number or a fraction; got 'x'"),
        (["zoo:van-roy", "--weights", "stationary"], "mrp must never end from d0 to have a stationary distribution"),
        (["zoo:two-state", "--policy", "uniform"], "policy must not be given for a reward process"),
    ],
)
def test_bad_input_gets_one_line(krope, words, message):
    assert message in krope("analyze", *words).refused


def test_the_zoo_is_listed(krope, tmp_path):
    listed = krope("analyze", "--list").out.splitlines()
    assert [line.split()[0] for line in listed if not line.startswith(" ")] == [f"zoo:{name}" for name in ZOO]
    assert [" ".join(line.split()) for line in listed if "baird" in line] == [
        "zoo:baird 7 x 2 gamma 0.99 Baird's star: off-policy TD diverges although values are zero"
    ]
    entries = json.loads(krope("analyze", "--list", "--json", "-").out)
    assert [entry["name"] for entry in entries] == list(ZOO)
    assert entries[-1]["states"] == 103
    assert krope("analyze", "--list", "--json", tmp_path / "zoo.json").out.splitlines() == listed
    assert json.loads((tmp_path / "zoo.json").read_text()) == entries
    assert "krope analyze --list shows the zoo" in krope("analyze").refused


@pytest.mark.parametrize("model", ["garnet:3x2", "zoo:van-roy"])
def test_every_row_is_explained(krope, model):
    page = (Path(__file__).parents[2] / "docs" / "analyze.md").read_text().split("## What each row means")[1]
    words = [
        line[1:].split("  ")[0] for line in krope("analyze", model).out.splitlines() if re.match(r" [A-Za-z]", line)
    ]
    known = ("model", "policy", "gamma", "states x actions = pairs", "bound", "d")
    rows = [word for word in words if word not in known and not word.startswith("pair ")]
    assert len(rows) > 20
    assert [row for row in rows if f"| `{row}` |" not in page] == []


def test_bad_files_get_one_line(krope, tmp_path):
    save(garnet(4, 3, seed=0), tmp_path / "m.npz")
    whole = (tmp_path / "m.npz").read_bytes()
    (tmp_path / "half.npz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "half.json").write_text('{"krope": 1, "kind": "mdp", "P": [[')
    np.save(tmp_path / "pickled.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    np.save(tmp_path / "nan.npy", np.full((12, 2), np.nan))
    np.save(tmp_path / "short.npy", np.ones((5, 2)))
    np.save(tmp_path / "zero.npy", np.zeros(12))
    np.save(tmp_path / "negative.npy", -np.ones(12))
    for model in ("half.npz", "half.json", "pickled.npy", "nan.npy"):
        assert krope("analyze", tmp_path / model).refused
    good = tmp_path / "m.npz"
    for features, message in (("pickled.npy", ""), ("nan.npy", "finite"), ("short.npy", "must have shape (12, any)")):
        assert message in krope("analyze", good, "--features", tmp_path / features).refused
    for weights, message in (("zero.npy", "positive sum"), ("negative.npy", "non-negative"), ("half.npz", "half.npz")):
        assert message in krope("analyze", good, "--weights", tmp_path / weights).refused
    assert krope("analyze", good, "--policy", tmp_path / "half.npz").refused


def test_bad_targets_are_refused_before_anything_is_written(krope, tmp_path):
    file = tmp_path / "file"
    file.write_text("kept")
    refused = krope("analyze", "zoo:two-state", "--json", tmp_path / "a.json", "--plot", file / "inside").refused
    assert "plot must be a folder" in refused
    assert "json must lie in an existing folder" in krope("analyze", "zoo:two-state", "--json", file / "a.json").refused
    assert (os.listdir(tmp_path), file.read_text()) == (["file"], "kept")


def test_nothing_is_written_when_the_analysis_fails(krope, tmp_path):
    words = ("--dim", "99", "--json", tmp_path / "a.json", "--plot", tmp_path / "pictures")
    assert krope("analyze", "garnet:4x3", *words).refused
    assert os.listdir(tmp_path) == []


def test_a_write_that_fails_leaves_the_old_file(krope, tmp_path, monkeypatch):
    target = tmp_path / "a.json"
    target.write_text("old")

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert "No space left" in krope("analyze", "zoo:two-state", "--json", target).refused
    assert (target.read_text(), os.listdir(tmp_path)) == ("old", ["a.json"])


def test_a_chain_in_a_file_has_its_own_policy(krope, tmp_path):
    save(degenerate_mrps()["ending"], tmp_path / "chain.json")
    found = krope("analyze", tmp_path / "chain.json")
    assert "the model's own" in found.out
    assert "after 2 of 2 pairs" in found.out


def test_the_reward_range_and_the_weights_of_a_witness_are_used(krope, tmp_path):
    witness = {"P_pi": [["1", "0"], ["0", "1"]], "r": ["0", "1"], "gamma": "1/2", "reward_range": ["-2", "3"]}
    witness |= {"weights": ["1/4", "3/4"]}
    verdict = {"claim": "K[x,y] <= 1", "outcome": "refuted", "witness": witness}
    (tmp_path / "witness.json").write_text(json.dumps(witness))
    (tmp_path / "verdict.json").write_text(json.dumps(verdict))
    for name in ("witness.json", "verdict.json"):
        found = json.loads(krope("analyze", tmp_path / name, "--weights", "own", "--json", "-").out)
        assert found["kernel"]["reward_range"] == 5
        assert found["settings"]["reward_range"] == ["-2", "3"]
    wider = ("--reward-range", "-4", "6", "--gamma", "1/4")
    assert (
        json.loads(krope("analyze", tmp_path / "witness.json", *wider, "--json", "-").out)["kernel"]["reward_range"]
        == 10
    )
    assert (
        json.loads(krope("analyze", tmp_path / "witness.json", *wider[3:], "--json", "-").out)["kernel"]["reward_range"]
        == 5
    )
    (tmp_path / "verdict.json").write_text(json.dumps({**verdict, "outcome": "holds", "witness": None}))
    assert "must have a witness" in krope("analyze", tmp_path / "verdict.json").refused
