import pytest

from tabular_krope.runs.grid import Grid
from tabular_krope.runs.run import run_sweep
from tabular_krope.runs.store import open_store
from tabular_krope.runs.summary import summarize
from tabular_krope.runs.table import read_table, write_table


@pytest.fixture
def folder(tmp_path):
    asked = {"models": "garnet:3x2", "policies": ["own", "random"], "gammas": ["0.9", "0.5"], "count": 3}
    run_sweep(Grid.of(asked | {"features": ["krope", "random"], "dims": [1, 2]}).sweep(), tmp_path / "runs")
    write_table(open_store(tmp_path / "runs"))
    return tmp_path / "runs"


def test_a_line_is_about_rows_of_one_kind(folder):
    lines, table = summarize(folder), read_table(open_store(folder))
    assert len(lines) == 2**4
    assert [(line.policy, line.gamma) for line in lines[::4]] == [
        ("own", 0.9),
        ("random", 0.9),
        ("own", 0.5),
        ("random", 0.5),
    ]
    rows = [dict(zip(table, values, strict=True)) for values in zip(*table.values(), strict=True)]
    for line in lines:
        kind = {name: getattr(line, name) for name in ("model", "policy", "gamma", "features", "weights", "d")}
        own = [row for row in rows if kind.items() <= row.items()]
        assert line.rows == len(own) == 3
        assert line.stable == sum(row["spectral_radius"] < 1 for row in own)
        assert line.largest_radius == max(row["spectral_radius"] for row in own)
        assert line.largest_ratio == pytest.approx(max(row["norm"] / line.gamma**0.5 for row in own))
        assert line.beyond == sum(row["violation"] > row["allowed"] for row in own)


def test_no_discount_factor_hides_behind_another(folder):
    for line in summarize(folder):
        if line.features == "krope":
            assert line.largest_ratio <= 1
            assert line.largest_radius <= line.gamma**0.5
