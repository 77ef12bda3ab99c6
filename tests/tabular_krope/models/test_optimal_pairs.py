"""The value of what follows an action belongs to that action in that state."""

from tabular_krope.models.mdp import MDP
from tabular_krope.models.optimal import optimal_policy, optimal_values


def test_a_poor_reward_now_for_a_rich_state():
    # Action 0 leads to state 0, action 1 to state 1. Staying pays 1 in state 0 and 10 in state 1, moving nothing.
    mdp = MDP(P=[[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]]], r=[[1.0, 0.0], [0.0, 10.0]], gamma=0.5)
    assert optimal_values(mdp).tolist() == [10.0, 20.0]  # 0 + 20/2 beats 1 + 2/2
    assert optimal_policy(mdp).probs.tolist() == [[0.0, 1.0], [0.0, 1.0]]
