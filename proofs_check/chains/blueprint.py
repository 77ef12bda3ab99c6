"""Chains as small integers: cheap to make in floats by the hundred, and each one a rational chain when it is needed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.case import Case
from proofs_check.chains.stacked import Batch
from tabular_krope.arrays import Array
from tabular_krope.batched.chains import Chains


@dataclass(frozen=True, slots=True, eq=False)
class Blueprint:
    """A chain whose laws are integers over their sum.

    Attributes:
        moves: integers in proportion to the probabilities of the next states and, last, of the end, [X, S + 1].
        r: rewards, [X].
        gamma: discount factor.
        data: numbers in proportion to the data distribution, [X].
        limits: reward range; the rewards' own if None.
        actions: pairs of each state; pairs of one state stand together.
        traits: what it is an example of, by trait.
        policy: probabilities of the actions, the same in each state; uniform if None.

    >>> two = Blueprint(np.array([[0, 1, 1], [0, 1, 0]]), (fmpq(0), fmpq(1)), fmpq(1, 2), (1, 1))
    >>> two.case().P, two.case().end
    (array([[0, 1/2],
           [0, 1]], dtype=object), array([1/2, 0], dtype=object))
    """

    moves: Any
    r: tuple[fmpq, ...]
    gamma: fmpq
    data: Sequence[Any]
    limits: tuple[fmpq, fmpq] | None = None
    actions: int = 1
    traits: Mapping[str, str] = field(default_factory=dict)
    policy: tuple[fmpq, ...] | None = None

    @property
    def X(self) -> int:
        """Number of pairs."""
        return len(self.r)

    @property
    def S(self) -> int:
        """Number of states."""
        return self.X // self.actions

    def case(self) -> Case:
        """The rational chain."""
        S, A = self.S, self.actions
        law = rationals([[fmpq(int(part), int(sum(row))) for part in row] for row in self.moves.tolist()])
        total = sum(map(fmpq, self.data), fmpq(0))
        weights = rationals([fmpq(part) / total for part in self.data])
        shares = self.policy or (fmpq(1, A),) * A
        Pi = rationals([[shares[x % A] * int(x // A == s) for x in range(self.X)] for s in range(S)])
        return Case(law[:, :S], Pi, rationals(list(self.r)), self.gamma, law[:, S], weights, self.limits)

    def floats(self) -> tuple[Array, Array, Array]:
        """Transitions between pairs, probabilities of the end, and data distribution, rounded."""
        law = self.moves.astype(np.float64)
        law = law / law.sum(axis=1, keepdims=True)
        shares = [1.0 / self.actions] * self.actions if self.policy is None else [_float(part) for part in self.policy]
        P = np.repeat(law[:, : self.S], self.actions, axis=1) * np.tile(shares, self.S)
        data = np.array([_float(part) for part in self.data])
        return P, law[:, self.S], data / data.sum()


def stacked(plans: Sequence[Blueprint], dim: int | None = None) -> Batch:
    """Chains of one size as a batch of floats.

    >>> one = Blueprint(np.array([[1, 0]]), (fmpq(1),), fmpq(1, 2), (1,))
    >>> stacked([one, one])("q").value
    array([[2.],
           [2.]])
    """
    P, end, D = (np.stack(part) for part in zip(*(plan.floats() for plan in plans), strict=True))
    r = np.array([[_float(value) for value in plan.r] for plan in plans])
    ranges = [plan.limits or (min(plan.r), max(plan.r)) for plan in plans]
    low, high = (np.array([_float(limits[k]) for limits in ranges]) for k in (0, 1))
    gamma = np.array([_float(plan.gamma) for plan in plans])
    return Batch(Chains(P, r, gamma, end), D, low, high, np.array([float(plan.S) for plan in plans]), dim)


def _float(value: Any) -> float:
    """The float nearest to a whole number or a fraction: Python's division of integers is correctly rounded."""
    return int(value.p) / int(value.q) if isinstance(value, fmpq) else float(value)
