"""Break formulas one by one and see the tests turn red: ``python -m tests.mutants.run [--jobs N] [--list] [NAME...]``.

Each worker has its own copy of the packages and tests. First the copies must pass, unbroken, every test that is to
fail; then each mutation is written into a copy, its tests run there, and the source is put back. A mutation is *killed*
when a test fails. It *survives* when the tests pass, when they do not end in time, and when it cannot be judged at all:
its text is no longer in the source, or the broken module cannot even be imported.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from tests.mutants.mutation import DoesNotApply, Mutation
from tests.mutants.mutations import MUTATIONS

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("krope", "tabular_krope", "proofs_check", "deep", "figures", "tests", "pyproject.toml", "conftest.py")
#: Seconds for one run of pytest; most take a few.
PATIENCE = 240
#: Exit codes of pytest: all passed; some failed, or could not be collected.
PASSED, RED = 0, (1, 2)
#: Runs in every copy as the tests do, so that no other installation of the package can be what is tested.
IMPORTED_FROM_THE_COPY = """
from pathlib import Path
import tabular_krope

def test_the_copy_is_what_is_imported():
    assert Path(tabular_krope.__file__).resolve().is_relative_to(Path(__file__).resolve().parents[1])
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one mutation (or, of the unbroken source, of one folder of tests)."""

    name: str
    good: bool
    word: str
    seconds: float
    output: str


def main(arguments: list[str] | None = None) -> int:
    """Run the mutations that are named, all of them by default; 0 when every one is killed."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.run", description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="mutations to run; all if none is named")
    parser.add_argument("--jobs", type=int, default=2, help="copies that work at the same time (default 2)")
    parser.add_argument("--list", action="store_true", help="print the mutations and stop")
    options = parser.parse_args(arguments)
    known = {mutation.name: mutation for mutation in MUTATIONS}
    if unknown := [name for name in options.names if name not in known]:
        parser.error(f"NAME must be one that --list shows; got {unknown[0]!r}")
    if options.jobs < 1:
        parser.error(f"--jobs must be at least 1; got {options.jobs}")
    chosen = [known[name] for name in options.names] or list(MUTATIONS)
    if options.list:
        for mutation in chosen:
            print(f"{mutation.name}\n    {mutation.file}\n    - {mutation.old}\n    + {mutation.new}")
        return 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        return judge_all(chosen, [copy_repository(Path(folder) / str(k)) for k in range(options.jobs)])


def judge_all(mutations: list[Mutation], copies: list[Path]) -> int:
    """Check the unbroken copies, then judge every mutation; the exit code."""
    folders = tests_by_folder(mutations)
    print(f"the unbroken source must pass the same tests, in {len(folders)} folders", flush=True)
    if not all(outcome.good for outcome in in_parallel(judge_unbroken, folders, copies)):
        print("the unbroken source fails: nothing can be said about mutations")
        return 1
    print(f"{len(mutations)} mutations must each fail a test", flush=True)
    outcomes = in_parallel(judge_mutation, mutations, copies)
    survivors = [outcome for outcome in outcomes if not outcome.good]
    for outcome in survivors:
        print(f"not killed: {outcome.name} ({outcome.word})")
    print(f"{len(outcomes) - len(survivors)} killed, {len(survivors)} survived")
    return 1 if survivors else 0


def in_parallel(judge: Callable[[Path, Any], Outcome], items: Sequence[Any], copies: list[Path]) -> list[Outcome]:
    """``judge(copy, item)`` of every item, each copy in one hand at a time; a line of progress for each outcome."""
    free: SimpleQueue[Path] = SimpleQueue()
    for copy in copies:
        free.put(copy)

    def with_a_copy(item: Any) -> Outcome:
        copy = free.get()
        try:
            return judge(copy, item)
        finally:
            free.put(copy)

    outcomes: list[Outcome] = []
    with ThreadPoolExecutor(len(copies)) as pool:
        for future in as_completed([pool.submit(with_a_copy, item) for item in items]):
            outcome = future.result()
            outcomes.append(outcome)
            place = f"[{len(outcomes):{len(str(len(items)))}}/{len(items)}]"
            print(f"{place} {outcome.word:10} {outcome.seconds:5.1f} s  {outcome.name}", flush=True)
            if not outcome.good:
                print("    " + "\n    ".join(outcome.output.strip().splitlines()[-12:]), flush=True)
    return outcomes


