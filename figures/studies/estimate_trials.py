"""Estimates with a verdict on tabular problems whose values are known: how often is a believed one wrong?

Problems are Garnets and gymnasium's tables, targets their optimal policies, data from policies between the uniform one
and one that seldom or never takes the target's actions. Errors are squared and normalized by the uniform policy's, as
on control data.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tabular_krope.data.dataset import sample_dataset
from tabular_krope.estimation.estimate import estimate
from tabular_krope.estimation.transitions import transitions_of
from tabular_krope.models.garnet import garnet
from tabular_krope.models.gymnasium_tables import from_gymnasium
from tabular_krope.models.induce import induce
from tabular_krope.models.mdp import MDP
from tabular_krope.models.optimal import optimal_policy
from tabular_krope.models.policy import Policy

#: Share of the target in the data's policy; the rest is uniform, or uniform over what the target does not do.
SHIFTS = (("half the target", 0.5, False), ("uniform", 0.0, False), ("others", 0.02, True), ("never", 0.0, True))
SIZES = (1_000, 10_000)
GYM = ("FrozenLake-v1", "CliffWalking-v1")


@dataclass(frozen=True, slots=True)
class Trial:
    """One estimate beside the truth.

    Attributes:
        problem, shift: what, and how far the data's policy is from the target.
        transitions, seed: of the data.
        error: squared, over that of the uniform policy's value.
        believed, stable: the verdicts.
    """

    problem: str
    shift: str
    transitions: int
    seed: int
    error: float
    believed: bool
    stable: bool


def trials(seeds: int, first: int = 0) -> Iterator[Trial]:
    """Trials of each problem, shift, size and seed."""
    for seed in range(first, first + seeds):
        for name, mdp in problems(seed):
            for shift in SHIFTS:
                for n in SIZES:
                    yield trial(name, mdp, shift, n, seed)


def problems(seed: int) -> Iterator[tuple[str, MDP]]:
    """Garnets of two sizes by the seed, and gymnasium's tables, all with discount 0.95."""
    for S, A in ((8, 3), (20, 4)):
        yield f"garnet {S}x{A}", garnet(S, A, branching=3, gamma=0.95, seed=seed)
    for name in GYM:
        yield name, from_gymnasium(name, gamma=0.95)


def trial(name: str, mdp: MDP, shift: tuple[str, float, bool], n: int, seed: int) -> Trial:
    """One estimate on data of one policy."""
    words, share, avoids = shift
    target = optimal_policy(mdp)
    other = np.ones(mdp.r.shape) * (target.probs < 0.5 if avoids else 1.0)
    behavior = share * target.probs + (1 - share) * other / other.sum(axis=1, keepdims=True)
    data = sample_dataset(mdp, Policy(behavior), n, seed=seed + 1000, restart=0.05)
    mrp, uniform = induce(mdp, target), induce(mdp, Policy.uniform(*mdp.r.shape))
    true, reference = float(mrp.d0 @ mrp.q), float(uniform.d0 @ uniform.q)
    found = estimate(transitions_of(data, target), reference=reference, replicates=100, seed=seed)
    error = ((found.value - true) / (reference - true)) ** 2
    return Trial(name, words, n, seed, float(error), found.believed, found.stable)
