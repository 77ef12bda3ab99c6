import json
import subprocess
import sys
from dataclasses import replace

import pytest

from deep import benchmarks, step_benchmarks
from krope.bench import TRAINING_ROWS
from tabular_krope.control.process_settings import SETTINGS
from tabular_krope.report.benchmarks import Row


def test_both_trainers_do_the_same_work():
    row = benchmarks.study_row(("krope", "fqe"), (3,), "small", epochs=1, target=20.0)
    assert row.residual < 1e-9
    assert row.seconds > 0
    assert row.reference_seconds > 0
    assert "scaled from 1 epochs" in row.note


def test_both_forms_have_the_same_gradient():
    row = benchmarks.loss_row(B=64, repeats=1)
    assert row.residual < 1e-5  # float32
    assert (row.job, row.target) == ("KROPE step, B=64", None)


def test_a_step_of_krope_does_what_a_step_of_fqe_does_and_more():
    row = benchmarks.step_row(B=64, repeats=3, target=1e9)
    assert (row.job, row.reference, row.at_most) == ("KROPE step, B=64", "FQE step", True)
    assert row.residual == 0.0
    assert row.seconds > 0
    assert row.reached is True
    assert replace(row, target=1e-9).reached is False


@pytest.mark.parametrize(("seconds", "at_most", "reached"), [(1.5, True, True), (1.6, True, False), (0.5, False, True)])
def test_a_target_is_the_least_gain_or_the_most_cost(seconds, at_most, reached):
    assert Row("job", "other", seconds, 1.0, 0.0, None, 1.5, at_most=at_most).reached is reached
    assert Row("job", "other", 1.6, 1.0, 0.0, None, 1.5).reached is False


def test_a_step_costs_no_more_than_it_may():
    """At the paper's batch, though another process may be in the way: the best of three."""
    rows = (benchmarks.step_row(B=2048, repeats=5, target=1.5) for _ in range(3))
    assert any(row.reached for row in rows)


def test_full_rows_have_targets_and_quick_ones_none(monkeypatch):
    asked = []
    monkeypatch.setattr(benchmarks, "study_row", lambda *given, target=None: asked.append((given[2], target)))
    monkeypatch.setattr(benchmarks, "loss_row", lambda target=None, **given: asked.append((given["B"], target)))
    monkeypatch.setattr(benchmarks, "step_row", lambda target=None, **given: asked.append((given["B"], target)))
    monkeypatch.setattr(benchmarks, "step_rows", lambda **given: iter([asked.append(("steps", given))] * 2))
    full = len(list(benchmarks.rows()))
    assert asked[:-1] == [("Garnet study", 20.0), ("its losses without pairs", None), (2048, 2.0), (2048, 1.3)]
    assert asked[-1] == ("steps", {})  # with the targets that it has by default
    asked.clear()
    quick = len(list(benchmarks.rows(quick=True)))
    assert [target for _, target in asked[:-1]] == [None, None, None]
    assert asked[-1][1]["targets"] is False
    assert {"full": full, "quick": quick} == TRAINING_ROWS


def test_steps_by_hand_and_by_autograd_are_measured_in_processes_of_their_own(monkeypatch):
    """Small ones, for the residual and the settings; how fast they are is told by krope bench."""
    assert step_benchmarks.TARGETS == {"fqe": 3.5, "krope": 3.0}
    monkeypatch.setattr(step_benchmarks, "TARGETS", {"krope": 3.0})
    (row,) = step_benchmarks.step_rows(B=64, repeats=1, turns=1)
    assert (row.target, row.reference) == (3.0, "autograd")
    assert 0 < row.residual < 1e-4
    assert row.seconds > 0
    assert row.reference_seconds > 0
    assert 0 < step_benchmarks.gradients_apart("fqe", 64) < 1e-4
    asked = {}

    def run(command, env, **how):
        asked[command[4]] = env
        return subprocess.CompletedProcess(command, 0, "[1.0]")

    monkeypatch.setenv("MALLOC_TOP_PAD_", "7")
    monkeypatch.setattr(step_benchmarks.subprocess, "run", run)
    for step in ("by-hand", "autograd"):
        assert step_benchmarks.measured("fqe", step, 8, 1) == [1.0]
    assert SETTINGS.items() <= asked["by-hand"].items()
    assert not any(name.startswith("MALLOC") for name in asked["autograd"])


def test_without_torch_it_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    (row,) = benchmarks.rows()
    assert row.note.startswith("torch is not installed")
    assert row.reached is None


def test_the_measuring_process_writes_a_row_to_a_line():
    code = "import runpy, sys; sys.modules['torch'] = None; runpy.run_module('deep.benchmarks', run_name='__main__')"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True)
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["reached"] is None
