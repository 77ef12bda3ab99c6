"""Every ``$`` command in the README and the docs runs and prints what the page shows (``...`` stands for anything)."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
#: Set-up lines of the README that the suite itself is an instance of.
SKIPPED = ("make", "git", "cd", "pip", "python3", ".")


def examples(page):
    """(command, expected output) pairs of a page's ``console`` blocks."""
    for block in re.findall(r"^```console\n(.*?)^```", page.read_text(), flags=re.M | re.S):
        for chunk in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = chunk.partition("\n")
            yield command, output


CASES = [pytest.param(c, out, id=f"{page.name}: {c}") for page in PAGES for c, out in examples(page)]


@pytest.mark.parametrize(("command", "expected"), CASES)
def test_example(command, expected, tmp_path):
    words = shlex.split(command, comments=True)
    if words[0] in SKIPPED:
        pytest.skip("a set-up command")
    assert words[0] == "krope", f"only krope commands are shown: {command}"
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "tabular_krope.cli", *words[1:]],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment,
    )
    wanted_code = 2 if expected.lstrip().startswith("krope: error") else 0
    printed = done.stderr if wanted_code == 2 else done.stdout
    assert done.returncode == wanted_code, done.stderr
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    if expected.strip():
        assert doctest.OutputChecker().check_output(expected, printed, flags), f"{command} printed\n{printed}"


def test_pages_have_examples():
    assert any("README" in case.id for case in CASES)
