"""What a zoo entry is, and chains written as arrows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flint import fmpq, fmpq_mat

from tabular_krope.arrays import Array, distribution, frozen_array
from tabular_krope.exact.rationals import rational
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.induce import induce
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP
from tabular_krope.models.policy import Policy
from tabular_krope.models.random_policy import uniform_policy

#: state -> state -> probability, anything that reads as a rational
Arrows = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True, eq=False)
class ZooModel:
    """A named model with what belongs to it.

    Args:
        name: its name in the zoo.
        description: one line.
        model: an MDP, an MRP, or an ExactMRP where every number is rational.
        policy: the target policy of an MDP; uniform if None.
        features: the example's own features of the pairs, [X, d], or None.
        weights: the example's own data distribution over pairs, [X], or None.
        labels: names of the states, or None.

    >>> model = MDP(P=[[[1.0], [1.0]]], r=[[0.0, 1.0]], gamma=0.5)
    >>> ZooModel("one", "one state", model).mrp().q
    array([0.5, 1.5])
    """

    name: str
    description: str
    model: MDP | MRP | ExactMRP
    policy: Policy | None = None
    features: Array | None = None
    weights: Array | None = None
    labels: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        X, put = self.model.n_pairs, object.__setattr__
        if self.features is not None:
            put(self, "features", frozen_array(self.features, "features", (X, None)))
        if self.weights is not None:
            put(self, "weights", distribution(self.weights, X))

    def mrp(self) -> MRP:
        """The chain over pairs in floats, under the policy if the model is an MDP."""
        if isinstance(self.model, MDP):
            return induce(self.model, self.policy or uniform_policy(self.model))
        return self.model.to_float() if isinstance(self.model, ExactMRP) else self.model

    def exact(self) -> ExactMRP:
        """The chain over pairs in rationals; a float model is read as the rationals it holds."""
        return self.model if isinstance(self.model, ExactMRP) else self.mrp().exact()


def chain_of_arrows(arrows: Arrows, rewards: Mapping[str, Any], gamma: Any) -> tuple[ExactMRP, tuple[str, ...]]:
    """The exact chain with one action whose state ``x`` leads to ``y`` with probability ``arrows[x][y]``.

    What is missing from a state's probabilities ends the episode; what is missing from ``rewards`` is zero.

    Returns:
        The chain, starting anywhere, and the names of its states in order.

    >>> chain, names = chain_of_arrows({"x": {"y": "1/2"}, "y": {"y": 1}}, {"y": 1}, "1/2")
    >>> names, chain.q, chain.end
    (('x', 'y'), (1/2, 2), (1/2, 0))
    """
    names = tuple(arrows)
    place = {name: i for i, name in enumerate(names)}
    P = fmpq_mat(len(names), len(names))
    for x, targets in arrows.items():
        for y, probability in targets.items():
            P[place[x], place[y]] = rational(probability, f"arrows[{x}, {y}]")
    end = [1 - sum(row, fmpq(0)) for row in P.table()]
    return ExactMRP.from_matrix(P, [rewards.get(x, 0) for x in names], gamma, end), names
