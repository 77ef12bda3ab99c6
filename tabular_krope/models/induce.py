"""From a model and a policy to the reward process on pairs."""

from typing import TYPE_CHECKING, Any, overload

import numpy as np

from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import LARGEST_REWARD, MRP
from tabular_krope.models.policy import policy_of

if TYPE_CHECKING:
    from tabular_krope.models.exact_mdp import ExactMDP
    from tabular_krope.models.exact_mrp import ExactMRP


@overload
def induce(mdp: MDP, policy: Any) -> MRP: ...
@overload
def induce(mdp: "ExactMDP", policy: Any) -> "ExactMRP": ...


def induce(mdp: "MDP | ExactMDP", policy: Any) -> "MRP | ExactMRP":
    """The reward process that ``policy`` makes of ``mdp``; starts in ``d0[s] * policy[a | s]``.

    Args:
        mdp: the model; an ExactMDP gives an ExactMRP, with nothing rounded.
        policy: a Policy, or its probabilities [S, A]; zero for actions that a state does not have. Fractions, and texts
            such as "1/3", for an ExactMDP. Or the number of each state's action, [S].

    >>> mdp = MDP(P=[[[1.0], [1.0]]], r=[[0.0, 1.0]], gamma=0.5)
    >>> induce(mdp, [[0.5, 0.5]]).q
    array([0.5, 1.5])
    """
    if not isinstance(mdp, MDP):
        from tabular_krope.models.exact_control import induce_exactly
        from tabular_krope.models.exact_mdp import ExactMDP

        if isinstance(mdp, ExactMDP):
            return induce_exactly(mdp, policy)
    policy = policy_of(mdp, policy)
    if not mdp.listed:
        d0 = (mdp.d0[:, None] * policy.probs).reshape(-1)
        if mdp.gamma < 1.0 and np.abs(mdp.r).max() <= LARGEST_REWARD:
            return MRP._of_valid(mdp.P_pairs, policy.matrix(), mdp.r.reshape(-1), mdp.gamma, mdp.end.reshape(-1), d0)
        return MRP(mdp.P_pairs, policy.matrix(), mdp.r.reshape(-1), mdp.gamma, mdp.end.reshape(-1), d0)
    pairs = mdp.pair_state, mdp.pair_action
    d0 = mdp.d0[mdp.pair_state] * policy.probs[pairs]
    return MRP(mdp.P_pairs, policy.matrix(*pairs), mdp.r, mdp.gamma, mdp.end, d0, None, *pairs)
