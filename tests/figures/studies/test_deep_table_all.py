import numpy as np
import pytest
from matplotlib.figure import Figure

from deep.control.paper_tables import ERROR_ORDER, ERRORS
from figures.studies.committed import FOLDER, committed
from figures.studies.deep_table_all import STUDY, cells, title, word


def drawn(data):
    panels = Figure().subplot_mosaic([list(row) for row in STUDY.panels])
    STUDY.draw(data, panels)
    shape = len(ERRORS), len(ERROR_ORDER)
    tables = {}
    for name, ax in panels.items():
        table = np.full(shape, "", dtype=object)
        for text in ax.texts:
            j, i = text.get_position()
            assert table[i, j] == "", "two words in one cell"
            table[i, j] = text.get_text()
        tables[name] = table
    return tables


def test_each_cell_says_what_its_run_came_to():
    tables = drawn(committed("deep-table"))
    for i, name in enumerate(ERRORS):
        for j, algorithm in enumerate(ERROR_ORDER):
            mean = ERRORS[name][j][0]
            assert tables["paper"][i, j] == ("div." if mean >= 10 else f"{mean:.1f}")
            run = FOLDER / "data" / "table1" / name / f"{algorithm}-rate5e-05-fraction0.5-seed0" / "metrics.csv"
            if not run.exists():
                assert tables["ours"][i, j] == "–"
                continue
            header, *_, last = run.read_text().splitlines()
            error = float(dict(zip(header.split(","), last.split(","), strict=True))["error_cov32"])
            shown = tables["ours"][i, j]
            assert shown == "div." if not error < 10 else abs(float(shown) - error) <= 0.34 * error


@pytest.mark.parametrize("error", [np.nan, np.inf, 0.0, 3.0])
def test_every_error_can_be_drawn(error):
    data = dict(committed("deep-table"))
    data |= {"error_cov32": np.full(len(data["data"]), error), "epochs": np.full(len(data["data"]), 500)}
    assert set(drawn(data)["ours"].ravel()) == {word(error)}


def test_the_title_counts_only_what_was_run():
    data = dict(committed("deep-table"))
    where = dict.fromkeys(("error_cov32", "paper"), data["epochs"] == 0)
    other = data | {name: np.where(gone, np.inf, data[name]) for name, gone in where.items()}
    assert title(data) == title(other)
    assert cells(data, "paper").shape == (len(ERRORS), len(ERROR_ORDER))
