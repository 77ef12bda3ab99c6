"""A probability below the tolerance of row sums is an edge all the same."""

import numpy as np
import pytest

from tabular_krope.models.recurrence import recurrent_classes, states_that_never_end

TINY = 1e-12


@pytest.mark.parametrize("p", [TINY, 1e-300])
def test_a_state_that_leaks_is_transient(p):
    Q = np.array([[1.0 - p, p], [0.0, 1.0]])
    assert [members.tolist() for members in recurrent_classes(Q)] == [[1]]


def test_an_end_behind_a_tiny_edge_is_reached():
    assert states_that_never_end(np.array([[1.0 - TINY, TINY], [0.0, 0.0]]), np.array([0.0, 1.0])).size == 0
