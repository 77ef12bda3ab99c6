"""What people wait for, beside kernels: features of large models, the command's start, ``krope check``, sweeps.

``python -m krope.waits [quick] [large]`` prints a row a line, as `tabular_krope.report.benchmarks` does. Commands are
run as a shell runs them, in processes of their own, and their CPU time is that of the process and its children.
"""

import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tabular_krope.report.benchmarks import Row
from tabular_krope.report.large_features import agreement, growth, large_features, terms_taken
from tabular_krope.report.plain import plain

#: Starts of a command that are timed.
STARTS = 5
#: Checks of a sweep that is measured.
CHECKS = 100_000
#: Pairs of features that are always measured; and those of ``large`` with the most seconds on the wall and GB.
SMALLER = (10**4, 10**5)
LARGER: tuple[tuple[int, float, float], ...] = ((10**6, 20.0, 2.5), (10**7, 360.0, 18.0))
ACTIONS = 5
NOT_RUN = "not run: krope bench --large"


def cpu_of(command: Sequence[str]) -> float:
    """CPU seconds of a command and of what it starts; it must succeed.

    >>> 0 < cpu_of([sys.executable, "-c", "pass"]) < 10
    True
    """
    before = _children()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def start(job: str, command: Sequence[str], repeats: int, target: float | None) -> Row:
    """The CPU time until a command has begun, beside that of Python with numpy."""
    bare = [sys.executable, "-c", "import numpy"]
    ours, bound = (float(np.median([cpu_of(words) for _ in range(repeats)])) for words in (command, bare))
    return Row(job, "Python with numpy", ours, bound, None, None, target, absolute=True)


def starts(repeats: int, target: float | None) -> Iterator[Row]:
    """The library and the command."""
    yield start("import tabular_krope", [sys.executable, "-c", "import tabular_krope"], repeats, target)
    yield start("krope --help", [sys.executable, "-m", "krope", "--help"], repeats, target)


def check(target: float | None) -> Row:
    """``krope check`` at its defaults."""
    return Row("krope check", "", cpu_of([sys.executable, "-m", "krope", "check"]), None, None, None, target)


def sweep(count: int, target: float | None) -> Row:
    """A sweep of so many spectral checks on Garnets of 8 states and 5 actions."""
    with tempfile.TemporaryDirectory() as folder:
        words = f"--models garnet:8x5x3 --policies random --dims 5 --count {count} --quiet --out {folder}/sweep"
        seconds = cpu_of([sys.executable, "-m", "krope", "sweep", *words.split()])
    return Row(f"sweep, {count:,} checks 8x5", "", seconds, None, None, None, target)


def features_rows(large: bool) -> Iterator[Row]:
    """Features of growing models; the largest only if asked for, and named if not."""
    terms = terms_taken()
    found: list[dict[str, Any]] = []
    for pairs in SMALLER:
        found.append(large_features(pairs // ACTIONS, terms))
        yield _features_row(found[-1], None)
    for pairs, seconds, space in LARGER:
        if large:
            found.append(large_features(pairs // ACTIONS, terms))
            yield _features_row(found[-1], seconds)
            yield Row(_job(pairs), "", found[-1]["GB"], None, None, None, space, "memory", unit="GB")
        else:
            yield Row(_job(pairs), "its bound", None, None, None, None, seconds, NOT_RUN, absolute=True)
            yield Row(_job(pairs), "", None, None, None, None, space, f"memory, {NOT_RUN}", unit="GB")
    ends = f"{found[0]['pairs']:,} to {found[-1]['pairs']:,}"
    yield Row("top-32: exponent", "", growth(found), None, None, None, 1.1, ends, unit="")


def _job(pairs: int) -> str:
    return f"top-32 of {pairs:,} pairs"


def _features_row(found: dict[str, Any], target: float | None) -> Row:
    note = f"{found['products']} products, {found['seconds']:.3g} CPU s"
    return Row(
        _job(found["pairs"]), "its bound", found["wall"], found["bound"], None, None, target, note, absolute=True
    )


def rows(quick: bool, large: bool = False) -> Iterator[Row]:
    """All rows; quick ones are few and without targets."""
    if quick:
        yield Row("matrix-free 40x5", "dense kernel", agreement(40), None, None, None, None, absolute=True, unit="")
        yield from starts(1, None)
        return
    same = agreement(1000)
    yield Row("matrix-free 1000x5", "dense kernel", same, None, None, None, 1e-12, absolute=True, unit="")
    yield from features_rows(large)
    yield from starts(STARTS, 0.3)
    yield check(15.0)
    yield sweep(CHECKS, 15.0)
    yield Row("the test suite, on the wall", "", None, None, None, None, 360.0, "not run: make suite")


if __name__ == "__main__":
    for row in rows("quick" in sys.argv[1:], "large" in sys.argv[1:]):
        print(json.dumps(plain(row) | {"reached": row.reached}), flush=True)
