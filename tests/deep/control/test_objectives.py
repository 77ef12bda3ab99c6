"""Each objective by its formula, transition by transition and pair by pair; the target network is another one."""

import math
from itertools import permutations

import numpy as np
import pytest
import torch

from deep.control.config import LEARNED, ControlConfig
from deep.control.network import new_networks
from deep.control.objectives import Minibatch, objective
from deep.losses.beer import beer_loss

B, INPUTS, GAMMA, RANGE = 7, 6, 0.9, 2.0


def setting(algorithm, **changes):
    """Networks, a target of another seed, and a minibatch in which two episodes end, all in float64."""
    config = ControlConfig(algorithm, hidden=8, alpha=0.3, exploration=0.5, angle=0.4, **changes)
    networks, target = (
        new_networks(ControlConfig(algorithm, seed, hidden=8), INPUTS, torch.device("cpu")).double() for seed in (0, 1)
    )
    rng = torch.Generator().manual_seed(5)
    x, x_next = (torch.randn(B, INPUTS, generator=rng, dtype=torch.float64) for _ in range(2))
    r = torch.rand(B, generator=rng, dtype=torch.float64)
    alive = torch.tensor([1.0, 1, 0, 1, 1, 0, 1], dtype=torch.float64)
    return config, networks, target, Minibatch(x, r, x_next, alive, GAMMA, torch.tensor(RANGE, dtype=torch.float64))


def arrays(networks, target, batch):
    """Features, the target's and the network's own next ones, rewards and who goes on, in numpy."""
    parts = (networks.encoder(batch.x), target.encoder(batch.x_next), networks.encoder(batch.x_next))
    phi, after, own = (part.detach().numpy() for part in parts)
    return phi, after, own, batch.r.numpy(), batch.alive.numpy()


def over_pairs(term):
    return np.mean([term(i, j) for i, j in permutations(range(B), 2)])


def value_loss(networks, target, batch):
    phi, after, _, r, alive = arrays(networks, target, batch)
    w, w_bar = (network.head.weight[0].detach().numpy() for network in (networks, target))
    return np.mean((r + GAMMA * alive * (after @ w_bar) - phi @ w) ** 2)


def krope(config, networks, target, batch):
    phi, after, _, r, alive = arrays(networks, target, batch)
    return over_pairs(
        lambda i, j: (
            (1 - abs(r[i] - r[j]) / RANGE + GAMMA * alive[i] * alive[j] * (after[i] @ after[j]) - phi[i] @ phi[j]) ** 2
        )
    )


def rope(config, networks, target, batch):
    phi, after, _, r, alive = arrays(networks, target, batch)

    def distance(u, v):
        cosine = u @ v / np.linalg.norm(u) / np.linalg.norm(v)
        return (u @ u + v @ v) / 2 + config.angle * math.acos(cosine)

    def term(i, j):
        ahead = alive[i] * alive[j] * distance(after[i], after[j])
        error = abs(distance(phi[i], phi[j]) - abs(r[i] - r[j]) - GAMMA * ahead)
        return error**2 / 2 if error <= 1 else error - 0.5

    return over_pairs(term)


def gaussian(networks, phi):
    raw = phi @ networks.model.weight.detach().numpy().T + networks.model.bias.detach().numpy()
    return raw[:, :3], 1e-4 + (10 - 1e-4) / (1 + np.exp(-raw[:, 3:]))


def dbc(config, networks, target, batch):
    phi, _, _, r, alive = arrays(networks, target, batch)
    mu, sigma = gaussian(networks, phi)

    def term(i, j):
        ahead = math.sqrt(np.sum((mu[i] - mu[j]) ** 2) + np.sum((sigma[i] - sigma[j]) ** 2))
        return (np.abs(phi[i] - phi[j]).sum() - abs(r[i] - r[j]) - GAMMA * alive[i] * alive[j] * ahead) ** 2

    return over_pairs(term)


def likelihood(networks, target, batch):
    """DBC's model: the negative log-likelihood of the network's own next features, of rows that go on."""
    phi, _, own, _, alive = arrays(networks, target, batch)
    mu, sigma = gaussian(networks, phi)
    return np.average(((own - mu) ** 2 / (2 * sigma**2) + np.log(sigma)).mean(axis=1), weights=alive)


def dr3(config, networks, target, batch):
    phi, _, own, _, alive = arrays(networks, target, batch)
    return np.mean(np.abs(alive * np.sum(phi * own, axis=1)))


