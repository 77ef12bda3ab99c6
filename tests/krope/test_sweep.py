import json
import os
import signal
import subprocess
import sys
import time
from threading import Thread

import numpy as np
import pytest

from krope import sweep_runs
from krope.errors import signals_as_interrupts
from tabular_krope.runs.store import open_store
from tabular_krope.runs.table import read_table

SMALL = ("sweep", "--models", "garnet:3x2", "--policies", "random", "--count", "4", "--dims", "1,full")


def test_a_sweep_from_the_command_line(krope, tmp_path):
    out = tmp_path / "runs"
    found = krope(*SMALL, "--features", "krope,one-hot", "--out", out)
    assert found.code == 0
    assert f"{out}: 2 of 2 configurations done, 0 failed, 0 left" in found.out
    assert f"table {out}/table.parquet" in found.out
    assert "Every row: model garnet:3x2, policy random, gamma 0.99, weights uniform.\n" in found.out
    assert found.out.startswith("LSPE is stable on all of 16 rows (largest spectral radius 0.99")
    assert " krope 6 4 100% " in " ".join(found.out.split())
    table = read_table(open_store(out))
    assert len(table["norm"]) == 16
    settings = {"model", "gamma", "policy", "weights", "features", "seed", "d", "pairs", "configuration"}
    measures = {
        "spectral_radius",
        "norm",
        "stable",
        "determined",
        "sqrt_gamma",
        "violation",
        "allowed",
        "rank",
        "condition",
    }
    errors = {"realizability", "value_error", "largest_error", "completeness", "completeness_linear"}
    assert table.keys() == settings | measures | errors
    assert all(table["determined"])


def test_policies_and_discount_factors_are_told_apart(krope, tmp_path):
    words = ("sweep", "--models", "garnet:3x2", "--count", "4", "--policies", "own,random", "--gammas", "0.9,0.5")
    found = krope(*words, "--json", tmp_path / "s.json", "--out", tmp_path / "runs")
    common, _, heading, _, *rows = found.out.splitlines()[3:]
    assert common == "Every row: model garnet:3x2, features krope, weights uniform."
    assert heading.split()[:5] == ["policy", "gamma", "d", "rows", "stable"]
    kinds = [["own", "0.9"], ["random", "0.9"], ["own", "0.5"], ["random", "0.5"]]
    assert [row.split()[:4] for row in rows] == [[*kind, "6", "4"] for kind in kinds]
    summary = json.loads((tmp_path / "s.json").read_text())["summary"]
    assert [[line["policy"], str(line["gamma"])] for line in summary] == kinds
    assert {line["model"] for line in summary} == {"garnet:3x2"}
    everything = (*words, "--models", "garnet:3x2,garnet:2x2", "--features", "krope,random", "--weights")
    found = krope(*everything, "uniform,occupancy", "--out", tmp_path / "more")
    _, heading, _, *rows = found.out.splitlines()[3:]
    assert heading.split()[:6] == ["model", "policy", "gamma", "features", "weights", "d"]
    assert len(rows) == 2**5


