"""Classes of chains by name: what belongs to them.

The tests take the arrays of a chain, of floats or rationals, and what may be left by rounding: nothing for rationals.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import gcd
from types import MappingProxyType
from typing import Any

import numpy as np

from proofs_check.chains.case import Case
from tabular_krope.errors import unknown_name


@dataclass(frozen=True, slots=True, eq=False)
class Arrays:
    """What membership depends on: transitions between pairs [X, X], ends, rewards and data [X], and the rounding."""

    P: Any
    end: Any
    r: Any
    D: Any
    rounding: float = 0

    @classmethod
    def of_law(cls, law: Any) -> "Arrays":
        """Of transitions in floats alone, ends in the last column [X, X + 1]: rewards and data stand for nothing.

        >>> within(Arrays.of_law(np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])), ("deterministic", "ending"))
        True
        """
        return cls(law[:, :-1], law[:, -1], np.zeros(len(law)), np.zeros(len(law)), 1e-12)

    def near(self, a: Any, b: Any) -> bool:
        """Whether two arrays agree."""
        return bool(np.all(abs(a - b) <= self.rounding))

    @property
    def arrows(self) -> Any:
        """Which pair may follow which, [X, X]."""
        return np.array(self.P != 0, dtype=bool)


def _deterministic(chain: Arrays) -> bool:
    law = np.concatenate([chain.P, chain.end[:, None]], axis=1)
    return bool(np.all(np.sum(law != 0, axis=1) == 1))


def _periodic(chain: Arrays) -> bool:
    """The lengths of all cycles have a common divisor above 1: steps from one pair of each communicating class tell."""
    arrows = chain.arrows
    after = reachable(arrows)
    period, seen = 0, set[int]()
    for x in range(len(arrows)):
        if x in seen or not after[x, x]:
            continue
        steps, frontier = {x: 0}, [x]
        for here in frontier:
            for y in np.flatnonzero(arrows[here] & after[:, x]):
                if int(y) not in steps:
                    steps[int(y)] = steps[here] + 1
                    frontier.append(int(y))
                period = gcd(period, steps[here] + 1 - steps[int(y)])
        seen.update(steps)
    return period > 1


def _reversible(chain: Arrays) -> bool:
    """Some positive weights balance every two pairs; no episode ends."""
    P, X = chain.P, len(chain.r)
    if not chain.near(chain.end, 0 * chain.end) or np.any(chain.arrows != chain.arrows.T):
        return False
    share: list[Any] = [None] * X
    for start in range(X):
        if share[start] is not None:
            continue
        share[start], frontier = 1 + 0 * P[0, 0], [start]
        for x in frontier:
            for y in np.flatnonzero(chain.arrows[x]):
                if share[y] is None:
                    share[y] = share[x] * P[x, y] / P[y, x]
                    frontier.append(int(y))
    flow = np.array(share)[:, None] * P
    return chain.near(flow, flow.T)


def _doubly_stochastic(chain: Arrays) -> bool:
    return chain.near(chain.P.sum(axis=0), 1 + 0 * chain.end) and chain.near(chain.end, 0 * chain.end)


def _on_policy(chain: Arrays) -> bool:
    return chain.near(chain.D @ chain.P, chain.D)


def _absorbing(chain: Arrays) -> bool:
    after = reachable(chain.arrows) | np.eye(len(chain.r), dtype=bool)
    return bool(after[:, np.diagonal(chain.P) == 1].any(axis=1).all()) and chain.near(chain.end, 0 * chain.end)


def _ending(chain: Arrays) -> bool:
    after = reachable(chain.arrows) | np.eye(len(chain.r), dtype=bool)
    return bool(after[:, np.array(chain.end != 0, dtype=bool)].any(axis=1).all())


def reachable(arrows: Any) -> Any:
    """Which pair can follow which after one step or more, [X, X]."""
    reach = arrows
    for _ in range(max(1, len(arrows)).bit_length()):
        reach = reach | ((reach.astype(np.float32) @ reach.astype(np.float32)) > 0)
    return reach


#: By name: what it means, and its test.
CLASSES: Mapping[str, tuple[str, Callable[[Arrays], bool]]] = MappingProxyType(
    {
        "deterministic": ("each pair has one successor, or ends the episode", _deterministic),
        "periodic": ("the lengths of all cycles have a common divisor above 1", _periodic),
        "reversible": ("positive weights balance the flow between every two pairs; no episode ends", _reversible),
        "doubly-stochastic": ("the columns of P sum to 1, too", _doubly_stochastic),
        "on-policy": ("the data distribution is stationary, D P = D", _on_policy),
        "absorbing": ("every pair can reach one that keeps to itself; no episode ends", _absorbing),
        "ending": ("from every pair the episode may end", _ending),
        "two-rewards": ("two different rewards occur", lambda chain: len(set(chain.r)) == 2),
    }
)

#: Those that transitions alone decide.
OF_LAWS = ("deterministic", "periodic", "reversible", "doubly-stochastic", "absorbing", "ending")


def belongs(case: Case, names: tuple[str, ...]) -> bool:
    """Whether a rational chain is in all of the classes.

    >>> from flint import fmpq
    >>> from proofs_check.arithmetic.linear_algebra import rationals
    >>> swap = Case.from_matrix(rationals([[0, 1], [1, 0]]), rationals([0, 1]), fmpq(1, 2))
    >>> [name for name in CLASSES if belongs(swap, (name,))]
    ['deterministic', 'periodic', 'reversible', 'doubly-stochastic', 'on-policy', 'two-rewards']
    """
    return not names or within(Arrays(case.P_pi, case.end, case.r, case.weights), names)


def within(chain: Arrays, names: tuple[str, ...]) -> bool:
    """Whether a chain is in all of the classes."""
    return all(CLASSES[name][1](chain) for name in names)


def require_classes(names: Any) -> tuple[str, ...]:
    """The names of classes in their order here, each once.

    >>> require_classes(["on-policy", "periodic", "periodic"])
    ('periodic', 'on-policy')
    """
    for name in names:
        if name not in CLASSES:
            raise unknown_name("class", str(name), CLASSES)
    return tuple(name for name in CLASSES if name in names)
