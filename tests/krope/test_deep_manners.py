"""Laws of ``krope deep``: results alone on stdout, interrupts and full disks that leave what is finished."""

import errno
import json
import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import h5py
import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from deep.control import control_sweep, sac, training
from deep.control.run_folder import read_about, read_metrics
from krope import console
from krope.errors import tell_how_to_resume
from tabular_krope.control.policy_files import Policies
from tabular_krope.control.rollouts import MonteCarloValue
from tabular_krope.control.tasks import RECIPES, task_named
from tests.copies import MAY_COPY, command_copied
from tests.krope.test_manners import COLOR, ESCAPE, KROPE, on_terminal

VALUES = {role: {"mean": mean, "error": 0.1, "episodes": 9} for role, mean in (("target", 5.0), ("random", 1.0))}
TASK = task_named("dmc-walker-stand")
SMALL = ("--batch", "64", "--device", "cpu")
ONE_RUN = ("--algorithms", "fqe", "--learning-rates", "1e-3", "--fractions", "0.5", *SMALL)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield
    console.be_quiet(False)


@pytest.fixture
def data_file(tmp_path):
    """Two hundred transitions of nothing in particular, next actions and values with them."""
    rng = np.random.default_rng(0)
    with h5py.File(tmp_path / "tiny.h5", "w") as file:
        for name, width in (("observations", 3), ("next_observations", 3), ("actions", 1), ("next_actions", 1)):
            file[name] = rng.standard_normal((200, width))
        file["rewards"], file["terminals"] = rng.random(200), np.zeros(200, bool)
        file["timeouts"] = np.arange(200) % 20 == 19
        file["initial_observations"], file["initial_actions"] = np.zeros((4, 3)), np.zeros((4, 1))
        file.attrs["values"], file.attrs["name"] = json.dumps(VALUES), "tiny"
    return "tiny.h5"


@pytest.fixture
def trained(monkeypatch):
    """Policies as if they had been trained."""
    values = {"behaviour-2": MonteCarloValue(41.2, 0.3, 300), "random": MonteCarloValue(20.0, 0.3, 300)}
    monkeypatch.setattr(sac, "train_policies", lambda *given: given[-1](sac.Snapshot(2000, 41.0, 2.0)))
    monkeypatch.setattr(sac, "export_policies", lambda *given: Policies(TASK, {}, values, {}))


def test_json_of_the_list(krope, tmp_path):
    sets = json.loads(krope("deep", "data", "--list", "--json", "-").out)["data_sets"]
    assert [one["name"] for one in sets] == [recipe.name for recipe in RECIPES]
    assert sets[0]["ready"] is True
    assert sets[0]["missing"] == []
    none = json.loads(krope("deep", "data", "--list", "--policies", tmp_path, "--json", "-").out)["data_sets"]
    assert none[0]["missing"] == ["behaviour-1", "behaviour-2", "target"]
    assert none[0]["ready"] is False
    assert "policies must be a folder" in krope("deep", "data", "--list", "--policies", "nowhere").refused


def test_json_of_a_data_set(krope, quick_cartpole):
    words = ("deep", "data", "dmc-cartpole-swingup", "--transitions", 30, "--out", "a.h5")
    made = json.loads(krope(*words, "--json", "-").out)
    assert (made["file"], made["transitions"], made["gamma"]) == ("a.h5", 30, 0.99)
    assert made["values"]["target"]["mean"] == pytest.approx(50, rel=0.1)
    assert "wrote a.h5: 30 transitions" in krope(*words, "--json", "made.json").out
    assert json.loads(Path("made.json").read_text()) == made


def test_json_of_policies(krope, trained):
    found = json.loads(krope("deep", "policies", TASK.name, "--cache", "c", "--out", "o", "--json", "-").out)
    assert found["policies"]["target"] == {"wanted": 90.0, "value": None}
    assert found["policies"]["behaviour-2"]["value"] == {"mean": 41.2, "error": 0.3, "episodes": 300}
    assert found["policies"]["random"]["wanted"] is None


