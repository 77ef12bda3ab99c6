import numpy as np
import pytest

from figures.studies import (
    garnet_arithmetic,
    garnet_drawing,
    garnet_orthogonality,
    garnet_realizability,
    garnet_runs,
    garnet_spectral,
)
from figures.studies.running import study_data
from figures.studies.sheet import render_study
from tabular_krope.errors import KropeError

pytest.importorskip("torch")
TINY = garnet_runs.Settings(
    sets=1, trials=2, epochs=1, transitions=300, dimensions=(2, 3), algorithms=("fqe", "krope", "bcrl-exp")
)
STUDIES = (garnet_spectral.STUDY, garnet_orthogonality.STUDY, garnet_realizability.STUDY, garnet_arithmetic.STUDY)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("figures")


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_runs_are_shared_measured_and_drawn(study, folder):
    runs = folder / "data" / "garnet" / "features"
    before = {path: path.stat().st_mtime_ns for path in runs.glob("*")}
    data = study_data(study, TINY, folder)
    assert len(list(runs.glob("*.npz"))) == 6
    assert all(path.stat().st_mtime_ns == time for path, time in before.items())
    assert data["algorithms"].tolist() == ["fqe", "krope", "bcrl-exp"]
    measures = [name for name in data if name not in ("algorithms", "dimensions")]
    assert all(data[name].shape == (1, 3, 2, 2) for name in measures)
    assert set(render_study(study, data)) == {"png", "svg"}


def test_each_measure_is_at_its_place(folder):
    from deep.tabular.runs import read_evaluation

    data = study_data(garnet_orthogonality.STUDY, TINY, folder)
    config = garnet_runs.run_config(TINY, (0, "krope", 3))
    wanted = read_evaluation(folder / "data" / "garnet", config)["orthogonality"]
    assert np.array_equal(data["orthogonality"][0, 1, 1], wanted)


def test_runs_of_other_settings_are_refused(folder, tmp_path):
    from dataclasses import replace

    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "garnet").symlink_to(folder / "data" / "garnet")
    with pytest.raises(KropeError, match="must come from the settings asked for, epochs = 2; got 1"):
        study_data(garnet_spectral.STUDY, replace(TINY, epochs=2), tmp_path)


def test_exact_verdicts_overrule_floats():
    data = {"exact_stable": np.array([1.0, 0.0, np.nan]), "radius_svd": np.array([1.1, 0.9, 0.9])}
    assert garnet_arithmetic.exact_verdicts(data).tolist() == [True, False, True]


def test_intervals():
    middle, low, high = garnet_runs.mean_interval(np.array([1.0, 3.0]))
    assert (middle, low, high) == pytest.approx((2.0, 0.04, 3.96))


def test_pooling_keeps_algorithms_and_dimensions_apart():
    values = np.arange(2 * 3 * 4 * 5).reshape(2, 3, 4, 5)
    together = garnet_runs.pooled(values)
    assert together.shape == (3, 4, 10)
    assert sorted(together[1, 2]) == sorted([*values[0, 1, 2], *values[1, 1, 2]])


def test_the_algorithms_are_those_of_the_trainer():
    from deep.tabular.run_settings import ALGORITHMS, DIMENSIONS

    assert garnet_runs.ALGORITHMS == ALGORITHMS
    assert garnet_runs.Settings().dimensions == DIMENSIONS
    assert set(garnet_drawing.LOOKS) == set(ALGORITHMS)
