"""The encoder by hand against autograd: features, gradients, whole runs; blocks that are not full; float64."""

import copy

import numpy as np
import pytest
import torch

from deep.control import by_hand
from deep.control.config import LEARNED, ControlConfig
from deep.control.network import new_networks
from deep.control.objectives import Minibatch, objective

CPU = torch.device("cpu")


def encoders(dtype=torch.float32, inputs=6, hidden=1024):
    """The same parameters, LayerNorm's affine map among them, stepped by hand and by autograd."""
    hand, auto = (
        new_networks(ControlConfig("fqe", hidden=hidden, step=step), inputs, CPU).to(dtype).encoder
        for step in ("by-hand", "autograd")
    )
    with torch.no_grad():
        hand.norm.weight.copy_(torch.linspace(0.5, 2.0, hidden))
        hand.norm.bias.copy_(torch.linspace(-1.0, 1.0, hidden))
    auto.load_state_dict(hand.state_dict())
    assert hand.by_hand
    assert not auto.by_hand
    return hand, auto


def gradients(encoder, x, upstream):
    encoder.zero_grad()
    phi = encoder(x)
    phi.backward(upstream)
    return phi.detach(), {name: tensor.grad.clone() for name, tensor in encoder.named_parameters()}


@pytest.mark.parametrize("rows", [1, 100, 256, 300, 2048])
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-5), (torch.float64, 1e-12)])
def test_features_and_gradients_are_autograds(rows, dtype, tolerance):
    hand, auto = encoders(dtype)
    draws = torch.Generator().manual_seed(rows)
    x, upstream = torch.randn(rows, 6, generator=draws, dtype=dtype), torch.randn(rows, 3, generator=draws, dtype=dtype)
    (phi, ours), (wanted, theirs) = gradients(hand, x, upstream), gradients(auto, x, upstream)
    assert (phi - wanted).abs().max() <= tolerance * wanted.abs().max()
    for name, gradient in theirs.items():
        assert (ours[name] - gradient).abs().max() <= tolerance * gradient.abs().max(), name
    with torch.no_grad():
        assert torch.equal(hand(x), phi)


def test_without_gradients_nothing_is_kept():
    hand, _ = encoders()
    hand.requires_grad_(False)
    phi = hand(torch.zeros(5, 6))
    assert not phi.requires_grad


def test_two_passes_before_the_backward_pass_do_not_share_memory():
    """BCRL and abs-DR3 differentiate through the features and the next features at once."""
    hand, auto = encoders(torch.float64)
    x, after = torch.randn(2, 200, 6, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    for encoder in (hand, auto):
        encoder.zero_grad()
        (encoder(x) * encoder(after)).abs().mean().backward()
    for one, other in zip(hand.parameters(), auto.parameters(), strict=True):
        torch.testing.assert_close(one.grad, other.grad, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("algorithm", LEARNED)
def test_every_objective_has_the_same_gradient_by_hand(algorithm):
    draws, B = torch.Generator().manual_seed(1), 150
    x, x_next = (torch.randn(B, 6, generator=draws, dtype=torch.float64) for _ in range(2))
    r, alive = (torch.rand(B, generator=draws, dtype=torch.float64) for _ in range(2))
    batch = Minibatch(x, r, x_next, (alive > 0.2).double(), 0.9, torch.tensor(1.0, dtype=torch.float64))
    found = {}
    for step in ("by-hand", "autograd"):
        config = ControlConfig(algorithm, hidden=32, step=step, pairings=2)
        networks = new_networks(config, 6, CPU).double()
        objective(config, networks, copy.deepcopy(networks).requires_grad_(False), batch).backward()
        found[step] = torch.cat([tensor.grad.reshape(-1) for tensor in networks.parameters()])
    scale = found["autograd"].abs().max()
    assert (found["by-hand"] - found["autograd"]).abs().max() <= 1e-9 * scale


def test_layernorm_before_relu_is_left_to_autograd():
    encoder = new_networks(ControlConfig("fqe", hidden=16, norm="before"), 6, CPU).double().encoder
    assert not encoder.by_hand
    x = np.random.default_rng(0).standard_normal((5, 6))
    W, b = (tensor.detach().numpy() for tensor in encoder.widen.parameters())
    h = x @ W.T + b
    h = np.maximum((h - h.mean(1, keepdims=True)) / np.sqrt(h.var(1, keepdims=True) + 1e-5), 0)
    np.testing.assert_allclose(encoder.units(torch.tensor(x)).detach(), h, rtol=1e-9)


def test_blocks_are_used_again():
    hand, _ = encoders(hidden=40)
    key = (40, by_hand.ROWS, torch.float32)
    for _ in range(3):
        gradients(hand, torch.zeros(512, 6), torch.ones(512, 3))
        assert len(by_hand._FREE[key]) == 3  # two of the hidden layer and one to work in
