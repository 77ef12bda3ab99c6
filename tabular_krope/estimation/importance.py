r"""Estimates from importance ratios $\rho_t = \pi(a_t|s_t) / \mu(a_t|s_t)$ of tabular episodes.

- Per-decision importance sampling: $\sum_t \gamma^t \rho_{0:t} r_t$, $\rho_{0:t} = \rho_0 \cdots \rho_t$, in the mean
  over episodes (Precup, Sutton and Singh, 2000).
- Doubly robust (Jiang and Li, 2016): $\hat v(s_0) + \sum_t \gamma^t \rho_{0:t} (r_t + \gamma \hat v(s_{t+1}) -
  \hat q(s_t, a_t))$, right if either the ratios or the values are; $\hat v$ also stands for what comes after a cut.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import t as student

from tabular_krope.arrays import Array, frozen_array
from tabular_krope.data.dataset import Dataset
from tabular_krope.data.target import behavior as frequencies
from tabular_krope.errors import KropeError
from tabular_krope.models.policy import Policy

#: Effective number of episodes below which there is no interval.
FEW_EPISODES = 15.0


@dataclass(frozen=True, slots=True, eq=False)
class OverEpisodes:
    """A mean over episodes, with its interval by Student's law.

    Attributes:
        value: the mean.
        low, high: ends of the interval; NaN where the ratios leave fewer than `FEW_EPISODES`, on which none would be
            right.
        episodes: how many there are.
        cut: how many of them were cut off before they ended.
        effective: number of episodes of equal weight that would say as much, by the ratios at their ends.
    """

    value: float
    low: float
    high: float
    episodes: int
    cut: int
    effective: float


def importance_sampling(data: Dataset, target: Policy, behaviour: Any = None, level: float = 0.95) -> OverEpisodes:
    """Per-decision importance sampling; what comes after a cut counts as nothing.

    Args:
        data: episodes, one after another.
        target: the policy to evaluate.
        behaviour: probabilities of the policy that made the data, [S, A]; the frequencies in the data if None.
        level: of the interval.

    >>> data = Dataset([0, 0], [0, 1], [1.0, 3.0], [0, 0], [True, True], n_states=1, n_actions=2, gamma=0.5)
    >>> importance_sampling(data, Policy([[0.25, 0.75]])).value  # (0.5 * 1 + 1.5 * 3) / 2
    2.5
    """
    ratios, discount, numbers = _ratios(data, target, behaviour)
    total = np.bincount(numbers, weights=discount * ratios * data.r).astype(np.float64)
    return _mean(total, data, numbers, ratios, level)


def doubly_robust(
    data: Dataset, target: Policy, q: Any, value: float, behaviour: Any = None, level: float = 0.95
) -> OverEpisodes:
    """The doubly robust estimate from action values ``q`` [S, A], whose value at the starts is ``value``.

    >>> data = Dataset([0, 0], [0, 1], [1.0, 3.0], [0, 0], [True, True], n_states=1, n_actions=2, gamma=0.5)
    >>> target = Policy([[0.25, 0.75]])
    >>> doubly_robust(data, target, [[1.0, 3.0]], value=2.5).value, doubly_robust(data, target, [[0.0, 0.0]], 0.0).value
    (2.5, 2.5)
    """
    q = frozen_array(q, "q", (data.n_states, data.n_actions))
    ratios, discount, numbers = _ratios(data, target, behaviour)
    v = (target.probs * q).sum(axis=1)
    after = np.where(data.done, 0.0, v[data.s_next])
    surprise = data.r + data.gamma * after - q[data.s, data.a]
    total = value + np.bincount(numbers, weights=discount * ratios * surprise).astype(np.float64)
    return _mean(total, data, numbers, ratios, level)


def _ratios(data: Dataset, target: Policy, behaviour: Any) -> tuple[Array, Array, Any]:
    """Products of ratios up to each row, discounts, and numbers of episodes from 0, [n] each."""
    mu = frequencies(data) if behaviour is None else behaviour if isinstance(behaviour, Policy) else Policy(behaviour)
    if mu.probs.shape != (data.n_states, data.n_actions):
        raise KropeError(f"behaviour must have shape {(data.n_states, data.n_actions)}; got {mu.probs.shape}")
    below = mu.probs[data.s, data.a]
    if (never := below <= 0).any():
        raise KropeError(f"behaviour must be positive where the data acted; got 0 in row {int(np.argmax(never))}")
    given = data.episode_numbers
    new = np.concatenate([[True], given[1:] != given[:-1]])
    numbers = np.cumsum(new) - 1
    first = np.flatnonzero(new)
    at = np.arange(len(data)) - first[numbers]
    one = target.probs[data.s, data.a] / below
    products = np.empty(len(data))
    for step in range(int(at.max()) + 1):
        rows = np.flatnonzero(at == step) if step else first
        products[rows] = one[rows] if step == 0 else one[rows] * products[rows - 1]
    return products, data.gamma ** at.astype(np.float64), numbers


def _mean(total: Array, data: Dataset, numbers: Any, ratios: Array, level: float) -> OverEpisodes:
    count = len(total)
    last = np.append(np.flatnonzero(np.diff(numbers)), len(data) - 1)
    value, ends = float(total.mean()), ratios[last]
    weight, half = float(np.sum(ends**2)), float("nan")
    effective = float(ends.sum()) ** 2 / weight if weight > 0 else 0.0
    if effective >= FEW_EPISODES:
        half = float(student.ppf((1 + level) / 2, count - 1)) * float(total.std(ddof=1)) / np.sqrt(count)
    return OverEpisodes(value, value - half, value + half, count, int((~data.done[last]).sum()), effective)
