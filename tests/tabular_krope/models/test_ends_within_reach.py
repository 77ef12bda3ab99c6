"""Which model may have gamma = 1: the actions of a state are its own, not those of its neighbors in memory."""

import numpy as np
import pytest

import tabular_krope as tk

# State 0 can stay or move on; state 1 ends whatever it does.
P = np.array([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 0.0], [0.0, 0.0]]])
END = np.array([[0.0, 0.0], [1.0, 1.0]])


def test_one_action_toward_the_end_is_enough():
    assert tk.MDP(P, np.zeros((2, 2)), 1.0, end=END).gamma == 1.0


def test_the_way_of_another_state_is_no_help():
    # State 1 stays for ever; the way from state 0 to the end is not its own.
    stays = np.array([[[0.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [0.0, 1.0]]])
    with pytest.raises(tk.KropeError, match="got 1 and no end after state 1"):
        tk.MDP(stays, np.zeros((2, 2)), 1.0, end=[[1.0, 0.0], [0.0, 0.0]])
