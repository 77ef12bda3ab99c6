import json
import os

import pytest

from krope import targets
from tabular_krope.errors import KropeError


def test_good_targets_pass(tmp_path):
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
