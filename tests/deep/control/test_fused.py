"""The compiled step against autograd and the step by hand: features, gradients, whole runs; padding; NaN; memory."""

import copy
import subprocess
import sys

import numpy as np
import pytest
import torch

from deep.control import fused
from deep.control.config import LEARNED, ControlConfig
from deep.control.network import new_networks
from deep.control.objectives import Minibatch, objective
from deep.control.run_folder import read_about
from deep.control.training import train
from tabular_krope.control.reading import read_data
from tabular_krope.errors import KropeError

CPU = torch.device("cpu")


def encoder(step, dtype=torch.float32, inputs=6, hidden=1024, d=3):
    """The same parameters for each step, LayerNorm's affine map among them."""
    found = new_networks(ControlConfig("fqe", hidden=hidden, dimension=d, step=step), inputs, CPU).to(dtype).encoder
    with torch.no_grad():
        found.norm.weight.copy_(torch.linspace(0.5, 2.0, hidden))
        found.norm.bias.copy_(torch.linspace(-1.0, 1.0, hidden))
    return found


def gradients(encoder, x, upstream):
    encoder.zero_grad()
    phi = encoder(x)
    phi.backward(upstream)
    return phi.detach(), {name: tensor.grad.clone() for name, tensor in encoder.named_parameters()}


# The last sizes leave a rest in each of the paddings: inputs, units, features, rows.
@pytest.mark.parametrize(
    ("rows", "inputs", "hidden", "d"),
    [(2048, 6, 1024, 3), (1, 6, 1024, 3), (300, 23, 1024, 11), (2048, 23, 40, 11), (77, 30, 13, 15), (256, 8, 9, 4)],
)
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-5), (torch.float64, 1e-12)])
def test_features_and_gradients_are_autograds(rows, inputs, hidden, d, dtype, tolerance):
    draws = torch.Generator().manual_seed(rows)
    x = torch.randn(rows, inputs, generator=draws, dtype=dtype)
    upstream = torch.randn(rows, d, generator=draws, dtype=dtype)
    ours, theirs = (encoder(step, dtype, inputs, hidden, d) for step in ("fused", "autograd"))
    (phi, found), (wanted, others) = gradients(ours, x, upstream), gradients(theirs, x, upstream)
    assert (phi - wanted).abs().max() <= tolerance * wanted.abs().max()
    for name, gradient in others.items():
        assert (found[name] - gradient).abs().max() <= tolerance * gradient.abs().max(), name
    with torch.no_grad():
        assert torch.equal(ours(x), phi)


@pytest.mark.parametrize("algorithm", LEARNED)
def test_every_objective_has_the_same_gradient(algorithm):
    """BCRL and abs-DR3 among them, which differentiate through two passes at once."""
    draws, B = torch.Generator().manual_seed(1), 150
    x, x_next = (torch.randn(B, 6, generator=draws, dtype=torch.float64) for _ in range(2))
    r, alive = (torch.rand(B, generator=draws, dtype=torch.float64) for _ in range(2))
    batch = Minibatch(x, r, x_next, (alive > 0.2).double(), 0.9, torch.tensor(1.0, dtype=torch.float64))
    found = {}
    for step in ("fused", "autograd"):
        config = ControlConfig(algorithm, hidden=32, step=step, pairings=2)
        networks = new_networks(config, 6, CPU).double()
        objective(config, networks, copy.deepcopy(networks).requires_grad_(False), batch).backward()
        found[step] = torch.cat([tensor.grad.reshape(-1) for tensor in networks.parameters()])
    assert (found["fused"] - found["autograd"]).abs().max() <= 1e-9 * found["autograd"].abs().max()


def test_many_rows_are_encoded_in_parts(monkeypatch):
    monkeypatch.setattr(fused, "ROWS", 100)
    ours, theirs = (encoder(step, torch.float64, hidden=16).requires_grad_(False) for step in ("fused", "autograd"))
    x = torch.randn(350, 6, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    torch.testing.assert_close(ours(x), theirs(x), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_network_that_diverged_is_not_mended(bad):
    """Comparisons and reordered sums keep what is not finite, and the next pass in the same memory is clean."""
    ours = encoder("fused", hidden=16)
    x, upstream = torch.ones(40, 6), torch.ones(40, 3)
    before = gradients(ours, x, upstream)[1]
    kept = ours.widen.weight.detach().clone()
    for unit in range(16):
        with torch.no_grad():
            ours.widen.weight[unit, 2] = bad
        phi, found = gradients(ours, x, upstream)
        assert phi.isnan().all(), unit
        assert found["widen.weight"].isnan().any(), unit
        with torch.no_grad():
            ours.widen.weight.copy_(kept)
    after = gradients(ours, x, upstream)[1]
    assert all(torch.equal(after[name], gradient) for name, gradient in before.items())


def test_memory_is_used_again_and_never_by_two_passes():
    ours = encoder("fused", hidden=24)
    key = (48, 6, 24, 3, torch.float32, True)
    x, upstream = torch.zeros(48, 6), torch.ones(48, 3)
    for _ in range(3):
        gradients(ours, x, upstream)
        assert len(fused._FREE[key]) == 1
    one, two = ours(x), ours(x)
    assert fused._FREE[key] == []
    (one + two).backward(upstream)
    assert len(fused._FREE[key]) == 2


@pytest.mark.parametrize("algorithm", ["fqe", "dr3"])
def test_a_run_follows_the_one_by_hand_and_says_how_it_stepped(algorithm, cartpole_file, tmp_path):
    data, seen = read_data(cartpole_file), {}
    settings = {"hidden": 64, "batch": 128, "evaluate_every": 5, "base_features": 8, "learning_rate": 1e-3}
    for step in ("by-hand", "fused"):
        losses = []
        config = ControlConfig(algorithm, epochs=10, step=step, **settings)
        train(config, data, tmp_path / step, progress=lambda epoch, loss, losses=losses: losses.append(loss))
        seen[step] = losses
        assert read_about(tmp_path / step)["settings"]["step"] == step
    assert max(seen["fused"]) > 1.2 * min(seen["fused"])  # the networks moved, so that agreement says something
    np.testing.assert_allclose(seen["fused"], seen["by-hand"], rtol=1e-3)


def test_numba_is_loaded_when_a_step_is_taken_and_not_before():
    code = (
        "import sys, json; from deep.control import training, network, config; import torch\n"
        "networks = network.new_networks(config.ControlConfig('fqe', hidden=8, step='fused'), 6, torch.device('cpu'))\n"
        "before = 'numba' in sys.modules; networks.encoder(torch.zeros(4, 6)); print(before, 'numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_without_numba_it_says_what_to_install(monkeypatch):
    for name in ("numba", "deep.control.fused_loops", "deep.control.fused_passes"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.delattr("deep.control.fused_passes", raising=False)
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(KropeError, match=r"this needs numba, which is not installed \(pip install '.\[fast\]'"):
        encoder("fused", hidden=8)(torch.zeros(4, 6))
