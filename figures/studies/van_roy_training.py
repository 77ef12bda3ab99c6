"""Training on Van Roy's example: data, initial parameters, and the losses of all trials epoch by epoch.

A batch enters a loss only through how often each kind of transition occurs in it; each step takes the gradient of the
whole data set, so trials differ in data and initial parameters, not in minibatches.
"""

from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from figures.studies.study import adjustable
from tabular_krope.arrays import Array
from tabular_krope.data.dataset import sample_dataset
from tabular_krope.errors import KropeError
from tabular_krope.models.mdp import MDP
from tabular_krope.models.policy import Policy
from tabular_krope.models.zoo import zoo

STATES = ("w1", "w2", "2w3", "w3")
LOSSES = ("krope", "krope_mean", "fqe")


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the training; the paper's where it gives them."""

    seed: int = 0
    trials: int = adjustable(20, least=2)  # paper
    epochs: int = adjustable(500)  # paper, for its tabular studies
    on_policy: int = adjustable(2000, least=0)  # paper
    off_policy: int = adjustable(5000)  # paper
    batch: int = adjustable(2048)  # paper; here it sets the number of steps of an epoch
    dimension: int = adjustable(3)  # paper
    alpha: float = adjustable(0.8, least=0)  # paper: alpha * KROPE + (1 - alpha) * FQE
    learning_rate: float = adjustable(1e-3, least=0)  # paper
    weight_decay: float = adjustable(1e-2, least=0)  # paper
    p: float = adjustable(0.8, least=0)  # w1 to w2; ours
    q: float = adjustable(0.8, least=0)  # 2w3 stays; ours


def check(settings: Settings) -> None:
    """Refuse probabilities and weights out of range: an episode must end, and joint training has a share of FQE."""
    for name, most in (("p", 1.0), ("q", 1.0), ("alpha", 1.0)):
        value = getattr(settings, name)
        if value > most or (value == most and name != "p"):
            raise KropeError(f"{name} must {'be at most' if name == 'p' else 'lie below'} {most:g}; got {value:g}")


def kinds_of_transitions(mdp: MDP) -> tuple[Any, Any]:
    """State and next state of each transition that occurs, the end as state S.

    >>> source, target = kinds_of_transitions(zoo("van-roy").model)
    >>> list(zip(source.tolist(), target.tolist()))
    [(0, 1), (0, 3), (1, 4), (2, 2), (2, 4), (3, 2)]
    """
    moves = np.hstack([np.asarray(mdp.P).reshape(mdp.n_states, -1), mdp.end])
    source, target = np.nonzero(moves > 0)
    return source, target


def frequencies(mdp: MDP, settings: Settings, state: int, rng: np.random.Generator) -> Array:
    """Share of each kind of transition in on-policy data and ``off_policy`` more from ``state``."""
    source, target = kinds_of_transitions(mdp)
    counts = np.zeros(len(source))
    if settings.on_policy:
        data = sample_dataset(mdp, Policy.uniform(mdp.n_states, 1), settings.on_policy, rng)
        after = np.where(data.done, mdp.n_states, data.s_next)
        counts += [np.sum((data.s == s) & (after == t)) for s, t in zip(source, target, strict=True)]
    moves = np.hstack([np.asarray(mdp.P).reshape(mdp.n_states, -1), mdp.end])
    here = source == state
    counts[here] += rng.multinomial(settings.off_policy, moves[state, target[here]])
    return np.asarray(counts / counts.sum())


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """Where the trials of a pairing begin.

    Attributes:
        D1, D2: shares of the kinds of transitions, [trials, kinds].
        encoder: weights and, in the last row, biases, [trials, 4, d].
        head: weights of the values, [trials, d].
    """

    D1: Array
    D2: Array
    encoder: Array
    head: Array


