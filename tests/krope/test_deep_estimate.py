"""``krope deep estimate`` and its study on small files with a known truth."""

import json
from functools import partial

import numpy as np
import pytest

from krope import deep_estimate
from tabular_krope.control import estimate_study
from tabular_krope.control.making import LAYOUT, write_data
from tabular_krope.report.digits import three
from tests.tabular_krope.estimation.test_estimate import SIZES, circle


@pytest.fixture(autouse=True)
def _few_base_features(monkeypatch):
    """84 polynomials and 60 waves, not 512 of each: still more than the 64 features that the study asks for."""
    monkeypatch.setattr(deep_estimate, "control_estimate", partial(deep_estimate.control_estimate, **SIZES))
    monkeypatch.setattr(estimate_study, "union_features", partial(estimate_study.union_features, **SIZES))


@pytest.fixture
def circle_file(tmp_path):
    """A data set in our layout: covered, with the value known, and random actions worth nothing."""
    data, true = circle(1200)
    arrays = {
        "observations": data.observations,
        "actions": data.actions,
        "rewards": data.rewards,
        "next_observations": data.next_observations,
        "terminals": data.terminals,
        "timeouts": np.arange(1200) % 30 == 29,
        "next_actions": data.next_actions,
        "initial_observations": data.initial_observations,
        "initial_actions": data.initial_actions,
    }
    values = {role: {"mean": v, "error": 0.01, "episodes": 9} for role, v in (("target", true), ("random", -4.0))}
    about = {"layout": LAYOUT, "name": "circle", "gamma": 0.9, "values": json.dumps(values), "seed": 0}
    path = tmp_path / "circle.h5"
    write_data(path, arrays, about)
    return path, true


def test_the_verdict_comes_first_and_the_error_last(krope, circle_file):
    path, true = circle_file
    out = krope("deep", "estimate", path, "--replicates", 20).out
    assert ": BELIEVE. Value " in out.splitlines()[0]
    assert "Stable: LSPE's matrix has norm 0.949" in out
    assert f"The file says {three(true)} (random policy -4): normalized error " in out


def test_json_has_every_number(krope, circle_file):
    path, true = circle_file
    words = ("deep", "estimate", path, "--replicates", 20, "--draws", 2, "--d", 9, "--json", "-")
    document = json.loads(krope(*words).out)
    (found,) = document["estimates"]
    assert document["settings"]["draws"] == 2
    assert found["d"] == 9
    assert found["stable"] is True
    assert len(found["draws"]) == 2
    assert found["error"] == pytest.approx(((found["value"] - true) / (-4 - true)) ** 2)
    assert found["belief"]["evidence"]["unit"] == pytest.approx(abs(np.median(found["draws"]) + 4))
    assert "q_hat" not in found


def test_bad_options(krope, circle_file, tmp_path):
    path, _ = circle_file
    assert "draws must be an integer of at least 1" in krope("deep", "estimate", path, "--draws", 0).refused
    assert "must be a data file" in krope("deep", "estimate", tmp_path / "none.h5").refused
    assert "ridge must be a positive number" in krope("deep", "estimate", path, "--ridge", 0).refused


def test_the_study_goes_on_where_it_stopped(krope, circle_file, tmp_path):
    path, true = circle_file
    words = ("deep", "estimate-study", path, "--out", tmp_path / "study", "--seeds")
    assert "1 cell run, 1 in" in krope(*words, 1).out
    before = (tmp_path / "study" / "circle-seed0.json").read_text()
    assert "1 cell run, 2 in" in krope(*words, 2).out
    assert (tmp_path / "study" / "circle-seed0.json").read_text() == before
    cell = json.loads(before)
    assert [(one["d"], one["ridge"]) for one in cell["closed"]] == [
        (d, c) for c in (1e-3, 1e-2) for d in (16, 64, "all")
    ]
    assert all(one["stable"] for one in cell["closed"])
    assert cell["closed"][-1]["value"] == pytest.approx(true, abs=0.1)
    assert cell["values"] == {"target": true, "random": -4.0}
    assert cell["base"] == {"p": 144, "degree": 6, "waves": 60}
    assert [one["name"] for one in cell["others"]] == ["lstd", "lspe", "fqe", "fqe"]
    assert [one["value"] for one in cell["others"][2:]] == pytest.approx([true] * 2, abs=0.1)
