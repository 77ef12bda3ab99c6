import json

import h5py
import pytest

from deep.control import sac, training
from deep.control.config import ALGORITHMS
from krope import main
from tabular_krope.control.policy_files import SHIPPED, Policies, save_policies
from tabular_krope.control.rollouts import MonteCarloValue
from tabular_krope.control.tasks import RECIPES, task_named
from tabular_krope.errors import KropeError
from tests.tabular_krope.control.conftest import constant_actor


@pytest.fixture(scope="module")
def cartpole_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "cartpole.h5"
    with pytest.raises(SystemExit) as left:
        main(["deep", "data", "dmc-cartpole-swingup", "--transitions", "90", "--out", str(path)])
    assert left.value.code == 0
    return path


def test_help_of_each_command(krope):
    assert "data" in krope("deep").out
    for command in ("data", "estimate", "estimate-study", "policies", "train", "sweep", "table", "sums"):
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
        (["train", "--data", "nobody.h5", "--out", "run", "--task", "walker"], "task must be one of"),
        (["sweep", "--data", "nobody.h5", "--out", "study", "--task", "walker"], "task must be one of"),
        (["sums", "run", "--data", "nobody.h5", "--task", "walker"], "task must be one of"),
        (
            ["train", "--data", "nobody.h5", "--out", "run", "--policies", "."],
            "policies must be given with the task they are of (--task); got . alone",
        ),
        (["policies", "hopper", "--decisions", 1, "--cache", ""], "cache must be a folder; got an empty name"),
        (["train", "--data", "nobody.h5", "--out", ""], "out must be a folder; got an empty name"),
        (["sweep", "--data", "nobody.h5", "--out", ""], "out must be a folder; got an empty name"),
        (
            ["train", "--data", "nobody.h5", "--out", "run", "--seed", 10**23],
            "seed must be at most 9223372036854775807",
        ),
        (["policies", "hopper", "--seed", 10**23], "seed must lie between 0 and 4294967295"),
        (
            ["data", "dmc-cartpole-swingup", "--out", "-"],
            "out must be a file, an HDF5 file cannot be written to stdout",
        ),
        (["data", "dmc-cartpole-swingup", "--out", "a.h5", "--seed", 10**23], "seed must be at most"),
        (["sweep", "--data", "nobody.h5", "--out", "study", "--device", "tpu"], "device must be one of"),
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


def test_policies_that_are_whole_are_kept_when_a_training_is_not(krope, tmp_path, monkeypatch):
    task = task_named("dmc-walker-stand")
    some = Policies(task, {"behaviour-2": constant_actor(0.1)}, {"behaviour-2": MonteCarloValue(41.2, 0.3, 300)}, {})
    monkeypatch.setattr(sac, "train_policies", lambda *arguments: None)
    words = ("deep", "policies", task.name, "--cache", tmp_path / "c", "--out", tmp_path / "o")
    for actors, told, written in (
        (some.actors, "wrote ", True),
        ({}, "wrote no policies", False),
        ({**some.actors, "target": constant_actor(0.3)}, "which has target besides", False),
    ):
        found = Policies(task, some.actors if len(actors) > 1 else actors, some.values, {})
        monkeypatch.setattr(sac, "export_policies", lambda *arguments, found=found: found)
        if len(actors) > 1:
            save_policies(tmp_path / "o" / task.name, Policies(task, actors, {}, {}))
        assert told in krope(*words).out
        assert json.loads(krope(*words, "--json", "-").out)["written"] is written


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
    assert "Not run, and not shown:" in shown
    bad = krope(*words, "--learning-rates", "fast").refused
    assert bad == "learning-rates must be numbers, comma-separated; got 'fast'"


def test_a_study_with_a_failure_says_so(krope, cartpole_file, tmp_path, monkeypatch):
    words = ["deep", "sweep", "--data", cartpole_file, "--out", tmp_path / "study", "--seeds", 1, "--device", "cpu"]

    def fail(*given):
        raise KropeError("the disk must have room; got none")

    monkeypatch.setattr(training, "train", fail)
    found = krope(*words, "--algorithms", "fqe", "--learning-rates", 1e-3, "--fractions", 0.5, "--batch", 64)
    assert found.code == 1
    assert "the disk must have room; got none" in found.out


