import io
import json
import os
import subprocess

import pytest
from rich.console import Console

from krope import bench

ROW = {
    "job": "kernel 200x5",
    "reference": "scipy",
    "seconds": 0.002,
    "reference_seconds": 0.2,
    "residual": 1e-14,
    "reference_residual": 1e-12,
    "target": 50.0,
    "note": "",
    "reached": True,
}
ALONE = {"reference": "", "reference_seconds": None, "reference_residual": None}


@pytest.mark.parametrize(
    ("changed", "cells"),
    [
        ({}, ("2 ms", "200 ms", "100x", ">=50x", "yes", "1e-14 1e-12")),
        (
            {"reference_seconds": 0.01, "reached": False},
            ("2 ms", "10 ms", "5x", ">=50x", "[bold red]no[/]", "1e-14 1e-12"),
        ),
        ({"target": None, "reached": None}, ("2 ms", "200 ms", "100x", "-", "-", "1e-14 1e-12")),
        (
            {"at_most": True, "seconds": 0.25, "target": 1.5},
            ("250 ms", "200 ms", "1.25x", "<=1.5x", "yes", "1e-14 1e-12"),
        ),
        (ALONE | {"seconds": None, "residual": None}, ("-", "-", "-", "<=50 s", "-", "-")),
        (
            {"absolute": True, "seconds": 0.25, "target": 0.3, "residual": None},
            ("250 ms", "200 ms", "1.25x", "<=0.3 s", "yes", "-"),
        ),
        (
            ALONE | {"unit": "GB", "seconds": 1.2345, "target": 2.5, "residual": None},
            ("1.23 GB", "-", "-", "<=2.5 GB", "yes", "-"),
        ),
        (
            ALONE | {"unit": "", "seconds": 1.05, "target": 1.1, "residual": None},
            ("1.05", "-", "-", "<=1.1", "yes", "-"),
        ),
        (
            {"seconds": 30.2, "reference_seconds": 97600.0, "residual": 0.0},
            ("30.2 s", "97,600 s", "3,230x", ">=50x", "yes", "0 1e-12"),
        ),
        (ALONE | {"seconds": 1.5}, ("1.5 s", "-", "-", "<=50 s", "yes", "1e-14 -")),
    ],
)
def test_cells(changed, cells):
    assert bench._cells(ROW | changed) == cells


def test_the_table_fits_and_says_what_is_missing(monkeypatch):
    out = io.StringIO()
    missing = {"reference_seconds": None, "note": "not installed: pip install 'krope[deep]'", "reached": None}
    Console(file=out, width=80).print(bench.table_of([ROW, ROW | ALONE, ROW | missing]))
    text = " ".join(out.getvalue().split())
    assert text.count("kernel 200x5") == 3
    assert "100x" in text
    assert "krope[deep]" in text.replace(" ", "")


def test_nothing_is_wider_than_80_columns(krope, monkeypatch):
    monkeypatch.setattr(bench, "measured", lambda quick, *module: iter([] if module else [ROW]))
    monkeypatch.setenv("COLUMNS", "80")
    found = krope("bench", "--quick").out
    assert max(map(len, found.splitlines())) <= 80


def test_quick_run(krope, monkeypatch):
    def stand_in(quick, module="kernels", large=False):
        return iter([ROW | {"job": f"{module}: {quick}" + " large" * large}])

    monkeypatch.setattr(bench, "measured", stand_in)
    found = krope("bench", "--quick")
    assert found.code == 0
    assert "kernels: True" in " ".join(found.out.split())
    assert "deep.benchmarks: True" in " ".join(found.out.split())
    assert "One BLAS thread on both sides" in found.out
    assert "krope.waits: True" in " ".join(found.out.split())
    assert "kernels: False" in " ".join(krope("bench").out.split())
    assert "krope.waits: False large" in " ".join(krope("bench", "--large").out.split())
    told = "large must not be given with quick, which measures small sizes only; got both"
    assert krope("bench", "--large", "--quick").refused == told


def test_json(krope, monkeypatch, tmp_path):
    monkeypatch.setattr(bench, "measured", lambda quick, *module: iter([] if module else [ROW]))
    assert json.loads(krope("bench", "--json", "-").out)["rows"] == [ROW]
    assert "kernel 200x5" in krope("bench", "--json", tmp_path / "rows.json").out
    assert json.loads((tmp_path / "rows.json").read_text())["rows"] == [ROW]


STAND_IN = """
import json, os, sys
assert sys.argv[1:] == ["quick"]
print(json.dumps({name: os.environ[name] for name in sorted(os.environ) if name.endswith("_THREADS")}))
"""


