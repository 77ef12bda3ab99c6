"""Compile every file, as many at a time as there are jobs, each as soon as what it imports is there."""

import subprocess
import time
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path

from proofs_check.formal.sources import dependencies
from proofs_check.formal.toolchain import Coq
from tabular_krope.errors import KropeError

#: Seconds after which a file is given up.
PATIENCE = 600


@dataclass(frozen=True, slots=True)
class Compiled:
    """A file that Coq accepted.

    Attributes:
        name: without the suffix.
        seconds: how long it took.
    """

    name: str
    seconds: float


def run_coqc(coq: Coq, folder: Path, name: str) -> str:
    """What ``coqc`` prints on one file of the build folder; a `KropeError` if it rejects the file."""
    command = [coq.coqc, "-q", "-w", "none", "-Q", ".", "Krope", f"{name}.v"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        raise KropeError(f"{name}.v must compile within {PATIENCE} s; got no end") from None
    if done.returncode:
        raise KropeError(f"{name}.v must be accepted by coqc; got\n{(done.stderr or done.stdout).strip()}")
    return done.stdout


def compile_all(coq: Coq, sources: Mapping[str, str], folder: Path, jobs: int = 2) -> list[Compiled]:
    """Write the sources into an empty folder and compile them all.

    Args:
        coq: the compiler.
        sources: texts by name.
        folder: where the compiled files go.
        jobs: files at a time.

    Returns:
        One entry a file, in the order in which they were done.
    """
    for name, text in sources.items():
        (folder / f"{name}.v").write_text(text, encoding="utf-8")
    order = TopologicalSorter(dependencies(sources))
    order.prepare()
    done: list[Compiled] = []
    running: set[Future[Compiled]] = set()
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        while order.is_active():
            running |= {pool.submit(_one, coq, folder, name) for name in order.get_ready()}
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            try:
                for future in finished:
                    done.append(future.result())
                    order.done(done[-1].name)
            except KropeError:
                pool.shutdown(cancel_futures=True)
                raise
    return done


def _one(coq: Coq, folder: Path, name: str) -> Compiled:
    start = time.perf_counter()
    run_coqc(coq, folder, name)
    return Compiled(name, time.perf_counter() - start)
