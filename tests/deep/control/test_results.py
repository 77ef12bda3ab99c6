import json
import math
from itertools import count

import numpy as np
import pytest

from deep.control import paper_tables
from deep.control.config import ControlConfig
from deep.control.control_sweep import control_sweep, run_configuration
from deep.control.evaluation import COLUMNS
from deep.control.results import Run, best_cell, mean_interval, read_runs, runs_of
from deep.control.tables import ORDER, completeness_table, error_table
from deep.control.training import fingerprint, train
from tabular_krope.control.policy_files import SHIPPED
from tabular_krope.control.reading import read_data
from tabular_krope.control.tasks import RECIPES
from tabular_krope.errors import KropeError
from tabular_krope.runs.run import run_sweep
from tabular_krope.runs.store import open_store
from tabular_krope.runs.table import read_table, write_table

SEEDS = count()


def run(
    error,
    algorithm="fqe",
    data="dmc-cartpole-swingup",
    rate=1e-5,
    epochs=500,
    diverged=0.0,
    seed=None,
    batch=2048,
    fingerprint="f",
    **columns,
):
    """A run; another trial each time unless a seed is given."""
    row = dict.fromkeys(COLUMNS, math.nan) | {"error_cov32": error, "error_svd64": error, "diverged": diverged}
    settings = {"algorithm": algorithm, "learning_rate": rate, "fraction": 0.5, "dimension": None, "batch": batch}
    settings["seed"] = next(SEEDS) if seed is None else seed
    return Run(data, algorithm, settings, epochs, (row | columns,), fingerprint)


def test_intervals_by_scipy():
    from scipy import stats

    values = [1.0, 2.5, 4.0, 0.5]
    mean, half = mean_interval(values)
    low, high = stats.t.interval(0.95, 3, np.mean(values), stats.sem(values))
    assert (mean - half, mean + half) == pytest.approx((low, high))
    assert mean_interval([2.0])[0] == 2.0
    assert math.isnan(mean_interval([2.0])[1])
    assert mean_interval([1.0, math.inf])[0] == math.inf


def test_intervals_of_errors_too_large_to_square_or_to_add():
    mean, half = mean_interval([1.0, 3.0])
    assert mean_interval([2.0**1023, 3 * 2.0**1022]) == (1.25 * 2.0**1023, pytest.approx(half * 2.0**1021))
    assert mean_interval([2.0**700, 3 * 2.0**700]) == (mean * 2.0**700, half * 2.0**700)
    assert mean_interval([0.0, 0.0]) == (0.0, 0.0)


def test_the_best_setting_is_the_one_with_the_least_mean():
    runs = [run(1.0), run(3.0), run(0.5, rate=2e-5), run(0.7, rate=2e-5)]
    cell = best_cell(runs, "error_svd64")
    assert cell.mean == pytest.approx(0.6)
    assert (cell.trials, cell.epochs, cell.settings_tried, cell.setting["learning_rate"]) == (2, 500, 2, 2e-5)
    assert "seed" not in cell.setting
    assert best_cell([run(1.0, algorithm="bcrl")], "error_fqe") is None
    assert best_cell([run(0.1, diverged=1.0)], "error_svd64").mean == math.inf


def test_how_a_run_stepped_makes_no_other_setting():
    runs = [run(1.0), run(3.0)]
    for one, step in zip(runs, ("by-hand", "fused"), strict=True):
        one.settings["step"] = step
    cell = best_cell(runs, "error_svd64")
    assert (cell.mean, cell.trials, cell.settings_tried) == (2.0, 2, 1)
    assert len(runs_of(runs, cell)) == 2
    assert runs[1].settings["step"] == "fused"


@pytest.mark.parametrize("other", [{"batch": 300}, {"fingerprint": "g"}])
def test_runs_of_other_settings_or_data_are_no_trials(other):
    cell = best_cell([run(1.0), run(2.0), run(9.0, **other)], "error_svd64")
    assert (cell.mean, cell.trials, cell.settings_tried, cell.left_out) == (1.5, 2, 2, 0)


@pytest.mark.parametrize(
    ("runs", "mean", "trials", "epochs", "left_out"),
    [
        ([run(1.0), run(2.0), run(9.0, epochs=150)], 1.5, 2, 500, 1),
        ([run(1.0), run(2.0, seed=-1), run(9.0, seed=-1)], 1.5, 2, 500, 1),
        ([run(1.0), run(9.0, seed=-1, epochs=10), run(2.0, seed=-1)], 1.5, 2, 500, 1),
        ([run(1.0, epochs=150), run(math.nan, epochs=3, diverged=1.0)], math.inf, 2, 150, 0),
        ([run(math.nan, epochs=3, diverged=1.0), run(math.nan, epochs=7, diverged=1.0)], math.inf, 2, 7, 0),
    ],
    ids=["shorter", "twice", "twice and shorter", "one diverged", "all diverged"],
)
def test_trials_are_one_for_each_seed_and_equally_long(runs, mean, trials, epochs, left_out):
    cell = best_cell(runs, "error_svd64")
    assert (cell.mean, cell.trials, cell.epochs, cell.left_out) == (mean, trials, epochs, left_out)


