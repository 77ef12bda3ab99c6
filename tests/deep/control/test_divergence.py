import math

import pytest

from deep.control.divergence import divergence, divergence_text
from deep.control.evaluation import COLUMNS
from deep.control.results import Run
from deep.control.tables import ORDER, divergence_table


def run(errors, seed=0, diverged=False, every=10):
    """A run evaluated before training and then every ten epochs."""
    rows = [
        dict.fromkeys(COLUMNS, math.nan) | {"epoch": float(every * k), "error_svd64": error, "diverged": 0.0}
        for k, error in enumerate(errors)
    ]
    rows[-1]["diverged"] = float(diverged)
    settings = {"algorithm": "rope", "seed": seed}
    return Run("dmc-cartpole-swingup", "rope", settings, every * (len(errors) - 1), tuple(rows))


@pytest.mark.parametrize(
    ("errors", "diverged", "text"),
    [
        ([99.0, 0.1, 9.99], False, "never"),
        ([0.1, 10.0, 0.1], False, "way 10"),
        ([0.1, 0.1, math.inf, 0.2, 11.0, 0.3], False, "way 20-40"),
        ([0.1, 0.1, 50.0], False, "end, from 20"),
        ([0.1, 70.0, 0.1, 50.0], False, "end, from 10"),
        ([0.1, 0.1, math.nan], True, "end, from 20"),
        ([0.1, math.nan], False, "never"),
    ],
)
def test_on_the_way_or_at_the_end(errors, diverged, text):
    found = divergence(run(errors, diverged=diverged).rows, "error_svd64")
    assert found.text == text
    assert found.evaluations == len(errors) - 1
    assert found.final == text.startswith("end")


def test_several_seeds_are_counted():
    never, way, end = [0.1, 0.1, 0.1], [0.1, 20.0, 0.1], [0.1, 0.1, 20.0]
    assert divergence_text([run(never), run(never, 1)], "error_svd64") == "never (2)"
    assert divergence_text([run(way), run(end, 1), run(end, 2)], "error_svd64") == "end 2 of 3, way 1 of 3"
    assert divergence_text([run(never), run(way, 1)], "error_svd64") == "way 1 of 2"


def test_the_table_tells_of_the_runs_behind_the_errors():
    table = divergence_table([run([0.1, 20.0, 0.1])], "error_svd64")
    assert (table.measure, table.quoted) == ("divergence_svd64", False)
    (row,) = [row for row in table.rows if row.data == "dmc-cartpole-swingup"]
    texts = {name: entry.text for name, entry in zip(ORDER, row.ours, strict=True)}
    assert texts["rope"] == "way 10*"  # short
    assert texts["krope"] == "not run"
