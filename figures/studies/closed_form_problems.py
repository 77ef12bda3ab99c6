"""Problems of the closed-form study: models, target policies, base features of the pairs, and data under shift.

Transitions are drawn one by one: a pair from a distribution over pairs, then its successor. The distribution is nine
tenths the target policy's occupancy and one tenth uniform, times ``exp(shift * z)`` with a standard normal ``z`` for
each pair; in Van Roy's example ``z`` is 1 at w3, whose transitions cause the divergence, and 0 elsewhere. A shift of 0
is on-policy data; at 4 some pairs are a million times more frequent, relative to others, than the target makes them.
Equal transitions are one row with their count.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tabular_krope.arrays import Array, dense
from tabular_krope.closed_form.base_features import random_fourier_features
from tabular_krope.models.garnet import garnet
from tabular_krope.models.gymnasium_tables import from_gymnasium
from tabular_krope.models.induce import induce
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP
from tabular_krope.models.optimal import optimal_policy
from tabular_krope.models.policy import Policy
from tabular_krope.models.random_policy import random_policy
from tabular_krope.models.values import occupancy
from tabular_krope.models.zoo import zoo

GAMMA = 0.99
#: Share of the uniform policy in the targets of the gymnasium problems, beside the optimal one.
EXPLORES = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """A target process, base features of its pairs [X, p], one unit of shift in logarithms [X], its occupancy [X]."""

    mrp: MRP
    base: Array
    z: Array
    law: Array

    @classmethod
    def of(cls, mrp: MRP, base: Array, z: Array) -> "Task":
        """With the occupancy of the process."""
        return cls(mrp, base, z, occupancy(mrp))


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Distinct transitions with base features, rewards and counts."""

    Psi: Array
    Psi_next: Array
    r: Array
    counts: Array


def _greedy(mdp: MDP) -> MRP:
    best = optimal_policy(mdp).probs
    return induce(mdp, Policy((1 - EXPLORES) * best + EXPLORES / mdp.n_actions))


def _pairs(mdp: MDP) -> tuple[Array, Array]:
    """State and action of each pair, each [X]."""
    return np.repeat(np.arange(mdp.n_states), mdp.n_actions), np.tile(np.arange(mdp.n_actions), mdp.n_states)


def _codes(*columns: tuple[Array, int]) -> Array:
    """One-hot codes of several columns side by side."""
    return np.hstack([np.eye(size)[values.astype(int)] for values, size in columns])


def _garnet(kind: str, rng: np.random.Generator) -> Task:
    mdp = garnet(8, 5, 4, GAMMA, seed=rng)
    mrp = induce(mdp, random_policy(mdp, seed=rng))
    base = np.eye(40) if kind == "one-hot" else rng.standard_normal((40, 20))
    return Task.of(mrp, base, rng.standard_normal(40))


def _frozen_lake(kind: str, rng: np.random.Generator) -> Task:
    mdp = from_gymnasium("FrozenLake-v1", GAMMA)
    s, a = _pairs(mdp)
    inputs = np.column_stack([s // 4, s % 4, _codes((a, 4))])
    base = np.eye(64) if kind == "one-hot" else random_fourier_features(inputs, 40, seed=rng)(inputs)
    return Task.of(_greedy(mdp), base, rng.standard_normal(64))


def _taxi(kind: str, rng: np.random.Generator) -> Task:
    mdp = from_gymnasium("Taxi-v4", GAMMA)
    s, a = _pairs(mdp)
    row, column, passenger, destination = s // 100, s // 20 % 5, s // 4 % 5, s % 4
    codes = _codes((passenger, 5), (destination, 4), (a, 6))
    inputs = np.column_stack([row, column, codes])
    if kind == "codes":
        base = np.column_stack(
            [_codes((row * 5 + column, 25)), _codes((passenger * 4 + destination, 20)), codes[:, -6:]]
        )
    else:
        base = random_fourier_features(inputs, 200, seed=rng)(inputs)
    return Task.of(_greedy(mdp), base, rng.standard_normal(3000))


def _van_roy(kind: str, rng: np.random.Generator) -> Task:
    example = zoo("van-roy")
    base = np.eye(4) if kind == "one-hot" else np.asarray(example.features)
    return Task.of(example.mrp(), base, (np.arange(4) == 3).astype(float))


MAKERS: dict[str, Callable[[str, np.random.Generator], Task]] = {
    "garnet": _garnet,
    "frozen-lake": _frozen_lake,
    "taxi": _taxi,
    "van-roy": _van_roy,
}
#: Problem and base features, with the number of these.
CASES = (
    ("garnet", "one-hot", 40),
    ("garnet", "random", 20),
    ("frozen-lake", "one-hot", 64),
    ("frozen-lake", "fourier", 40),
    ("taxi", "codes", 51),
    ("taxi", "fourier", 200),
    ("van-roy", "one-hot", 4),
    ("van-roy", "given", 3),
)


def sampled(task: Task, n: int, shift: float, rng: np.random.Generator) -> Rows:
    """``n`` transitions under a shift, equal ones counted."""
    mrp = task.mrp
    X, S = mrp.n_pairs, mrp.n_states
    law = (0.9 * task.law + 0.1 / X) * np.exp(shift * task.z)
    x = np.repeat(np.arange(X), rng.multinomial(n, law / law.sum()))
    ahead = np.cumsum(np.column_stack([dense(mrp.P), mrp.end]), axis=1)
    s_next = (rng.random(n)[:, None] * ahead[x, -1:] >= ahead[x]).sum(axis=1)  # S where the episode ends
    cells, counts = np.unique(x * (S + 1) + s_next, return_counts=True)
    x, s_next = cells // (S + 1), cells % (S + 1)
    after = np.vstack([dense(mrp.Pi) @ task.base, np.zeros(task.base.shape[1])])
    return Rows(task.base[x], after[s_next], mrp.r[x], counts.astype(float))
