import json
import subprocess
import sys

from deep import benchmarks


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


def test_full_rows_have_targets_and_quick_ones_none(monkeypatch):
    asked = []
    monkeypatch.setattr(benchmarks, "study_row", lambda *given, target=None: asked.append((given[2], target)))
    monkeypatch.setattr(benchmarks, "loss_row", lambda target=None, **given: asked.append((given["B"], target)))
    list(benchmarks.rows())
    assert asked == [("Garnet study", 20.0), ("its losses without pairs", None), (2048, 2.0)]
    asked.clear()
    list(benchmarks.rows(quick=True))
    assert [target for _, target in asked] == [None, None]


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
