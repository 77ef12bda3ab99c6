import json

import numpy as np
import pytest

from deep.control.config import ControlConfig
from deep.control.evaluation import FeaturesOnData
from deep.control.sums import WAYS, radii_by_sums, sums_of_runs
from deep.control.training import train
from tabular_krope.control.reading import read_data
from tabular_krope.errors import KropeError

SMALL = {"hidden": 16, "batch": 128, "evaluate_every": 1, "base_features": 16, "learning_rate": 1e-3}


def features(n=400, squeeze=1.0):
    rng = np.random.default_rng(0)
    Phi = rng.standard_normal((n, 3))
    Phi_next = 0.8 * Phi + 0.3 * rng.standard_normal((n, 3))
    scale = np.diag([1.0, 1.0, squeeze])
    return FeaturesOnData(Phi @ scale, Phi_next @ scale, Phi[:2])


def test_well_conditioned_features_have_one_radius_and_it_is_lspes():
    at = features()
    L = 0.9 * np.linalg.lstsq(at.Phi, at.Phi_next, rcond=None)[0]
    exact = np.abs(np.linalg.eigvals(L)).max()
    found = radii_by_sums(at, 0.9)
    assert found["float64"] == pytest.approx(exact, rel=1e-12)
    assert list(found.values()) == pytest.approx([exact] * len(WAYS), rel=1e-5)
    assert len(set(found.values())) > 1  # no two arithmetics are one


def test_small_directions_are_lost_in_float32_only():
    """A direction of relative size 1e-3 is 1e-6 of the covariance: above the cut, and of few digits in float32."""
    whole, found = radii_by_sums(features(), 0.9), radii_by_sums(features(squeeze=1e-3), 0.9)
    assert found["float64"] == pytest.approx(whole["float64"], rel=1e-9)
    lost = {way: abs(radius - whole["float64"]) for way, radius in found.items() if way != "float64"}
    assert max(lost.values()) > np.finfo(np.float32).eps


def test_runs_by_their_checkpoints(cartpole_file, tmp_path):
    data = read_data(cartpole_file)
    configs = {name: ControlConfig(name, epochs=1, **SMALL) for name in ("fqe", "krope")}
    rows = {name: train(config, data, tmp_path / name).rows[-1] for name, config in configs.items()}
    found = sums_of_runs([tmp_path / "fqe", tmp_path / "krope", tmp_path / "fqe"], data)
    assert list(found) == ["what", *WAYS]
    assert found["what"].endswith("after 1 epochs, gamma B^+ C, by how the sums over 900 rows are made")
    for name, row in rows.items():
        assert found["float64"][name] == pytest.approx(row["radius_svd64"], rel=1e-6)
    (tmp_path / "fqe" / "checkpoint.safetensors").unlink()
    with pytest.raises(KropeError, match=r"checkpoint.safetensors; got none \(train the run again\)"):
        sums_of_runs([tmp_path / "fqe"], data)
    path = tmp_path / "krope" / "run.json"
    path.write_text(path.read_text().replace('"alpha"', '"beta"'))
    with pytest.raises(KropeError, match=r"must hold a run with the settings of this version; got .*beta"):
        sums_of_runs([tmp_path / "krope"], data)
    train(ControlConfig("krope-closed", **SMALL), data, tmp_path / "closed")
    with pytest.raises(KropeError, match="must hold a trained network; got krope-closed, which has none"):
        sums_of_runs([tmp_path / "closed"], data)


def test_the_published_file_is_of_this_form():
    from figures.studies.committed import FOLDER

    published = json.loads((FOLDER / "data" / "control" / "sums.json").read_text())
    assert list(published) == ["what", *WAYS]
    assert published["what"].endswith("after 150 epochs, gamma B^+ C, by how the sums over 100,000 rows are made")
