"""What each algorithm minimizes on a minibatch of transitions.

Where an episode ended: FQE bootstraps on zero; the next features of KROPE, DR3, BEER and BCRL are zero, which masks
their products; ROPE's and DBC's distances between what follows are masked by both rows, and DBC's model does not learn
from the row. Pairs of a transition with itself are left out; ROPE and DBC take all others, or a few ``pairings`` of
each row: rows of a minibatch are in random order already. The reward kernel's range is that of the whole data set.
"""

from collections.abc import Callable
from dataclasses import dataclass

from deep.backend import torch
from deep.control.config import ControlConfig
from deep.control.network import Networks
from deep.losses.bcrl import bcrl_loss, exploration_loss
from deep.losses.beer import beer_loss
from deep.losses.dbc import model_loss, paired_dbc_loss, sampled_dbc_loss
from deep.losses.dr3 import dr3_loss
from deep.losses.fqe import fqe_loss
from deep.losses.krope import krope_loss
from deep.losses.regression import Tensor, fixed
from deep.losses.rope import paired_rope_loss, sampled_rope_loss


@dataclass(frozen=True, slots=True, eq=False)
class Minibatch:
    """Transitions.

    Attributes:
        x: pairs, [B, inputs].
        r: rewards, [B].
        x_next: next pairs under the target policy, [B, inputs].
        alive: 0 where the episode ended, [B].
        gamma: discount factor.
        reward_range: of the whole data set, a scalar tensor.
    """

    x: Tensor
    r: Tensor
    x_next: Tensor
    alive: Tensor
    gamma: float
    reward_range: Tensor


def objective(config: ControlConfig, networks: Networks, target: Networks, batch: Minibatch) -> Tensor:
    """The loss, a scalar; ``target`` is the copy of ``networks`` that the epoch began with."""
    phi = networks.encoder(batch.x)
    if networks.head is None:
        return _bcrl(config, networks, phi, batch)
    with torch.no_grad():
        after = batch.alive[:, None] * target.encoder(batch.x_next)
        q_next = target.value(after)
    value = fqe_loss(networks.value(phi), batch.r, q_next, batch.gamma)
    if config.algorithm == "fqe":
        return value
    auxiliary = AUXILIARY[config.algorithm](config, networks, phi, after, batch)
    loss = config.alpha * auxiliary + (1 - config.alpha) * value
    # DBC's model has parameters of its own, on which nothing else here depends through a gradient.
    return loss + _model(networks, phi, batch) if config.algorithm == "dbc" else loss


def _krope(config: ControlConfig, networks: Networks, phi: Tensor, after: Tensor, batch: Minibatch) -> Tensor:
    return krope_loss(phi, batch.r, after, batch.gamma, samples=len(phi), reward_range=batch.reward_range)


def _rope(config: ControlConfig, networks: Networks, phi: Tensor, after: Tensor, batch: Minibatch) -> Tensor:
    if config.pairings:
        return paired_rope_loss(phi, batch.r, after, batch.alive, batch.gamma, config.pairings, config.angle)
    return sampled_rope_loss(phi, batch.r, after, batch.alive, batch.gamma, config.angle)


def _dbc(config: ControlConfig, networks: Networks, phi: Tensor, after: Tensor, batch: Minibatch) -> Tensor:
    mu, sigma = networks.gaussian(fixed(phi))
    if config.pairings:
        return paired_dbc_loss(phi, batch.r, mu, sigma, batch.alive, batch.gamma, config.pairings)
    return sampled_dbc_loss(phi, batch.r, mu, sigma, batch.alive, batch.gamma)


def _model(networks: Networks, phi: Tensor, batch: Minibatch) -> Tensor:
    mu, sigma = networks.gaussian(fixed(phi))
    with torch.no_grad():
        following = networks.encoder(batch.x_next)
    return model_loss(mu, sigma, following, weights=batch.alive)


def _dr3(config: ControlConfig, networks: Networks, phi: Tensor, after: Tensor, batch: Minibatch) -> Tensor:
    return dr3_loss(phi, batch.alive[:, None] * networks.encoder(batch.x_next))


def _beer(config: ControlConfig, networks: Networks, phi: Tensor, after: Tensor, batch: Minibatch) -> Tensor:
    assert networks.head is not None
    return beer_loss(phi, batch.r, after, networks.head_weight(), batch.gamma)


def _bcrl(config: ControlConfig, networks: Networks, phi: Tensor, batch: Minibatch) -> Tensor:
    assert networks.M is not None
    assert networks.rho is not None
    following = batch.alive[:, None] * networks.encoder(batch.x_next)
    loss = bcrl_loss(phi, batch.r, following, networks.M.weight, networks.rho.weight[0], batch.gamma)
    if config.algorithm == "bcrl-exp":
        loss = loss + config.exploration * exploration_loss(phi, ridge=config.exploration_ridge)
    return loss


Auxiliary = Callable[[ControlConfig, Networks, Tensor, Tensor, Minibatch], Tensor]
AUXILIARY: dict[str, Auxiliary] = {"krope": _krope, "rope": _rope, "dbc": _dbc, "dr3": _dr3, "beer": _beer}
