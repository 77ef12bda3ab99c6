"""Small rational chains that refute a claim or show that an assumption is needed."""

from typing import Any

import numpy as np

from tabular_krope.errors import KropeError
from tabular_krope.exact.rationals import nearest_float, rational
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.zoo_model import Arrows, ZooModel, chain_of_arrows

SIGNS: Arrows = {"+": {"+": 1}, "-": {"-": 1}}
PAYS = {"+": 1, "-": -1}


def value_bound(e: Any = "1/2", gamma: Any = "9/10") -> ZooModel:
    """``|dq| <= d + C`` fails: C = 0 and ``|dq| / d = 1/e`` for the mixing difference ``e`` in (0, 1]."""
    e = rational(e, "e")
    if not 0 < e <= 1:
        raise KropeError(f"e must lie in (0, 1]; got {e}")
    more, less = (1 + e) / 2, (1 - e) / 2
    arrows = {"x": {"a": more, "b": less}, "y": {"a": less, "b": more}, "a": {"+": 1}, "b": {"-": 1}, **SIGNS}
    chain, labels = chain_of_arrows(arrows, PAYS, gamma)
    return ZooModel(
        "c1-value-bound", "the printed value bound fails: |dq| = 81/10 > d = 81/20, C = 0", chain, labels=labels
    )


def not_a_metric(gamma: Any = "9/10") -> ZooModel:
    """``d(x, y) = 4 d(x, z) = 4 d(z, y)``: no triangle inequality."""
    arrows: Arrows = {"x": {"+": 1}, "y": {"-": 1}, "z": {"+": "1/2", "-": "1/2"}, **SIGNS}
    chain, labels = chain_of_arrows(arrows, PAYS, gamma)
    return ZooModel("c2-not-a-metric", "d is not a metric: d(x,y) = 18 > d(x,z) + d(z,y) = 9", chain, labels=labels)


def no_injectivity(gamma: Any = "9/10") -> ZooModel:
    """``d(x, y) = 0``, yet the Bellman image of ``1{a}`` tells x from y."""
    half = "1/2"
    arrows: Arrows = {
        "x": {"a": half, "b": half}, "y": {"c": 1}, "a": {"+": 1}, "b": {"-": 1}, "c": {"+": half, "-": half}, **SIGNS,
    }  # fmt: skip
    chain, labels = chain_of_arrows(arrows, PAYS, gamma)
    return ZooModel(
        "c3-no-injectivity", "grouping by d = 0 is not complete without injective rewards", chain, labels=labels
    )


def unweighted_truncation(gamma: Any = "9/10") -> ZooModel:
    r"""The top eigenvector of the unweighted kernel diverges under ``D = (0, 0, 1)``.

    It is $(\sqrt{c^2 + 1}, c, 1)$ with $c = (1+\gamma)/(1-\gamma)$, kept as the feature, and $\rho = \gamma c$.
    """
    chain = ExactMRP.from_matrix([[0, 0, 1], [0, 0, 1], [0, 1, 0]], [0, -1, 1], gamma)
    c = nearest_float((1 + chain.gamma) / (1 - chain.gamma))
    return ZooModel(
        "c4-unweighted-truncation",
        "truncating the unweighted kernel can diverge: rho = 171/10 at d = 1",
        chain,
        features=np.array([[np.hypot(c, 1.0)], [c], [1.0]]),
        weights=np.array([0.0, 0.0, 1.0]),
        labels=("0", "1", "2"),
    )


def zero_weights(gamma: Any = "9/10") -> ZooModel:
    """Full-rank features diverge when a pair has no data: ``rho = 10 gamma``."""
    chain = ExactMRP.from_matrix([[0, 1], [0, 1]], [0, 1], gamma)
    return ZooModel(
        "c5-zero-weights",
        "full-rank features need data on every pair: rho = 9 with D = (1, 0)",
        chain,
        features=np.array([[1.0, 0.0], [10.0, 1.0]]),
        weights=np.array([1.0, 0.0]),
        labels=("1", "2"),
    )


def self_similarity(gamma: Any = "9/10") -> ZooModel:
    """A pair more similar to another than to itself: ``k(1, 1) = 53/8 < k(1, 2) = 31/4``, counting from 0."""
    chain = ExactMRP.from_matrix([[0, 0, 1], ["3/4", 0, "1/4"], [1, 0, 0]], [-1, 1, 1], gamma)
    return ZooModel(
        "self-similarity", "k(1,1) = 53/8 < k(1,2) = 31/4: self-similarity can be lower", chain, labels=("0", "1", "2")
    )


def ending_bound(gamma: Any = "9/10") -> ZooModel:
    """The bound by independent copies fails where episodes end: 9/20 > 9/40."""
    arrows: Arrows = {"x": {"+": "1/2"}, "y": {}, "+": {}, "-": {}}
    chain, labels = chain_of_arrows(arrows, PAYS, gamma)
    return ZooModel(
        "b9-ending", "the bound by independent copies needs endless chains: 9/20 > 9/40", chain, labels=labels
    )
