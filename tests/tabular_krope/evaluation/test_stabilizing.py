"""The room of the matrix inequality, by hand."""

import pytest

import tabular_krope as tk


@pytest.mark.parametrize("gamma", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("scale", [1.0, 30.0])
def test_room_of_a_constant_feature_is_one_minus_gamma(gamma, scale):
    # For a feature that is 1 on both of two absorbing pairs B = 1 and gamma C = gamma, whatever the weights are.
    mrp = tk.MRP.from_matrix([[1.0, 0.0], [0.0, 1.0]], [0.0, 1.0], gamma)
    found = tk.stabilizing_weights(mrp, [[scale], [scale]])
    assert found.room == pytest.approx(1 - gamma, rel=1e-6)
    assert found.spectral_radius == pytest.approx(gamma)


def test_room_is_the_largest_over_all_weights():
    # 0 -> 1 -> 1 with features (1, 2) / sqrt(5/2): B = 0.4 (4 - 3p), gamma C = 0.36 (4 - 2p) for weights (p, 1 - p).
    mrp = tk.MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [0.0, 0.0], 0.9)
    found = tk.stabilizing_weights(mrp, [[1.0], [2.0]])
    # The smallest eigenvalue B - gamma C = 0.16 - 0.48 p is largest with all data on the second pair.
    assert found.room == pytest.approx(0.16, rel=1e-5)
    assert found.weights == pytest.approx([0.0, 1.0], abs=1e-5)