def texts(table, data="dmc-cartpole-swingup", whose="ours"):
    (row,) = [row for row in table.rows if row.data == data]
    return {name: entry.text for name, entry in zip(ORDER, getattr(row, whose), strict=True)}


@pytest.mark.parametrize(
    ("errors", "text"),
    [
        ([9.96], "10.0"),
        ([10.0], "Div."),
        ([0.1, 30.0], "Div."),
        ([0.1, math.inf], "Div."),
        ([0.24], "0.2"),
        ([0.31, 0.33], "0.3±0.1"),
        ([math.nan], "-"),
        ([], "not run"),
    ],
)
def test_the_rule_of_divergence(errors, text):
    assert texts(error_table([run(error) for error in errors], "error_cov32"))["fqe"] == text


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        ([run(0.0, completeness=137.0)], "137.0"),
        ([run(math.inf, completeness=12.0)], "12.0"),
        ([run(0.0, completeness=math.inf)], "not finite"),
        ([run(0.0, completeness=1.0), run(0.0, diverged=1.0)], "not finite"),
        ([run(0.0)], "-"),
        ([], "not run"),
    ],
)
def test_no_completeness_is_a_divergence(runs, text):
    assert texts(completeness_table(runs))["fqe"] == text


def test_a_diverged_run_without_a_head_has_no_estimate_of_its_own():
    began, end = run(0.3, "bcrl").rows[0], run(0.3, "bcrl", diverged=1.0).rows[0]
    gone = Run("dmc-cartpole-swingup", "bcrl", {"algorithm": "bcrl"}, 20, (began, end))
    assert math.isnan(gone.last("error_fqe"))
    assert gone.last("error_cov32") == math.inf
    assert texts(error_table([gone], "error_fqe"))["bcrl"] == "-"


def test_data_sets_that_the_paper_lacks_come_after_its_own():
    runs = [run(0.3, data="hopper_medium-v2"), run(0.4, data="dmc-cartpole-swingup"), run(2.0, data="ant")]
    for table in (error_table(runs, "error_svd64"), error_table(runs, "error_fqe")):
        assert [row.data for row in table.rows] == [*paper_tables.ERRORS, "ant", "hopper_medium-v2"]
    table = error_table(runs, "error_svd64")
    assert texts(table, "hopper_medium-v2")["fqe"] == "0.3"
    assert texts(table, "ant")["krope"] == "not run"
    assert set(texts(table, "ant", "paper").values()) == {"-"}
    assert texts(table)["fqe"] == "0.4"
    found = completeness_table([run(0.0, data="hopper-medium", completeness=3.0)])
    assert [row.data for row in found.rows] == [*paper_tables.COMPLETENESS, "hopper-medium"]
    assert texts(found, "hopper-medium")["fqe"] == "3.0"


def test_tables_say_what_was_run_and_what_was_not():
    runs = [run(0.31), run(0.33), run(50.0, "krope", epochs=150), run(0.0, "krope-closed", epochs=0)]
    table = error_table(runs, "error_cov32")
    assert [row.data for row in table.rows] == list(paper_tables.ERRORS)
    assert {row.data for row in table.rows} == {recipe.name for recipe in RECIPES}
    mine = texts(table)
    assert (mine["fqe"], mine["krope"], mine["krope-closed"], mine["rope"]) == ("0.3±0.1", "Div.*", "0.0", "not run")
    assert set(texts(table, "hopper-medium").values()) == {"not run"}
    assert texts(completeness_table([run(0.0, completeness=137.0, epochs=3)]))["fqe"] == "137.0*"


def test_the_papers_numbers_stand_under_their_algorithms():
    table = error_table([], "error_svd64")
    finger = texts(table, "dmc-finger-turn_easy", "paper")
    assert (finger["fqe"], finger["bcrl"], finger["rope"], finger["krope"]) == ("Div.", "0.8±0.2", "0.1±0.0", "0.6±0.0")
    assert finger["krope-closed"] == "-"
    assert texts(table, "walker2d-medium-expert", "paper")["dr3"] == "6.6±11.6"
    walker = texts(completeness_table([]), "dmc-walker-stand", "paper")
    assert (walker["bcrl-exp"], walker["dr3"], walker["fqe"], walker["dbc"]) == ("10.4±2.0", "66.1±0.6", "0.6±0.0", "-")
    assert set(texts(error_table([], "error_fqe"), whose="paper").values()) == {"-"}
    assert {len(row) for row in paper_tables.ERRORS.values()} == {8}
    assert {len(row) for row in paper_tables.COMPLETENESS.values()} == {6}
    assert sum(quoted == paper_tables.D for row in paper_tables.ERRORS.values() for quoted in row) == 57


