"""SIGKILL at random moments: no finished result is lost, none is repeated."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from krope import main
from tabular_krope.runs import backends
from tabular_krope.runs.run import run_sweep
from tabular_krope.runs.store import Store
from tabular_krope.runs.table import read_table
from tests.copies import MAY_COPY, Copy
from tests.tabular_krope.runs.journal_task import entries

ROOT = Path(__file__).parents[3]
RUN = """
import json, sys
from tabular_krope.runs.run import run_sweep
from tabular_krope.runs.sweep import Sweep, Task
task, folder, jobs, configurations = json.loads(sys.argv[1])
run_sweep(Sweep(Task(*task), {}, tuple(configurations)), folder, jobs)
"""

#: Thirty-two configurations, each a small part of a second.
GARNETS = (
    *("sweep", "--models", "garnet:4x2x2,garnet:5x3", "--policies", "random,deterministic", "--dims", "2,full"),
    *("--weights", "uniform,occupancy", "--features", "krope,random", "--gammas", "0.9,99/100", "--count", "30"),
)

#: Results that may be kept after those that a kill waits for.
MORE = 4


def results(folder):
    """Inode and time of every result file by hash."""
    store = Store(folder)
    stats = {name: store.result_path(name).stat() for name in store.done()}
    return {name: (stat.st_ino, stat.st_mtime_ns) for name, stat in stats.items()}


def sweeping(sweep, folder, jobs):
    """A process in a group of its own that runs a sweep: with processes to start fresh, else a copy of this one."""
    if jobs == 1:
        return Copy(run_sweep, sweep, folder, jobs)
    task = [sweep.task.name, sweep.task.function]
    argument = json.dumps([task, str(folder), jobs, [dict(c) for c in sweep.configurations]])
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen([sys.executable, "-c", RUN, argument], env=environment, start_new_session=True)


@MAY_COPY
@pytest.mark.parametrize(("kills", "jobs", "n"), [(10, 1, 60), (2, 2, 30)])
def test_killed_at_random_moments(sweep, journal, tmp_path, kills, jobs, n):
    rng, folder = random.Random(jobs), tmp_path / "out"
    asked = sweep(n, seconds=0.05)
    for kill in range(kills):
        before, started = results(folder), len(entries(journal, "start"))
        child = sweeping(asked, folder, jobs)
        while len(entries(journal, "start")) == started and child.poll() is None:
            time.sleep(0.005)
        time.sleep(rng.uniform(0, 0.1))
        while (
            kill == kills - 1 and not results(folder) and child.poll() is None
        ):  # a busy machine finishes nothing in time
            time.sleep(0.005)
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


def begun(folder, jobs, most):
    """The real command, in a process group of its own; alone, in a copy of this process.

    The copy stops at ``most`` results until it is killed: it never ends before, however late the kill comes.
    """
    words = [*GARNETS, "--jobs", str(jobs), "--out", str(folder)]
    if jobs == 1:
        return Copy(run_at_most, words, folder, most)
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-m", "krope", *words], env=environment, start_new_session=True, stdout=subprocess.DEVNULL
    )


def run_at_most(words, folder, most):
    """The command in a copy of this process."""
    perform = backends.perform

    def next_one(*given):
        while len(results(folder)) >= most:
            time.sleep(1)
        return perform(*given)

    backends.perform = next_one
    main(words)


def run_to_its_end(folder):
    """The same in this process alone."""
    with pytest.raises(SystemExit) as left:
        main([*GARNETS, "--jobs", "1", "--out", str(folder)])
    assert left.value.code == 0


@MAY_COPY
def test_the_command_killed_at_random_moments_leaves_the_table_of_one_that_was_not(tmp_path):
    rng, folder, whole = random.Random(0), tmp_path / "killed", tmp_path / "whole"
    for enough, jobs in zip(rng.sample(range(5), 4), (2, 1, 1, 1), strict=True):
        before = results(folder)
        child = begun(folder, jobs, len(before) + enough + MORE)
        while child.poll() is None and len(results(folder)) < len(before) + enough:
            time.sleep(0.005)
        time.sleep(rng.uniform(0, 0.03 if enough else 0.1))
        os.killpg(child.pid, signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
        assert before.items() <= results(folder).items()
    survived = results(folder)
    run_to_its_end(whole)
    assert 0 < len(survived) < len(results(whole)) == 32
    run_to_its_end(folder)
    assert survived.items() <= results(folder).items()
    np.testing.assert_equal(read_table(Store(folder)), read_table(Store(whole)))