def stand_in(monkeypatch, tmp_path, text):
    (tmp_path / "stand_in.py").write_text(text)
    monkeypatch.setattr(bench, "MEASURE", "stand_in")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("OMP_NUM_THREADS", "7")


def test_the_measuring_process_has_one_thread(monkeypatch, tmp_path):
    stand_in(monkeypatch, tmp_path, STAND_IN)
    (row,) = bench.measured(quick=True)
    assert row == bench.ONE_THREAD
    stand_in(monkeypatch, tmp_path, "import json, sys\nprint(json.dumps(sys.argv[1:]))")
    assert list(bench.measured(quick=False, large=True)) == [["large"]]
    assert os.environ["OMP_NUM_THREADS"] == "7"


def test_a_failure_of_the_measuring_process_is_told(monkeypatch, tmp_path):
    stand_in(monkeypatch, tmp_path, "raise SystemExit('out of luck')")
    with pytest.raises(RuntimeError, match="the measuring process failed with code 1: out of luck"):
        list(bench.measured(quick=False))
    stand_in(monkeypatch, tmp_path, "raise SystemExit(3)")
    with pytest.raises(RuntimeError, match="code 3: no message"):
        list(bench.measured(quick=False))


def test_the_measuring_process_does_not_outlive_us(monkeypatch, tmp_path):
    stand_in(monkeypatch, tmp_path, "import time\nprint('{}', flush=True)\ntime.sleep(600)")
    children = []
    popen = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda *a, **k: children.append(popen(*a, **k)) or children[-1])
    rows = bench.measured(quick=False)
    assert next(rows) == {}
    rows.close()
    assert children[0].returncode is not None


def test_a_system_that_does_not_tell_its_load(monkeypatch):
    def untold():
        raise OSError

    monkeypatch.setattr(os, "getloadavg", untold)
    assert bench._load() == "unknown"


def test_scaling_reads_what_is_published(krope, tmp_path, monkeypatch):
    from figures.studies.committed import FOLDER

    monkeypatch.chdir(tmp_path)
    found = krope("bench", "--scaling")
    assert (found.code, found.err) == (0, "")
    assert found.out.endswith(f"From {FOLDER}/data; --out DIR measures on this machine.\n")
    assert not list(tmp_path.iterdir())
    assert "top-32 features" in found.out
    assert "1,000,000" in found.out
    assert "X^1." in found.out
    runs = json.loads(krope("bench", "--scaling", "--out", FOLDER, "--json", "-").out)
    assert max(runs["pairs"]) == 10**6
    assert "cores" in runs["machine"]


def measured_at_once(monkeypatch):
    from figures.studies import scaling

    def stand_in(name, S, environment):
        return {"job": name, "states": S, "pairs": S, "products": 0, "seconds": 0.1 * S, "bytes": 10}

    monkeypatch.setattr(scaling, "measured", stand_in)


def test_scaling_measures_when_asked(krope, tmp_path, monkeypatch):
    measured_at_once(monkeypatch)
    found = krope("bench", "--scaling", "--quick", "--out", tmp_path)
    assert "< 1 MB" in found.out
    assert f"From {tmp_path}/quick/data;" in found.out
    told = f"some seconds: {tmp_path}/quick has no measurement yet, and will keep this one\n"
    assert found.err == f"krope: measuring on this machine, {told}"
    assert (tmp_path / "quick" / "data" / "scaling.npz").is_file()
    again = krope("bench", "--scaling", "--quick", "--out", tmp_path)
    assert (again.out, again.err) == (found.out, "")


def test_scaling_measures_what_was_not_installed(krope, tmp_path, monkeypatch):
    from figures.studies import committed

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(committed, "FOLDER", tmp_path / "installed")
    measured_at_once(monkeypatch)
    found = krope("bench", "--scaling")
    assert "about five minutes: figures has no measurement yet" in found.err
    assert [path.name for path in tmp_path.iterdir()] == ["figures"]
    assert krope("bench", "--scaling", "--quick", "--quiet") == type(found)(0, "", "")


def test_a_folder_without_scaling_is_refused(krope, tmp_path):
    told = "out must come with --scaling, whose measurement it keeps; got 'mine' without it"
    assert krope("bench", "--quick", "--out", "mine").refused == told


def test_the_answer_names_what_was_missed():
    missed = bench.answer([ROW | {"reached": True}, ROW | {"reached": False, "job": "import"}])
    assert missed.startswith("1 of 2 targets met; not met: import (")
    assert bench.answer([ROW | {"reached": True}]) == "1 of 1 target met."
