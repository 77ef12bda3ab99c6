"""What an adversary climbs on: structured float chains to start from, and small changes of an instance.

Random chains mix: their pairs soon look alike, and nothing is tight on them. Bounds are reached by pairs that never
meet again, by mixtures that differ a little, and by mixtures whose difference shows only after some steps. From there
laws, rewards, weights, gamma and whatever is free are changed a little.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import cache
from typing import Any

import numpy as np

from proofs_check.chains.case import Case

#: Discount factors of structured chains, beside the drawn one.
GAMMAS = (0.5, 0.9, 0.99)
#: What makes an instance.
FIELDS = tuple(field.name for field in fields(Case) if field.init)
#: What quantities of a chain depend on, beside its policy.
DEPENDS = {
    **{name: frozenset[str]() for name in ("lone", "shares")},
    **{name: frozenset(("P",)) for name in ("P_pi", "Q")},
    **{name: frozenset(("P", "gamma")) for name in ("horizon",)},
    **{name: frozenset(("r", "reward_range")) for name in ("own range", "apart", "K1", "reward factors")},
    **{name: frozenset(("P", "gamma", "r", "reward_range")) for name in ("K", "d", "after", "q", "U", "features")},
}


def changed(
    case: Case,
    rng: np.random.Generator,
    step: float,
    free: tuple[str, ...] = (),
    largest_gamma: float = 0.99,
    place: tuple[int, int] | None = None,
) -> Case:
    """A neighbor of an instance: one or a few of its parts are changed.

    Args:
        case: in floats.
        rng: source of the choices.
        step: size of the changes, in (0, 1].
        free: entries of ``given`` that may change.
        largest_gamma: discount factors beyond it are not tried.
        place: two pairs that matter more than others.

    >>> case = Case.from_matrix(np.eye(2), np.array([0.0, 1.0]), 0.5)
    >>> changed(case, np.random.default_rng(0), 0.1).P.sum(axis=1)
    array([1., 1.])
    """
    moves = 6 if free else 5
    chosen = rng.random(moves) < (0.0, 0.4)[rng.integers(2)]
    chosen[int(rng.integers(moves))] = True
    laws, mixed, rewards, weights, gamma, *given = chosen.tolist()
    new: dict[str, Any] = {}
    if laws:
        new["P"] = _moved(case.P, rng, step)
    if mixed and case.X > 1:
        new["P"], new["end"] = _mixed_pair(new.get("P", case.P), case.end, rng, step, place)
    if rewards:
        new["r"] = _shifted_rewards(case, rng, step)
    if weights:
        new["weights"] = _moved(case.weights[None, :], rng, step)[0]
    if gamma and case.gamma != 0:
        new["gamma"] = _shifted_gamma(case.gamma, rng, step, largest_gamma)
    if given and given[0]:
        shifts = {name: step * rng.standard_normal(np.shape(case.given[name])) for name in free}
        new["given"] = {**case.given, **{name: case.given[name] + shift for name, shift in shifts.items()}}
    return moved(case, new)


def moved(case: Case, parts: Mapping[str, Any]) -> Case:
    """A copy with other ``parts``; what was computed and does not depend on them is kept.

    >>> case = Case.from_matrix(np.eye(2), np.array([0.0, 1.0]), 0.5)
    >>> moved(case, {"weights": np.array([0.0, 1.0])}).K is case.K
    False
    >>> moved(case, {"weights": np.array([0.0, 1.0])}).K is case.K  # which is known by now
    True
    """
    copy = Case(*(parts[name] if name in parts else getattr(case, name) for name in FIELDS))
    for name, value in case._cache.items():
        if name in DEPENDS and DEPENDS[name].isdisjoint(parts):
            copy._cache[name] = value
    return copy


def _moved(laws: Any, rng: np.random.Generator, step: float) -> Any:
    """Some rows moved a little toward one of their points or toward a random law, their totals unchanged."""
    n, m = laws.shape
    corner = rng.integers(0, m, size=n)
    target = _corners(m)[corner] if rng.random() < 0.5 else rng.dirichlet(np.ones(m), size=n)
    share = step * rng.random((n, 1)) * (rng.random((n, 1)) < (0.15, 0.5)[rng.integers(2)])
    return (1 - share) * laws + share * laws.sum(axis=1, keepdims=True) * target


@cache
def _corners(m: int) -> np.ndarray:
    """The laws on ``m`` points that have one point, [m, m]."""
    corners = np.eye(m)
    corners.flags.writeable = False
    return corners


def _mixed_pair(
    P: Any, end: Any, rng: np.random.Generator, step: float, place: tuple[int, int] | None
) -> tuple[Any, Any]:
    """The law of one pair drawn toward another's, now and then made equal to it, or pushed away from it."""
    x, y = rng.choice(len(P), size=2, replace=False)
    if place is not None and place[0] != place[1] and rng.random() < 0.5:
        x, y = place
    up, down = step * rng.random(), -step * rng.random()
    share = (1.0, 0.5, up, down)[rng.integers(4)]
    P, end = P.copy(), end.copy()
    law = np.maximum((1 - share) * np.append(P[x], end[x]) + share * np.append(P[y], end[y]), 0.0)
    law /= law.sum()
    P[x], end[x] = law[:-1], law[-1]
    return P, end


def _shifted_rewards(case: Case, rng: np.random.Generator, step: float) -> Any:
    """New rewards inside the given range, if there is one; now and then at one of its ends, or equal to another."""
    low, high = (-1.0, 1.0) if case.reward_range is None else case.reward_range
    if rng.random() < 0.2:
        r = case.r.copy()
        source = r[int(rng.integers(case.X))]
        r[int(rng.integers(case.X))] = source
        return r
    few = rng.random(case.X) < (0.2, 1.0)[rng.integers(2)]
    r = np.clip(case.r + few * step * rng.standard_normal(case.X), low, high)
    ends = rng.random(case.X) < 0.2 * step
    return np.where(ends, rng.choice([low, high], size=case.X), r)


def _shifted_gamma(gamma: float, rng: np.random.Generator, step: float, largest: float) -> float:
    """A step on the scale on which 0.9, 0.99 and 0.999 are equally far apart; gamma = 0 stays."""
    odds = np.log(gamma / (1 - gamma)) + 3 * step * rng.standard_normal()
    return float(np.clip(1 / (1 + np.exp(-odds)), 0.01, largest))


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
        yield moved(case, {"P": P, "r": r, "end": np.zeros(case.X), "gamma": gamma})


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
