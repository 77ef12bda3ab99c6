import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.evaluation.iteration import Iteration
from tabular_krope.evaluation.spectral import radius_and_norm, radius_doubt


def iteration(L, core, condition=1.0):
    return Iteration(np.array(L), np.zeros(len(L)), np.array(core), len(core), condition)


def test_a_radius_above_the_norm_is_refused():
    with pytest.raises(tk.KropeError, match=r"the spectral radius must be at most the norm of L; got 2 above 1"):
        radius_and_norm(iteration([[1.0]], [[2.0]]))


def test_what_rounding_explains_is_put_in_order():
    radius, norm = radius_and_norm(iteration([[1.0]], [[1.0 + 1e-14]]))
    assert radius == norm == 1.0 + 1e-14
    assert [float(size) for size in radius_and_norm(iteration([[3.0, 4.0], [0.0, 0.0]], [[3.0]]))] == [3.0, 5.0]


def test_a_radius_that_is_not_a_number_is_refused():
    with pytest.raises((tk.KropeError, np.linalg.LinAlgError)):
        radius_and_norm(iteration([[np.nan]], [[0.5]]))


def test_far_from_normal_matrices_are_in_more_doubt():
    assert radius_doubt(np.array([[0.5, 1e6], [0.0, 0.4]]), 1e-12) > 1
    assert radius_doubt(np.zeros((0, 0)), 1.0) == 0.0
