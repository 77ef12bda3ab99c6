import json
import math

import numpy as np
import pytest

from deep.control.config import ControlConfig
from deep.control.evaluation import COLUMNS
from deep.control.reading import read_data
from deep.control.results import Cell, Run, best_cell, mean_interval, profile, read_runs
from deep.control.study import control_sweep, run_configuration
from deep.control.tables import ORDER, PAPER_COMPLETENESS, PAPER_ERRORS, completeness_table, error_table
from deep.control.tasks import RECIPES
from deep.control.training import train
from tabular_krope.errors import KropeError
from tabular_krope.sweeps.run import run_sweep
from tabular_krope.sweeps.store import open_store
from tabular_krope.sweeps.table import read_table, write_table


def run(error, algorithm="fqe", data="dmc-cartpole-swingup", rate=1e-5, epochs=500, diverged=0.0, **columns):
    row = dict.fromkeys(COLUMNS, math.nan) | {"error_cov32": error, "error_svd64": error, "diverged": diverged}
    settings = {"algorithm": algorithm, "learning_rate": rate, "fraction": 0.5, "dimension": None}
    return Run(data, algorithm, settings, epochs, (row | columns,))


def test_intervals_by_scipy():
    from scipy import stats

    values = [1.0, 2.5, 4.0, 0.5]
    mean, half = mean_interval(values)
    low, high = stats.t.interval(0.95, 3, np.mean(values), stats.sem(values))
    assert (mean - half, mean + half) == pytest.approx((low, high))
    assert mean_interval([2.0])[0] == 2.0
    assert math.isnan(mean_interval([2.0])[1])
    assert mean_interval([1.0, math.inf])[0] == math.inf


def test_the_best_setting_is_the_one_with_the_least_mean():
    runs = [run(1.0), run(3.0), run(0.5, rate=2e-5), run(0.7, rate=2e-5, epochs=150)]
    cell = best_cell(runs, "error_svd64")
    assert cell.mean == pytest.approx(0.6)
    assert (cell.trials, cell.epochs, cell.settings_tried, cell.grid[0]) == (2, 150, 2, 2e-5)
    assert best_cell([run(1.0, algorithm="bcrl")], "error_fqe") is None
    assert best_cell([run(0.1, diverged=1.0)], "error_svd64").mean == math.inf


@pytest.mark.parametrize(
    ("mean", "half", "text"),
    [(9.96, 0.2, "10.0 ± 0.2"), (10.0, 0.1, "Div."), (math.inf, math.nan, "Div."), (0.24, math.nan, "0.2")],
)
def test_the_rule_of_divergence(mean, half, text):
    assert Cell(mean, half, 3, 500, (), 1).text() == text


def test_profiles():
    runs = [run(0.1), run(0.3), run(20.0), run(0.0, diverged=1.0)]
    assert profile(runs, "error_svd64", [0.05, 0.1, 1.0, 100.0]) == [0.0, 0.25, 0.5, 0.75]
    assert np.isnan(profile([], "error_svd64", [1.0])).all()


def test_tables_say_what_was_run_and_what_was_not():
    runs = [run(0.31), run(0.33), run(50.0, "krope", epochs=150), run(0.0, "krope-closed", epochs=0)]
    rows = {row.data: row for row in error_table(runs, "error_cov32")}
    assert set(rows) == {recipe.name for recipe in RECIPES} == set(PAPER_ERRORS)
    mine = dict(zip(ORDER, rows["dmc-cartpole-swingup"].ours, strict=True))
    assert mine["fqe"] == "0.3 ± 0.1"
    assert mine["krope"] == "Div. *"
    assert mine["krope-closed"] == "0.0"
    assert mine["rope"] == "not run"
    assert dict(zip(ORDER, rows["dmc-finger-turn_easy"].paper, strict=True))["rope"] == "0.1"
    assert set(rows["hopper-medium"].ours) == {"not run"}
    (first, *_) = completeness_table([run(0.0, completeness=137.0, epochs=3)])
    assert dict(zip(ORDER, first.ours, strict=True))["fqe"] == "137.0 *"
    assert dict(zip(ORDER, first.paper, strict=True)) | {"dbc": "-"} == dict(zip(ORDER, first.paper, strict=True))
    assert set(PAPER_COMPLETENESS) <= set(PAPER_ERRORS)


def test_runs_are_read_from_folders(cartpole_file, tmp_path):
    data = read_data(cartpole_file)
    small = {"hidden": 8, "batch": 300, "evaluate_every": 1, "base_features": 8}
    train(ControlConfig("fqe", epochs=1, **small), data, tmp_path / "a" / "fqe")
    train(ControlConfig("krope", 1, epochs=1, **small), data, tmp_path / "krope")
    runs = read_runs(tmp_path)
    assert [(one.algorithm, one.epochs, len(one.rows)) for one in runs] == [("fqe", 1, 2), ("krope", 1, 2)]
    assert runs[0].grid == (2e-5, 0.5, None)
    with pytest.raises(KropeError, match="results must be a folder of runs"):
        read_runs(tmp_path / "nobody")


def test_a_study_is_a_sweep_that_a_divergence_does_not_stop(cartpole_file, tmp_path):
    sweep = control_sweep([str(cartpole_file)], ["fqe"], [1e-3, 1e30], [0.25], 1, epochs=1, batch=300, device="cpu")
    assert len(sweep.configurations) == 2
    done = run_sweep(sweep, tmp_path / "study")
    assert (done.done, done.failed) == (2, 0)
    store = open_store(tmp_path / "study")
    assert write_table(store) == 4
    table = read_table(store)
    assert table["name"] == ["dmc-cartpole-swingup"] * 4
    assert sorted(table["run_diverged"]) == [False, False, True, True]
    found = {one.settings["learning_rate"]: one for one in read_runs(tmp_path / "study")}
    assert best_cell([found[1e30]], "error_svd64").text() == "Div."
    with pytest.raises(KropeError, match="a study must have a data set, an algorithm"):
        control_sweep([], ["fqe"], [1e-3], [0.25], 1, 1)
    with pytest.raises(KropeError, match="algorithm must be one of"):
        control_sweep(["a.h5"], ["sarsa"], [1e-3], [0.25], 1, 1)


def test_a_configuration_goes_on_from_its_checkpoint(cartpole_file, tmp_path):
    (configuration,) = control_sweep([str(cartpole_file)], ["krope"], [1e-3], [0.5], 1, 1, 300, "cpu").configurations
    first = run_configuration(dict(configuration), tmp_path / "run")
    again = run_configuration(dict(configuration), tmp_path / "run")
    assert json.dumps(first) == json.dumps(again)
    assert first["epoch"] == [0.0, 1.0]
