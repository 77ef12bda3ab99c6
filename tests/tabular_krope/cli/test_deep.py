import json

import pytest

from deep.control import sac
from deep.control.config import ALGORITHMS
from deep.control.policy_files import Policies
from deep.control.rollouts import MonteCarloValue
from deep.control.tasks import RECIPES, task_named
from tabular_krope.cli import main


@pytest.fixture(scope="module")
def cartpole_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "cartpole.h5"
    with pytest.raises(SystemExit) as left:
        main(["deep", "data", "dmc-cartpole-swingup", "--transitions", "90", "--out", str(path)])
    assert left.value.code == 0
    return path


def test_help_of_each_command(krope):
    assert "data" in krope("deep").out
    for command in ("data", "policies", "train", "sweep", "table", "sums"):
        assert "krope deep" in krope("deep", command, "--help").out.split("Examples")[1]


def test_the_list_says_what_is_ready(krope, tmp_path):
    lines = krope("deep", "data", "--list").out.splitlines()
    assert len(lines) == len(RECIPES)
    assert any(line.split() == ["dmc-cartpole-swingup", "ready"] for line in lines)
    none = krope("deep", "data", "--list", "--policies", tmp_path).out
    assert "needs krope deep policies dmc-cartpole-swingup" in none


def test_data_then_training(krope, cartpole_file, tmp_path):
    words = ["deep", "train", "--data", cartpole_file, "--out", tmp_path / "run", "--algorithm", "fqe"]
    found = krope(*words, "--epochs", 1, "--batch", 64, "--device", "cpu")
    assert found.code == 0, found.err
    assert "fqe on dmc-cartpole-swingup: trained, 1 epochs" in found.out
    assert "LSPE, float32 covariance" in found.out
    assert (tmp_path / "run" / "metrics.csv").exists()
    assert "epochs must be at least the 1" in krope(*words, "--epochs", 0, "--batch", 64).refused


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["data"], "name must be a data set, or --list be given; got neither"),
        (["data", "dmc-cartpole"], "name must be one of"),
        (["data", "dmc-cartpole-swingup", "--transitions", 3, "--out", "a.h5"], "transitions must be an integer"),
        (["data", "dmc-cartpole-swingup", "--rollouts", 1, "--out", "a.h5"], "rollouts must be an integer"),
        (
            ["data", "walker2d-medium", "--out", "a.h5", "--policies", "."],
            "walker2d must have its behaviour policy; got none (krope deep policies walker2d trains it, for hours",
        ),
        (["policies", "walker"], "name must be one of"),
        (["policies", "walker2d", "--every", 0], "every must be an integer of at least 1"),
        (["train", "--data", "nobody.h5", "--out", "run"], "nobody.h5 must be a data file; got no such file"),
        (["train", "--data", "nobody.h5", "--out", "run", "--algorithm", "sarsa"], "algorithm must be one of"),
        (["train", "--data", "nobody.h5", "--out", "run", "--device", "tpu"], "device must be one of"),
        (["train", "--data", "nobody.h5", "--out", "run", "--task", "walker"], "name must be one of"),
        (
            ["policies", "hopper", "--exploration", "1.5"],
            "exploration must lie in [0, 1], as actions in [-1, 1]; got 1.5",
        ),
        (["sweep", "--data", "nobody.h5", "--out", "study"], "nobody.h5 must be a data file; got no such file"),
        (["table", "--results", "nowhere"], "results must be a folder of runs; got nowhere"),
    ],
)
def test_refusals(krope, words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert message in krope("deep", *words).refused
    assert list(tmp_path.iterdir()) == []


def test_policies_are_trained_and_exported(krope, tmp_path, monkeypatch):
    task = task_named("dmc-walker-stand")
    calls = []

    def train(*arguments):
        calls.append(arguments)
        arguments[-1](sac.Snapshot(2000, 41.0, 2.0))

    values = {"behaviour-2": MonteCarloValue(41.2, 0.3, 300)}
    monkeypatch.setattr(sac, "train_policies", train)
    monkeypatch.setattr(sac, "export_policies", lambda *arguments: Policies(task, {}, values, {}))
    found = krope("deep", "policies", task.name, "--cache", tmp_path / "c", "--out", tmp_path / "o", "--seed", 3)
    assert calls[0][:3] == (task, tmp_path / "c" / task.name, sac.SacSettings(seed=3))
    assert found.err == "     2000 decisions: value 41.0 +- 2.0\n"
    assert "target       wanted   90.0  not reached yet" in found.out
    assert "behaviour-2  wanted   40.0  41.2 +- 0.3" in found.out
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    krope("deep", "policies", task.name, "--exploration", 0.5)
    assert calls[1][2] == sac.SacSettings(exploration=0.5)
    assert calls[1][1] == tmp_path / "krope" / "training" / task.name


def test_a_study_and_its_tables(krope, cartpole_file, tmp_path):
    words = ["deep", "sweep", "--data", cartpole_file, "--out", tmp_path / "study", "--seeds", 1, "--device", "cpu"]
    grid = ["--algorithms", "fqe, krope-closed", "--learning-rates", "1e-3,1e30", "--fractions", 0.5]
    found = krope(*words, *grid, "--epochs", 1, "--batch", 64)
    assert found.code == 0, found.err
    assert "3 of 3 configurations done, 0 failed" in found.out
    shown = krope("deep", "table", "--results", tmp_path / "study").out
    assert "float32 covariance" in shown
    assert "3 runs" in shown
    ours = next(line for line in shown.splitlines() if line.startswith("dmc-cartpole-swingup"))
    assert "*" in ours
    assert "not run" in ours
    bad = krope(*words, "--learning-rates", "fast").refused
    assert bad == "learning-rates must be numbers, commas between; got 'fast'"


def test_a_study_with_a_failure_says_so(krope, cartpole_file, tmp_path):
    words = ["deep", "sweep", "--data", cartpole_file, "--out", tmp_path / "study", "--seeds", 1, "--device", "cpu"]
    found = krope(*words, "--algorithms", "fqe", "--learning-rates", 1e-3, "--fractions", 0.5, "--batch", 1000)
    assert found.code == 1
    assert "batch must be at most the 90 transitions of the data; got 1000" in found.out


def test_the_published_tables(krope):
    shown = krope("deep", "table").out
    assert "dmc-cartpole-swingup" in shown
    assert max(map(len, shown.splitlines())) <= 120
    assert "…" not in shown
    assert krope("deep", "table", "--quiet").out == ""


def test_tables_for_programs(krope, tmp_path):
    found = json.loads(krope("deep", "table", "--json", "-").out)
    assert [table["measure"] for table in found["tables"]] == [
        "error_cov32",
        "error_svd64",
        "error_fqe",
        "completeness",
    ]
    row = found["tables"][0]["rows"][0]
    assert list(row["ours"]) == found["algorithms"]
    assert row["paper"]["bcrl-exp"] == {"state": "value", "text": "2.0±1.6", "mean": 2.0, "half_width": 1.6}
    assert row["paper"]["fqe"]["state"] == "diverged"
    assert row["ours"]["krope"]["epochs"] == 150
    assert row["ours"]["krope"]["setting"]["learning_rate"] == 5e-5
    assert found["tables"][0]["rows"][1]["ours"]["fqe"]["state"] == "not run"
    assert found["tables"][2]["rows"][0]["paper"] is None
    told = krope("deep", "table", "--json", tmp_path / "tables.json")
    assert f"{found['runs']} runs" in told.out
    assert json.loads((tmp_path / "tables.json").read_text()) == found
    empty = json.loads(krope("deep", "table", "--results", tmp_path, "--json", "-").out)
    assert {entry["text"] for entry in empty["tables"][3]["rows"][0]["ours"].values()} == {"not run"}
    assert "json must lie in an existing folder" in krope("deep", "table", "--json", "no/such").refused


def test_the_help_of_train_names_every_algorithm(krope):
    assert all(name in krope("deep", "train", "--help").out for name in ALGORITHMS)