def test_json_of_a_run_and_of_a_study(krope, data_file):
    words = ("deep", "train", "--data", data_file, "--algorithm", "bcrl", "--epochs", 1, *SMALL, "--out", "run")
    found = json.loads(krope(*words, "--json", "-").out)
    assert (found["state"], found["epochs"], found["data"]) == ("trained", 1, "tiny")
    assert found["settings"]["algorithm"] == "bcrl"
    assert found["metrics"]["error_fqe"] is None
    assert found["metrics"]["radius_svd64"] == read_metrics(Path("run"))[-1]["radius_svd64"]
    shown = krope(*words).out
    assert "FQE itself                 none" in shown
    study = ("deep", "sweep", "--data", data_file, *ONE_RUN, "--seeds", 1, "--epochs", 1, "--out", "study")
    status = json.loads(krope(*study, "--json", "-").out)
    assert (status["total"], status["done"], status["left"]) == (1, 1, 0)


def test_sums_of_runs(krope, data_file):
    krope("deep", "train", "--data", data_file, "--algorithm", "fqe", "--epochs", 0, *SMALL, "--out", "run")
    found = json.loads(krope("deep", "sums", "run", "--data", data_file, "--json", "-").out)
    shown = krope("deep", "sums", "run", "--data", data_file).out
    assert f"{found['float64']['fqe']:.3g}" in shown
    refused = krope("deep", "sums", "nowhere", "--data", data_file).refused
    assert refused.endswith("nowhere/run.json must describe a run; got no such file (krope deep train writes it)")


def test_quiet_and_json_refusals(krope, data_file, trained, quick_cartpole):
    commands = (
        ("data", "--list"),
        ("data", "dmc-cartpole-swingup", "--transitions", 30),
        ("policies", TASK.name, "--cache", "c", "--out", "o"),
        ("train", "--data", data_file, "--algorithm", "fqe", "--epochs", 0, *SMALL, "--out", "run"),
        ("sweep", "--data", data_file, *ONE_RUN, "--seeds", 1, "--epochs", 0, "--out", "study"),
        ("table",),
    )
    for words in commands:
        found = krope("deep", *words, "--quiet")
        assert (found.code, found.out, found.err) == (0, "", ""), words
        assert "json must lie in an existing folder" in krope("deep", *words, "--json", "no/such").refused


def test_a_run_whose_true_value_nobody_knows(krope, data_file):
    with h5py.File(data_file, "a") as file:
        del file.attrs["values"]
    words = ("deep", "train", "--data", data_file, "--algorithm", "fqe", "--epochs", 0, *SMALL, "--out", "run")
    shown = krope(*words).out
    assert "LSPE, float64 SVD          normalized error not known (the data lack true values), value" in shown
    assert "nan" not in shown


