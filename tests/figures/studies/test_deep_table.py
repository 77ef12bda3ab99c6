import json
import shutil

import numpy as np
import pytest
from matplotlib.figure import Figure

from deep.control.paper_tables import ERROR_ORDER, ERRORS
from figures.studies.committed import FOLDER, committed
from figures.studies.deep_table import MEASURES, STUDY, Settings, compute, pieces

RUNS = FOLDER / "data" / "table1"


def test_the_committed_data_come_out_of_the_committed_runs():
    data = committed("deep-table")
    parts = [compute(Settings(), piece, FOLDER / "data") for piece in pieces(Settings())]
    assert len(parts) == 13 * 8
    for name in data:
        again = np.concatenate([part[name] for part in parts])
        assert np.array_equal(again, data[name], equal_nan=again.dtype.kind == "f"), name


def test_what_was_not_run_is_shown_as_such_and_the_longest_run_counts(tmp_path):
    (nothing,) = {tuple(compute(Settings(), ("hopper-medium", "krope"), tmp_path)["epochs"].tolist())}
    assert nothing == (0,)
    source = next(path.parent for path in sorted(RUNS.glob("*/krope-*/run.json")))
    data = source.parent.name
    for name, change in (("whole", 0), ("short", -5)):
        place = tmp_path / "table1" / data / name
        shutil.copytree(source, place)
        about = json.loads((place / "run.json").read_text())
        about["epochs"] += change
        (place / "run.json").write_text(json.dumps(about))
    found = compute(Settings(), (data, "krope"), tmp_path)
    assert found["epochs"].tolist() == [json.loads((source / "run.json").read_text())["epochs"]]
    assert np.isnan(compute(Settings(seed=9), (data, "krope"), tmp_path)["error_svd64"]).all()
    assert found["paper"][0] == ERRORS[data][ERROR_ORDER.index("krope")][0]


@pytest.mark.parametrize("error", [np.nan, np.inf, 0.0, 3.0])
def test_every_error_can_be_drawn(error):
    data = dict(committed("deep-table"))
    data |= {name: np.full(len(data["data"]), error) for name in MEASURES}
    panels = Figure().subplot_mosaic([list(row) for row in STUDY.panels])
    STUDY.draw(data, panels)
    for ax in panels.values():
        assert len(ax.lines) == 4
        x = ax.lines[1].get_xdata()
        assert np.isnan(x).all() if np.isnan(error) else ((x >= 1e-7) & (x <= 10)).all()


def test_every_committed_error_stands_where_it_is():
    data = committed("deep-table")
    panels = Figure().subplot_mosaic([list(row) for row in STUDY.panels])
    STUDY.draw(data, panels)
    for algorithm, ax in panels.items():
        mine = data["algorithm"] == algorithm
        for line, name in zip(ax.lines[1:3], MEASURES[:2], strict=True):
            assert line.get_xdata().tolist() == np.minimum(data[name][mine], 10).tolist()
            assert (line.get_xdata() > ax.get_xlim()[0]).all()
