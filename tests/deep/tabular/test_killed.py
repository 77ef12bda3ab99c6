"""A training that is killed, not merely interrupted, goes on to the same bits."""

import os
import signal

import numpy as np
import pytest
import torch

from deep.tabular.run_settings import GarnetConfig
from deep.tabular.runs import features_path, read_features, run_one
from deep.tabular.stacked_training import train
from tests.copies import MAY_COPY, Copy

CONFIG = {
    "algorithm": "krope", "dimension": 2, "n_states": 3, "n_actions": 2, "branching": 2, "trials": 2,
    "transitions": 120, "batch": 60, "epochs": 200,
}  # fmt: skip


def train_until_killed(config, checkpoint):
    """Checkpoints are written every 100 epochs; the kill comes at 150."""

    def kill(epoch):
        if epoch == 150:
            os.kill(os.getpid(), signal.SIGKILL)

    train(config, checkpoint=checkpoint, progress=kill)


@pytest.fixture(autouse=True)
def _one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@MAY_COPY
def test_killed_training_goes_on_where_it_stopped(tmp_path, monkeypatch):
    config = GarnetConfig(**CONFIG)
    path = features_path(tmp_path, config)
    for folder in ("features", "evaluation"):
        (tmp_path / folder).mkdir()
    checkpoint = path.with_suffix(".checkpoint")
    assert Copy(train_until_killed, config, checkpoint).wait() == -signal.SIGKILL
    assert [left.name for left in path.parent.iterdir()] == [checkpoint.name]
    whole = train(config).features
    epochs = []
    monkeypatch.setattr("deep.tabular.runs.train", lambda *given: train(*given, progress=epochs.append))
    run_one(tmp_path, config)
    assert epochs == list(range(101, 201))
    np.testing.assert_array_equal(read_features(tmp_path, config), whole)
    assert not checkpoint.exists()
