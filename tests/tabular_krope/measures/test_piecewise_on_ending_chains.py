"""The box of values contains zero where episodes end."""

import numpy as np
import pytest

import tabular_krope as tk


@pytest.mark.parametrize("reward", [1.0, -1.0])
def test_values_of_an_ending_chain_reach_down_to_zero(reward):
    # x -> w, y -> z; w and z end. All rewards equal, so r / (1 - gamma) = +-2 is the only value without an end, and
    # f(w) and f(z) could not differ. In the box with zero they do, by 2: (Tf)(x) - (Tf)(y) = gamma * 2.
    P = np.zeros((4, 4))
    P[0, 2] = P[1, 3] = 1.0
    mrp = tk.MRP.from_matrix(P, [reward] * 4, 0.5, end=[0.0, 0.0, 1.0, 1.0])
    assert tk.piecewise_completeness_error(mrp, [0, 0, 1, 2]) == pytest.approx(0.5 * 2 / 2)
    assert tk.piecewise_completeness_error(mrp, [0, 0, 1, 1]) == 0


def test_without_an_end_equal_rewards_leave_one_function():
    mrp = tk.MRP.from_matrix(np.eye(4)[[2, 3, 2, 3]], [1.0] * 4, 0.5)
    assert tk.piecewise_completeness_error(mrp, [0, 0, 1, 2]) == 0
