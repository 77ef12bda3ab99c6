"""The notebooks run without a warning, show what they have stored, are small, and are pages of the site."""

import copy
import importlib.util
import json
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))


def load(name):
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


runner, pages = load("notebook_runner"), load("notebook_pages")


def code(*sources):
    cells = [{"cell_type": "code", "source": [source], "outputs": []} for source in sources]
    return {"cells": cells}


def test_there_is_one_for_each_subject():
    assert {path.stem for path in NOTEBOOKS} == {"tutorial", "spectral_bound", "divergence", "conjectures"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_and_shows_what_it_has_stored(path):
    stored = runner.read(path)
    assert runner.differences(stored, runner.executed(stored)) == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_a_small_notebook_of_short_cells(path):
    assert path.stat().st_size < 100_000
    book = runner.read(path)
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    assert path.read_text() == runner.written(book)
    cells = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    assert max(len(cell["source"]) for cell in cells) <= 14
    assert all(cell["execution_count"] == k for k, cell in enumerate(cells, 1))
    pictures = [o for cell in cells for o in cell["outputs"] if "image/png" in o.get("data", {})]
    assert len(pictures) >= 2


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_its_links_lead_somewhere(path):
    text = "".join("".join(cell["source"]) for cell in runner.read(path)["cells"] if cell["cell_type"] == "markdown")
    linked = re.findall(r"\]\(([^)#]+)", text)
    assert linked
    assert [name for name in linked if not (path.parent / name).exists()] == []


def test_cells_show_what_jupyter_would_show():
    first, second, third, fourth = runner.executed(code("x = 3\nx", "print('a')\nx;", "x\ny = 1", "None"))["cells"]
    assert first["outputs"] == [
        {"data": {"text/plain": ["3"]}, "metadata": {}, "output_type": "execute_result", "execution_count": 1}
    ]
    assert second["outputs"] == [{"name": "stdout", "output_type": "stream", "text": ["a\n"]}]
    assert third["outputs"] == fourth["outputs"] == []


def test_figures_are_shown_with_their_titles_and_closed():
    import matplotlib.pyplot as plt

    before = plt.rcParams["figure.dpi"]
    draw = "import matplotlib.pyplot as plt\nplt.rcParams['figure.dpi'] = 33\nplt.subplots()[1].set_title('a < b');"
    (output,) = runner.executed(code(draw))["cells"][0]["outputs"]
    assert output["metadata"] == {"alt": "a < b"}
    assert plt.get_fignums() == []
    assert plt.rcParams["figure.dpi"] == before


@pytest.mark.parametrize("source", ["1 / 0", "import warnings\nwarnings.warn('old')"])
def test_errors_and_warnings_in_cells_are_errors(source):
    with pytest.raises((ZeroDivisionError, UserWarning)):
        runner.executed(code(source))


def test_a_changed_number_text_or_picture_is_noticed():
    stored = runner.executed(
        code("print('norm 0.25')", "import matplotlib.pyplot as plt\nplt.subplots()[1].set_title('a');")
    )
    for path, value in (
        ((0, "outputs", 0, "text"), ["norm 0.35\n"]),
        ((0, "outputs", 0, "text"), ["form 0.25\n"]),
        ((0, "outputs"), []),
        ((1, "outputs", 0, "metadata"), {"alt": "b"}),
    ):
        other = copy.deepcopy(stored)
        place = other["cells"]
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
        assert len(runner.differences(stored, other)) == 1
    assert runner.differences(stored, copy.deepcopy(stored)) == []


def test_the_command_renews_and_checks(tmp_path, capsys):
    path = tmp_path / "sum.ipynb"
    path.write_text(json.dumps(code("1 + 1")))
    assert runner.main(["--check", str(path)]) == 1
    assert runner.read(path)["cells"][0]["outputs"] == []
    assert runner.main([str(path)]) == 0
    assert runner.read(path)["cells"][0]["outputs"][0]["data"] == {"text/plain": ["2"]}
    assert runner.main(["--check", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "sum.ipynb: as stored"


def test_pages_have_every_cell_and_picture():
    for path in NOTEBOOKS:
        book = runner.read(path)
        text, pictures = pages.page(book, path.stem)
        assert all("".join(cell["source"]) in text for cell in book["cells"] if cell["cell_type"] == "code")
        assert sorted(re.findall(r"!\[.+\]\(([\w-]+\.png)\)", text)) == sorted(pictures)
        assert all(content.startswith(b"\x89PNG") for content in pictures.values())
        assert ".ipynb)" not in text.replace(f"({path.stem}.ipynb)", "")
        assert f"notebooks/{path.stem}.md" in (DOCS.parent / "mkdocs.yml").read_text()
