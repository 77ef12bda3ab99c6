import numpy as np
import pytest

from deep.tabular import runs
from deep.tabular.run_settings import GarnetConfig
from deep.tabular.runs import (
    evaluation_path,
    features_path,
    read_evaluation,
    read_features,
    run_one,
    run_study,
    study_configs,
)
from deep.tabular.stacked_training import train
from deep.tabular.study import main
from tabular_krope.errors import KropeError

SMALL = GarnetConfig("krope", 2, n_states=3, n_actions=2, branching=2, trials=2, transitions=60, batch=30, epochs=2)


def test_the_study_has_every_algorithm_at_every_dimension():
    configs = study_configs(seed_set=3)
    assert len({(c.algorithm, c.dimension) for c in configs}) == 40
    assert {(c.seed_set, c.trials, c.epochs) for c in configs} == {(3, 30, 500)}
    assert all(c.epochs < 500 for c in study_configs(quick=True))


def test_a_run_is_saved_evaluated_and_then_skipped(tmp_path, monkeypatch):
    assert list(run_study(tmp_path, [SMALL])) == ["krope-d2-seeds0"]
    features = read_features(tmp_path, SMALL)
    np.testing.assert_array_equal(features, train(SMALL).features)
    assert read_evaluation(tmp_path, SMALL)["radius_svd"].shape == (2,)
    assert [p.name for p in (tmp_path / "features").iterdir()] == ["krope-d2-seeds0.npz"]
    monkeypatch.setattr(runs, "train", None)
    monkeypatch.setattr(runs, "evaluate_all", None)
    assert run_one(tmp_path, SMALL) == "krope-d2-seeds0"


def test_only_what_is_missing_is_done(tmp_path, monkeypatch):
    list(run_study(tmp_path, [SMALL]))
    before = read_evaluation(tmp_path, SMALL)
    evaluation_path(tmp_path, SMALL).unlink()
    monkeypatch.setattr(runs, "train", None)
    run_one(tmp_path, SMALL)
    np.testing.assert_array_equal(read_evaluation(tmp_path, SMALL)["radius_svd"], before["radius_svd"])


def test_two_at_a_time_give_the_same_bytes(tmp_path):
    configs = [SMALL, GarnetConfig(**(SMALL.settings() | {"algorithm": "fqe"}))]
    list(run_study(tmp_path / "one", configs))
    assert sorted(run_study(tmp_path / "two", configs, jobs=2)) == ["fqe-d2-seeds0", "krope-d2-seeds0"]
    for config in configs:
        for path in (features_path, evaluation_path):
            assert path(tmp_path / "one", config).read_bytes() == path(tmp_path / "two", config).read_bytes()


def test_files_of_other_settings_or_kinds_are_refused(tmp_path):
    list(run_study(tmp_path, [SMALL]))
    other = GarnetConfig(**(SMALL.settings() | {"alpha": 0.5}))
    with pytest.raises(KropeError, match=r"must come from the settings asked for, alpha = 0.5; got 0.1"):
        run_one(tmp_path, other)
    features_path(tmp_path, SMALL).rename(evaluation_path(tmp_path, SMALL))
    with pytest.raises(KropeError, match="must be a file of garnet evaluation; got something else"):
        read_evaluation(tmp_path, SMALL)


def test_an_unwritable_folder(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(KropeError, match=r"out must be a folder that can be written; got .*file"):
        list(run_study(tmp_path / "file", [SMALL]))


def test_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("deep.tabular.study.study_configs", lambda *given: [SMALL])
    assert main(["--out", str(tmp_path), "--quick"]) == 0
    assert capsys.readouterr().out == f"1 runs in {tmp_path}\n"
    monkeypatch.undo()
    assert main(["--out", str(tmp_path), "--algorithms", "krop"]) == 2
    assert "error: algorithm must be one of" in capsys.readouterr().err