def test_runs_are_read_from_folders(cartpole_file, tmp_path):
    data = read_data(cartpole_file)
    small = {"hidden": 8, "batch": 300, "evaluate_every": 1, "base_features": 8}
    train(ControlConfig("fqe", epochs=1, **small), data, tmp_path / "a" / "fqe")
    train(ControlConfig("krope", 1, epochs=1, **small), data, tmp_path / "krope")
    runs = read_runs(tmp_path)
    assert [(one.algorithm, one.epochs, len(one.rows)) for one in runs] == [("fqe", 1, 2), ("krope", 1, 2)]
    assert runs[0].setting["batch"] == 300
    assert runs[0].fingerprint == fingerprint(data)
    with pytest.raises(KropeError, match="results must be a folder of runs"):
        read_runs(tmp_path / "nobody")


@pytest.mark.parametrize("gone", ["epochs", "data", "settings.algorithm"])
def test_descriptions_that_lack_something(cartpole_file, tmp_path, gone):
    train(ControlConfig("krope-closed", batch=300, base_features=8), read_data(cartpole_file), tmp_path)
    about = json.loads((tmp_path / "run.json").read_text())
    *place, name = gone.split(".")
    del (about[place[0]] if place else about)[name]
    (tmp_path / "run.json").write_text(json.dumps(about))
    with pytest.raises(KropeError, match=rf"run.json must describe a run; got KeyError \('{name}'\)"):
        read_runs(tmp_path)


def test_metrics_that_lack_a_column(cartpole_file, tmp_path):
    train(ControlConfig("krope-closed", batch=300, base_features=8), read_data(cartpole_file), tmp_path)
    path = tmp_path / "metrics.csv"
    whole = path.read_text()
    for broken in (whole.replace("error_svd64", "error"), ""):
        path.write_text(broken)
        with pytest.raises(KropeError, match=r"metrics.csv must be a table of metrics; got ValueError \(no column"):
            read_runs(tmp_path)


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
    assert best_cell([found[1e30]], "error_svd64").mean == math.inf
    with pytest.raises(KropeError, match="a study must have a data set, an algorithm"):
        control_sweep([], ["fqe"], [1e-3], [0.25], 1, 1)
    with pytest.raises(KropeError, match="algorithm must be one of"):
        control_sweep(["a.h5"], ["sarsa"], [1e-3], [0.25], 1, 1)


def test_a_study_of_a_file_without_next_actions_names_its_task(cartpole_file, tmp_path):
    import h5py

    path = tmp_path / "foreign.h5"
    path.write_bytes(cartpole_file.read_bytes())
    with h5py.File(path, "a") as file:
        del file["next_actions"], file["initial_actions"]
    grid = (["fqe"], [1e-3], [0.25], 2, 1, 300, "cpu")
    task = "dmc-cartpole-swingup"
    first, second = control_sweep([str(path)], *grid, task=task, policies=str(SHIPPED)).configurations
    assert (first["task"], first["policies"]) == (task, str(SHIPPED.resolve()))
    for name, configuration in (("a", first), ("b", second)):
        run_configuration(dict(configuration), tmp_path / "study" / name)
    cell = best_cell(read_runs(tmp_path / "study"), "error_svd64")
    assert (cell.trials, cell.settings_tried) == (2, 1)  # on the same draws of actions
    (plain, _) = control_sweep([str(path)], *grid).configurations
    assert set(first) - set(plain) == {"task", "policies"}  # studies begun before go on
    with pytest.raises(KropeError, match=r"next_actions must be in the file or come from a target policy \(--task\)"):
        run_configuration(dict(plain), tmp_path / "c")


def test_a_configuration_goes_on_from_its_checkpoint(cartpole_file, tmp_path):
    (configuration,) = control_sweep([str(cartpole_file)], ["krope"], [1e-3], [0.5], 1, 1, 300, "cpu").configurations
    first = run_configuration(dict(configuration), tmp_path / "run")
    again = run_configuration(dict(configuration), tmp_path / "run")
    assert json.dumps(first) == json.dumps(again)
    assert first["epoch"] == [0.0, 1.0]
