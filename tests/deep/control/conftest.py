"""One thread for torch, and the toy task and data of the control tests."""

import pytest
import torch

from deep.control import sac
from tabular_krope.control import making, rollouts
from tests.tabular_krope.control.conftest import TOY, ToySimulator, cartpole_file

__all__ = ["cartpole_file"]


@pytest.fixture(autouse=True)
def _one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def toy(monkeypatch):
    for module in (rollouts, making, sac):
        monkeypatch.setattr(module, "Simulator", ToySimulator)
    return TOY