def start(settings: Settings, mdp: MDP, pairing: str) -> Start:
    """Data and initial parameters; a trial has the same ``D1`` and parameters in every pairing."""
    D1, D2, encoder, head = [], [], [], []
    d, other = settings.dimension, STATES.index("w3" if pairing == "none" else pairing)
    for trial in range(settings.trials):
        first, second, third = (np.random.default_rng([settings.seed, trial, k]) for k in range(3))
        D1.append(frequencies(mdp, settings, STATES.index("w3"), first))
        D2.append(frequencies(mdp, settings, other, second))
        encoder.append(third.uniform(-1, 1, size=(4, d)) / np.sqrt(3))
        head.append(third.uniform(-1, 1, size=d) / np.sqrt(d))
    return Start(np.array(D1), np.array(D2), np.array(encoder), np.array(head))


def train(settings: Settings, pairing: str, alpha: float) -> dict[str, Array]:
    """Losses at the start of each epoch, each [epochs + 1, trials]; ``alpha`` is KROPE's weight.

    ``krope`` and ``fqe`` are the training losses, on sampled transitions; ``krope_mean`` is KROPE's against the mean
    of its target, which differs by the target's variance and has the same gradient.
    """
    from deep.backend import torch
    from deep.losses.fqe import fqe_loss
    from deep.losses.krope import krope_target
    from deep.losses.regression import fixed, regress

    torch.set_num_threads(1)
    model = zoo("van-roy", p=settings.p, q=settings.q)
    mdp = model.model
    assert isinstance(mdp, MDP)
    begin = start(settings, mdp, pairing)
    source, target = (torch.tensor(index) for index in kinds_of_transitions(mdp))
    r, lives = torch.tensor(mdp.r.reshape(-1))[source], (target < mdp.n_states)[:, None]
    x = torch.tensor(np.vstack([np.asarray(model.features), np.zeros(3)]))
    D1, D2 = torch.tensor(begin.D1), torch.tensor(begin.D2)
    same1, same2 = (same_source(D, source) for D in (D1, D2))
    pairs = (D1[:, :, None] * D2[:, None, :]).flatten(1)
    encoder, head = (torch.tensor(part, requires_grad=True) for part in (begin.encoder, begin.head))
    adam = torch.optim.Adam([encoder, head], lr=settings.learning_rate, weight_decay=settings.weight_decay)
    steps = ceil((settings.on_policy + settings.off_policy) / settings.batch)

    def features() -> Any:
        return x @ encoder[:, :3] + encoder[:, 3:]

    def krope_loss(ahead: Any) -> Any:
        phi = features()[:, source]
        return regress((phi @ phi.mT).flatten(1), krope_target(r, ahead, mdp.gamma).flatten(1), pairs)

    def value_loss(q_bar: Any) -> Any:
        return fqe_loss((features()[:, source] @ head[:, :, None])[..., 0], r, q_bar, mdp.gamma, D1)

    record: dict[str, list[Array]] = {name: [] for name in LOSSES}
    for epoch in range(settings.epochs + 1):
        # The end bootstraps on zero in FQE; in KROPE a pair of which one member has ended has no product.
        phi_bar = fixed(features())[:, target] * lives
        q_bar = (phi_bar @ fixed(head)[:, :, None])[..., 0]
        ahead = phi_bar @ phi_bar.mT
        mean = (same1 @ phi_bar) @ (same2 @ phi_bar).mT
        for name, loss in zip(LOSSES, (krope_loss(ahead), krope_loss(mean), value_loss(q_bar)), strict=True):
            record[name].append(fixed(loss).numpy())
        for _ in range(steps if epoch < settings.epochs else 0):
            adam.zero_grad()
            (alpha * krope_loss(ahead) + (1 - alpha) * value_loss(q_bar)).sum().backward()
            adam.step()
    return {name: np.array(values) for name, values in record.items()}


def same_source(D: Any, source: Any) -> Any:
    """Shares of all kinds of transitions among those that leave the state which kind ``i`` leaves, [trials, k, k].

    >>> import torch
    >>> same_source(torch.tensor([[0.1, 0.3, 0.6]]), torch.tensor([0, 0, 1]))[0, 0].tolist()
    [0.25, 0.75, 0.0]
    """
    shares = (source[:, None] == source[None, :]) * D[:, None, :]
    # A state without data has no pairs; any number will do for it.
    return shares / shares.sum(-1, keepdim=True).clamp_min(1e-300)
