import json

import numpy as np
import pytest

from tabular_krope.data.dataset import sample_dataset
from tabular_krope.data.files import save
from tabular_krope.models.garnet import garnet
from tabular_krope.models.induce import induce
from tabular_krope.models.optimal import optimal_policy
from tabular_krope.models.policy import Policy
from tabular_krope.models.random_policy import random_policy
from tests.tabular_krope.data.test_offline import chain
from tests.tabular_krope.data.transitions import continuous_data

FAST = ("--replicates", "30")
MDP = garnet(4, 2, branching=2, gamma=0.9, seed=0)
DATA = sample_dataset(MDP, Policy.uniform(4, 2), 400, seed=1)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save(DATA, "runs.csv")
    (tmp_path / "foreign.csv").write_text("".join((tmp_path / "runs.csv").read_text().splitlines(keepends=True)[1:]))
    save(random_policy(MDP, 3), "pi.json")
    np.save("pi.npy", random_policy(MDP, 3).probs)
    np.save("phi.npy", np.random.default_rng(0).standard_normal((8, 3)))
    save(continuous_data(n=50, everything=True), "run.hdf5")
    save(chain(n=60), "bare.hdf5")
    return tmp_path


def test_words_first_numbers_after(krope, files):
    out = krope("diagnose", "--data", "runs.csv", *FAST).out
    assert out.startswith("STABLE. LSPE on these features and this data converges")
    assert out.index("No cure is needed") < out.index("Data and features") < out.index("Value before and after")
    assert "behavior (the data's own)" in out
    assert "true value" not in out


def test_without_replicates_there_is_no_interval(krope, files):
    out = krope("diagnose", "runs.csv", "--replicates", "0").out
    assert "nan" not in out
    assert "no intervals: --replicates is 0" in out
    assert (
        "replicates must be 0 for no interval, or at least 2; got 1"
        in krope("diagnose", "runs.csv", "--replicates", "1").refused
    )


def test_few_transitions_are_called_few(krope):
    out = krope("diagnose", "zoo:van-roy", "--transitions", "1", *FAST).out
    assert "1 transition for 1 direction of features is few" in " ".join(out.split())
    assert " few. " not in " ".join(krope("diagnose", "garnet:3x2", "--transitions", "300", *FAST).out.split())


def test_a_file_and_the_library_say_the_same(krope, files):
    from tabular_krope.data.offline import offline_problem
    from tabular_krope.report.diagnosis import diagnose

    phi = np.load("phi.npy")
    words = ("diagnose", "--data", "runs.csv", "--features", "phi.npy", "--json", "-", *FAST, "--policy")
    document = json.loads(krope(*words, "pi.npy").out)
    same = diagnose(offline_problem(DATA, random_policy(MDP, 3), phi), replicates=30)
    assert document["spectral_radius"] == same.routes[0].spectral_radius
    assert document["estimate"]["low"] == same.estimate.low
    assert document["settings"]["policy"] == "pi.npy"
    assert document["true_value"] is None
    assert json.loads(krope(*words, "pi.json").out)["norm"] == document["norm"]


def test_data_drawn_from_a_model_come_with_the_truth(krope, tmp_path):
    path = tmp_path / "out.json"
    run = krope("diagnose", "--data", "garnet:4x2x2", "--gamma", "0.9", "--policy", "random", "--transitions", 2000,
                "--json", path, *FAST)  # fmt: skip
    assert run.code == 0
    assert "true value, by the model" in run.out
    document = json.loads(path.read_text())
    mrp = induce(MDP, random_policy(MDP, np.random.default_rng([0, 1])))
    assert document["true_value"] == pytest.approx(float(mrp.d0 @ mrp.q))
    assert abs(document["estimate"]["value"] - document["true_value"]) <= 5 * document["estimate"]["standard_error"]
    behavior = krope("diagnose", "--data", "garnet:4x2x2", "--policy", "behavior", "--json", "-", *FAST)
    assert json.loads(behavior.out)["verdict"] == "stable"


@pytest.mark.parametrize("name", ["m.json", "m.npz"])
def test_data_are_drawn_from_a_model_in_a_file(krope, files, name):
    save(MDP, name)
    document = json.loads(krope("diagnose", name, "--policy", "optimal", "--json", "-", *FAST).out)
    mrp = induce(MDP, optimal_policy(MDP))
    assert document["true_value"] == pytest.approx(float(mrp.d0 @ mrp.q))
    assert document["facts"]["transitions"] == 10_000
    sooner = json.loads(krope("diagnose", name, "--gamma", 0.5, "--json", "-", *FAST).out)
    assert (sooner["gamma"], sooner["true_value"] < document["true_value"]) == (0.5, True)