def test_what_every_run_would_refuse_is_refused_before_the_first(krope, cartpole_file, tmp_path, monkeypatch):
    words = ("deep", "sweep", "--data", cartpole_file, "--out", tmp_path / "study")
    assert "batch must be at most the 90 transitions of the data; got 1000" in krope(*words, "--batch", 1000).refused
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    words = (*words, "--batch", 64, "--device", "cuda")
    assert "device must be one that is available; got 'cuda' where torch sees no GPU" in krope(*words).refused
    assert not (tmp_path / "study").exists()


def test_a_file_without_next_actions_is_trained_swept_summed_and_tabulated(krope, cartpole_file, tmp_path):
    path = tmp_path / "foreign.h5"
    path.write_bytes(cartpole_file.read_bytes())
    with h5py.File(path, "a") as file:
        del file["next_actions"], file["initial_actions"], file.attrs["name"]
    data, task = ("--data", path), ("--task", "dmc-cartpole-swingup", "--policies", SHIPPED)
    small = ("--epochs", 1, "--batch", 64, "--device", "cpu")
    grid = ("--algorithms", "fqe", "--learning-rates", 1e-3, "--fractions", 0.5, "--seeds", 2)
    run = ("deep", "train", *data, "--algorithm", "fqe", "--seed", 1, *small, "--out", tmp_path / "run")
    study = ("deep", "sweep", *data, *grid, *small, "--out", tmp_path / "study")
    sums = ("deep", "sums", tmp_path / "run", *data)
    assert krope(*run, *task).code == 0
    assert krope(*study, *task).code == 0
    assert "foreign after 1 epochs" in krope(*sums, *task, "--json", "-").out
    for words in (study, sums):
        assert "next_actions must be in the file or come from a target policy (--task)" in krope(*words).refused
    found = json.loads(krope("deep", "table", "--results", tmp_path / "study", "--json", "-").out)
    for table in found["tables"]:
        row = table["rows"][-1]
        assert row["data"] == "foreign"
        assert row["ours"]["fqe"]["trials"] == 2
        assert row["paper"] is None or {entry["text"] for entry in row["paper"].values()} == {"-"}
    shown = krope("deep", "table", "--results", tmp_path / "study", "-v").out
    assert shown.count("foreign") >= 4


def test_runs_that_are_no_trials_are_said_to_be_left_out(krope, cartpole_file, tmp_path):
    for name, epochs, batch in (("a", 1, 64), ("b", 2, 64), ("c", 1, 32)):
        words = ("--data", cartpole_file, "--algorithm", "fqe", "--batch", batch, "--device", "cpu")
        assert krope("deep", "train", *words, "--epochs", epochs, "--out", tmp_path / name).code == 0
    found = json.loads(krope("deep", "table", "--results", tmp_path, "--json", "-").out)
    cell = found["tables"][0]["rows"][0]["ours"]["fqe"]
    assert (cell["trials"], cell["settings_tried"]) == (1, 2)
    assert cell["left_out"] == (1 if cell["setting"]["batch"] == 64 else 0)
    (tmp_path / "c" / "run.json").unlink()
    told = "1 run of the settings shown is left out: shorter than others of their setting, or another run of a seed."
    assert told in " ".join(krope("deep", "table", "--results", tmp_path).out.split())


def test_the_published_tables(krope):
    shown = krope("deep", "table").out
    assert "dmc-cartpole-swingup" in shown
    assert max(map(len, shown.splitlines())) <= 120
    assert "…" not in shown
    assert krope("deep", "table", "--quiet").out == ""