def interrupted(words, when):
    """What a command in a process of its own says on stderr that is interrupted once ``when()`` holds."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    child = subprocess.Popen(
        [*KROPE, "deep", *map(str, words)],
        **pipes,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        while not when() and child.poll() is None:
            time.sleep(0.02)
        os.kill(child.pid, signal.SIGINT)
        out, told = child.communicate(timeout=60)
    finally:
        child.kill()
    assert (child.returncode, out) == (130, ""), told
    return told


def test_an_interrupt_of_training_keeps_the_last_checkpoint(krope, data_file, tmp_path):
    words = ("train", "--data", data_file, "--algorithm", "fqe", *SMALL, "--out", "run")
    run = tmp_path / "run"
    told = interrupted((*words, "--epochs", 100_000), (run / "run.json").exists)
    kept = int(told.split()[2])
    assert told == f"krope: interrupted: {kept} epochs are kept in run; the same command resumes\n"
    assert kept >= 10
    assert read_about(run)["epochs"] == kept
    assert sorted(path.name for path in run.iterdir()) == ["checkpoint.safetensors", "metrics.csv", "run.json"]
    assert f"trained, {kept + 1} epochs" in krope("deep", *words, "--epochs", kept + 1).out
    assert [row["epoch"] for row in read_metrics(run)] == [*range(0, kept + 1, 10), kept + 1]


@pytest.fixture
def _one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@MAY_COPY
@pytest.mark.usefixtures("_one_thread")
def test_a_training_killed_at_any_moment_goes_on_to_the_same_numbers(krope, data_file, tmp_path):
    """SIGKILL after some epoch and some time: nothing of the process is left to tidy up."""
    rng = np.random.default_rng(0)
    epoch, wait = rng.integers(10, 40), rng.uniform(0, 0.1)
    words = ("deep", "train", "--data", data_file, "--algorithm", "krope", *SMALL, "--epochs", "60", "--quiet")
    run = tmp_path / "run"
    killed = command_copied((*words, "--out", "run"))
    try:
        while killed.poll() is None and not ((run / "run.json").exists() and read_about(run)["epochs"] >= epoch):
            time.sleep(0.005)
        time.sleep(wait)
        killed.kill()
        assert killed.wait() == -signal.SIGKILL
    finally:
        killed.kill()
    assert read_about(run)["epochs"] < 60
    for name in ("run", "whole"):
        assert krope(*words, "--out", name).code == 0
    for name in ("metrics.csv", "run.json"):
        assert (run / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    ours, theirs = (load_file(tmp_path / name / "checkpoint.safetensors") for name in ("run", "whole"))
    assert ours.keys() == theirs.keys()
    assert all(np.array_equal(ours[name], theirs[name]) for name in ours)


def test_a_diverged_run_says_so_of_each_estimate(krope, data_file):
    words = ("deep", "train", "--data", data_file, "--epochs", 1, *SMALL, "--learning-rate", 1e30)
    shown = krope(*words, "--algorithm", "fqe", "--out", "fqe").out
    for estimate in ("LSPE, float32 covariance", "LSPE, float64 SVD", "FQE itself"):
        assert f"{estimate:26} diverged" in shown
    shown = krope(*words, "--algorithm", "bcrl", "--out", "bcrl").out
    assert "LSPE, float64 SVD          diverged" in shown
    assert "FQE itself                 none" in shown


def test_a_random_policy_as_good_as_the_target(krope, data_file):
    with h5py.File(data_file, "a") as file:
        file.attrs["values"] = json.dumps(dict.fromkeys(("target", "random"), VALUES["target"]))
    words = ("deep", "train", "--data", data_file, "--algorithm", "fqe", "--epochs", 0, *SMALL, "--out", "run")
    assert "normalized error not known (the random policy's value is the target's), value" in krope(*words).out


@MAY_COPY
def test_an_interrupt_of_a_study_keeps_what_is_finished(krope, data_file, tmp_path):
    words = ("sweep", "--data", data_file, *ONE_RUN, "--seeds", 200, "--epochs", 1, "--out", "study")
    with open("out", "w") as out, open("err", "w") as err:
        study = command_copied(("deep", *words), stdout=out.fileno(), stderr=err.fileno())
    try:
        while study.poll() is None and not list(tmp_path.glob("study/results/*/*.json")):
            time.sleep(0.02)
        os.kill(study.pid, signal.SIGINT)
        assert (study.wait(60), Path("out").read_text()) == (130, "")
    finally:
        study.kill()
    told = Path("err").read_text()
    kept = len(list(tmp_path.glob("study/results/*/*.json")))
    assert told == f"krope: interrupted: {kept} of 200 configurations are kept in study; the same command resumes\n"
    assert json.loads(krope("sweep", "status", "study", "--json", "-").out)["done"] == kept


@pytest.fixture
def _listening():
    """Ctrl-C as it is in a terminal: a suite in the background of a shell has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_listening")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("lost", [False, True])
def test_both_signals_are_told_even_where_a_library_loses_them(capsys, number, lost):
    def work(check):
        check()
        try:
            os.kill(os.getpid(), number)
        except KeyboardInterrupt:
            if not lost:
                raise
        check()

    with pytest.raises(KeyboardInterrupt), tell_how_to_resume(lambda: "all of it") as check:
        work(check)
    assert capsys.readouterr().err == "krope: interrupted: all of it\n"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("_listening")
def test_an_ignored_interrupt_stays_ignored():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with tell_how_to_resume(lambda: "") as check:
        os.kill(os.getpid(), signal.SIGINT)
        check()