def test_data_may_stand_without_their_option(krope, files):
    words = ("--json", "-", *FAST)
    assert krope("diagnose", "runs.csv", *words).out == krope("diagnose", "--data", "runs.csv", *words).out
    once = "data must be given once, krope diagnose DATA or --data DATA; got "
    assert krope("diagnose").refused == f"{once}none"
    assert krope("diagnose", "runs.csv", "--data", "zoo:baird").refused == f"{once}'runs.csv' and --data 'zoo:baird'"


def test_the_divergence_example_with_its_picture(krope, tmp_path):
    picture = tmp_path / "a.png"
    run = krope("diagnose", "--data", "zoo:van-roy", "--transitions", 2000, "--plot", picture, *FAST)
    assert run.out.startswith("DIVERGES.")
    assert "Cause: distribution shift" in run.out
    assert "as it is: no limit; the fixed point has value" in run.out
    assert f"wrote {picture}" in run.out
    assert picture.read_bytes()[1:4] == b"PNG"


def test_a_picture_goes_to_a_folder_as_elsewhere(krope, tmp_path):
    folder = tmp_path / "pictures"
    run = krope("diagnose", "zoo:van-roy", "--transitions", 200, "--plot", folder, *FAST)
    assert f"wrote {folder}/diagnosis.png" in run.out
    assert (folder / "diagnosis.png").read_bytes()[1:4] == b"PNG"


def test_own_features_can_be_replaced(krope, tmp_path):
    np.save(tmp_path / "eye.npy", np.eye(4))
    run = krope("diagnose", "--data", "zoo:van-roy", "--features", tmp_path / "eye.npy", "--transitions", 2000, *FAST)
    assert run.out.startswith("STABLE.")


def test_continuous_data(krope, files):
    out = krope("diagnose", "--data", "run.hdf5", *FAST).out
    assert "the given starts" in out
    assert "pairs without data" not in out
    assert "The value in closed form, on polynomials and waves of state and action" in out
    found = json.loads(krope("diagnose", "--data", "run.hdf5", "--json", "-", *FAST).out)["closed_form"]
    assert found["stable"] is True
    assert found["words"][0].startswith(("BELIEVE", "REFUSE"))
    assert "128 random Fourier" in krope("diagnose", "--data", "bare.hdf5", "--policy", "behavior", *FAST).out
    data = continuous_data(n=50, everything=True)
    np.savez("phi.npz", features=data.features, next_features=data.next_features)
    assert "4 given, rank 4" in krope("diagnose", "--data", "run.hdf5", "--features", "phi.npz", *FAST).out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["none.csv"], "path must be an existing file; got 'none.csv'"),
        (["foreign.csv"], "gamma must be given for data that state none, use --gamma; got foreign.csv"),
        (["pi.json"], "data must be a file with transitions or a model; got a Policy in pi.json"),
        (["zoo:two-state"], "data must be a file or drawn from a model with actions; got 'zoo:two-state'"),
        (["runs.csv", "--policy", "unifrom"], "policy must be one of FILE, behavior, uniform; got 'unifrom'"),
        (["runs.csv", "--policy", "runs.csv"], "runs.csv: the table must hold an array of numbers; got transitions"),
        (["runs.csv", "--features", "pi.json"], "pi.json must hold an array of features or weights; got Policy"),
        (["bare.hdf5"], "data must say what the target policy does next: next_actions"),
        (["run.hdf5", "--policy", "pi.json"], "policy must be 'behavior' for continuous data"),
        (["run.hdf5", "--features", "phi.npy"], "features of continuous data must be an .npz file with features"),
        (["run.hdf5", "--features", "bad.npz"], "bad.npz must have the array 'next_features'; got features"),
        (["run.hdf5", "--features", "more.npz"], "array of more.npz must be one of features, initial_features"),
        (["run.hdf5", "--features", "junk.npz"], "junk.npz: the file must be a complete .npz"),
        (["runs.csv", "--plot", "a.pdf"], "plot must be a folder, or a file that ends in .png; got 'a.pdf'"),
        (["runs.csv", "--json", "none/a.json"], "json must lie in an existing folder; got none/a.json"),
        (["runs.csv", "--level", "2"], "level must lie strictly between 0 and 1; got 2.0"),
        (["runs.csv", "--seed", "-1"], "seed must be an integer of at least 0; got -1"),
    ],
)
def test_refusals(krope, files, words, message):
    np.savez("bad.npz", features=np.eye(2), x=np.eye(2))
    np.savez("more.npz", features=np.eye(2), next_features=np.eye(2), x=np.eye(2))
    (files / "junk.npz").write_bytes(b"junk")
    assert message in krope("diagnose", "--data", *words).refused


