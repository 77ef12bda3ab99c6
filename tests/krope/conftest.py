import os
from dataclasses import dataclass

import numpy as np
import pytest

from krope import main
from tabular_krope.control import making, rollouts
from tests.tabular_krope.control.conftest import ToySimulator


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def refused(self):
        """The one line of a refusal; fails if it is anything else."""
        assert self.code == 2, self
        assert self.out == ""
        assert self.err.startswith("krope: error: ")
        assert self.err.count("\n") == 1
        assert "Traceback" not in self.err
        return self.err.removeprefix("krope: error: ").rstrip("\n")


@pytest.fixture
def krope(capsys, monkeypatch):
    """Run ``krope`` with the given words in this process, as wide as it likes."""
    if "COLUMNS" in os.environ:
        monkeypatch.delenv("COLUMNS")

    def run(*words):
        with pytest.raises(SystemExit) as left:
            main([str(word) for word in words])
        captured = capsys.readouterr()
        return Result(left.value.code, captured.out, captured.err)

    return run


class QuickCartpole(ToySimulator):
    """The toy with the widths of cartpole, so that its shipped policies act in it."""

    n_observations, n_actions = 5, 1

    def reset(self, seed):
        return self._wide(super().reset(seed))

    def step(self, action):
        observation, *rest = super().step(action)
        return self._wide(observation), *rest

    def _wide(self, observation):
        return np.resize(observation, self.n_observations)


@pytest.fixture
def quick_cartpole(monkeypatch):
    """Episodes of a few decisions, where the dynamics of the task are not what is tested."""
    for module in (rollouts, making):
        monkeypatch.setattr(module, "Simulator", QuickCartpole)
