import numpy as np
import pytest
import torch

from deep.control.config import ControlConfig
from deep.control.network import SIGMA_MAX, SIGMA_MIN, new_networks, optimizer

CPU = torch.device("cpu")


def numpy_of(module):
    return [tensor.detach().numpy() for tensor in module.parameters()]


def test_the_encoder_is_linear_relu_layernorm_linear():
    networks = new_networks(ControlConfig("fqe", hidden=16), 6, CPU).double()
    encoder = networks.encoder
    with torch.no_grad():
        encoder.norm.weight.uniform_(0.5, 2.0)
        encoder.norm.bias.uniform_(-1.0, 1.0)
    (W, b), (scale, shift), (V, c) = (numpy_of(part) for part in (encoder.widen, encoder.norm, encoder.narrow))
    x = np.random.default_rng(0).standard_normal((5, 6))
    h = np.maximum(x @ W.T + b, 0)
    h = (h - h.mean(1, keepdims=True)) / np.sqrt(h.var(1, keepdims=True) + 1e-5) * scale + shift
    np.testing.assert_allclose(encoder.units(torch.tensor(x)).detach(), h, rtol=1e-9)
    np.testing.assert_allclose(encoder(torch.tensor(x)).detach(), h @ V.T + c, rtol=1e-9)
    phi = torch.tensor(h @ V.T + c)
    np.testing.assert_allclose(networks.value(phi).detach(), phi @ networks.head.weight[0].detach())


@pytest.mark.parametrize(
    ("algorithm", "rates"),
    [
        ("fqe", {"encoder": 3e-4, "head": 3e-4}),
        ("dbc", {"encoder": 3e-4, "head": 3e-4, "model": 1e-5}),
        ("bcrl-exp", {"encoder": 3e-4, "M": 1e-4, "rho": 1e-4}),
    ],
)
def test_each_part_has_its_learning_rate(algorithm, rates):
    config = ControlConfig(algorithm, hidden=8, learning_rate=3e-4)
    networks = new_networks(config, 6, CPU)
    names = {id(tensor): name.split(".")[0] for name, tensor in networks.named_parameters()}
    adam = optimizer(config, networks)
    assert {names[id(tensor)]: group["lr"] for group in adam.param_groups for tensor in group["params"]} == rates
    assert {group["weight_decay"] for group in adam.param_groups} == {1e-2}


@pytest.mark.parametrize(("name", "kind"), [("adamw", torch.optim.AdamW), ("adam", torch.optim.Adam)])
def test_the_optimizer_is_the_one_asked_for_with_its_decay(name, kind):
    """One step at gradient 0: AdamW shrinks the parameters by lr * decay, Adam's L2 term moves each by about lr."""
    for step in ("by-hand", "fused", "autograd"):
        config = ControlConfig("fqe", hidden=8, learning_rate=1e-3, weight_decay=0.3, optimizer=name, step=step)
        networks = new_networks(config, 6, CPU)
        adam = optimizer(config, networks)
        assert type(adam) is kind
        before = networks.encoder.widen.weight.detach().clone()
        for tensor in networks.parameters():
            tensor.grad = torch.zeros_like(tensor)
        adam.step()
        moved = networks.encoder.widen.weight.detach() - before
        wanted = -1e-3 * 0.3 * before if name == "adamw" else -1e-3 * before.sign()
        torch.testing.assert_close(moved, wanted, rtol=1e-2, atol=1e-6)


def test_standard_deviations_stay_within_their_bounds():
    networks = new_networks(ControlConfig("dbc", hidden=8), 6, CPU)
    mu, sigma = networks.gaussian(1e4 * torch.randn(50, 3, generator=torch.Generator().manual_seed(0)))
    assert mu.abs().max() > SIGMA_MAX
    assert sigma.min().item() == pytest.approx(SIGMA_MIN)
    assert sigma.max().item() == pytest.approx(SIGMA_MAX)


def test_a_seed_draws_the_same_numbers_and_leaves_the_others_alone():
    torch.manual_seed(7)
    wanted = torch.rand(1)
    torch.manual_seed(7)
    one, two, other = (new_networks(ControlConfig("fqe", seed, hidden=8), 6, CPU) for seed in (0, 0, 1))
    assert torch.rand(1) == wanted
    assert torch.equal(one.encoder.widen.weight, two.encoder.widen.weight)
    assert not torch.equal(one.encoder.widen.weight, other.encoder.widen.weight)
