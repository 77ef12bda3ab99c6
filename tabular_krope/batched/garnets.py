"""Many Garnets with random policies at once: the numbers of single ones, without a checked model for each.

A sweep over small Garnets spent three quarters of its time on making and checking models one by one, only to stack
their arrays. Here every generator draws what it would draw for its own model, in the same order, and what is made of
the draws is made for all at once: equal to the last bit to `garnet` and `random_policy`, as the tests say.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.batched.chains import Chains
from tabular_krope.errors import KropeError
from tabular_krope.models.garnet import DENSE_ENTRIES, garnet_draws, require_sizes


class SideBySide:
    """Generators whose draws of equal size are laid one after the other, along the first axis.

    >>> both = SideBySide([np.random.default_rng(0), np.random.default_rng(1)])
    >>> bool(both.random((4, 2))[2, 0] == np.random.default_rng(1).random())
    True
    """

    def __init__(self, each: Sequence[np.random.Generator]) -> None:
        self.each = each

    def _laid(self, method: str, size: Any, *arguments: Any) -> Array:
        first, *rest = size if isinstance(size, tuple) else (size,)
        share = (first // len(self.each), *rest)
        return np.concatenate([getattr(rng, method)(*arguments, size=share) for rng in self.each])

    def random(self, size: Any) -> Array:
        """Uniform on [0, 1)."""
        return self._laid("random", size)

    def integers(self, low: int, high: int, size: Any) -> Array:
        """Uniform on low, ..., high - 1."""
        return self._laid("integers", size, low, high)

    def standard_exponential(self, size: Any) -> Array:
        """Exponential with mean 1."""
        return self._laid("standard_exponential", size)

    def uniform(self, low: float, high: float, size: Any) -> Array:
        """Uniform on [low, high)."""
        return self._laid("uniform", size, low, high)


def fits(n: int, S: int, A: int) -> bool:
    """Whether ``n`` Garnets can be drawn side by side: no draw is cut for its size."""
    return n * S * A * S <= DENSE_ENTRIES


def garnet_chains(
    S: int,
    A: int,
    branching: int | None,
    gamma: float,
    models: Sequence[np.random.Generator],
    policies: Sequence[np.random.Generator] | None,
) -> Chains:
    """The processes of `garnet` for each generator of models, under `random_policy` for each generator of policies.

    Args:
        S, A, branching, gamma: as for `garnet`; gamma below 1.
        models: generators, [n].
        policies: generators, [n]; uniform policies if None.

    >>> chains = garnet_chains(3, 2, None, 0.9, [np.random.default_rng(5)], None)
    >>> chains.P.shape, chains.Pi[0, 1]
    ((1, 6, 3), array([0. , 0. , 0.5, 0.5, 0. , 0. ]))
    """
    S, A, b = require_sizes(S, A, branching)
    n, X = len(models), S * A
    if not fits(n, S, A):
        raise KropeError(f"models must have at most {DENSE_ENTRIES} probabilities together; got {n * X * S}")
    successors, p, r = garnet_draws(SideBySide(models), n * X, S, b)
    P = np.zeros((n * X, S))
    np.put_along_axis(P, successors, p, axis=1)
    if policies is None:
        probs = np.full((n, S, A), 1.0 / A)
    else:
        weights = SideBySide(policies).standard_exponential((n * S, A))
        probs = (weights / weights.sum(axis=1, keepdims=True)).reshape(n, S, A)
    Pi = np.zeros((n, S, S, A))
    own = np.arange(S)
    Pi[:, own, own] = probs
    d0 = (1.0 / S * probs).reshape(n, X)
    endless = np.zeros((n, X))
    return Chains(P.reshape(n, X, S), r.reshape(n, X), np.full(n, gamma), endless, Pi.reshape(n, S, X), d0)
