"""Cubes that an adversary searches: what the numbers of a point stand for.

A chain on ``X`` pairs is a point: transition weights (negative ones are zero, so that absorbing and deterministic
chains are reached exactly), rewards, their scale and shift, a wider reward range, gamma and data weights. Where a claim
quantifies over features, another policy or another distribution, these are coordinates, too; pairs belong to states.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from proofs_check.chains.case import Case
from proofs_check.chains.stacked import Batch
from proofs_check.conjectures.question import Question
from tabular_krope.arrays import Array
from tabular_krope.batched.chains import Chains
from tabular_krope.exact.rationals import nearest_float

#: Pairs of plain chains; states and actions where policies matter; pairs and features.
SIZES = (2, 3, 4, 5, 6)
LAYOUTS = ((1, 2), (2, 2), (1, 3), (3, 2))
FEATURED = ((2, 1), (3, 1), (3, 2), (4, 2))
LAWS = (2, 3, 4)
#: Discount factors up to this one take nine tenths of their side of the cube; the last tenth goes on to the larger one,
#: unless rounding there would blur a premise.
USUAL_GAMMA, LARGEST_GAMMA = 0.99, 0.9999
#: Largest one where reward laws are summed term by term.
SUMMED_GAMMA = 0.7
#: Largest modulus of a feature; small ones are as frequent as in a third power.
LARGEST_FEATURE = 10.0


@dataclass(frozen=True, slots=True)
class Space:
    """The instances of one size that a question is about.

    Attributes:
        question: what is asked.
        S, A: states, and pairs of each.
        d: number of features; 0 where none are quantified.

    >>> from proofs_check.conjectures.question import ask
    >>> space = Space(ask("q[x] <= 1"), 2, 1)
    >>> space.n, space.decode(np.zeros((1, space.n))).chains.P.tolist()
    (15, [[[1.0, 0.0], [1.0, 0.0]]])
    """

    question: Question
    S: int
    A: int = 1
    d: int = 0

    @property
    def X(self) -> int:
        """Number of pairs."""
        return self.S * self.A

    @property
    def _width(self) -> int:
        return self.S + (not self.question.conservative)

    @property
    def n(self) -> int:
        """Number of coordinates."""
        own = self.X * self._width + 2 * self.X + 5
        policies = self.X * (self.A > 1) + self.X * ("mu" in self.question.given)
        return own + policies + self.X * ("D2" in self.question.given) + self.X * self.d

    def decode(self, Z: Array) -> Batch:
        """The instances that points of the cube stand for, one for each row of ``Z``."""
        N, X, S = len(Z), self.X, self.S
        cut = np.cumsum([X * self._width, X, X, 5])
        moves, r, data, others, rest = np.split(Z, cut, axis=1)
        law = distribution(moves.reshape(N * X, self._width)).reshape(N, X, self._width)
        end = law[:, :, S] if self._width > S else np.zeros((N, X))
        pi, rest = self._policy(rest) if self.A > 1 else (np.ones((N, X)), rest)
        given = {"pi": pi, **self._given(rest)}
        P = np.repeat(law[:, :, :S], self.A, axis=2) * pi[:, None, :]
        return self._stack(P, end, r, distribution(data), others, given)

    def case(self, batch: Batch, i: int) -> Case:
        """One instance of a batch."""
        chains = batch.chains
        P, r, gamma, end = chains.P[i], chains.r[i], float(chains.gamma[i]), chains.end[i]
        own = batch.low[i] == r.min() and batch.high[i] == r.max()
        limits = None if own else (float(batch.low[i]), float(batch.high[i]))
        given = {name: batch.given[name][i] for name in self.question.given}
        if self.A == 1:
            return Case.from_matrix(P, r, gamma, end=end, weights=batch.D[i], reward_range=limits, given=given)
        law = P.reshape(self.X, self.S, self.A).sum(axis=2)
        Pi = np.repeat(np.eye(self.S), self.A, axis=1) * batch.given["pi"][i]
        return Case(law, Pi, r, gamma, end, batch.D[i], limits, given)

    def _policy(self, rest: Array) -> tuple[Array, Array]:
        """A policy from the first coordinates, [N, X], and the other coordinates."""
        N, X = len(rest), self.X
        return distribution(rest[:, :X].reshape(N * self.S, self.A)).reshape(N, X), rest[:, X:]

    def _given(self, rest: Array) -> dict[str, Array]:
        out, wanted = {}, self.question.given
        if "mu" in wanted:
            out["mu"], rest = self._policy(rest)
        if "D2" in wanted:
            out["D2"], rest = distribution(rest[:, : self.X]), rest[:, self.X :]
        if "Phi" in wanted:
            out["Phi"] = LARGEST_FEATURE * rest.reshape(len(rest), self.X, self.d) ** 3
        return out

    def _stack(self, P: Array, end: Array, r: Array, D: Array, others: Array, given: Mapping[str, Array]) -> Batch:
        question, N = self.question, len(r)
        scale, shift, below, above, g = others.T
        # Dead zones around the middle: half of all chains keep rewards in [-1, 1] and their own range.
        r = r * 10.0 ** (4.0 * _dead(scale))[:, None] + 20.0 * _dead(shift)[:, None]
        spread = r.max(axis=1) - r.min(axis=1)
        gamma = _discounts((g + 1.0) / 2.0, USUAL_GAMMA if question.blurred else LARGEST_GAMMA)
        if "W1" in question.names:
            gamma = SUMMED_GAMMA * gamma
        if question.gamma is not None:
            gamma = np.full(N, nearest_float(question.gamma))
        low, high = r.min(axis=1) - spread * np.maximum(below, 0.0), r.max(axis=1) + spread * np.maximum(above, 0.0)
        return Batch(Chains(P, r, gamma, end), D, low, high, np.full(N, float(self.S)), question.dim, given)


def spaces(question: Question) -> list[Space]:
    """The sizes that an adversary tries, small ones first.

    >>> from proofs_check.conjectures.question import ask
    >>> [(space.X, space.d) for space in spaces(ask("radius(L) < 1", features="any"))]
    [(2, 1), (3, 1), (3, 2), (4, 2)]
    """
    if "Phi" in question.given:
        pairs = FEATURED if question.dim is None else [(max(2, question.dim) + more, question.dim) for more in (0, 1)]
        return [Space(question, X, 1, d) for X, d in pairs]
    if question.pressed and question.structured:
        return [Space(question, S, A) for S, A in LAYOUTS]
    return [Space(question, X) for X in (LAWS if question.exact_only else SIZES)]


def distribution(weights: Array) -> Array:
    """Rows made non-negative and normalized; a row without positive entry puts all on its largest."""
    positive = np.maximum(weights, 0.0)
    lone = positive.sum(axis=1) <= 0.0
    positive[lone] = np.eye(weights.shape[1])[weights[lone].argmax(axis=1)]
    normalized: Array = positive / positive.sum(axis=1, keepdims=True)
    return normalized


def _discounts(u: Array, most: float) -> Array:
    """Discount factors from 0 to ``most``: linear up to `USUAL_GAMMA`, then even in the logarithm of ``1 - gamma``."""
    beyond = np.maximum(u - 0.9, 0.0) / 0.1
    tail: Array = (1.0 - USUAL_GAMMA) * ((1.0 - most) / (1.0 - USUAL_GAMMA)) ** beyond
    return np.where(u < 0.9, USUAL_GAMMA * u / 0.9, 1.0 - tail)


def _dead(z: Array) -> Array:
    return np.sign(z) * np.maximum(np.abs(z) - 0.5, 0.0)
