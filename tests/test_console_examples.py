"""Every ``$`` command in the README and the docs runs and prints what the page shows (``...`` stands for anything)."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from krope import main

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
#: Set-up lines of the README that the suite itself is an instance of.
SKIPPED = ("make", "git", "cd", "pip", "python3", ".")


def blocks(page):
    """The ``console`` blocks of a page: lists of (command, expected output), run one after the other in one folder."""
    for block in re.findall(r"^```console\n(.*?)^```", page.read_text(), flags=re.M | re.S):
        chunks = (chunk.partition("\n") for chunk in re.split(r"^\$ ", block, flags=re.M)[1:])
        yield [(command, output) for command, _, output in chunks]


def files(page):
    """Files that a page shows, by name: blocks that have a title."""
    shown = re.findall(r'^```\w+ title="([\w.]+)"\n(.*?)^```', page.read_text(), flags=re.M | re.S)
    return dict(shown)


def made_in_python(page, block):
    """Whether a block names a file that the page's Python examples write."""
    written = re.findall(r'(?:save|write_text)\(.*?"([\w-]+\.\w+)"', page.read_text())
    return any(name in shlex.split(command, comments=True) for command, _ in block for name in written)


CASES = [pytest.param(page, block, id=f"{page.name}: {block[0][0]}") for page in PAGES for block in blocks(page)]


@pytest.fixture
def _like_a_pipe(tmp_path, monkeypatch):
    """A folder of its own, and output of 120 columns without color."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.mark.usefixtures("_like_a_pipe")
@pytest.mark.parametrize(("page", "block"), CASES)
def test_example(page, block, tmp_path, capsys):
    for name, content in files(page).items():
        (tmp_path / name).write_text(content)
    if made_in_python(page, block):
        assert doctest.testfile(str(page), module_relative=False).failed == 0
    ran = [run(command, expected, capsys) for command, expected in block]
    if not any(ran):
        pytest.skip("set-up commands")


def run(command, expected, capsys):
    """Run one command in this process and compare; whether it is one that can be run here."""
    words = shlex.split(command, comments=True)
    if words[0] in SKIPPED:
        return False
    assert words[0] == "krope", f"only krope commands are shown: {command}"
    capsys.readouterr()
    with pytest.raises(SystemExit) as left:
        main(words[1:])
    done = capsys.readouterr()
    wanted_code = 2 if expected.lstrip().startswith("krope: error") else 0
    printed = done.err if wanted_code == 2 else done.out
    assert left.value.code == wanted_code, done.err
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    if expected.strip():
        assert doctest.OutputChecker().check_output(expected, printed, flags), f"{command} printed\n{printed}"
    return True


def test_pages_have_examples():
    assert any("README" in case.id for case in CASES)


@pytest.mark.parametrize("name", ["README.md", "docs/tutorial.md"])
def test_who_is_new_here_sees_what_comes(name):
    shown = [(command, output.split()) for block in blocks(ROOT / name) for command, output in block]
    assert [command for command, output in shown if output and set(output) == {"..."}] == []
