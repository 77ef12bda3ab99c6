r"""Proofs that the operators of Ferns and of Castro have one fixed point, that it vanishes exactly on bisimilar points,
and that it bounds differences of values."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import identity, solve
from proofs_check.arithmetic.transport_metric import operator_bounds, transport_bounds
from proofs_check.chains.case import EPS, Case
from proofs_check.statements.relation import Relation, at_most, equal
from proofs_check.statements.statement import Step


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """What a behavioral metric is about.

    Attributes:
        laws, rewards: for each action, [n, n] and [n].
        gamma: discount factor.
        d: the metric, [n, n].
        labels: blocks of the coarsest bisimulation, [n].
        values: the values whose differences are bounded, [n].
        first, second: two pseudometrics, [n, n].
        images: the operator on ``first``, ``second`` and ``d``, from couplings.
        proved: the operator on ``d`` from potentials.
    """

    laws: list[Any]
    rewards: list[Any]
    gamma: Any
    d: Any
    labels: Any
    values: Any
    first: Any
    second: Any
    images: tuple[Any, Any, Any]
    proved: Any

    @classmethod
    def of(cls, case: Case, laws: list[Any], rewards: list[Any], d: Any, labels: Any, values: Any) -> "Game":
        """The game of an instance."""
        n = len(d)
        first, second = case.given["first"][:n, :n], case.given["second"][:n, :n]
        images = [operator_bounds(laws, rewards, case.gamma, metric) for metric in (first, second, d)]
        above = (images[0][0], images[1][0], images[2][0])
        return cls(laws, rewards, case.gamma, d, labels, values, first, second, above, images[2][1])

    @property
    def together(self) -> Any:
        """Which points are bisimilar, [n, n]."""
        return self.labels[:, None] == self.labels[None, :]

    def operator(self, d: Any) -> Any:
        """``B(d)``, [n, n]."""
        return operator_bounds(self.laws, self.rewards, self.gamma, d)[0]


Games = Callable[[Case], Game]


def metric_rounding(case: Case) -> float:
    """What float64 leaves in a behavioral metric."""
    return 64 * EPS * max(case.X, 4) * case.horizon**2


def optimal_values_exactly(laws: list[Any], rewards: list[Any], gamma: Any) -> Any:
    """Optimal values by policy iteration over the rationals, [n].

    >>> from proofs_check.arithmetic.linear_algebra import rationals
    >>> stay, half = identity(1, True), rationals(["1/2"])[0]
    >>> optimal_values_exactly([stay, stay], [rationals([1]), rationals([3])], half)
    array([6], dtype=object)
    """
    n = len(rewards[0])
    actions = [0] * n
    while True:
        P = np.array([laws[a][s] for s, a in enumerate(actions)], dtype=object)
        r = np.array([rewards[a][s] for s, a in enumerate(actions)], dtype=object)
        v = solve(identity(n, True) - gamma * P, r)
        q = [reward + gamma * (law @ v) for law, reward in zip(laws, rewards, strict=True)]
        best = [max(range(len(laws)), key=lambda a: q[a][s]) for s in range(n)]
        if all(q[a][s] == v[s] for s, a in enumerate(best)):
            return v
        actions = best


def coarsest_blocks(laws: list[Any], rewards: list[Any]) -> Any:
    """Blocks of the coarsest bisimulation over the rationals, by equality, [n]."""
    n = len(rewards[0])
    labels, count = _numbered([tuple(str(r[s]) for r in rewards) for s in range(n)]), 0
    while count < labels.max() + 1:
        count = labels.max() + 1
        into = [[str(P[s][labels == b].sum()) for P in laws for b in range(count)] for s in range(n)]
        labels = _numbered([(labels[s], *into[s]) for s in range(n)])
    return labels


def _numbered(signatures: list[Any]) -> Any:
    seen: dict[Any, int] = {}
    return np.array([seen.setdefault(signature, len(seen)) for signature in signatures])


def _apart(f: Any) -> Any:
    return np.abs(np.subtract.outer(f, f))


def _transport_step(game: Game, case: Case) -> list[Relation]:
    bound = np.max(np.abs(game.first - game.second))
    out = []
    for P in game.laws:
        one, other = transport_bounds(P, game.first)[0], transport_bounds(P, game.second)[0]
        out.append(at_most(np.abs(one - other), bound))
    return out


def contraction(game: Game, modulus: Any) -> Relation:
    """``|B(first) - B(second)| <= modulus max |first - second|``."""
    return at_most(np.max(np.abs(game.images[0] - game.images[1])), modulus * np.max(np.abs(game.first - game.second)))


def _pseudometrics(game: Game, case: Case) -> list[Relation]:
    image = game.images[0]
    return [
        equal(np.diagonal(image), 0),
        equal(image, image.T),
        at_most(image[:, :, None], image[:, None, :] + image.T[None, :, :]),
    ]


def fixed(game: Game) -> list[Relation]:
    """``d = B(d)``: no more, by couplings, and no less, by potentials."""
    return [equal(game.d, game.images[2]), equal(game.d, game.proved)]


def _attracts(game: Game, case: Case) -> list[Relation]:
    twice = game.operator(game.images[0])
    return [at_most(np.max(np.abs(twice - game.d)), game.gamma**2 * np.max(np.abs(game.first - game.d)))]


def _zero_is_bisimulation(game: Game, case: Case) -> list[Relation]:
    """At distance zero rewards agree, and so do the masses of the blocks of points at distance zero."""
    near = game.d <= (0 if case.exact else 16 * metric_rounding(case))
    blocks = np.unique(near, axis=0)
    out = []
    for P, r in zip(game.laws, game.rewards, strict=True):
        into = np.stack([P[:, block].sum(axis=1) for block in blocks], axis=1)
        out += [equal(_apart(r)[near], 0), equal((into[:, None, :] - into[None, :, :])[near], 0)]
    return out


def _bisimilar_is_zero(game: Game, case: Case) -> list[Relation]:
    """The operator keeps functions that vanish on bisimilar points: their laws are coupled within blocks."""
    one = 1 + 0 * game.d
    different = np.where(game.together, 0 * one, one)
    return [equal(game.operator(different)[game.together], 0)]


def _values(game: Game, case: Case) -> list[Relation]:
    ahead = [_apart(P @ game.values) for P in game.laws]
    costs = [transport_bounds(P, game.d)[1] for P in game.laws]
    each = [_apart(r) + game.gamma * later for r, later in zip(game.rewards, ahead, strict=True)]
    return [
        *(at_most(later, cost) for later, cost in zip(ahead, costs, strict=True)),
        at_most(_apart(game.values), np.max(np.stack(each), axis=0)),
    ]


def proof(games: Games, values: str) -> tuple[Step, ...]:
    """The steps, for the operator with a maximum over actions or with one chain."""

    def step(name: str, claim: str, sides: Callable[[Game, Case], list[Relation]], kind: str = "chain") -> Step:
        return Step(name, claim, lambda case: sides(games(case), case), kind)

    return (
        step(
            "transport",
            "|W_d - W_d'| <= max |d - d'|: take the optimal coupling of the other",
            _transport_step,
            kind="algebra",
        ),
        step(
            "contraction",
            "hence |B(d) - B(d')| <= gamma max |d - d'|",
            lambda game, case: [contraction(game, game.gamma)],
        ),
        step("pseudometrics", "B maps pseudometrics to pseudometrics", _pseudometrics),
        step("fixed", "d = B(d): no more by couplings, no less by potentials", lambda game, case: fixed(game)),
        step("attracts", "the only one: max |B^2(d') - d| <= gamma^2 max |d' - d|", _attracts),
        step("zero-set", "d = 0: equal rewards, and couplings on d = 0 give blocks equal mass", _zero_is_bisimulation),
        step("bisimilar", "bisimilar points: laws are coupled within blocks, so B keeps 0 there", _bisimilar_is_zero),
        step("values", f"|P f(x) - P f(y)| <= W_d if |df| <= d; so {values}", _values),
    )
