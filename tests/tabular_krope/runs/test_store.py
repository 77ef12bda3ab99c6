import json
import os

import pytest

from tabular_krope import KropeError
from tabular_krope.runs.run import run_sweep
from tabular_krope.runs.status import sweep_status
from tabular_krope.runs.store import Store, create_store, open_store
from tabular_krope.runs.sweep import Sweep, Task
from tabular_krope.runs.table import read_table, write_table

TASK = Task("lengths", "tabular_krope.runs.run:_example")


def words(*each):
    return Sweep(TASK, {"words": list(each)}, tuple({"word": word} for word in each))


def test_a_folder_of_another_sweep_is_refused(tmp_path):
    create_store(tmp_path, words("a", "b"))
    create_store(tmp_path, words("a", "b"))
    with pytest.raises(KropeError, match=r"choose another; got .* with words = \['a', 'b'\] where now \['a'\]"):
        create_store(tmp_path, words("a"))
    unsaid = Sweep(TASK, {"words": ["a", "b"]}, ({"word": "c"},))
    with pytest.raises(KropeError, match="with another one"):
        create_store(tmp_path, unsaid)


def test_a_folder_with_other_files_is_refused(tmp_path):
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(KropeError, match="which holds other files"):
        create_store(tmp_path, words("a"))
    with pytest.raises(KropeError, match="out must be a folder that can be written"):
        create_store(tmp_path / "thesis.tex", words("a"))


def test_a_start_that_was_killed_is_completed(tmp_path):
    create_store(tmp_path, words("a", "b"))
    (tmp_path / "configurations.jsonl").unlink()
    (tmp_path / ".krope-0123.tmp").touch()
    with pytest.raises(KropeError, match=r"configurations.jsonl must exist, start the sweep again"):
        sweep_status(tmp_path)
    assert create_store(tmp_path, words("a", "b")).configurations() == [{"word": "a"}, {"word": "b"}]


def test_a_run_removes_what_killed_ones_left_half_written(tmp_path):
    asked = words("a", "b")
    run_sweep(asked, tmp_path)
    places = [tmp_path, Store(tmp_path).result_path(asked.hashes[0]).parent]
    old, fresh = f".krope-{'0' * 16}.tmp", f".krope-{'1' * 16}.tmp"
    for place in places:
        for name in (old, fresh):
            (place / name).touch()
        os.utime(place / old, (0, 0))
    run_sweep(asked, tmp_path)
    for place in places:
        assert not (place / old).exists()
        assert (place / fresh).exists()  # another process may be writing it
    assert sweep_status(tmp_path).done == 2


def test_what_is_no_sweep_is_refused(tmp_path):
    with pytest.raises(KropeError, match=r"FOLDER must be the --out folder of a sweep; got .* no sweep.json"):
        open_store(tmp_path)
    (tmp_path / "sweep.json").write_text('{"format": "else"}')
    with pytest.raises(KropeError, match="must have the format 'krope sweep 1'; got 'else'"):
        open_store(tmp_path)
    (tmp_path / "sweep.json").write_text("[]")
    with pytest.raises(KropeError, match="must hold a JSON object; got list"):
        open_store(tmp_path)
    (tmp_path / "sweep.json").write_text("{")
    with pytest.raises(KropeError, match=r"sweep.json: the file must be complete JSON"):
        open_store(tmp_path)


def test_status_tells_done_failed_and_left(tmp_path):
    asked = Sweep(TASK, {"n": 3}, ({"word": "a"}, {"word": 5}, {"word": "ccc"}))
    create_store(tmp_path, asked)
    fresh = sweep_status(tmp_path)
    assert (fresh.total, fresh.done, fresh.failed, fresh.left) == (3, 0, 0, 3)
    assert (fresh.last_result, fresh.table) == (None, None)
    run_sweep(asked, tmp_path)
    Store(tmp_path).write_result({"word": "of another sweep"}, {"length": [1]}, 0.0)
    write_table(Store(tmp_path))
    status = sweep_status(tmp_path)
    assert (status.task, status.settings) == ("lengths", {"n": 3})
    assert (status.total, status.done, status.failed, status.left) == (3, 2, 1, 0)
    assert status.failures[0].configuration == {"word": 5}
    assert status.failures[0].hash == asked.hashes[1]
    assert status.last_result.endswith("+00:00")
    assert status.table == str(tmp_path / "table.parquet")


def test_the_table_has_every_setting_and_mixed_columns(tmp_path):
    asked = words("a", "bcd", "ef")
    store = create_store(tmp_path, asked)
    with pytest.raises(KropeError, match="must have a result to be put in a table"):
        write_table(store)
    parts = [{"length": [1], "note": ["x"]}, {"length": [2.5, {"float": "inf"}]}, {"length": [3], "word": ["own"]}]
    for configuration, columns in zip(asked.configurations, parts, strict=True):
        store.write_result(configuration, columns, 0.0)
    assert write_table(store) == 4
    table = read_table(store)
    assert table["length"] == [1.0, 2.5, float("inf"), 3.0]
    assert table["word"] == ["a", "bcd", "bcd", "own"]
    assert table["note"] == ["x", None, None, None]
    assert table["configuration"] == [asked.hashes[k] for k in (0, 1, 1, 2)]


def test_lists_are_no_columns_and_chunks_are_joined(tmp_path, monkeypatch):
    monkeypatch.setattr("tabular_krope.runs.table.CHUNK", 1)
    asked = Sweep(TASK, {}, ({"word": "a", "dims": [1, 2]}, {"word": "bc", "dims": [1]}))
    run_sweep(asked, tmp_path)
    assert write_table(Store(tmp_path)) == 2
    assert list(read_table(Store(tmp_path), ["length", "word"])) == ["length", "word"]
    assert read_table(Store(tmp_path)) == {
        "configuration": list(asked.hashes),
        "word": ["a", "bc"],
        "length": [1, 2],
    }
    path = Store(tmp_path).result_path(asked.hashes[0])
    path.write_text(json.dumps(json.loads(path.read_text()) | {"columns": {"length": ["text"]}}))
    with pytest.raises(KropeError, match="columns must have one type in all results"):
        write_table(Store(tmp_path))