def lose(progress):
    """An interrupt that is lost, as in a compiled library, before what calls back."""
    with suppress(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
    progress()


@pytest.mark.usefixtures("_listening")
def test_every_command_asks_for_lost_interrupts(krope, data_file, monkeypatch):
    monkeypatch.setattr("krope.deep_data.make_data", lambda *given, progress, **named: lose(lambda: progress(1)))
    monkeypatch.setattr(training, "train", lambda *given: lose(lambda: given[-1](1, 0.5)))
    monkeypatch.setattr(sac, "train_policies", lambda *given: lose(lambda: given[-1](sac.Snapshot(2, 1.0, 1.0))))
    monkeypatch.setattr(control_sweep, "run_configuration", lambda *given: lose(dict) or {"epoch": [0.0]})
    for words, told in (
        (("data", "dmc-cartpole-swingup"), "dmc-cartpole-swingup.h5 is not written"),
        (("train", "--data", data_file, *SMALL, "--out", "run"), "0 epochs are kept in run"),
        (("policies", TASK.name, "--cache", "c", "--out", "o"), "0 snapshots are kept in c/dmc-walker-stand"),
        (("sweep", "--data", data_file, *ONE_RUN, "--seeds", 2, "--out", "study"), "1 of 2 configurations are kept"),
    ):
        found = krope("deep", *words)
        assert (found.code, found.out) == (130, ""), words
        assert found.err.startswith(f"krope: interrupted: {told}")
        assert found.err.count("\n") == 1


def interrupt(*given, **named):
    raise KeyboardInterrupt


def test_an_interrupt_of_data_and_policies(krope, monkeypatch):
    monkeypatch.setattr("krope.deep_data.make_data", interrupt)
    words = ("deep", "data", "dmc-cartpole-swingup", "--out", "a.h5")
    found = krope(*words)
    assert (found.code, found.out) == (130, "")
    assert found.err == "krope: interrupted: a.h5 is not written; the same command begins again\n"
    Path("a.h5").touch()
    assert krope(*words).err == "krope: interrupted: a.h5 is as it was; the same command begins again\n"
    monkeypatch.setattr(sac, "train_policies", interrupt)
    found = krope("deep", "policies", TASK.name, "--cache", "c", "--out", "o")
    assert (found.code, found.out) == (130, "")
    told = "krope: interrupted: 0 snapshots are kept in c/dmc-walker-stand; the same command resumes from the last"
    assert found.err.startswith(told)
    assert found.err.count("\n") == 1


def full(*given):
    raise OSError(errno.ENOSPC, "No space left on device")


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize(
    "words",
    [
        ("data", "dmc-cartpole-swingup", "--transitions", "30", "--seed", "{}", "--out", "a.h5"),
        ("train", "--data", "tiny.h5", "--algorithm", "fqe", *SMALL, "--out", "run", "--epochs", "{}"),
        ("sweep", "--data", "tiny.h5", *ONE_RUN, "--seeds", "1", "--epochs", "1", "--out", "study", "--shard", "1/1"),
        ("table", "--json", "tables.json"),
    ],
    ids=lambda words: words[0],
)
def test_a_full_disk_leaves_earlier_results(krope, data_file, quick_cartpole, tmp_path, monkeypatch, words):
    assert krope("deep", *(word.format(1) for word in words)).code == 0
    for result in tmp_path.glob("study/results/*/*.json"):
        result.unlink()  # so that something is left to write
    before = contents(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        assert "No space left on device" in krope("deep", *(word.format(2) for word in words)).refused
    assert contents(tmp_path) == before
    assert krope("deep", *(word.format(2) for word in words)).code == 0


@MAY_COPY
def test_tables_fit_a_narrow_terminal_without_color():
    sent = ESCAPE.sub("", on := on_terminal(("deep", "table"), 80, of_its_own=False, NO_COLOR="1"))
    assert not COLOR.search(on)
    rows = [line.rstrip() for line in sent.splitlines() if "dmc-" in line or "paper " in line or "─" in line]
    assert max(map(len, rows)) <= 80
    assert "krope-closed" in sent
    assert "…" not in sent
