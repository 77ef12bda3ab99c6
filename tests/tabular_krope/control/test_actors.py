import numpy as np
import pytest
import torch

from tabular_krope.control.actors import Actor, UniformActor, actor_parameters
from tabular_krope.errors import KropeError
from tests.tabular_krope.control.conftest import constant_actor


def random_layers(seed=0, o=3, a=2):
    rng = np.random.default_rng(seed)
    sizes = [("0", 8, o), ("1", 6, 8), ("mu", a, 6), ("log_std", a, 6)]
    return [(name, rng.standard_normal((out, into)), rng.standard_normal(out)) for name, out, into in sizes]


def test_the_network_by_torch():
    layers = random_layers()
    linear = {}
    for name, weight, bias in layers:
        linear[name] = torch.nn.Linear(weight.shape[1], weight.shape[0])
        linear[name].weight.data, linear[name].bias.data = torch.tensor(weight).float(), torch.tensor(bias).float()
    rng = np.random.default_rng(1)
    s, noise = rng.standard_normal((5, 3)), rng.standard_normal((5, 2))
    h = torch.relu(linear["1"](torch.relu(linear["0"](torch.tensor(s).float()))))
    mu, log_std = linear["mu"](h), linear["log_std"](h).clamp(-20, 2)
    expected = torch.tanh(mu + log_std.exp() * torch.tensor(noise))
    np.testing.assert_allclose(Actor(actor_parameters(layers)).act(s, noise), expected.detach(), atol=1e-5)
    noisy = (torch.tanh(mu) + 0.1 * torch.tensor(noise)).clip(-1, 1)
    np.testing.assert_allclose(Actor(actor_parameters(layers), 0.1).act(s, noise), noisy.detach(), atol=1e-5)


def test_a_constant_actor_and_the_random_one():
    action = constant_actor(0.5).act(np.ones((4, 3)), np.ones((4, 2)))
    np.testing.assert_allclose(action, np.tanh(0.5), atol=1e-6)
    drawn = UniformActor(2).act(np.ones((20000, 3)), np.random.default_rng(0).standard_normal((20000, 2)))
    counts = np.histogram(drawn, bins=10, range=(-1, 1))[0]
    assert abs(counts - 4000).max() < 5 * np.sqrt(4000)  # uniform


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p: p.pop("bias-mu"), "parameters must be those of an actor"),
        (lambda p: p.update({"weight-1": np.zeros((6, 7), np.float32)}), r"weight-1 must have shape \(any, 8\)"),
        (lambda p: p["weight-mu"].fill(np.nan), "weight-mu must be finite"),
        (
            lambda p: p.update({"weight-log_std": np.zeros((1, 6), np.float32), "bias-log_std": np.zeros(1)}),
            "weight-log_std must have the shape of weight-mu",
        ),
    ],
)
def test_parameters_that_are_no_actor(change, message):
    parameters = actor_parameters(random_layers())
    change(parameters)
    with pytest.raises(KropeError, match=message):
        Actor(parameters)
