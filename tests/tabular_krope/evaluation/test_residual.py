"""The residual certificate of one pair that leads to itself, by hand: K1 = 1, gamma = 1/2, K = 2."""

import pytest

import tabular_krope as tk

MRP = tk.MRP.from_matrix([[1.0]], [0.0], gamma=0.5)


def test_features_too_small_to_be_certified():
    found = tk.residual_certificate(MRP, [[0.5]])
    assert found.residual.item() == pytest.approx(0.25 - 1 - 0.5 * 0.25)  # E = -7/8
    assert found.negative_part == pytest.approx(7 / 8)
    assert found.smallest_eigenvalue == pytest.approx(1 / 4)  # B = 1/4
    assert found.norm_bound == pytest.approx(1.5)  # 1/2 (1 + (7/8)/(1/4)) = 9/4
    assert found.margin == pytest.approx(1 / 4 * (2 - 1) - 7 / 8)
    assert found.norm == pytest.approx(0.5)
    assert not found.certified


def test_features_near_enough_to_the_kernel():
    found = tk.residual_certificate(MRP, [[1.25]])  # E = 25/16 - 1 - 25/32 = -7/32
    assert found.margin == pytest.approx(25 / 16 - 7 / 32)
    assert found.norm_bound == pytest.approx((0.5 * (1 + 7 / 50)) ** 0.5)
    assert found.certified


def test_features_larger_than_the_kernel_have_no_negative_part():
    found = tk.residual_certificate(MRP, [[2.0]])  # E = 4 - 1 - 2 = 1
    assert found.negative_part == 0
    assert found.norm_bound == pytest.approx(0.5**0.5)
    assert found.margin == pytest.approx(4.0)


def test_negative_part_of_a_residual_with_both_signs():
    # Two absorbing pairs with rewards 0 and 1: K1 = I, so E = diag(4 - 1 - 2, 1/4 - 1 - 1/8), halved by the weights.
    mrp = tk.MRP.from_matrix([[1.0, 0.0], [0.0, 1.0]], [0.0, 1.0], gamma=0.5)
    found = tk.residual_certificate(mrp, [[2.0, 0.0], [0.0, 0.5]])
    assert found.negative_part == pytest.approx(7 / 16)
    assert found.smallest_eigenvalue == pytest.approx(1 / 8)
    assert found.margin == pytest.approx(1 / 8 - 7 / 16)
