import json
from pathlib import Path

import numpy as np
import pytest

from figures.studies import control_drawing, control_runs, deep_curves, deep_fqe, deep_sensitivity
from figures.studies.sheet import render_study
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


def test_curves_are_cut_and_seeds_shaded():
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    errors = np.array([[1.0, 0.0], [9.0, np.inf], [1.5, 0.2]])
    data = {"data": np.array([NAME] * 3), "algorithm": np.array(["fqe"] * 3), "epochs": np.arange(2), "e": errors}
    control_drawing.draw_curves(data, NAME, "e", ("fqe", "krope"), ax)
    (line,) = ax.lines
    np.testing.assert_allclose(line.get_ydata(), [1.5, 0.2])
    (shade,) = ax.collections
    corners = shade.get_paths()[0].vertices[:, 1]
    assert (corners.min(), corners.max()) == (control_drawing.LEAST, control_drawing.DIVERGED)


def test_profiles_count_runs():
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    errors = np.array([[5.0, 0.01], [0.3, np.nan], [1.0, np.inf], [2.0, 1.0]])
    control_drawing.draw_profiles({"fqe": errors}, {"fqe": ("k", "-", "FQE")}, ax)
    taus, share = ax.lines[0].get_data()
    for tau, expected in ((0.005, 0.0), (0.1, 0.25), (0.5, 0.5), (9.0, 0.75)):
        assert share[np.searchsorted(taus, tau)] == expected
