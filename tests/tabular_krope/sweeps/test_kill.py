"""SIGKILL at random moments: no finished result is lost, none is repeated."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tabular_krope.sweeps.run import run_sweep
from tabular_krope.sweeps.store import Store
from tests.tabular_krope.sweeps.journal_task import entries

ROOT = Path(__file__).parents[3]
RUN = """
import json, sys
from tabular_krope.sweeps.run import run_sweep
from tabular_krope.sweeps.sweep import Sweep, Task
task, folder, jobs, configurations = json.loads(sys.argv[1])
run_sweep(Sweep(Task(*task), {}, tuple(configurations)), folder, jobs)
"""


def results(folder):
    """Inode and time of every result file by hash."""
    store = Store(folder)
    stats = {name: store.result_path(name).stat() for name in store.done()}
    return {name: (stat.st_ino, stat.st_mtime_ns) for name, stat in stats.items()}


@pytest.mark.parametrize(("kills", "jobs", "n"), [(10, 1, 60), (2, 2, 30)])
def test_killed_at_random_moments(sweep, journal, tmp_path, kills, jobs, n):
    rng, folder = random.Random(jobs), tmp_path / "out"
    asked = sweep(n, seconds=0.05)
    task = [asked.task.name, asked.task.function]
    argument = json.dumps([task, str(folder), jobs, [dict(c) for c in asked.configurations]])
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    for _ in range(kills):
        before, started = results(folder), len(entries(journal, "start"))
        child = subprocess.Popen([sys.executable, "-c", RUN, argument], env=environment, start_new_session=True)
        while len(entries(journal, "start")) == started and child.poll() is None:
            time.sleep(0.005)
        time.sleep(rng.uniform(0, 0.1))
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        after = results(folder)
        # What was finished is untouched, and was not even begun again.
        assert before.items() <= after.items()
        again = set(entries(journal, "start")[started:])
        assert not {asked.hashes[k] for k in again} & before.keys()
    assert results(folder)
    survived = results(folder)
    assert run_sweep(asked, folder).done == n
    assert survived.items() <= results(folder).items()
    for k, name in enumerate(asked.hashes):
        assert Store(folder).result(name)["columns"]["square"] == [k * k, -k * k]
    # A kill costs what was running, no more.
    assert len(entries(journal, "start")) - n <= kills * jobs
