"""Structured chains that an adversary starts from: where inequalities about chains tend to become tight.

Random chains mix: their pairs soon look alike, and nothing is tight on them. Bounds are reached by pairs that never
meet again, by mixtures that differ a little, and by mixtures whose difference shows only after some steps.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from proofs_check.chains.case import Case

#: Discount factors of structured chains, beside the drawn one.
GAMMAS = (0.5, 0.9, 0.99)


def structured(case: Case, rng: np.random.Generator) -> Iterator[Case]:
    """Chains of the same sizes as ``case``, with its weights and what else is given, but with structure.

    >>> drawn = Case.from_matrix(np.full((4, 4), 0.25), np.arange(4.0), 0.5)
    >>> [len(chain.r) for chain in structured(drawn, np.random.default_rng(0))]
    [4, 4, 4, 4, 4]
    """
    for pattern in PATTERNS:
        successors, levels = pattern(case.P.shape[1], rng)
        A = case.X // case.P.shape[1]
        P = np.repeat(successors, A, axis=0)
        low, high = (-1.0, 1.0) if case.reward_range is None else case.reward_range
        r = np.clip((low + high) / 2 + np.repeat(levels, A) * (high - low) / 2, low, high)
        gamma = case.gamma if case.gamma == 0 or rng.random() < 0.3 else float(rng.choice(GAMMAS))
        yield replace(case, P=P, r=r, end=np.zeros(case.X), gamma=gamma)


def absorbing(S: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """Every state keeps to itself, with rewards at the ends of their range in turn."""
    return np.eye(S), np.where(np.arange(S) % 2 == 0, 1.0, -1.0)


def mixtures(S: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """Two absorbing states with extreme rewards; every other state goes to one of them, by a chance of its own."""
    return _toward_two(np.eye(S), S, rng), _extremes(S)


def delayed_mixtures(S: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """Mixtures over two states that lead to the absorbing ones: the difference shows one step late."""
    P = np.eye(S)
    if S < 6:
        return mixtures(S, rng)
    P[2], P[3] = np.eye(S)[0], np.eye(S)[1]
    levels = _extremes(S)
    P[4:] = 0.0
    chance = rng.random(S - 4)
    P[4:, 2], P[4:, 3] = chance, 1 - chance
    return P, levels


def echo(S: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """Two states that forget which they are, and others that lead to one of them."""
    P = np.zeros((S, S))
    P[:2, :2] = 0.5
    P[np.arange(2, S), np.arange(2, S) % 2] = 1.0
    return (P, _extremes(S)) if S > 1 else (np.eye(1), np.ones(1))


def path(S: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """A path to an absorbing state, with a reward on the way."""
    levels = np.zeros(S)
    levels[int(rng.integers(S))] = 1.0
    return np.eye(S)[np.maximum(np.arange(S) - 1, 0)], levels


PATTERNS: tuple[Callable[[int, np.random.Generator], tuple[Any, Any]], ...] = (
    absorbing,
    mixtures,
    delayed_mixtures,
    echo,
    path,
)


def _toward_two(P: Any, S: int, rng: np.random.Generator) -> Any:
    chance = rng.random(max(0, S - 2))
    P[2:] = 0.0
    if S > 2:
        P[2:, 0], P[2:, 1] = chance, 1 - chance
    return P


def _extremes(S: int) -> Any:
    levels = np.zeros(S)
    levels[:2] = (1.0, -1.0)[: min(S, 2)]
    return levels
