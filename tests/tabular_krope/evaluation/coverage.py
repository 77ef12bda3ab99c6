"""How often intervals cover the truth: ``python -m tests.tabular_krope.evaluation.coverage 400``.

``--first 1000`` takes the data sets of the seeds 1000, 1001, ... instead of 0, 1, ...; names of problems at the end
take only those.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tabular_krope.closed_form.base_features import FourierFeatures
from tabular_krope.data.dataset import sample_dataset
from tabular_krope.data.offline import offline_problem
from tabular_krope.evaluation.value_estimate import FEW_REWARDS, estimate_on_rows
from tabular_krope.models.garnet import garnet
from tabular_krope.models.gymnasium_tables import from_gymnasium
from tabular_krope.models.induce import induce
from tabular_krope.models.mdp import MDP
from tabular_krope.models.optimal import optimal_policy
from tabular_krope.models.policy import Policy
from tabular_krope.models.random_policy import random_policy

LEVEL = 0.9


@dataclass(frozen=True)
class Problem:
    """The truth, and an estimate with its interval from the data of each seed."""

    truth: float
    estimate: Callable


def of_model(mdp, target, n, features=None):
    """Data of the uniform policy; one-hot features unless given."""
    mrp = induce(mdp, target)

    def estimate(seed):
        data = sample_dataset(mdp, Policy.uniform(*mdp.r.shape), n, np.random.default_rng([seed, 77]))
        p = offline_problem(data, target, features)
        return estimate_on_rows(
            p.Phi, p.Phi_next, p.r, p.gamma, p.starts, p.start_weights, None, p.episodes, LEVEL, 200
        )

    return Problem(float(mrp.d0 @ mrp.q), estimate)


def ending():
    """A walk of six states that ends at either side, or anywhere with probability 0.05; reward at the right end."""
    P, end = np.zeros((6, 2, 6)), np.full((6, 2), 0.05)
    for s in range(6):
        for a, step in enumerate((-1, 1)):
            for move, chance in ((step, 0.7), (-step, 0.25)):
                if 0 <= s + move < 6:
                    P[s, a, s + move] += chance
                else:
                    end[s, a] += chance
    r = np.zeros((6, 2))
    r[5, 1], r[0, 0] = 1.0, -0.3
    mdp = MDP(P, r, 0.95, d0=[0, 0, 1, 1, 0, 0], end=end)
    return of_model(mdp, Policy(np.tile([0.35, 0.65], (6, 1))), 1500)


def rare(n):
    """A Garnet of ten states with a reward of 1 at a single pair: a handful of the transitions have one."""
    drawn = garnet(10, 2, branching=3, gamma=0.9, seed=7)
    r = np.zeros((10, 2))
    r[6, 1] = 1.0
    return of_model(MDP(drawn.P, r, 0.9), random_policy(drawn, 1), n)


def fourier(n=1500, gamma=0.9):
    r"""$x' = 0.8 x + 0.6 \xi$, reward $x^2 + \xi'$, on 24 random waves of ``x``, episodes of 25 steps from x = 1.

    The value is $\sum_t \gamma^t E x_t^2$ with $E x_{t+1}^2 = 0.64\,E x_t^2 + 0.36$.
    """
    truth = 1 / (1 - 0.64 * gamma) + 0.36 * gamma / (1 - gamma) / (1 - 0.64 * gamma)
    rng = np.random.default_rng(5)
    waves = FourierFeatures(rng.standard_normal((1, 24)) / 2, rng.uniform(0, 2 * np.pi, 24), 2.0)

    def estimate(seed):
        rng, x = np.random.default_rng([seed, 78]), np.empty((n // 25, 26))
        x[:, 0] = 1.0
        for t in range(25):
            x[:, t + 1] = 0.8 * x[:, t] + 0.6 * rng.standard_normal(len(x))
        now, after = x[:, :-1].reshape(-1, 1), x[:, 1:].reshape(-1, 1)
        r = now[:, 0] ** 2 + rng.standard_normal(len(now))
        episodes = np.repeat(np.arange(n // 25), 25)
        start = waves(np.array([[1.0]]))
        return estimate_on_rows(waves(now), waves(after), r, gamma, start, None, None, episodes, LEVEL, 200)

    return Problem(truth, estimate)


def problems():
    """By name: a Garnet whose features are not one-hot but complete, two one-hot problems, one that ends, waves."""
    small, large = garnet(4, 2, branching=2, gamma=0.8, seed=3), garnet(8, 5, branching=3, gamma=0.9, seed=0)
    lake = from_gymnasium("FrozenLake-v1?is_slippery=true", 0.9)
    good = Policy(0.5 / 4 + 0.5 * optimal_policy(lake).probs)
    mixed = np.random.default_rng(0).standard_normal((8, 8))
    return {
        "tabular": of_model(small, random_policy(small, 1), 800, mixed),
        "one-hot": of_model(large, random_policy(large, 1), 2000),
        "ending": ending(),
        "Fourier": fourier(),
        "FrozenLake, 12,000 transitions": of_model(lake, good, 12_000),
        "FrozenLake, 3,000 transitions": of_model(lake, good, 3000),
        "rare, 2,400 transitions": rare(2400),
        "rare, 1,200 transitions": rare(1200),
        "rare, 600 transitions": rare(600),
        "rare, 200 transitions": rare(200),
    }


def measured(problem, seeds):
    """Shares of data sets: covered among those without a warning, covered among those with one, warned."""
    found = [problem.estimate(seed) for seed in seeds]
    covered = np.array([out.low <= problem.truth <= out.high for out in found])
    warned = np.array([out.rewards < FEW_REWARDS for out in found])
    return covered[~warned], covered[warned]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("names", nargs="*")
    asked = parser.parse_intermixed_args()
    for name, problem in problems().items():
        if not asked.names or name in asked.names:
            plain, warned = measured(problem, range(asked.first, asked.first + asked.count))
            shares = [f"{part.mean():.3f} of {len(part)}" if len(part) else "none" for part in (plain, warned)]
            print(f"{name}: covered {shares[0]} without a warning, {shares[1]} with one", flush=True)