def tests_by_folder(mutations: Sequence[Mutation]) -> list[tuple[str, ...]]:
    """Each test path of the mutations once, those of one folder together: a start of pytest takes seconds."""
    paths = sorted({path for mutation in mutations for path in mutation.tests})
    return [tuple(group) for _, group in groupby(paths, key=folder_of)]


def folder_of(path: str) -> str:
    """The folder of a test path such as ``tests/folder/test_file.py::test_name``."""
    return path.partition("::")[0].rpartition("/")[0]


def judge_unbroken(copy: Path, paths: tuple[str, ...]) -> Outcome:
    """Whether the tests at ``paths`` pass on the copy as it stands."""
    start = time.monotonic()
    code, output = run_tests(copy, ("tests/test_imported_copy.py", *paths))
    good = code == PASSED
    return Outcome(folder_of(paths[0]), good, "passed" if good else "FAILED", time.monotonic() - start, output)


def judge_mutation(copy: Path, mutation: Mutation) -> Outcome:
    """Break the copy, run the tests of the mutation, mend the copy."""
    start = time.monotonic()
    file = copy / mutation.file
    original = file.read_text(encoding="utf-8")
    try:
        file.write_text(mutation.mutated(copy), encoding="utf-8")
        code, output = run_tests(copy, mutation.tests)
        # Tests that make their cases while they are collected fail there; but a module that does not load is no mutant.
        killed = code in RED and (" failed" in last_line(output) or imports(copy, mutation.file))
        word = {PASSED: "survived", None: "hangs"}.get(code, "killed" if killed else "no verdict")
    except DoesNotApply as error:
        killed, word, output = False, "no match", str(error)
    finally:
        file.write_text(original, encoding="utf-8")
    return Outcome(mutation.name, killed, word, time.monotonic() - start, output)


def copy_repository(to: Path) -> Path:
    """The packages and tests at ``to``, with one more test that the copy is what is imported."""
    to.mkdir()
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, to / name, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
        else:
            shutil.copy2(source, to / name)
    (to / "tests" / "test_imported_copy.py").write_text(IMPORTED_FROM_THE_COPY, encoding="utf-8")
    return to


def run_tests(copy: Path, tests: tuple[str, ...]) -> tuple[int | None, str]:
    """Exit code (None if they do not end in time) and output of the tests on the copy."""
    return run_python(copy, "-m", "pytest", "-x", "-q", "--no-header", "--tb=line", "-p", "no:cacheprovider", *tests)


def last_line(output: str) -> str:
    """Where pytest counts what passed, failed and could not be collected."""
    return output.strip().rpartition("\n")[2]


def imports(copy: Path, file: str) -> bool:
    """Whether the module in ``file`` can be imported on the copy."""
    module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return run_python(copy, "-c", f"import {module}")[0] == PASSED


def run_python(copy: Path, *arguments: str) -> tuple[int | None, str]:
    """Exit code (None after `PATIENCE` seconds) and output of this Python on the copy."""
    env = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    env |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    # No bytecode: a mutation of equal length within one second would be taken for the file it replaces.
    env |= {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1", "HYPOTHESIS_PROFILE": "ci"}
    try:
        done = subprocess.run(
            [sys.executable, *arguments], cwd=copy, env=env, capture_output=True, text=True, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        return None, f"not done after {PATIENCE} s"
    return done.returncode, done.stdout + done.stderr


if __name__ == "__main__":
    sys.exit(main())
