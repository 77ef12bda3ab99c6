"""Small changes of a float instance, by which an adversary climbs: laws, rewards, weights, gamma, whatever is free."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from proofs_check.chains.case import Case


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
    moves: list[Callable[[Case], dict[str, Any]]] = [
        lambda old: _moved_laws(old, rng, step),
        lambda old: _mixed_pair(old, rng, step, place),
        lambda old: {"r": _shifted_rewards(old, rng, step)},
        lambda old: {"weights": _moved(old.weights[None, :], rng, step)[0]},
        lambda old: {"gamma": _shifted_gamma(old.gamma, rng, step, largest_gamma)},
    ]
    if free:
        moves.append(lambda old: {"given": _shifted_given(old, rng, step, free)})
    chosen = rng.random(len(moves)) < rng.choice([0.0, 0.4])
    chosen[int(rng.integers(len(moves)))] = True
    for k in np.flatnonzero(chosen):
        case = replace(case, **moves[k](case))
    return case


def _moved_laws(case: Case, rng: np.random.Generator, step: float) -> dict[str, Any]:
    return {"P": _moved(case.P, rng, step)}


def _moved(laws: Any, rng: np.random.Generator, step: float) -> Any:
    """Some rows moved a little toward one of their points or toward a random law, their totals unchanged."""
    n, m = laws.shape
    corner = np.eye(m)[rng.integers(0, m, size=n)]
    target = corner if rng.random() < 0.5 else rng.dirichlet(np.ones(m), size=n)
    share = step * rng.random((n, 1)) * (rng.random((n, 1)) < rng.choice([0.15, 0.5]))
    totals = laws.sum(axis=1, keepdims=True)
    return (1 - share) * laws + share * totals * target


def _mixed_pair(case: Case, rng: np.random.Generator, step: float, place: tuple[int, int] | None) -> dict[str, Any]:
    """The law of one pair drawn toward another's, now and then made equal to it, or pushed away from it."""
    if case.X == 1:
        return {}
    x, y = rng.choice(case.X, size=2, replace=False)
    if place is not None and place[0] != place[1] and rng.random() < 0.5:
        x, y = place
    share = float(rng.choice([1.0, 0.5, step * rng.random(), -step * rng.random()]))
    P, end = case.P.copy(), case.end.copy()
    law = np.maximum((1 - share) * np.append(P[x], end[x]) + share * np.append(P[y], end[y]), 0.0)
    law /= law.sum()
    P[x], end[x] = law[:-1], law[-1]
    return {"P": P, "end": end}


def _shifted_rewards(case: Case, rng: np.random.Generator, step: float) -> Any:
    """New rewards inside the given range, if there is one; now and then at one of its ends, or equal to another."""
    low, high = (-1.0, 1.0) if case.reward_range is None else case.reward_range
    if rng.random() < 0.2:
        r = case.r.copy()
        r[int(rng.integers(case.X))] = r[int(rng.integers(case.X))]
        return r
    few = rng.random(case.X) < rng.choice([0.2, 1.0])
    r = np.clip(case.r + few * step * rng.standard_normal(case.X), low, high)
    ends = rng.random(case.X) < 0.2 * step
    return np.where(ends, rng.choice([low, high], size=case.X), r)


def _shifted_gamma(gamma: float, rng: np.random.Generator, step: float, largest: float) -> float:
    """A step on the scale on which 0.9, 0.99 and 0.999 are equally far apart; gamma = 0 stays."""
    if gamma == 0:
        return gamma
    odds = np.log(gamma / (1 - gamma)) + 3 * step * rng.standard_normal()
    return float(np.clip(1 / (1 + np.exp(-odds)), 0.01, largest))


def _shifted_given(case: Case, rng: np.random.Generator, step: float, free: tuple[str, ...]) -> dict[str, Any]:
    shifts = {name: step * rng.standard_normal(np.shape(case.given[name])) for name in free}
    return {**case.given, **{name: case.given[name] + shift for name, shift in shifts.items()}}
