import numpy as np
import pytest
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.blueprint import Blueprint
from proofs_check.chains.scope import Scope
from proofs_check.chains.shapes import cycle
from proofs_check.chains.simpler import array_moves, complexity, simpler
from proofs_check.search.shrink import shrink


def long_chain():
    """Thirteen states in a cycle with two actions each, distinct rewards."""
    moves = np.repeat(cycle(13), 2, axis=0)
    return Blueprint(moves, tuple(map(fmpq, range(26))), fmpq(4, 7), [1] * 26, actions=2).case()


def test_a_long_chain_with_states_keeps_them_while_it_becomes_simpler():
    scope = Scope(structured=True)
    case = long_chain()
    found = simpler(scope, case)
    assert found
    for near in found:
        near.exact_mrp()  # validates
        assert (near.X, len(near.Pi)) == (26, 13)
        assert complexity(scope, near) < complexity(scope, case)
    small = shrink(case, lambda near: near.X == 2 * len(near.Pi) and near.own_range > 0, scope, budget=200)
    assert (small.X, len(small.Pi)) == (26, 13)
    assert sorted(small.r) == [0] * 25 + [1]
    assert small.gamma == fmpq(1, 2)


@pytest.mark.parametrize(
    ("shape", "columns_left_out"), [((2,), 0), ((1,), 0), ((2, 2), 0), ((3, 1), 0), ((2, 3), 3), ((3, 2), 2)]
)
def test_columns_of_features_are_left_out_and_those_of_square_matrices_stay(shape, columns_left_out):
    value = rationals(np.full(shape, 2))
    found = list(array_moves(value))
    assert sum(array.shape != shape for array in found) == columns_left_out
    assert sum(array.shape == shape for array in found) == 3 * value.size
    assert all(np.sum(array != 2) == 1 for array in found if array.shape == shape)