def test_brackets_in_names_are_shown(krope, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("phi[a].npy", "phi[b].npy"):
        np.save(name, np.eye(6)[:, :2])
    found = krope("sweep", "--models", "garnet:3x2", "--features", "phi[a].npy,phi[b].npy", "--out", "runs")
    assert "phi[a].npy" in found.out
    assert "phi[b].npy" in found.out


def test_all_features_are_computed_once(krope, tmp_path):
    words = ("sweep", "--models", "garnet:3x2,garnet:4x2", "--count", "3", "--dims", "6,full")
    summary = json.loads(krope(*words, "--json", "-", "--out", tmp_path / "runs").out)["summary"]
    found = [(line["model"], line["d"], line["rows"]) for line in summary]
    assert found == [("garnet:3x2", 6, 3), ("garnet:4x2", 6, 3), ("garnet:4x2", 8, 3)]


def test_a_row_is_what_analyze_says(krope, tmp_path):
    krope(*SMALL, "--weights", "occupancy", "--features", "random", "--seed", "5", "--out", tmp_path / "runs")
    table = read_table(open_store(tmp_path / "runs"))
    row = {name: column[2] for name, column in table.items()}
    words = ("--policy", row["policy"], "--weights", row["weights"], "--features", row["features"])
    told = krope("analyze", row["model"], "--seed", row["seed"], "--dim", row["d"], *words, "--json", "-")
    alone = json.loads(told.out)
    for name in ("spectral_radius", "norm", "condition"):
        assert row[name] == pytest.approx(alone[name], rel=1e-9)
    assert row["largest_error"] == pytest.approx(alone["value_error"], rel=1e-6)
    assert row["completeness"] == pytest.approx(alone["features"]["completeness"], rel=1e-6)


def test_a_file_says_the_same_and_options_count_before_it(krope, tmp_path):
    file = tmp_path / "sweep.toml"
    file.write_text('models = ["garnet:3x2"]\npolicies = "random"\ncount = 9\ndims = [1, "full"]\n')
    assert krope(*SMALL, "--out", tmp_path / "runs", "--quiet").out == ""
    found = krope("sweep", "--file", file, "--count", "4", "--out", tmp_path / "runs")
    assert "1 of 1 configurations done" in found.out
    assert "count = 4 where now 9 is asked for" in krope("sweep", "--file", file, "--out", tmp_path / "runs").refused


def test_status_and_json(krope, tmp_path):
    out = tmp_path / "runs"
    told = krope(*SMALL, "--features", "krope,one-hot", "--shard", "2/2", "--out", out, "--json", "-")
    status = json.loads(told.out)
    assert (status["total"], status["done"], status["failed"], status["left"]) == (2, 1, 0, 1)
    assert (status["table"], status["summary"]) == (None, [])
    assert status["settings"]["features"] == ["krope", "one-hot"]
    assert status["settings"]["dims"] == [1, "full"]
    found = krope("sweep", "status", out)
    assert found.out.splitlines() == [
        f"{out}: 1 of 2 configurations done, 0 failed, 1 left",
        "  the command that began the sweep resumes what is left; with --shard, its share of that",
    ]
    assert json.loads(krope("sweep", "status", out, "--json", "-").out)["left"] == 1
    krope("sweep", "status", out, "--json", tmp_path / "s.json")
    assert json.loads((tmp_path / "s.json").read_text())["done"] == 1
    told = krope("sweep", "table", out).out.splitlines()
    assert told[0].startswith("LSPE is stable on all of 8 rows (")
    assert told[-1] == f"wrote {out}/table.parquet: 8 rows"
    told = json.loads(krope("sweep", "table", out, "--json", "-").out)
    assert (told["table"], told["rows"]) == (f"{out}/table.parquet", 8)
    assert krope("sweep", "table", out, "--json", tmp_path / "t.json").out.startswith("LSPE is stable ")
    assert json.loads((tmp_path / "t.json").read_text()) == told


def test_a_shard_that_is_done_says_whose_the_rest_is(krope, tmp_path):
    out = tmp_path / "runs"
    words = (*SMALL, "--features", "krope,one-hot,random", "--out", out)
    told = [
        f"{out}: 1 of 3 configurations done, 0 failed, 2 left",
        "  what is left belongs to other shares: run the same command with their --shard, or with none",
        f"  krope sweep status {out} tells how far they are",
    ]
    for _ in range(2):
        assert krope(*words, "--shard", "1/3").out.splitlines() == told
    assert "2 of 3 configurations done, 0 failed, 1 left" in krope(*words, "--shard", "3/3").out
    found = krope(*words)
    assert f"\n{out}: 3 of 3 configurations done, 0 failed, 0 left\ntable" in found.out


def test_failures_are_shown_and_tried_again(krope, tmp_path, monkeypatch):
    monkeypatch.setattr(sweep_runs, "SHOWN", 1)

    def broken(chains, Phi, D):
        raise FloatingPointError("on purpose")

    out = tmp_path / "runs"
    words = (*SMALL, "--features", "krope,one-hot", "--out", out)
    with monkeypatch.context() as inside:
        inside.setattr("tabular_krope.runs.models_task.evaluate", broken)
        found = krope(*words)
    assert found.code == 1
    lines = found.out.splitlines()
    assert lines[0] == f"{out}: 0 of 2 configurations done, 2 failed, 0 left"
    assert lines[1].endswith(": FloatingPointError: on purpose")
    assert lines[2:] == [
        "  and 1 more",
        "  failures/HASH.json has the traceback; the same command with --retry-failed tries again",
    ]
    assert krope(*words).code == 1
    assert "2 of 2 configurations done, 0 failed" in krope(*words, "--retry-failed").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--out", "runs"), "models must be given"),
        (("--models", "garnet:3x2"), "out must be given, a folder for the results (--out FOLDER)"),
        (("--models", "garnet:3x2", "--dims", "1,two", "--out", "runs"), "dims must be positive integers or full"),
        (("--models", "garnet:3x2", "--dims", "0", "--out", "runs"), "dims must be positive integers or full"),
        (("--models", "garnet:3x2", "--shard", "0/2", "--out", "runs"), "shard must be i/n"),
        (("--models", "garnet:3x2", "--jobs", "0", "--out", "runs"), "jobs must be an integer of at least 1"),
        (("--models", "garnet:3x2", "--out", "runs", "--json", "no/such"), "json must lie in an existing folder"),
        (("--file", "none.toml", "--out", "runs"), "none.toml: no such file or directory"),
        (("--file", "bad.toml", "--out", "runs"), "bad.toml must be a TOML file"),
        (("status", "runs"), "FOLDER must be the --out folder of a sweep"),
    ],
)
def test_bad_settings_are_refused_before_any_work(krope, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.toml").write_text("models = [")
    assert message in krope("sweep", *words).refused
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_what_is_finished_and_says_how_to_go_on(tmp_path, number):
    words = ["sweep", "--models", "garnet:8x5x3", "--count", "20000", "--dims", "1", "--out", "runs"]
    child = subprocess.Popen(
        [sys.executable, "-m", "krope", *words],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        # A suite that runs in the background of a shell has SIGINT ignored, and its children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        while not list(tmp_path.glob("runs/results/*/*.json")) and child.poll() is None:
            time.sleep(0.02)
        os.kill(child.pid, number)
        _, told = child.communicate(timeout=60)
    finally:
        child.kill()
    assert child.returncode == 128 + number  # 130 and 143, as a shell tells it
    kept = len(list(tmp_path.glob("runs/results/*/*.json")))
    assert told == f"krope: interrupted: {kept} of 80 configurations are kept in runs; the same command resumes\n"


def test_outside_the_main_thread_signals_are_left_alone():
    before, seen = signal.getsignal(signal.SIGTERM), []

    def work():
        with signals_as_interrupts():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [before]
    assert signal.getsignal(signal.SIGTERM) == before
