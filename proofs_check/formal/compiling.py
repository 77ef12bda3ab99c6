"""Compile every file, as many at a time as there are jobs, each as soon as what it imports is there."""

import subprocess
import time
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path

from proofs_check.formal.ledger import digest
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
    """Write the sources into a folder and compile them all, but for those that were compiled there from the same texts.

    Args:
        coq: the compiler.
        sources: texts by name.
        folder: where the compiled files go; everything is compiled if it is empty.
        jobs: files at a time.

    Returns:
        One entry a file, in the order in which they were done.
    """
    needs = dependencies(sources)
    keys = {name: f"{coq.version} {digest({n: sources[n] for n in closure(needs, name)})}" for name in sources}
    for name, text in sources.items():
        (folder / f"{name}.v").write_text(text, encoding="utf-8")
    order = TopologicalSorter(needs)
    order.prepare()
    done: list[Compiled] = []
    running: set[Future[Compiled]] = set()
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        while order.is_active():
            running |= {pool.submit(_one, coq, folder, name, keys[name]) for name in order.get_ready()}
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            try:
                for future in finished:
                    done.append(future.result())
                    order.done(done[-1].name)
            except KropeError:
                pool.shutdown(cancel_futures=True)
                raise
    return done


def closure(needs: Mapping[str, set[str]], name: str) -> set[str]:
    """A file and everything that it imports, directly or not.

    >>> sorted(closure({"a": {"b"}, "b": {"c"}, "c": set(), "d": set()}, "a"))
    ['a', 'b', 'c']
    """
    return {name}.union(*(closure(needs, other) for other in needs[name]))


def _one(coq: Coq, folder: Path, name: str, key: str) -> Compiled:
    start = time.perf_counter()
    mark = folder / f"{name}.compiled"
    if not mark.exists() or mark.read_text(encoding="utf-8") != key:
        run_coqc(coq, folder, name)
        mark.write_text(key, encoding="utf-8")
    return Compiled(name, time.perf_counter() - start)
