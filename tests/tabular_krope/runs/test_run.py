import random

import pytest

from tabular_krope import KropeError
from tabular_krope.runs.run import Progress, run_sweep
from tabular_krope.runs.shard import Shard, read_shard
from tabular_krope.runs.store import Store, open_store
from tests.tabular_krope.runs.journal_task import entries


def test_each_configuration_is_done_once(sweep, journal, tmp_path):
    told = []
    found = run_sweep(sweep(5), tmp_path / "out", begin=told.append)
    assert found == Progress(total=5, done=5, failed=0, ran=5)
    assert [p.done for p in told] == [0, 1, 2, 3, 4, 5]
    assert [p.left for p in told] == [5, 4, 3, 2, 1, 0]
    assert run_sweep(sweep(5), tmp_path / "out").ran == 0
    assert sorted(entries(journal, "start")) == [0, 1, 2, 3, 4]
    store = Store(tmp_path / "out")
    result = store.result(sweep(5).hashes[3])
    assert result["columns"] == {"square": [9, -9], "sign": ["+", "-"]}
    assert result["configuration"] == {"k": 3, "journal": str(journal)}
    assert result["seconds"] >= 0


def test_processes_do_the_same(sweep, journal, tmp_path):
    found = run_sweep(sweep(6, {2: {"bad_once": True}}), tmp_path / "out", jobs=2)
    assert (found.done, found.failed) == (5, 1)
    assert sorted(entries(journal, "start")) == list(range(6))
    assert len(Store(tmp_path / "out").done()) == 5


def test_a_failure_is_recorded_and_tried_again_when_asked(sweep, journal, tmp_path):
    asked = sweep(4, {1: {"bad_once": True}})
    assert run_sweep(asked, tmp_path / "out") == Progress(total=4, done=3, failed=1, ran=4)
    store = Store(tmp_path / "out")
    kept = store.failure(asked.hashes[1])
    assert kept["error"] == "ValueError: not the first time"
    assert 'raise ValueError("not the first time")' in kept["traceback"]
    assert kept["configuration"]["k"] == 1
    assert run_sweep(asked, tmp_path / "out") == Progress(total=4, done=3, failed=1, ran=0)
    assert run_sweep(asked, tmp_path / "out", retry_failed=True) == Progress(total=4, done=4, failed=0, ran=1)
    assert store.failed() == set()
    assert not store.failure_path(asked.hashes[1]).exists()
    assert sorted(entries(journal, "start")) == [0, 1, 1, 2, 3]


def test_a_task_that_kills_its_process_fails_alone(sweep, journal, tmp_path):
    asked = sweep(8, {3: {"die": True}})
    found = run_sweep(asked, tmp_path / "out", jobs=2)
    assert (found.done, found.failed) == (7, 1)
    store = Store(tmp_path / "out")
    assert store.failure(asked.hashes[3])["error"] == "the process died (killed, or out of memory)"
    # Stored results are never repeated: one end for each, but for a neighbor caught between its end and its storing.
    ends = entries(journal, "end")
    assert set(ends) == {0, 1, 2, 4, 5, 6, 7}
    assert len(ends) <= 7 + 1


def test_shards_are_apart_and_together_everything(sweep, journal, tmp_path):
    asked = sweep(7)
    totals = [run_sweep(asked, tmp_path / "out", shard=Shard(i, 3)).total for i in (3, 1, 2)]
    assert totals == [2, 3, 2]
    assert sorted(entries(journal, "start")) == list(range(7))
    assert open_store(tmp_path / "out").done() == set(asked.hashes)


def test_what_another_process_finished_meanwhile_is_not_repeated(sweep, journal, tmp_path):
    asked = sweep(3)

    def meddle(progress):
        if progress.done == 1:
            run_sweep(asked, tmp_path / "out")

    found = run_sweep(asked, tmp_path / "out", begin=meddle)
    assert found == Progress(total=3, done=3, failed=0, ran=1)
    assert sorted(entries(journal, "start")) == [0, 1, 2]


def test_two_runs_start_at_different_places(sweep, journal, tmp_path, monkeypatch):
    monkeypatch.setattr(random, "randrange", lambda n: n - 1)
    run_sweep(sweep(4), tmp_path / "out")
    assert entries(journal, "start") == [3, 0, 1, 2]


def test_an_interrupt_leaves_what_is_finished(sweep, journal, tmp_path):
    def interrupt(progress):
        if progress.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_sweep(sweep(5), tmp_path / "out", begin=interrupt)
    assert len(Store(tmp_path / "out").done()) == 2
    assert run_sweep(sweep(5), tmp_path / "out").ran == 3
    assert sorted(entries(journal, "start")) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("text", ["0/4", "5/4", "1", "a/b", "1/0", "-1/2"])
def test_a_bad_shard_is_refused(text):
    with pytest.raises(KropeError, match="shard must be i/n"):
        read_shard(text)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"jobs": 0}, "jobs must be an integer of at least 1; got 0"),
        ({"jobs": 2, "dask": "x"}, "jobs must not be given"),
    ],
)
def test_bad_settings_are_refused_before_any_work(sweep, tmp_path, settings, message):
    with pytest.raises(KropeError, match=message):
        run_sweep(sweep(2), tmp_path / "out", **settings)
    assert not (tmp_path / "out").exists()