def beer(config, networks, target, batch):
    phi, after, _, r, alive = (torch.tensor(part) for part in arrays(networks, target, batch))
    return beer_loss(phi, r, alive[:, None] * after, networks.head.weight[0], GAMMA).item()


@pytest.mark.parametrize("algorithm", [name for name in LEARNED if not name.startswith("bcrl")])
def test_losses_with_a_head(algorithm):
    config, networks, target, batch = setting(algorithm)
    value = value_loss(networks, target, batch)
    auxiliary = {"krope": krope, "rope": rope, "dbc": dbc, "dr3": dr3, "beer": beer}.get(algorithm)
    expected = value if auxiliary is None else 0.3 * auxiliary(config, networks, target, batch) + 0.7 * value
    if algorithm == "dbc":
        expected += likelihood(networks, target, batch)
    assert objective(config, networks, target, batch).item() == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("algorithm", ["bcrl", "bcrl-exp"])
def test_losses_without_a_head(algorithm):
    config, networks, target, batch = setting(algorithm)
    phi, _, own, r, alive = arrays(networks, target, batch)
    M, rho = networks.M.weight.detach().numpy(), networks.rho.weight[0].detach().numpy()
    ahead = np.sum((phi @ M.T - GAMMA * alive[:, None] * own) ** 2, axis=1)
    expected = np.mean(ahead + (phi @ rho - r) ** 2)
    if algorithm == "bcrl-exp":
        expected -= 0.5 * np.linalg.slogdet(phi.T @ phi / B + 1e-6 * np.eye(3))[1]
    assert objective(config, networks, target, batch).item() == pytest.approx(expected, rel=1e-9)


def test_gradients_reach_what_they_should():
    """DBC's model learns from features held fixed, DR3 and BCRL through what follows; the target never."""
    for algorithm in LEARNED:
        config, networks, target, batch = setting(algorithm)
        objective(config, networks, target, batch).backward()
        assert all(p.grad is None or algorithm.startswith("bcrl") for p in target.parameters()), algorithm
        assert all(p.grad is not None for p in networks.parameters()), algorithm
    config, networks, target, batch = setting("dbc")
    without = ControlConfig("dbc", hidden=8, alpha=0.0)
    plain = setting("fqe")[1]
    for network, settings in ((networks, without), (plain, ControlConfig("fqe", hidden=8))):
        network.zero_grad()
        objective(settings, network, network, batch).backward()
    torch.testing.assert_close(networks.encoder.widen.weight.grad, plain.encoder.widen.weight.grad)


@pytest.mark.parametrize("algorithm", ["rope", "dbc"])
@pytest.mark.parametrize("pairings", [1, 2, B - 1])
def test_a_few_pairings_are_those_pairs_and_all_of_them_all_pairs(algorithm, pairings):
    config, networks, target, batch = setting(algorithm, pairings=pairings, batch=B)
    all_pairs = ControlConfig(algorithm, hidden=8, alpha=0.3, angle=0.4)
    found, whole = (objective(one, networks, target, batch).item() for one in (config, all_pairs))
    if pairings == B - 1:
        assert found == pytest.approx(whole, rel=1e-6)
        return
    auxiliary = {"rope": rope, "dbc": dbc}[algorithm]
    taken = [(i, (i - k) % B) for k in range(1, pairings + 1) for i in range(B)]
    monkey = pytest.MonkeyPatch()
    with monkey.context() as patch:
        patch.setitem(globals(), "over_pairs", lambda term: np.mean([term(i, j) for i, j in taken]))
        expected = 0.3 * auxiliary(config, networks, target, batch) + 0.7 * value_loss(networks, target, batch)
    if algorithm == "dbc":
        expected += likelihood(networks, target, batch)
    assert found == pytest.approx(expected, rel=1e-6)
    assert found != pytest.approx(whole, rel=1e-3)


def test_the_heads_scale_multiplies_values():
    _, networks, target, batch = setting("fqe")
    scaled = ControlConfig("fqe", hidden=8, head_scale=100.0)
    big, big_target = (new_networks(scaled, INPUTS, torch.device("cpu")).double() for _ in range(2))
    big.load_state_dict(networks.state_dict())
    big_target.load_state_dict(target.state_dict())
    phi, after, _, r, alive = arrays(networks, target, batch)
    w, w_bar = (100 * network.head.weight[0].detach().numpy() for network in (networks, target))
    expected = np.mean((r + GAMMA * alive * (after @ w_bar) - phi @ w) ** 2)
    assert objective(scaled, big, big_target, batch).item() == pytest.approx(expected, rel=1e-6)
    np.testing.assert_allclose(big.head_weight().detach().numpy(), w)
