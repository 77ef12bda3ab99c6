"""Base features of an estimate, and functions it never saw, for continuous and for tabular data."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.closed_form.union_features import POLYNOMIALS, WAVES, UnionFeatures, union_features, waves
from tabular_krope.errors import KropeError, unknown_name
from tabular_krope.estimation.transitions import Functions, TabularTransitions, Transitions

UNION, PAIRS = "union", "pairs"
BASES = (UNION, PAIRS)
#: Fresh functions of each bandwidth, and their bandwidths in standard deviations of the inputs.
FRESH, BANDWIDTHS = 100, (1.0, 2.0, 4.0)
#: Tabular pairs with data up to which each has a feature of its own.
MOST_PAIRS = 1500


@dataclass(frozen=True, slots=True, eq=False)
class PairFeatures:
    """The constant, and one feature for each pair of a finite problem that has data.

    Attributes:
        column: the feature of each pair, -1 for pairs without data, [S, A].

    >>> PairFeatures(np.array([[0, -1], [1, 2]]))(np.array([[0.0, 1.0], [1.0, 0.0]]))
    array([[1., 0., 0., 0.],
           [1., 0., 1., 0.]])
    """

    column: Any

    def __call__(self, pairs: Array) -> Array:
        """Features of pairs ``(s, a)``, [n, 1 + pairs with data]."""
        at = self.column[pairs[:, 0].astype(int), pairs[:, 1].astype(int)]
        Psi = np.zeros((len(at), self.column.max() + 2))
        Psi[:, 0] = 1.0
        seen = np.flatnonzero(at >= 0)
        Psi[seen, 1 + at[seen]] = 1.0
        return Psi


def base_for(rows: Transitions, base: str | None, seed: Any, **sizes: Any) -> Functions:
    """Base features of transitions: "union" for continuous data, "pairs" for tabular data; by kind if None.

    Args:
        rows: the transitions.
        base: "union", "pairs" or None.
        seed: of the union's waves.
        sizes: of the union, as in `union_features`; by default no more of either sort than a quarter of the rows.
    """
    if base is not None and base not in BASES:
        raise unknown_name("base", base, BASES)
    if base == PAIRS and not isinstance(rows, TabularTransitions):
        raise KropeError("base must be 'union' for continuous data; got 'pairs'")
    if isinstance(rows, TabularTransitions) and base != UNION:
        seen = np.bincount(rows.data.pairs, minlength=rows.probs.size) > 0
        if seen.sum() > MOST_PAIRS:
            raise KropeError(f"base 'pairs' must have at most {MOST_PAIRS} pairs with data; got {seen.sum()}")
        return PairFeatures(np.where(seen, np.cumsum(seen) - 1, -1).reshape(rows.probs.shape))
    few = max(len(rows.r) // 4, 2)
    most = {"polynomials": min(POLYNOMIALS, few), "fourier": min(WAVES, few)}
    return union_features(rows.inputs, seed, **most | sizes)


def fresh_functions(rows: Transitions, base: Functions, seed: Any) -> Functions:
    """Functions that no estimate was fitted to: waves of three bandwidths, or random numbers for tabular pairs."""
    rng = np.random.default_rng(seed)
    if not isinstance(base, UnionFeatures):
        shape = rows.probs.shape if isinstance(rows, TabularTransitions) else (1, 1)
        table = rng.standard_normal((*shape, FRESH))
        return lambda pairs: table[pairs[:, 0].astype(int), pairs[:, 1].astype(int)]
    k = len(base.center)
    frequencies = np.hstack([rng.standard_normal((k, FRESH)) / width for width in BANDWIDTHS])
    phases: Array = np.asarray(rng.uniform(0.0, 2 * np.pi, frequencies.shape[1]))
    return lambda x: waves(base.clipped(x), frequencies, phases).astype(np.float64)
