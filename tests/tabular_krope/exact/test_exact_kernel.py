from fractions import Fraction

import pytest
from flint import fmpq

import tabular_krope as tk
from tabular_krope.exact.exact_kernel import exact_distance, exact_krope_kernel, exact_reward_kernel
from tabular_krope.exact.psd import is_psd
from tests.cases import random_mrp


def test_truncated_series_in_fractions_is_the_independent_oracle():
    """K = sum g^n P^n K1 P^n' summed in Python fractions, with its exact tail bound g^N / (1 - g)."""
    P = [[Fraction(1, 2), Fraction(1, 2), 0], [0, Fraction(1, 4), Fraction(3, 4)], [1, 0, 0]]
    r, g, terms = [Fraction(0), Fraction(1), Fraction(1, 3)], Fraction(1, 4), 30
    K1 = [[1 - abs(a - b) for b in r] for a in r]
    total, push, factor = [[Fraction(0)] * 3 for _ in range(3)], K1, Fraction(1)
    for _ in range(terms):
        total = [[t + factor * v for t, v in zip(row, new, strict=True)] for row, new in zip(total, push, strict=True)]
        push = [
            [sum(P[x][u] * P[y][v] * push[u][v] for u in range(3) for v in range(3)) for y in range(3)]
            for x in range(3)
        ]
        factor *= g
    K = exact_krope_kernel(tk.ExactMRP.from_matrix(P, r, g))
    for x in range(3):
        for y in range(3):
            gap = Fraction(int(K[x, y].p), int(K[x, y].q)) - total[x][y]
            assert 0 <= gap <= factor / (1 - g)


def test_fixed_point_and_psd_on_floats_read_as_rationals():
    chain = random_mrp(0, S=3, A=2).exact()
    K = exact_krope_kernel(chain)
    P = chain.P_pi
    assert K == exact_reward_kernel(chain.r) + chain.gamma * (P * K * P.transpose())
    assert is_psd(K)


def test_gamma_zero_and_constant_rewards():
    chain = tk.ExactMRP.from_matrix([[1, 0], [0, 1]], [2, 2], 0)
    assert exact_krope_kernel(chain).table() == [[1, 1], [1, 1]]


def test_distance_by_hand():
    # Two absorbing pairs with rewards 0 and 1: K = I / (1 - g).
    K = exact_krope_kernel(tk.ExactMRP.from_matrix([[1, 0], [0, 1]], [0, 1], "9/10"))
    assert exact_distance(K).table() == [[0, 20], [20, 0]]


def test_reward_range_must_cover():
    with pytest.raises(tk.KropeError, match=r"reward_range must cover the rewards \[0, 1\]; got \(0, 1/2\)"):
        exact_reward_kernel((fmpq(0), fmpq(1)), (0, "1/2"))
