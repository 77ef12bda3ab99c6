"""Which tests look at a source: its own examples and test file, then tests that name it, then those next door."""

import ast
import re
from functools import cache
from pathlib import Path

from proofs_check.statements.registry import SUBJECTS

STATEMENTS = "proofs_check/statements/"
#: Statements are judged by these, which name them.
JUDGES = (
    "tests/proofs_check/search/test_identity_trial.py",
    "tests/proofs_check/statements/test_witnesses.py",
    "tests/proofs_check/judging/test_check.py",
    "tests/proofs_check/statements/test_steps.py",
    "tests/proofs_check/statements/test_corrupted.py",
)
#: Test files from next door, at most.
MOST = 5
PACKAGES = ("tabular_krope", "proofs_check", "deep", "figures", "krope")


@cache
def stages(root: Path, file: str) -> list[tuple[str, ...]]:
    """Paths of tests for a source, nearest first: a mutant that passes one stage is put before the next.

    >>> stages(Path(__file__).parents[2], "tabular_krope/models/values.py")[0]
    ('tabular_krope/models/values.py', 'tests/tabular_krope/models/test_values.py')
    """
    folder, _, name = file.rpartition("/")
    own = f"tests/{folder}/test_{name}"
    first = [file, *([own] if (root / own).exists() else [])]
    near = _near(root, file)
    doors = dict.fromkeys(test for other in _importers(root, file) for test in _near(root, other))
    next_door = sorted(doors.keys() - set(near), key=lambda test: (not test.startswith(f"tests/{folder}/"), test))[
        :MOST
    ]
    out, seen = _judges(root, file), set[str]()
    for group in (first, near, next_door):
        fresh = tuple(dict.fromkeys(path for path in group if path not in seen and (root / path).exists()))
        seen |= set(fresh)
        if fresh:
            out.append(fresh)
    return out


def _judges(root: Path, file: str) -> list[tuple[str, ...]]:
    """The tests of a subject's own statements."""
    subject = file.removeprefix(STATEMENTS).partition("/")[0]
    if not file.startswith(STATEMENTS) or subject not in SUBJECTS:
        return []
    return [(*(path for path in JUDGES if (root / path).exists()), "-k", " or ".join(SUBJECTS[subject]))]


@cache
def _near(root: Path, file: str) -> list[str]:
    """Tests that import a module, or call a public name of it through the package."""
    module, names = _module(file), _public(root, file)
    called = re.compile(rf"\b(?:tk|pc)\.(?:{'|'.join(map(re.escape, names))})\b") if names else None
    return [
        path
        for path, (imported, text) in _tests(root).items()
        if module in imported or (called is not None and called.search(text))
    ]


@cache
def _tests(root: Path) -> dict[str, tuple[frozenset[str], str]]:
    """Modules that each test file imports, and its text."""
    out = {}
    for file in sorted((root / "tests").rglob("test_*.py")):
        text = file.read_text(encoding="utf-8")
        out[str(file.relative_to(root))] = (_imported(text), text)
    return out


@cache
def _sources(root: Path) -> dict[str, frozenset[str]]:
    files = (file for package in PACKAGES for file in sorted((root / package).rglob("*.py")))
    return {str(file.relative_to(root)): _imported(file.read_text(encoding="utf-8")) for file in files}


def _importers(root: Path, file: str) -> list[str]:
    """Sources that import a module."""
    module = _module(file)
    return [other for other, imported in _sources(root).items() if module in imported]


def _imported(text: str) -> frozenset[str]:
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(found)


@cache
def _public(root: Path, file: str) -> list[str]:
    body = ast.parse((root / file).read_text(encoding="utf-8")).body
    named = [node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    return [name for name in named if not name.startswith("_")]


def _module(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