def test_a_file_whose_name_looks_like_a_model(krope, files):
    (files / "gym:x.csv").write_bytes((files / "runs.csv").read_bytes())
    assert krope("diagnose", "--data", "gym:x.csv", *FAST).out.startswith("STABLE.")
    assert krope("diagnose", "--data", "foreign.csv", "--gamma", 0.5, *FAST).code == 0


def test_the_recommended_features_can_be_had(krope, files):
    from tabular_krope.data.files import load

    words = ("diagnose", "zoo:van-roy", "--transitions", 2000, *FAST)
    assert "wrote better.npz" in krope(*words, "--save", "better.npz").out
    made = load("better.npz")
    pairs = np.array([[s, 0] for s in range(4)])
    assert made(pairs).shape == (4, made.d)
    cured = krope(*words, "--features", "better.npz").out
    assert cured.startswith("STABLE.")
    np.savez("phi.npz", made(pairs))
    assert krope(*words, "--features", "phi.npz").out.replace("phi.npz", "better.npz") == cured
    assert "wrote kept.safetensors" in krope("diagnose", "runs.csv", "--save", "kept.safetensors", *FAST).out
    assert load("kept.safetensors").certified
    assert krope(*words, "--save", "x.txt").refused == "save must end in .npz, .json or .safetensors; got 'x.txt'"


def test_without_working_features_nothing_is_saved(krope, files):
    (files / "zero.csv").write_text("s,a,r,s_next,done\n0,0,0,0,0\n")
    run = krope("diagnose", "zero.csv", "--gamma", 1.0, "--save", "none.npz", *FAST)
    assert run.code != 0
    assert "save must have features to keep; got none that work" in run.err
    assert not (files / "none.npz").exists()


def test_names_and_columns_are_told(krope, files):
    from tests.tabular_krope.data.test_transition_tables import CALLED, NAMED

    (files / "log.csv").write_text(NAMED)
    words = ("diagnose", "log.csv", "--gamma", 0.5, "--columns", ",".join(f"{k}={v}" for k, v in CALLED.items()), *FAST)
    out = krope(*words).out
    for line in ("states, numbered from 0", "007, hall, kitchen", "go, stay", "columns left aside"):
        assert line in out
    document = json.loads(krope(*words, "--json", "-").out)
    assert document["state_names"] == ["007", "hall", "kitchen"]
    assert (document["action_names"], document["ignored_columns"]) == (["go", "stay"], ["when"])
    assert document["settings"]["columns"] == CALLED
    refused = krope("diagnose", "log.csv", "--columns", "s").refused
    assert refused == "columns must be COLUMN=NAME,COLUMN=NAME, each column once; got 's'"


def test_eighty_columns_hold_all_solvers_side_by_side(krope, files, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = krope("diagnose", "runs.csv", *FAST).out.splitlines()
    (heads,) = [line for line in lines if "svd float64" in line]
    assert heads.split() == ["svd", "float64", "svd", "float32", "cov", "float64", "cov", "float32"]
    assert max(map(len, lines)) <= 80


def test_the_table_of_estimators(krope, files):
    words = ("diagnose", "zoo:baird", "--transitions", 500, "--estimators", *FAST)
    out = krope(*words).out
    assert out.index("Value before and after") < out.index("Estimators")
    assert "diverges, with any" in out
    rows = {row["name"]: row for row in json.loads(krope(*words, "--json", "-").out)["estimators"]}
    assert (rows["TD(0)"]["stable"], rows["TD(0)"]["value"], rows["LSTD"]["stable"]) == (False, None, None)
    assert set(rows["LSPE"]) == {"name", "value", "low", "high", "stable", "assumes", "note"}
    assert json.loads(krope("diagnose", "runs.csv", "--json", "-", *FAST).out)["estimators"] == []
    assert "Estimators" in krope("diagnose", "run.hdf5", "--estimators", *FAST).out
