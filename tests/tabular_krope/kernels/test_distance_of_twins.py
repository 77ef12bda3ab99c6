"""Distances far below the rounding of the kernel's entries, against the rationals."""

import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.exact.exact_kernel import exact_distance
from tabular_krope.exact.rationals import float_matrix


@pytest.mark.parametrize("gap", [1e-5, 1e-9, 1e-13])
def test_the_whole_matrix_of_distances_keeps_the_digits_of_near_twins(gap):
    # Pairs 0 and 1 differ by ``gap`` in their transitions: d is of size gap^2, the kernel of size 100.
    P = [[0.1, 0.2, 0.7], [0.1 + gap, 0.2, 0.7 - gap], [0.3, 0.3, 0.4]]
    K = tk.krope_kernel(tk.MRP.from_matrix(P, [1.0, 1.0, 0.0], 0.99))
    exact = float_matrix(exact_distance(tk.krope_kernel(K.mrp, "exact").exact_matrix()))
    # Each probability is rounded by eps, once more when the exact chain renormalizes its rows.
    assert K.distance()[0, 1] == pytest.approx(exact[0, 1], rel=1e-12 + 16 * np.finfo(float).eps / gap, abs=0)
    assert K.distance()[0, 1] == pytest.approx(K.distance(0, 1), rel=1e-12, abs=0)
