import json
import os

import numpy as np
import pytest

from krope import console, targets
from tabular_krope.errors import KropeError


def test_good_targets_pass(tmp_path, monkeypatch):
    monkeypatch.setattr(console, "_listener", None)  # a run before may have asked for tables
    targets.require_file_target("-", "json")
    targets.require_file_target(str(tmp_path / "new.json"), "json")
    targets.require_folder_target(str(tmp_path / "a" / "b"), "plot")
    targets.require_folder_target(str(tmp_path), "plot")
    targets.require_file_target(None, "json")
    targets.require_folder_target(None, "plot")
    assert list(tmp_path.iterdir()) == []


def test_bad_targets_are_refused(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(KropeError, match="json must be a file; got the folder"):
        targets.require_file_target(str(tmp_path), "json")
    with pytest.raises(KropeError, match="json must lie in an existing folder; got"):
        targets.require_file_target(str(tmp_path / "none" / "a.json"), "json")
    with pytest.raises(KropeError, match=r"plot must be a folder; got .*file is a file"):
        targets.require_folder_target(str(file / "inside"), "plot")


def test_folders_without_permission_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(KropeError, match="json must lie in a writable folder; got"):
        targets.require_file_target(str(tmp_path / "a.json"), "json")
    with pytest.raises(KropeError, match="plot must be a writable folder; got"):
        targets.require_folder_target(str(tmp_path / "new"), "plot")


def test_json_goes_to_a_file_or_to_stdout(tmp_path, capsys):
    targets.write_json("-", {"a": [1, None]})
    assert json.loads(capsys.readouterr().out) == {"a": [1, None]}
    targets.write_json(str(tmp_path / "a.json"), {"a": 1})
    assert json.loads((tmp_path / "a.json").read_text()) == {"a": 1}
    assert capsys.readouterr().out == ""


def test_nan_never_reaches_a_file(tmp_path):
    with pytest.raises(ValueError, match="JSON"):
        targets.write_json(str(tmp_path / "a.json"), float("nan"))
    assert list(tmp_path.iterdir()) == []


def test_folders_are_made(tmp_path):
    targets.write_files({tmp_path / "a" / "b" / "c.png": b"png"})
    assert (tmp_path / "a" / "b" / "c.png").read_bytes() == b"png"


@pytest.mark.parametrize("words", [("check", "--report"), ("check", "--json"), ("demo", "--no-browser", "--json")])
def test_a_place_that_takes_no_files_is_refused_before_any_work(krope, words):
    """The permissions of /proc promise what it does not keep."""
    target = "/proc/krope.html"
    assert krope(*words, target).refused == f"{words[-1][2:]} must lie in a writable folder; got {target}"


def test_folders_that_take_no_files_and_devices_are_refused():
    with pytest.raises(KropeError, match="plot must be a writable folder; got /proc/new"):
        targets.require_folder_target("/proc/new", "plot")
    with pytest.raises(KropeError, match="json must be an ordinary file or not exist yet; got /dev/null"):
        targets.require_file_target("/dev/null", "json")


def test_no_empty_folder_is_left_by_a_failure(tmp_path, monkeypatch):
    def fail(path, write):
        raise KropeError("the disk is full")

    monkeypatch.setattr("tabular_krope.data.atomic.atomic_write", fail)
    (tmp_path / "mine").mkdir()
    with pytest.raises(KropeError, match="full"):
        targets.write_files({tmp_path / "mine" / "a" / "b" / "c.png": b""})
    assert [path.name for path in tmp_path.rglob("*")] == ["mine"]


def test_a_sweep_without_end_is_refused_at_once(krope):
    words = ("sweep", "--models", "garnet:3x2", "--count", 1_000_000_000, "--out", "runs")
    assert krope(*words).refused == "count must be at most 10000000; got 1000000000"


@pytest.mark.parametrize("option", ["--weights", "--policy", "--features"])
def test_an_array_in_a_file_is_not_called_what_it_is_not(krope, tmp_path, option):
    np.save(tmp_path / "bad.npy", [[1.0, np.nan], [0.5, 0.5]])
    told = krope("analyze", "garnet:2x2x1", option, tmp_path / "bad.npy").refused
    assert told == f"{tmp_path}/bad.npy: array[0, 1] must be finite; got nan"
