"""What is committed belongs to the code: data come from the settings and come out again, pictures are explained."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from figures.studies import garnet_runs
from figures.studies.committed import FOLDER, committed
from figures.studies.data_file import read_data
from figures.studies.garnet_arithmetic import ROUTES, exact_verdicts
from figures.studies.registry import STUDIES
from figures.studies.running import data_path, picture_path
from figures.studies.van_roy_training import LOSSES, Settings, train
from tabular_krope.errors import KropeError

PAGE = (FOLDER / "README.md").read_text()
KNOWN = {study.name: study for study in STUDIES}
LEARNED = [study for study in STUDIES if study.name.startswith("garnet-")]


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_committed_data_come_from_the_settings_and_are_shown(study):
    assert read_data(data_path(FOLDER, study.source), study.source, study.settings())
    for kind in ("png", "svg", *(["gif"] if study.draw_frame else [])):
        assert picture_path(FOLDER, study.name, kind).is_file()
        assert kind == "svg" or f"](pictures/{study.name}.{kind})" in PAGE


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_committed_data_can_be_drawn_on_every_panel(study):
    panels = Figure().subplot_mosaic([list(row) for row in study.panels])
    study.draw(committed(study.name), panels)
    assert [name for name, ax in panels.items() if not (ax.has_data() or ax.texts)] == []


def test_every_figure_is_on_the_page_and_nothing_else_is_committed():
    assert all(f"`{study.name}`" in PAGE for study in STUDIES)
    assert {path.stem for path in (FOLDER / "pictures").iterdir()} == set(KNOWN)


def test_a_figure_that_does_not_exist():
    with pytest.raises(KropeError, match=r"did you mean 'van-roy'\?.*got 'vanroy'"):
        committed("vanroy")


def test_no_full_rank_representation_is_unstable_and_every_doubt_is_settled():
    runs = committed("garnet-arithmetic")
    full = runs["exact_rank"] == 40
    assert full[:, :, 3:].all()  # d = 40 and 50
    assert exact_verdicts(runs)[full].all()
    doubted = np.any([runs[route] >= 1 for route, _ in ROUTES], axis=0)
    assert (runs["exact_by"][doubted] > 0).all()
    assert np.isnan(runs["exact_stable"][~doubted & ~full]).all()


@pytest.mark.parametrize("study", LEARNED, ids=lambda study: study.name)
def test_figures_of_the_learned_study_come_out_of_its_runs(study):
    pytest.importorskip("torch")
    settings, data = study.settings(), committed(study.name)
    pieces = [study.compute(settings, piece, FOLDER / "data") for piece in study.pieces(settings)]
    again = study.finish(settings, {name: np.concatenate([p[name] for p in pieces]) for name in pieces[0]})
    assert again.keys() == data.keys()
    assert all(np.array_equal(again[name], data[name], equal_nan=again[name].dtype.kind == "f") for name in data)


@pytest.mark.parametrize("algorithm", ["fqe", "krope"])
def test_learned_features_and_their_measures_regenerate(algorithm):
    """One trial, all its 500 epochs. Other processors round otherwise; training does not magnify that."""
    torch = pytest.importorskip("torch")
    from deep.tabular.feature_worth import evaluate
    from deep.tabular.problems import problem
    from deep.tabular.runs import read_evaluation, read_features
    from deep.tabular.stacked_training import train as train_features

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    config = garnet_runs.run_config(garnet_runs.Settings(), (2, algorithm, 10))
    features = read_features(FOLDER / "data" / "garnet", config)[0]
    again = train_features(replace(config, trials=1)).features[0]
    torch.set_num_threads(before)
    np.testing.assert_allclose(again, features, rtol=1e-9, atol=1e-9 * np.abs(features).max())
    saved = read_evaluation(FOLDER / "data" / "garnet", config)
    found = evaluate(problem(config, 0), features)
    for name in ("radius_svd", "orthogonality", "realizability", "completeness", "exact_rank", "condition"):
        assert found[name] == pytest.approx(saved[name][0], rel=1e-8), name
    # Which routes doubt it, and so whether it was arbitrated (else NaN), depends on the processor; a verdict does not.
    assert found["exact_stable"] != 0
    assert saved["exact_stable"][0] != 0


def test_van_roys_first_epochs_regenerate():
    pytest.importorskip("torch")
    data = committed("van-roy")
    k = data["pairings"].tolist().index("w3")
    again = train(Settings(epochs=40), "w3", float(data["alpha"][k]))
    for name in LOSSES:
        np.testing.assert_allclose(again[name].mean(axis=1), data[name][k][:41], rtol=1e-7)


@pytest.mark.parametrize(("file", "changes"), [("without-on-policy", {"on_policy": 0}), ("q-half", {"q": 0.5})])
def test_other_readings_of_van_roys_example_regenerate(file, changes):
    pytest.importorskip("torch")
    data = read_data(FOLDER / "data" / f"van-roy-{file}.npz", "van-roy", Settings(**changes))
    again = train(Settings(**changes, epochs=10), "w1", 0.8)
    np.testing.assert_allclose(again["krope"].mean(axis=1), data["krope"][0][:11], rtol=1e-7)


def test_value_bounds_regenerate(tmp_path):
    study, saved = KNOWN["value-bounds"], committed("value-bounds")["rows"]
    first, *_, witnesses = study.pieces(study.settings())
    rows = study.compute(study.settings(), first, tmp_path)["rows"]
    np.testing.assert_allclose(rows, saved[: len(rows)], rtol=1e-7, atol=1e-9)
    rows = study.compute(study.settings(), witnesses, tmp_path)["rows"]
    np.testing.assert_allclose(rows, saved[-len(rows) :], rtol=1e-7, atol=1e-9)


def test_tightness_of_the_families_regenerates(tmp_path):
    study, saved = KNOWN["tightness"], committed("tightness")["rows"]
    rows = study.compute(study.settings(), study.pieces(study.settings())[-1], tmp_path)["rows"]
    np.testing.assert_allclose(rows, saved[-len(rows) :], atol=1e-7)
    assert (rows[:, 0] != 0).all()
    assert (saved[: -len(rows), 0] == 0).all()  # the rest is the search


def test_the_first_garnets_lie_within_the_committed_ranges(tmp_path):
    """Of 1000 Garnets quantiles are kept; those of the first two must lie between the least and the largest."""
    study, saved = KNOWN["exact-spectral"], committed("exact-spectral")
    found = study.compute(replace(study.settings(), in_a_piece=2), 0, tmp_path)
    for name in ("radius", "norm"):
        least, largest = saved[name][0], saved[name][-1]
        tried = ~np.isnan(found[name])
        inside = (found[name] >= least * (1 - 1e-6)) & (found[name] <= largest * (1 + 1e-6))
        # Norms of ill-conditioned features that are no kernel's depend on the processor's rounding.
        assert inside[:, :, :2][tried[:, :, :2]].all()
        assert (np.isnan(saved[name][0]) == ~tried[0]).all()


def test_teaching_figures_regenerate(tmp_path):
    for name in ("bisimulation-intuition", "kernel-tour", "kernel-filling", "lspe-plane"):
        again, saved = KNOWN[name].compute(KNOWN[name].settings(), 0, tmp_path), committed(name)
        for key, value in saved.items():
            if value.dtype.kind == "f":  # principal directions have no sign
                assert np.allclose(np.abs(value), np.abs(again[key]), atol=1e-8), (name, key)


def test_data_lie_beside_the_package():
    assert Path(__file__).parents[3] / "figures" == FOLDER
