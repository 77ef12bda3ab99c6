"""The paper's bound with a constant that is not zero, by hand."""

import pytest

import tabular_krope as tk


def test_half_of_the_sum_of_the_two_constants_is_added():
    # x leads to + or - with probability 1/2; both are absorbing. Two children of x differ by 2 half of the time, all
    # later ones have a common parent that is + or -: the constant of x is 1, those of + and - are 0.
    mrp = tk.MRP.from_matrix([[0.0, 0.5, 0.5], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0, 1.0, -1.0], 0.5)
    bounds = tk.value_bounds(tk.krope_kernel(mrp))
    # K(+,+) = K(-,-) = 2, K(+,-) = 0: MMD^2 of (1/2, 1/2) and (1, 0) is 1, and d(x, +) = 2/2 * 1 + 1/2 * 1.
    assert bounds.distance[0, 1] == pytest.approx(1.5)
    assert bounds.printed[0, 1] == pytest.approx(1.5 + (1 + 0) / 2)
    assert bounds.printed[1, 2] == pytest.approx(bounds.distance[1, 2])
    assert bounds.printed[0, 0] == pytest.approx(1.0)
