r"""What each algorithm minimizes on a minibatch, from its counts alone.

A minibatch of B transitions enters through $\hat D$ [T, X], the shares of the pairs, and $\hat P$ [T, X, S], the shares
of next states after each pair; the next action is always averaged over the target policy. For losses whose gradient is
linear in the target this gives the gradient of the minibatch of transitions to the last digit; the others get the joint
counts. Pairs of a transition with itself are left out. A step costs X^2 d instead of B^2 d.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from deep.backend import torch
from deep.losses.bcrl import bcrl_loss, exploration_loss
from deep.losses.beer import beer_loss
from deep.losses.dbc import dbc_loss, model_loss
from deep.losses.dr3 import dr3_loss
from deep.losses.fqe import fqe_loss
from deep.losses.krope import krope_loss
from deep.losses.regression import Tensor, fixed, square
from deep.losses.rope import mico_distance, rope_loss
from deep.tabular.run_settings import GarnetConfig
from deep.tabular.stacked_networks import Parameters, encode, gaussian_model


@dataclass(frozen=True, slots=True, eq=False)
class Minibatch:
    """Counts as shares.

    Attributes:
        D: share of each pair, [T, X].
        P: shares of the next states after each pair, [T, X, S]; zero for a pair that was not drawn.
        C: share of each (pair, next state), [T, X, S].
        r: rewards, [T, X].
        Pi: target policies, [T, S, X].
    """

    D: Tensor
    P: Tensor
    C: Tensor
    r: Tensor
    Pi: Tensor


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """The target network, and what is needed of it in every step of an epoch.

    Attributes:
        phi: features, [T, X, d].
        on_states: features averaged over the target policy, [T, S, d].
        squares: their squared lengths, [T, S].
        values: action values averaged over the target policy, [T, S]; None without a value head.
        distances: ROPE's distances averaged over two independent actions, [T, S, S]; None for others.
    """

    phi: Tensor
    on_states: Tensor
    squares: Tensor
    values: Tensor | None
    distances: Tensor | None


def minibatches(config: GarnetConfig, counts: np.ndarray, r: Tensor, Pi: Tensor) -> list[Minibatch]:
    """The minibatches of an epoch from their counts [steps, T, X, S]."""
    C = torch.from_numpy(counts.astype(config.dtype))
    seen = C.sum(-1)
    P, D, C = C / seen.clamp_min(1)[..., None], seen / config.batch, C / config.batch
    return [Minibatch(D[k], P[k], C[k], r, Pi) for k in range(len(C))]


def copy_target(config: GarnetConfig, parameters: Parameters, Pi: Tensor) -> Target:
    """The network as it is now, held fixed."""
    phi = fixed(encode(parameters))
    on_states = Pi @ phi
    values = (on_states @ fixed(parameters["head"])[..., None])[..., 0] if "head" in parameters else None
    distances = Pi @ mico_distance(phi, config.angle) @ Pi.mT if config.algorithm == "rope" else None
    return Target(phi, on_states, square(on_states).sum(-1), values, distances)


def objective(config: GarnetConfig, parameters: Parameters, target: Target, batch: Minibatch) -> Tensor:
    """The loss of each trial, [T]; the trials share nothing, so the gradient of the sum is the gradient of each."""
    phi = encode(parameters)
    if target.values is None:
        return _bcrl(config, parameters, phi, batch)
    q = (phi @ parameters["head"][..., None])[..., 0]
    value = fqe_loss(q, batch.r, _after(batch, target.values), config.gamma, batch.D)
    if config.algorithm == "fqe":
        return value
    auxiliary = AUXILIARY[config.algorithm](config, parameters, phi, target, batch)
    loss = config.alpha * auxiliary + (1 - config.alpha) * value
    # DBC's model has parameters of its own, on which nothing else here depends through a gradient.
    return loss + _model(parameters, phi, batch) if config.algorithm == "dbc" else loss


def _after(batch: Minibatch, on_states: Tensor) -> Tensor:
    """Means over what follows each pair of a function on states, [T, S] -> [T, X]."""
    return (batch.P @ on_states[..., None])[..., 0]


def _krope(config: GarnetConfig, parameters: Parameters, phi: Tensor, target: Target, batch: Minibatch) -> Tensor:
    mean, squares = batch.P @ target.on_states, _after(batch, target.squares)
    return krope_loss(phi, batch.r, mean, config.gamma, batch.D, config.batch, squares)


def _rope(config: GarnetConfig, parameters: Parameters, phi: Tensor, target: Target, batch: Minibatch) -> Tensor:
    assert target.distances is not None
    ahead = batch.P @ target.distances @ batch.P.mT
    own = _after(batch, target.distances.diagonal(dim1=-2, dim2=-1))
    # The squared error: Huber's is not linear in the target, so counts do not determine its gradient.
    return rope_loss(phi, batch.r, ahead, config.gamma, batch.D, config.batch, own, config.angle, square)


def _dbc(config: GarnetConfig, parameters: Parameters, phi: Tensor, target: Target, batch: Minibatch) -> Tensor:
    mu, sigma = gaussian_model(parameters, fixed(phi))
    return dbc_loss(phi, batch.r, mu, sigma, config.gamma, batch.D, config.batch)


def _model(parameters: Parameters, phi: Tensor, batch: Minibatch) -> Tensor:
    still = fixed(phi)
    mu, sigma = gaussian_model(parameters, still)
    mean, squares = batch.P @ (batch.Pi @ still), batch.P @ (batch.Pi @ square(still))
    return model_loss(mu, sigma, mean, squares, batch.D)


def _dr3(config: GarnetConfig, parameters: Parameters, phi: Tensor, target: Target, batch: Minibatch) -> Tensor:
    return dr3_loss(phi, phi, joint=batch.C @ batch.Pi)


def _beer(config: GarnetConfig, parameters: Parameters, phi: Tensor, target: Target, batch: Minibatch) -> Tensor:
    joint = batch.C @ batch.Pi
    return beer_loss(phi, batch.r, target.phi, parameters["head"], config.gamma, joint=joint)


def _bcrl(config: GarnetConfig, parameters: Parameters, phi: Tensor, batch: Minibatch) -> Tensor:
    mean = batch.P @ (batch.Pi @ phi)
    spread = _after(batch, (batch.Pi @ square(phi).sum(-1)[..., None])[..., 0]) - square(mean).sum(-1)
    M, rho = parameters["predictor_M"], parameters["predictor_rho"]
    loss = bcrl_loss(phi, batch.r, mean, M, rho, config.gamma, batch.D, spread)
    if config.algorithm == "bcrl-exp":
        loss = loss + config.exploration * exploration_loss(phi, batch.D, config.exploration_ridge)
    return loss


Auxiliary = Callable[[GarnetConfig, Parameters, Tensor, Target, Minibatch], Tensor]
AUXILIARY: dict[str, Auxiliary] = {"krope": _krope, "rope": _rope, "dbc": _dbc, "dr3": _dr3, "beer": _beer}
