"""The scripts that the README and docs/sweeps.md show are run as they stand."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tabular_krope.runs.status import sweep_status
from tests.test_console_examples import ROOT, files

SCRIPTS = files(ROOT / "docs" / "sweeps.md")
SMALLER = {"count    = 20": "count    = 2"}
#: A loaded machine may take its time, in seconds.
PATIENCE = 300


@pytest.fixture
def shell(tmp_path):
    """Run a script in a folder with sweep.toml, and end all that it started."""
    settings = SCRIPTS["sweep.toml"]
    for old, new in SMALLER.items():
        assert old in settings
        settings = settings.replace(old, new)
    (tmp_path / "sweep.toml").write_text(settings)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"

    def run(script, **environment):
        (tmp_path / "script").write_text(script)
        log = tmp_path / "stderr"  # a file: a pipe that nobody reads would stop what writes a lot
        with log.open("w") as stderr:
            child = subprocess.Popen(
                ["bash", "-eu", "script"],
                cwd=tmp_path,
                env=os.environ | {"PATH": path} | environment,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                start_new_session=True,
            )
        try:
            code = child.wait(timeout=PATIENCE)
        finally:
            with contextlib.suppress(ProcessLookupError):  # nothing is left
                os.killpg(child.pid, signal.SIGKILL)
        told = log.read_text()
        assert code == 0, told
        (made,) = tmp_path.glob("*/sweep.json")
        return made.parent

    return run


def test_the_jobs_of_a_batch_scheduler(shell):
    folder = shell(SCRIPTS["job.sh"], SLURM_ARRAY_TASK_ID="1", SLURM_CPUS_PER_TASK="1")
    half = sweep_status(folder)
    assert (half.done, half.left, half.table) == (12, 12, None)
    shell(SCRIPTS["job.sh"], SLURM_ARRAY_TASK_ID="2", SLURM_CPUS_PER_TASK="1")
    whole = sweep_status(folder)
    assert (whole.done, whole.left) == (24, 0)
    assert whole.table is not None


def test_every_sweep_that_is_shown_has_a_folder_of_its_own():
    shown = [
        re.findall(
            r"^(?:\$ )?krope sweep --.*--out (\S+)(?:.*)\n(?!krope: error)", (ROOT / page).read_text(), flags=re.M
        )
        for page in ("README.md", "docs/sweeps.md")
    ]
    assert [len(folders) for folders in shown] == [2, 4]
    assert len({folder for folders in shown for folder in folders}) == 6


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def dask_lines(page):
    (script,) = re.findall(r"^```sh[^\n]*\n(dask scheduler.*?)^```", (ROOT / page).read_text(), flags=re.M | re.S)
    return script.splitlines()


def test_a_scheduler_and_two_workers_in_three_lines(shell):
    pytest.importorskip("distributed")
    lines = dask_lines("README.md")
    assert len(lines) == 3
    assert "--nworkers 2" in lines[1]
    assert dask_lines("docs/sweeps.md")[:2] == lines[:2]
    status = sweep_status(shell("\n".join(lines).replace("8786", str(free_port()))))
    assert (status.total, status.done, status.failed) == (2, 2, 0)
