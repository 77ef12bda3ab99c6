"""The random problems of a set of seeds: Garnets, target policies, data sets, and minibatches as counts.

Trial ``t`` depends on ``(seed_set, t)`` and the sizes only: not on the algorithm, the dimension or the other trials. So
all algorithms see the same problems and the same minibatches, and their differences are paired.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deep.tabular.run_settings import GarnetConfig
from tabular_krope.arrays import Array
from tabular_krope.data.dataset import Dataset, sample_dataset
from tabular_krope.models.garnet import garnet
from tabular_krope.models.mdp import MDP
from tabular_krope.models.policy import Policy
from tabular_krope.models.random_policy import random_policy

#: What the random streams of a trial are for.
MODEL, POLICY, DATA, PARAMETERS, MINIBATCHES = range(5)


def stream(config: GarnetConfig, trial: int, purpose: int, *more: int) -> np.random.Generator:
    """The random generator of one trial for one purpose."""
    return np.random.default_rng([config.seed_set, trial, purpose, *more])


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """One trial: a Garnet, its target policy (Dirichlet(1) in each state), and data of the uniform policy."""

    mdp: MDP
    policy: Policy
    dataset: Dataset


@dataclass(frozen=True, slots=True, eq=False)
class Problems:
    """All trials, stacked.

    Attributes:
        each: the trials one by one.
        cells: ``x * S + s'`` of each transition, [T, n].
        r: rewards, [T, X].
        Pi: target policies as maps from states to pairs, [T, S, X].
    """

    each: tuple[Problem, ...]
    cells: NDArray[np.int64]
    r: Array
    Pi: Array


def problem(config: GarnetConfig, trial: int) -> Problem:
    """Trial number ``trial`` of the config's set of seeds."""
    mdp = garnet(config.n_states, config.n_actions, config.branching, config.gamma, seed=stream(config, trial, MODEL))
    policy = random_policy(mdp, seed=stream(config, trial, POLICY))
    behaviour = Policy.uniform(config.n_states, config.n_actions)
    dataset = sample_dataset(mdp, behaviour, config.transitions, seed=stream(config, trial, DATA))
    return Problem(mdp, policy, dataset)


def problems(config: GarnetConfig) -> Problems:
    """All trials of the config's set of seeds.

    >>> problems(GarnetConfig(trials=2, transitions=100)).cells.shape
    (2, 100)
    """
    each = tuple(problem(config, trial) for trial in range(config.trials))
    return Problems(
        each,
        cells=np.stack([one.dataset.pairs * config.n_states + one.dataset.s_next for one in each]),
        r=np.stack([one.mdp.r.reshape(-1) for one in each]),
        Pi=np.stack([one.policy.matrix().toarray() for one in each]),
    )


def minibatch_indices(config: GarnetConfig, trial: int, epoch: int) -> NDArray[np.int64]:
    """Transitions of each minibatch of an epoch, drawn from the data set with replacement, [steps, batch]."""
    rng = stream(config, trial, MINIBATCHES, epoch)
    return rng.integers(0, config.transitions, size=(config.steps_per_epoch, config.batch))


def minibatch_counts(config: GarnetConfig, stacked: Problems, epoch: int) -> NDArray[np.int16 | np.int32]:
    """How often each (pair, next state) occurs in each minibatch of an epoch, [steps, T, X, S].

    Counts of draws with replacement are multinomial with the data set's empirical probabilities; drawing the
    transitions and counting them has the advantage that a trainer of single transitions can be given the same ones.

    >>> config = GarnetConfig(trials=1, transitions=100, batch=60)
    >>> minibatch_counts(config, problems(config), epoch=0).sum(axis=(1, 2, 3))
    array([60, 60])
    """
    steps, cells = config.steps_per_epoch, config.n_pairs * config.n_states
    shift = cells * np.arange(steps)[:, None]
    kind = np.int16 if config.batch <= np.iinfo(np.int16).max else np.int32
    counts = np.empty((steps, config.trials, cells), dtype=kind)
    for trial in range(config.trials):
        drawn = stacked.cells[trial][minibatch_indices(config, trial, epoch)] + shift
        counts[:, trial] = np.bincount(drawn.reshape(-1), minlength=steps * cells).reshape(steps, cells)
    return counts.reshape(steps, config.trials, config.n_pairs, config.n_states)
