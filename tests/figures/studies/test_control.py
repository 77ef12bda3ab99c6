import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_rgba

from deep.control.results import read_runs
from deep.control.training import train
from figures.parts import style
from figures.studies import control_drawing, control_runs, deep_curves, deep_fqe, deep_sensitivity
from figures.studies.panels import study_figure
from figures.studies.sheet import render_study
from tabular_krope.control.reading import read_data
from tabular_krope.errors import KropeError

STUDIES = (deep_curves.STUDY, deep_sensitivity.STUDY, deep_fqe.CURVES, deep_fqe.SENSITIVITY)
NAME = "dmc-cartpole-swingup"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The quick runs, trained on a little real data."""
    pytest.importorskip("dm_control")
    place = tmp_path_factory.mktemp("figures")
    for piece in control_runs.pieces(control_runs.QUICK):
        control_runs.compute(control_runs.QUICK, piece, place)
    return place


def joined(settings, folder):
    parts = [control_runs.compute(settings, piece, folder) for piece in control_runs.pieces(settings)]
    whole = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return control_runs.finish(settings, whole)


def test_missing_runs_are_trained_and_read_again(folder):
    data = joined(control_runs.QUICK, folder)
    assert data["algorithm"].tolist() == ["fqe", "krope", "krope-closed"]
    assert data["epochs"].tolist() == [0, 2, 4]
    assert data["error_svd64"].shape == (3, 3)
    assert np.isfinite(data["error_svd64"]).all()
    assert len(set(data["error_svd64"][2])) == 1  # the closed form does not train
    assert np.isnan(data["error_fqe"][2]).all()
    (file,) = (folder / "control").glob("*.h5")
    assert file.name == f"{NAME}-300-seed0.h5"


def test_a_run_of_other_settings_is_refused(folder):
    piece = control_runs.pieces(control_runs.QUICK)[0]
    path = control_runs.run_path(folder, piece) / "run.json"
    before = path.read_text()
    path.write_text(before.replace('"alpha": 0.1', '"alpha": 0.2'))
    with pytest.raises(KropeError, match=r"must hold a run with alpha = 0.1; got 0.2"):
        control_runs.compute(control_runs.QUICK, piece, folder)
    path.write_text(before)
    assert json.loads(before)["settings"]["alpha"] == 0.1


def test_a_run_that_diverged_between_two_evaluations_stays_diverged(folder):
    """It ends at the epoch at which it diverges, here the first, which is no multiple of two."""
    settings = replace(control_runs.QUICK, learning_rates=(1e30,), algorithms=("fqe", "bcrl"))
    data = joined(settings, folder)
    np.testing.assert_array_equal(np.isinf(data["error_svd64"]), [[False, True, True]] * 2)
    assert np.isfinite(data["error_svd64"][:, 0]).all()
    assert control_drawing.last_known(data["error_cov32"]).tolist() == [np.inf] * 2
    assert np.isnan(data["error_fqe"][1]).all()  # BCRL has no estimate of its own, diverged or not
    (run, _) = read_runs(folder / "control" / NAME)[:2]
    assert run.settings["learning_rate"] == 1e30


def test_the_last_epoch_is_drawn_though_it_is_no_multiple():
    settings = replace(control_runs.QUICK, epochs=5)
    assert control_runs.finish(settings, {})["epochs"].tolist() == [0, 2, 4, 5]
    rows = [{"epoch": 0.0, "diverged": 0.0, "e": 1.0}, {"epoch": 5.0, "diverged": 1.0, "e": np.nan}]
    assert control_runs.errors_at(rows, "e", [0, 2, 4, 5])[-1] == np.inf


def test_a_diverged_seed_does_not_end_the_curve_of_the_others():
    from matplotlib.figure import Figure

    begun, gone = {"epoch": 0, "diverged": 0, "e": 1.0}, {"epoch": 1, "diverged": 1, "e": np.nan}
    fine = [{"epoch": epoch, "diverged": 0, "e": 1.0 / (1 + epoch)} for epoch in (0, 2, 4)]
    errors = np.array([control_runs.errors_at(rows, "e", [0, 2, 4]) for rows in (fine, [begun, gone], fine)])
    data = {"data": np.array([NAME] * 3), "algorithm": np.array(["fqe"] * 3), "epochs": np.array([0, 2, 4])}
    ax = Figure().add_subplot()
    control_drawing.draw_runs(data | {"e": errors}, "e", "fqe", ax, "k")
    fell, gone = [1.0, 1 / 3, 1 / 5], [1.0, control_drawing.DIVERGED, control_drawing.DIVERGED]
    np.testing.assert_allclose([line.get_ydata() for line in ax.lines], [fell, gone, fell])


def test_runs_of_a_users_own_study_are_found_wherever_they_lie(folder, tmp_path):
    """A study of a data set that nobody here can make, in a folder of its own."""
    settings = replace(control_runs.QUICK, data_sets=("mine",), algorithms=("fqe",), learning_rates=(3e-5,))
    (file,) = (folder / "control").glob("*.h5")
    data = replace(read_data(file), name="mine")
    (piece,) = control_runs.pieces(settings)
    config = control_runs.run_config(settings, piece)
    for name, other in (("short", {"epochs": 2}), ("whole", {}), ("batch", {"batch": 50})):
        train(replace(config, **other), data, tmp_path / "control" / "study" / name)
    assert control_runs.find_run(settings, piece, tmp_path) == tmp_path / "control" / "study" / "whole"
    found = joined(settings, tmp_path)
    assert found["data"].tolist() == ["mine"]
    assert np.isfinite(found["error_svd64"]).all()
    for study in STUDIES:
        assert b"<svg" in render_study(study, found)["svg"]
    missing = replace(settings, learning_rates=(4e-5,))
    with pytest.raises(
        KropeError, match=r"control must hold a run of fqe on mine with learning rate 4e-05, .*got none"
    ):
        joined(missing, tmp_path)
    with pytest.raises(KropeError, match=r"data_sets must be at most 1, one in a row of panels; got 2"):
        control_runs.check(replace(settings, data_sets=("mine", "yours")))


def test_pieces_are_the_grid_and_the_closed_form_has_no_rate():
    settings = control_runs.Settings(seeds=2, learning_rates=(1e-5, 2e-5), algorithms=("fqe", "krope-closed"))
    found = control_runs.pieces(settings)
    assert len(found) == 4 + 2
    assert len({control_runs.run_path(Path(), piece) for piece in found}) == 6
    with pytest.raises(KropeError, match="algorithm must be one of"):
        control_runs.check(control_runs.Settings(algorithms=("sarsa",)))


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_pictures_of_runs_that_diverged_stopped_and_never_were(study):
    """Lines are drawn from what there is; nothing is drawn where nothing ran."""
    errors = np.array([[1.0, 0.1, np.nan], [0.5, np.inf, 30.0], [np.nan] * 3])
    data = {"data": np.array([NAME] * 3), "algorithm": np.array(["fqe", "krope", "rope"]), "epochs": np.arange(3)}
    pictures = render_study(study, data | dict.fromkeys(control_runs.METRICS, errors))
    assert pictures["png"][1:4] == b"PNG"
    assert b"<svg" in pictures["svg"]


def test_a_strip_is_red_where_its_run_diverged_and_empty_where_it_has_not_come():
    names = np.array(["fqe", "fqe", "krope"])
    errors = np.array([[1.0, 50.0, np.inf], [1.0, 0.1, 0.01], [1.0, np.nan, np.nan]])
    data = {"algorithm": names, "epochs": np.array([0, 10, 20]), "error_cov32": errors, "error_svd64": errors}
    fqe, krope = study_figure(deep_curves.STUDY, data).axes[0].collections
    top, below = fqe.get_array()  # the run that ends best is at the top
    assert top.tolist() == [1.0, 0.1, 0.01]
    assert (below > control_drawing.DIVERGED).tolist() == [False, True, True]
    assert np.ma.getmaskarray(krope.get_array()).tolist() == [[False, True, True]]
    assert fqe.to_rgba(below[1:2])[0].tolist() == pytest.approx(to_rgba(style.RED))
    assert fqe.get_coordinates()[0, :, 0].tolist() == [-5.0, 5.0, 15.0, 25.0]


def test_fewer_than_ten_runs_are_all_shown_and_more_by_median_and_range():
    from matplotlib.figure import Figure

    few = np.array([[1.0, 0.0], [9.0, np.inf], [1.5, 0.2]])
    for copies, lines, shades in ((3, 9, 0), (4, 1, 1)):
        ax, errors = Figure().add_subplot(), np.tile(few, (copies, 1))
        data = {"algorithm": np.array(["fqe"] * len(errors)), "epochs": np.arange(2), "e": errors}
        control_drawing.draw_runs(data, "e", "fqe", ax, "k")
        assert (len(ax.lines), len(ax.collections)) == (lines, shades)
        seen = np.array([line.get_ydata() for line in ax.lines])
        if shades:
            np.testing.assert_allclose(seen, [[1.5, 0.2]])
            seen = ax.collections[0].get_paths()[0].vertices[:, 1]
        assert (seen.min(), seen.max()) == (control_drawing.LEAST, control_drawing.DIVERGED)


def test_ends_are_the_last_known_errors_in_the_line_of_their_algorithm():
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    errors = np.array([[5.0, 0.01], [0.3, np.nan], [1.0, np.inf]])
    control_drawing.draw_ends([("A", [errors]), ("B", [errors[:1]])], [("k", "o", "errors")], ax)
    upper, lower = ax.lines[:2]
    assert upper.get_xdata().tolist() == [0.01, 0.3, control_drawing.DIVERGED]
    assert lower.get_xdata().tolist() == [0.01]
    assert upper.get_ydata().tolist() == [1.0, 1.0, 1.0]
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["A", "B"]


def test_each_kind_of_error_is_named_in_the_first_line_with_room_away_from_its_marks():
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    wide, low, high = np.array([[1e-6], [10.0]]), np.array([[1e-5]]), np.array([[2.0]])
    rows = [("full", [wide, low]), ("free", [low, high]), ("also free", [low, low])]
    control_drawing.draw_ends(rows, [("r", "o", "one"), ("b", "D", "other")], ax)
    one, other = ax.texts
    assert [round(text.xy[1]) for text in ax.texts] == [1, 1]
    assert (one.xy[0], one.get_ha(), one.get_color()) == (1e-5, "left", "r")
    assert (other.xy[0], other.get_ha(), other.get_color()) == (2.0, "right", "b")


def test_the_algorithm_whose_worst_run_ends_best_is_at_the_top():
    names = np.array(["fqe", "fqe", "krope", "rope"])
    errors = np.array([[0.01], [np.inf], [0.05], [0.02]])
    data = {"algorithm": names, "error_cov32": errors, "error_svd64": errors}
    (ax,) = study_figure(deep_sensitivity.STUDY, data).axes
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["ROPE", "KROPE", "FQE"]
    assert "0.1" in [tick.get_text() for tick in ax.get_xticklabels()]


def test_titles_name_who_ends_small_and_who_diverges():
    names = np.array(["fqe", "fqe", "krope", "krope", "rope"])
    errors = np.array([[0.01], [np.inf], [0.01], [0.05], [np.nan]])
    found = control_drawing.small_and_gone({"algorithm": names, "e": errors}, "e", 0.1)
    assert found == (["KROPE"], ["FQE"])


def test_titles_of_the_figures_are_sentences_about_their_runs():
    names = np.array(["fqe", "fqe", "krope", "krope"])
    errors = np.array([[1.0, 99.0], [1.0, 0.5], [1.0, 0.01], [1.0, np.nan]])
    data = {"algorithm": names, "epochs": np.array([0, 1]), **dict.fromkeys(("error_cov32", "error_svd64"), errors)}
    assert (
        deep_fqe.diverging(data)
        == "Float32 LSPE ends diverged in 1 of 2 runs on FQE's features, in none of 2 on KROPE's"
    )
    told = "Runs of FQE end diverged (orange) in float32,\nof FQE in float64; KROPE's never do"
    assert deep_curves.title(data) == told
    data["error_svd64"] = np.where(names[:, None] == "krope", 99.0, errors)
    assert deep_curves.title(data).endswith("of FQE and KROPE in float64")


def test_the_key_has_the_hollow_circle_that_is_drawn():
    from matplotlib.figure import Figure

    figure = Figure()
    control_drawing.key([("black", "o ", "hollow"), ("black", "o", "full")], figure.add_subplot())
    assert [line.get_fillstyle() for line in figure.legends[0].get_lines()] == ["none", "full"]
