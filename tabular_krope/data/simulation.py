"""Simulating a model: transitions that its policy makes, from a seed."""

from typing import Any

from tabular_krope.data.dataset import Dataset, sample_dataset
from tabular_krope.errors import KropeError
from tabular_krope.models.exact_mdp import ExactMDP
from tabular_krope.models.mdp import MDP
from tabular_krope.models.random_policy import uniform_policy


def simulate(mdp: MDP | ExactMDP, policy: Any = None, n: int = 1000, seed: Any = 0, restart: float = 0.0) -> Dataset:
    """The first ``n`` transitions of a walk through a model: it starts in ``d0`` and begins anew where an episode ends.

    Args:
        mdp: the model; an ExactMDP is rounded.
        policy: a Policy or its probabilities [S, A]; uniform over the actions of each state if None.
        n: number of transitions.
        seed: an integer or a numpy Generator; the same seed gives the same transitions.
        restart: probability of beginning anew after any step. `sample_dataset` takes ``1 - gamma``, for which the
            pairs follow the discounted occupancy.

    >>> mdp = MDP(P=[[[0.0, 1.0]], [[0.0, 0.0]]], r=[[0.0], [1.0]], gamma=1.0, d0=[1.0, 0.0], end=[[0.0], [1.0]])
    >>> walk = simulate(mdp, n=4)
    >>> walk.s.tolist(), walk.r.tolist(), walk.done.tolist()
    ([0, 1, 0, 1], [0.0, 1.0, 0.0, 1.0], [False, True, False, True])
    """
    model = mdp.to_float() if isinstance(mdp, ExactMDP) else mdp
    if not isinstance(model, MDP):
        raise KropeError(f"mdp must be an MDP or an ExactMDP; got {type(mdp).__name__}")
    return sample_dataset(model, uniform_policy(model) if policy is None else policy, n, seed, restart)
