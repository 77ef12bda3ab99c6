import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.evaluation.iteration import Iteration
from tabular_krope.evaluation.spectral import radius_and_norm, radius_doubt, undecided


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


@pytest.mark.parametrize(
    ("radius", "doubt", "coarse"),
    [
        (0.5, 0.0, False),
        (0.5, 0.999e-3, False),
        (0.5, 1.001e-3, True),  # more than a thousandth is not given
        (0.5, np.nan, True),
        (1.5, 1.001e-3, True),
        (1 - 1e-6, 0.9e-6, False),
        (1 - 1e-6, 1.1e-6, True),  # on both sides of 1
        (1 + 1e-6, 1.1e-6, True),
        (1.0, 0.0, True),
        (2.0, 0.9e-3, False),
    ],
)
def test_where_a_radius_is_not_decided(radius, doubt, coarse):
    assert undecided(radius, doubt) is coarse


@pytest.mark.parametrize(("off", "refused"), [(200, False), (300, True)])
@pytest.mark.parametrize("d", [2, 4, 8])
def test_a_radius_may_be_above_the_norm_by_sixty_four_roundings_of_each_direction(off, refused, d):
    """Of four directions at least; more where the condition number magnifies them."""
    eps = 2.0**-40
    for condition in (1.0, 16.0):
        above = 1 + off / 4 * max(d, 4) * condition * eps
        found = iteration(np.eye(d), above * np.eye(d), condition)
        if refused:
            with pytest.raises(tk.KropeError, match="the features are too ill-conditioned"):
                radius_and_norm(found, eps)
        else:
            radius, norm = radius_and_norm(found, eps)
            assert radius == norm == above
