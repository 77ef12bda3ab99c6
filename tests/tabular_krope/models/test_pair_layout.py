import numpy as np
import pytest

from tabular_krope.errors import KropeError
from tabular_krope.models.pair_layout import model_of_pairs


def test_a_pair_that_is_there_twice_stands_for_no_other():
    """As many pairs as states times actions, but one of them twice: not every state has every action."""
    with pytest.raises(KropeError):
        model_of_pairs(np.ones((2, 1)), np.array([1.0, 2.0]), [0, 0], [1, 1], 0.5)


def test_pairs_in_any_order_become_a_table():
    rows = np.array([[0.0, 1.0], [1.0, 0.0], [0.5, 0.5], [0.25, 0.75]])
    mdp = model_of_pairs(rows, np.array([3.0, 0.0, 2.0, 1.0]), [1, 0, 1, 0], [1, 0, 0, 1], 0.5)
    assert mdp.r.tolist() == [[0.0, 1.0], [2.0, 3.0]]
    assert mdp.P[1, 1].tolist() == [0.0, 1.0]
