"""Which tests enter which block of the source: made once by running them, kept in ``.mutants/map.json.gz``.

Test files that changed since are run again, the others are believed. For a mutant, tests are chosen that enter its
block: its own file's first, then the fastest, one of each parametrized test before a second one, as many as fit into a
budget of CPU seconds. Tests of its own file that enter nothing are chosen, too: they start processes, or read tables.
"""

import gzip
import hashlib
import json
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tests.mutants.asking import Judge
from tests.mutants.blocks import block_at, blocks

#: Where tests of the core are, and folders of these that are not asked: they test other rooms, and are slow.
ASKED = ("tests/tabular_krope", "tests/proofs_check", "tabular_krope", "proofs_check")
OTHERS = ("control", "runs", "data")
IGNORED = (
    *(f"{top}tabular_krope/{room}" for top in ("", "tests/") for room in OTHERS),
    *(f"{top}proofs_check/{room}" for top in ("", "tests/") for room in ("formal", "prove", "strategies", "show")),
    "tests/proofs_check/second_opinions",
    "tests/proofs_check/test_plugin.py",
)
#: Files of tests that read what stands outside of functions, and so enter none: they are fast.
OF_SIGNATURES = ("tests/tabular_krope/test_defaults.py", "tests/proofs_check/test_defaults.py")


@dataclass
class Map:
    """Seconds and blocks of each test that passes, and the hash of each file of tests when it was run."""

    hashes: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    entered: dict[str, list[str]] = field(default_factory=dict)

    def by_block(self) -> dict[str, list[str]]:
        """Tests that enter each block, and, as ``file|function``, those that enter a function."""
        out = defaultdict(list)
        for test, names in self.entered.items():
            for name in names:
                out[name].append(test)
        return out

    def forget(self, files: Iterable[str]) -> None:
        """Drop the tests of these files."""
        gone = set(files)
        for test in [test for test in self.seconds if file_of(test) in gone]:
            del self.seconds[test], self.entered[test]
        for file in gone:
            self.hashes.pop(file, None)


def file_of(test: str) -> str:
    """The file of ``tests/a.py::test_b[1]``."""
    return test.partition("::")[0]


def files_of_tests(root: Path) -> dict[str, str]:
    """Hash of each file that has tests or examples."""
    found = {}
    for folder in ASKED:
        for path in sorted((root / folder).rglob("*.py")):
            name = str(path.relative_to(root))
            if name.startswith(IGNORED) or (name.startswith("tests/") and not path.name.startswith("test_")):
                continue
            text = path.read_bytes()
            if name.startswith("tests/") or b">>>" in text:
                found[name] = hashlib.sha256(text).hexdigest()[:16]
    return found


def read_map(path: Path) -> Map:
    """The map in a file, an empty one if there is none."""
    if not path.exists():
        return Map()
    kept = json.loads(gzip.decompress(path.read_bytes()))
    names = kept["blocks"]
    return Map(kept["hashes"], kept["seconds"], {test: [names[k] for k in ks] for test, ks in kept["entered"].items()})


def write_map(found: Map, path: Path) -> None:
    """Keep a map; block names are written once."""
    numbers = {name: k for k, name in enumerate(sorted({name for names in found.entered.values() for name in names}))}
    entered = {test: [numbers[name] for name in names] for test, names in found.entered.items()}
    kept = {"hashes": found.hashes, "seconds": found.seconds, "blocks": list(numbers), "entered": entered}
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")
    beside.write_bytes(gzip.compress(json.dumps(kept).encode(), 6))
    beside.replace(path)


def refreshed(found: Map, root: Path, path: Path, deadline: float = float("inf")) -> Map:
    """The map with new and changed files of tests run, written to ``path`` now and then."""
    now = files_of_tests(root)
    found.forget([file for file in found.hashes if found.hashes[file] != now.get(file)])
    missing = [file for file in now if file not in found.hashes]
    if not missing:
        return found
    print(f"looking at what {len(missing)} files of tests enter", flush=True)
    written, last = time.monotonic(), ""
    with Judge("map", root, missing) as judge:
        for answer in judge.answers():
            if answer["good"]:
                found.seconds[answer["test"]], found.entered[answer["test"]] = answer["seconds"], answer["blocks"]
            file = file_of(answer["test"])
            if last and file != last:
                found.hashes[last] = now[last]
                if time.monotonic() > written + 60:
                    write_map(found, path)
                    written = time.monotonic()
                if time.monotonic() > deadline:
                    break
            last = file
        else:
            if judge.process.wait() == 0:
                found.hashes |= {file: now[file] for file in missing}
    write_map(found, path)
    return found


class Chooser:
    """Chooses the tests for a place."""

    def __init__(self, found: Map, root: Path) -> None:
        self.found, self.root = found, root
        self.tests = found.by_block()
        self.functions = defaultdict(set)
        for name, tests in self.tests.items():
            self.functions[name.rpartition(":")[0]] |= set(tests)
        self.by_file = defaultdict(set)
        for test in found.seconds:
            self.by_file[file_of(test)].add(test)

    def choose(self, file: str, line: int, budget: float) -> list[str]:
        """Tests that enter the block of a line (outside of functions: those that enter any function of the file)."""
        name = block_at(blocks((self.root / file).read_text(encoding="utf-8")), line)
        if name is None:
            tests = {t for function, tests in self.functions.items() if function.startswith(f"{file}|") for t in tests}
            tests |= {test for name in (_own(file)[1], *OF_SIGNATURES) for test in self.by_file.get(name, ())}
        else:
            key = f"{file}|{name}"
            tests = set(self.tests.get(key, ())) or set(self.functions[key.rpartition(":")[0]])
            tests |= {test for test in self.by_file.get(_own(file)[1], ()) if not self.found.entered[test]}
        return within_budget(self._ordered(file, tests), self.found.seconds, budget)

    def _ordered(self, file: str, tests: Iterable[str]) -> list[str]:
        own = (*_own(file), *OF_SIGNATURES)
        seen: dict[str, int] = defaultdict(int)
        ranked = []
        for test in sorted(tests, key=lambda test: (self.found.seconds[test], test)):
            function = test.partition("[")[0]
            ranked.append((seen[function], file_of(test) not in own, self.found.seconds[test], test))
            seen[function] += 1
        return [test for *_, test in sorted(ranked)]


def _own(file: str) -> tuple[str, str]:
    """Where the tests of a file itself are: its examples, and the file of tests that mirrors it."""
    folder, _, name = file.rpartition("/")
    return file, f"tests/{folder}/test_{name}"


def within_budget(tests: list[str], seconds: dict[str, float], budget: float) -> list[str]:
    """The first tests whose seconds fit into the budget together; at least one.

    >>> within_budget(["a", "b", "c"], {"a": 1, "b": 5, "c": 2}, 3.5)
    ['a', 'c']
    """
    out, spent = list[str](), 0.0
    for test in tests:
        if not out or spent + seconds[test] <= budget:
            out.append(test)
            spent += seconds[test]
    return out
