"""A training that is killed, not merely interrupted, goes on to the same bits."""

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from deep.tabular.run_settings import GarnetConfig
from deep.tabular.runs import features_path, read_features, run_one
from deep.tabular.stacked_training import train

CONFIG = {
    "algorithm": "krope", "dimension": 2, "n_states": 3, "n_actions": 2, "branching": 2, "trials": 2,
    "transitions": 120, "batch": 60, "epochs": 200,
}  # fmt: skip
#: Checkpoints are written every 100 epochs; the kill comes at 150.
CODE = f"""
import os, signal, sys
from pathlib import Path
import torch
from deep.tabular.stacked_training import GarnetConfig, train
torch.set_num_threads(1)
kill = lambda epoch: os.kill(os.getpid(), signal.SIGKILL) if epoch == 150 else None
train(GarnetConfig(**{CONFIG!r}), checkpoint=Path(sys.argv[1]), progress=kill)
"""


@pytest.fixture(autouse=True)
def _one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def test_killed_training_goes_on_where_it_stopped(tmp_path, monkeypatch):
    config = GarnetConfig(**CONFIG)
    path = features_path(tmp_path, config)
    for folder in ("features", "evaluation"):
        (tmp_path / folder).mkdir()
    checkpoint = path.with_suffix(".checkpoint")
    done = subprocess.run([sys.executable, "-c", CODE, str(checkpoint)], cwd=Path(__file__).parents[3])
    assert done.returncode == -signal.SIGKILL
    assert [left.name for left in path.parent.iterdir()] == [checkpoint.name]
    whole = train(config).features
    epochs = []
    monkeypatch.setattr("deep.tabular.runs.train", lambda *given: train(*given, progress=epochs.append))
    run_one(tmp_path, config)
    assert epochs == list(range(101, 201))
    np.testing.assert_array_equal(read_features(tmp_path, config), whole)
    assert not checkpoint.exists()
