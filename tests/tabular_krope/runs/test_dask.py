"""A scheduler and two workers of its own, on this machine."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from tabular_krope import KropeError
from tabular_krope.runs import backends
from tabular_krope.runs.run import Progress, run_sweep
from tabular_krope.runs.store import Store
from tabular_krope.runs.sweep import Sweep, Task
from tests.tabular_krope.runs.journal_task import entries

pytest.importorskip("distributed")
ROOT = Path(__file__).parents[3]
# distributed leaves sockets to the garbage collector and warns about its own deprecations
pytestmark = pytest.mark.filterwarnings("default")


def dask(*words):
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "dask", *words]
    return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def eventually(condition, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.05)
    raise AssertionError("nothing happened")


@pytest.fixture
def cluster(tmp_path):
    """The scheduler's address and the processes of its two workers."""
    file = tmp_path / "scheduler.json"
    processes = [dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", file)]
    try:
        eventually(lambda: file.exists() and file.read_text())
        address = json.loads(file.read_text())["address"]
        processes += [dask("worker", address, "--no-nanny", "--nthreads", "1", "--no-dashboard") for _ in range(2)]
        yield address, processes[1:], processes[0]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def workers_that(journal, word):
    """Process ids of the workers by configuration, from lines that begin with ``word``."""
    found = {}
    for line in journal.read_text().splitlines() if journal.exists() else []:
        kind, k, process = line.split()
        if kind == word:
            found.setdefault(int(k), []).append(int(process))
    return found


def test_a_killed_worker_costs_only_its_own_tasks(cluster, sweep, journal, tmp_path):
    address, workers, _ = cluster
    asked = sweep(40, seconds=0.1)
    done = []

    def kill_one():
        # Both must have something to lose, and one is then killed in the middle of a task.
        eventually(
            lambda: {p for each in workers_that(journal, "start").values() for p in each} >= {w.pid for w in workers}
        )
        os.kill(workers[0].pid, signal.SIGKILL)

    killer = threading.Thread(target=kill_one)
    killer.start()
    found = run_sweep(asked, tmp_path / "out", dask=address, begin=done.append)
    killer.join()
    assert found == Progress(total=40, done=40, failed=0, ran=40)
    starts = workers_that(journal, "start")
    assert set(starts) == set(range(40))
    again = {k: processes for k, processes in starts.items() if len(processes) > 1}
    assert len(again) >= 1
    # Whatever was done twice was first with the worker that was killed; what the other finished was never repeated.
    assert all(processes[0] == workers[0].pid for processes in again.values())
    assert Counter(entries(journal, "end")).keys() == set(range(40))
    assert run_sweep(asked, tmp_path / "out", dask=address).ran == 0


def test_two_tasks_on_one_cluster_do_not_meet(cluster, sweep, tmp_path):
    address, _, _ = cluster
    squares = sweep(12, seconds=0.1)
    cubes = Sweep(Task("cube", "tests.tabular_krope.runs.journal_task:cube"), {}, squares.configurations)
    threads = [
        threading.Thread(target=run_sweep, args=(asked, tmp_path / f"{asked.task.name}s"), kwargs={"dask": address})
        for asked in (squares, cubes)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k, name in enumerate(squares.hashes):
        assert Store(tmp_path / "journals").result(name)["columns"]["square"] == [k * k, -k * k]
        assert Store(tmp_path / "cubes").result(name)["columns"] == {"cube": [k**3]}


def test_failures_and_fatal_tasks_on_a_cluster(cluster, sweep, tmp_path, monkeypatch):
    address, _, scheduler = cluster
    asked = sweep(5, {1: {"bad_once": True}})
    assert run_sweep(asked, tmp_path / "out", dask=address) == Progress(total=5, done=4, failed=1, ran=5)
    assert Store(tmp_path / "out").failure(asked.hashes[1])["error"] == "ValueError: not the first time"
    found = run_sweep(asked, tmp_path / "out", dask=address, retry_failed=True)
    assert found == Progress(total=5, done=5, failed=0, ran=1)
    monkeypatch.setattr("tabular_krope.__version__", "0.0.0")
    with pytest.raises(KropeError, match=r"every worker must have krope-lab 0.0.0 installed; got"):
        run_sweep(sweep(2), tmp_path / "other", dask=address)
    monkeypatch.undo()

    def kill_scheduler(progress):
        if progress.done == 1:
            scheduler.kill()

    with pytest.raises(KropeError, match=r"the Dask scheduler must stay up; .*run the same command to resume"):
        run_sweep(sweep(60, seconds=0.1), tmp_path / "cut", dask=address, begin=kill_scheduler)
    assert Store(tmp_path / "cut").done()


def test_no_worker_and_no_scheduler_are_refused(tmp_path, sweep, monkeypatch):
    monkeypatch.setattr(backends, "PATIENCE", 1)
    with pytest.raises(KropeError, match="dask must be the address of a running scheduler"):
        run_sweep(sweep(2), tmp_path / "out", dask="tcp://127.0.0.1:9")
    with pytest.raises(KropeError, match="dask must be the address of a running scheduler"):
        run_sweep(sweep(2), tmp_path / "out", dask="nonsense://x")
    file = tmp_path / "scheduler.json"
    scheduler = dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", file)
    try:
        eventually(lambda: file.exists() and file.read_text())
        address = json.loads(file.read_text())["address"]
        with pytest.raises(KropeError, match=f"dask must have a worker, start one with 'dask worker {address}'"):
            run_sweep(sweep(2), tmp_path / "out", dask=address)
    finally:
        scheduler.kill()
        scheduler.wait()


class Lost:
    status = "lost"


class Fatal:
    status = "error"

    def exception(self):
        return RuntimeError("attempted on 4\nworkers")


def test_what_the_scheduler_says():
    with pytest.raises(KropeError, match=r"the Dask scheduler must stay up; .*run the same command to resume"):
        backends._outcome(Lost())
    assert backends._outcome(Fatal())["error"] == "RuntimeError: attempted on 4 workers"


@pytest.mark.parametrize(
    "address", ["nowhere", "", ":::", "tcp://host", "foo://host:1", "tls://host:1", "inproc://here"]
)
def test_what_is_no_address_is_refused_at_once_and_leaves_nothing(tmp_path, sweep, address):
    with pytest.raises(KropeError, match=r"dask must be the address of a running scheduler, .*; got .* \(.+\)"):
        run_sweep(sweep(2), tmp_path / "out", dask=address)
    assert not (tmp_path / "out").exists()
