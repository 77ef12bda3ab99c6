"""A toy task that needs no simulator, and one small real data set for all tests."""

import numpy as np
import pytest

from tabular_krope.control import making, rollouts
from tabular_krope.control.actors import Actor, actor_parameters
from tabular_krope.control.making import make_data, write_data
from tabular_krope.control.policy_files import SHIPPED, load_policies
from tabular_krope.control.tasks import Task, recipe_named

TOY = Task("toy", "toy", "", "", 1, 0.5, (("target", 0.9), ("behaviour-1", 0.5)))


class ToySimulator:
    """Reward 1 + mean action for ``seed % 3 + 2`` decisions; odd seeds end, even ones run out of time."""

    n_observations, n_actions = 3, 2

    def __init__(self, task):
        self.task = task

    def reset(self, seed):
        self.left, self.ends, self.start = seed % 3 + 2, bool(seed % 2), (seed % 1000) / 1000
        return np.array([self.left, self.ends, self.start], dtype=float)

    def step(self, action):
        assert np.abs(action).max() <= 1
        self.left -= 1
        over = self.left == 0
        observation = np.array([self.left, self.ends, self.start], dtype=float)
        return observation, 1 + float(np.mean(action)), over and self.ends, over and not self.ends


@pytest.fixture
def toy(monkeypatch):
    for module in (rollouts, making):
        monkeypatch.setattr(module, "Simulator", ToySimulator)
    return TOY


def constant_actor(action, n_observations=3, n_actions=2, noise=None, spread=-20.0):
    """An actor that takes tanh(action) wherever it is, up to noise of exp(spread)."""
    layers = [
        ("0", np.zeros((4, n_observations)), np.zeros(4)),
        ("mu", np.zeros((n_actions, 4)), np.full(n_actions, action)),
        ("log_std", np.zeros((n_actions, 4)), np.full(n_actions, spread)),
    ]
    return Actor(actor_parameters(layers), noise)


@pytest.fixture(scope="session")
def cartpole_file(tmp_path_factory):
    """900 transitions of the real cartpole, 300 by each of the shipped policies."""
    recipe = recipe_named("dmc-cartpole-swingup")
    arrays, about = make_data(recipe, load_policies(recipe.task, (SHIPPED,)), 900, seed=3, starts=20)
    path = tmp_path_factory.mktemp("control") / "cartpole.h5"
    write_data(path, arrays, about)
    return path