def test_the_answer_comes_first_and_the_rest_on_request(krope, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    shown, everything = krope("deep", "table").out, krope("deep", "table", "-v").out
    found = json.loads(krope("deep", "table", "--json", "-").out)
    assert len(shown.splitlines()) <= 80
    assert shown.splitlines()[0].startswith(f"{found['runs']} runs. By the paper's route LSPE diverges in ")
    counted = next(line.split() for line in shown.splitlines() if line.split()[:1] == ["krope"])
    for k, table in enumerate(found["tables"][:3]):
        ours = [row["ours"]["krope"]["state"] for row in table["rows"]]
        assert counted[3 * k + 1 : 3 * k + 4] == [
            str(ours.count("diverged")),
            "of",
            str(len(ours) - ours.count("not run")),
        ]
    assert counted[10:] == ["3", "of", "13"]  # the paper's
    titles = {table["title"] for table in found["tables"]}
    told = " ".join(everything.split())
    assert all(title in told for title in titles)
    assert sum(title in " ".join(shown.split()) for title in titles) == 1


def test_estimates_beside_the_tables(krope, tmp_path):
    file = tmp_path / "estimates.json"
    rows = [
        {"name": "hopper-medium", "value": 1.0, "error": 0.02, "believed": True, "stable": True},
        {"name": "mine[x]", "value": 1.0, "error": None, "believed": False, "stable": True},
    ]
    file.write_text(json.dumps({"estimates": rows}))
    shown = krope("deep", "table", "--estimates", file, "-v").out
    assert "Closed form: stable on 2 of 2; 1 believed (1 right), 1 refused (0 right)" in " ".join(shown.split())
    lines = [line.split() for line in shown.splitlines()]
    assert ["hopper-medium", "0.02", "believed", "Div."] in lines
    assert ["mine[x]", "refused"] in lines
    assert json.loads(krope("deep", "table", "--estimates", file, "--json", "-").out)["estimates"] == rows
    assert "The closed form as an estimator" in krope("deep", "table", "-v").out
    assert "stable on 2 of 2" in krope("deep", "table", "--estimates", file).out
    for wrong in (tmp_path / "none.json", __file__):
        assert "estimates must be" in krope("deep", "table", "--estimates", wrong).refused


def test_tables_for_programs(krope, tmp_path):
    found = json.loads(krope("deep", "table", "--json", "-").out)
    assert [table["measure"] for table in found["tables"]] == [
        "error_cov32",
        "error_svd64",
        "error_limit",
        "error_fqe",
        "completeness",
        "divergence_cov32",
        "divergence_svd64",
    ]
    row = found["tables"][0]["rows"][0]
    assert list(row["ours"]) == found["algorithms"]
    assert row["paper"]["bcrl-exp"] == {"state": "value", "text": "2.0±1.6", "mean": 2.0, "half_width": 1.6}
    assert row["paper"]["fqe"]["state"] == "diverged"
    assert 0 < row["ours"]["krope"]["epochs"] <= 500
    assert row["ours"]["krope"]["setting"]["learning_rate"] == 5e-5
    assert found["tables"][3]["rows"][0]["paper"] is None
    told = krope("deep", "table", "--json", tmp_path / "tables.json")
    assert f"{found['runs']} runs" in told.out
    assert json.loads((tmp_path / "tables.json").read_text()) == found
    empty = json.loads(krope("deep", "table", "--results", tmp_path, "--json", "-").out)
    assert {entry["text"] for entry in empty["tables"][4]["rows"][0]["ours"].values()} == {"not run"}
    assert "json must lie in an existing folder" in krope("deep", "table", "--json", "no/such").refused


def test_the_help_of_train_names_every_algorithm(krope):
    assert all(name in krope("deep", "train", "--help").out for name in ALGORITHMS)


def test_a_policy_of_the_users_own_is_imported_and_measured(krope, tmp_path):
    from tabular_krope.control.policy_files import SHIPPED

    file = SHIPPED / "dmc-cartpole-swingup" / "target.safetensors"
    words = ("deep", "policies", "dmc-cartpole-swingup", "--import", file, "--out", tmp_path, "--rollouts", 2)
    shown = krope(*words).out
    assert shown.startswith("target")
    assert (tmp_path / "dmc-cartpole-swingup" / "target.safetensors").read_bytes() == file.read_bytes()
    found = json.loads(krope(*words, "--role", "behaviour-1", "--json", "-").out)
    assert found["policies"]["target"]["value"]["mean"] > 40
    assert found["policies"]["behaviour-1"]["value"] == found["policies"]["target"]["value"]
    assert "role must be one of" in krope(*words, "--role", "expert").refused
    (tmp_path / "x.pkl").write_bytes(b"")
    refused = krope("deep", "policies", "hopper", "--import", tmp_path / "x.pkl", "--out", tmp_path).refused
    assert "import must not be a pickle unless --allow-pickle is given" in refused


def test_data_of_policies_that_act_with_other_noise(krope, quick_cartpole, tmp_path):
    words = ("deep", "data", "dmc-cartpole-swingup", "--transitions", 60, "--out", tmp_path / "x.h5")
    assert krope(*words, "--acting", "scaled", "--rollouts", 2).code == 0
    import h5py

    with h5py.File(tmp_path / "x.h5") as file:
        assert file.attrs["acting"] == "scaled"
        assert file.attrs["values_from"] == "2 rollouts of seed 0"
    assert "acting must be one of" in krope(*words, "--acting", "wild").refused
