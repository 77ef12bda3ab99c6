"""Layered regression against rationals, over hundreds of orders of magnitude."""

import flint
import numpy as np
import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from tabular_krope.exact.rationals import float_matrix, rational_matrix
from tabular_krope.representations.layers import eliminated, graded, graded_svd


def rationally(A, root, F):
    """The weighted regression of F on the columns of A by the normal equations, without rounding."""
    squares = [fmpq(*float(v).as_integer_ratio()) ** 2 for v in root]
    D = fmpq_mat(
        len(root), len(root), [squares[i] if i == j else 0 for i in range(len(root)) for j in range(len(root))]
    )
    exact, right = rational_matrix(A), rational_matrix(F)
    return float_matrix((exact.transpose() * D * exact).solve(exact.transpose() * D * right))


def drawn(seed, n, d):
    rng = np.random.default_rng(seed)
    return rng, rng.standard_normal((n, d)), 10.0 ** rng.uniform(-150, 0, n), rng.standard_normal((n, 3))


@pytest.mark.parametrize("seed", range(20))
def test_regression_over_three_hundred_orders_of_magnitude(seed):
    _, A, root, F = drawn(seed, 9, 1 + seed % 9)
    layers = eliminated(A, root)
    wanted = rationally(A, root, F)
    assert layers.rank == A.shape[1]
    assert np.abs(layers.inverse @ layers.fit(F) - wanted).max() <= 1e-11 * max(1, np.abs(wanted).max())
    assert np.abs(layers.Psi @ layers.U - A).max() <= 1e-14


@pytest.mark.parametrize("seed", range(20))
def test_rows_that_repeat_each_other_leave_the_rest_to_lighter_ones(seed):
    rng, A, root, F = drawn(seed, 9, 1 + seed % 4)
    A[rng.integers(9, size=4)] = A[0]
    A[rng.integers(9, size=2)] = -4 * A[1]  # a power of two: without rounding
    root[[0, 3]] = 1.0
    layers = eliminated(A, root)
    assert layers.rank == np.linalg.matrix_rank(A)
    if layers.rank == A.shape[1]:
        wanted = rationally(A, root, F)
        assert np.abs(layers.inverse @ layers.fit(F) - wanted).max() <= 1e-11 * max(1, np.abs(wanted).max())


@pytest.mark.parametrize("seed", range(10))
def test_multiples_of_a_row_are_told_from_new_rows_in_spite_of_rounding(seed):
    rng, _, root, F = drawn(seed, 8, 4)
    A = rng.integers(-9, 10, (8, 4)).astype(float)
    A[[2, 3]] = np.array([3.0, 7.0])[:, None] * A[0] / 2**3
    A[4] = A[0] / 2 + 3 * A[1]  # exact in float64, but not where it is eliminated
    root[:5] = 1.0
    wanted = rationally(A, root, F)
    layers = eliminated(A, root)
    assert np.abs(layers.inverse @ layers.fit(F) - wanted).max() <= 1e-10 * max(1, np.abs(wanted).max())


def test_the_heavy_pair_decides_and_the_light_one_settles_the_rest_by_hand():
    # x + y = mean(2, 4) from the heavy rows; y = 5 from the light one.
    A, root = np.array([[1.0, 1.0], [1.0, 1.0], [0.0, 1.0]]), np.array([1.0, 1.0, 1e-150])
    layers = eliminated(A, root)
    assert (layers.inverse @ layers.fit(np.array([[2.0], [4.0], [5.0]])))[:, 0] == pytest.approx([-2.0, 5.0])
    assert layers.outside(np.array([[2.0], [4.0], [5.0]]))[:, 0] == pytest.approx([-1.0, 1.0, 0.0], abs=1e-15)


def test_least_norm_where_rows_do_not_tell_columns_apart():
    layers = eliminated(np.array([[1.0, 2.0]]), np.array([1e-100]))
    assert (layers.inverse @ layers.fit(np.array([[5.0]])))[:, 0] == pytest.approx([1.0, 2.0])


@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 6))
def test_the_factors_are_what_they_say(seed, n, d):
    _, A, root, _ = drawn(seed, n, d)
    layers = eliminated(A, root)
    Q = layers.orthonormal()
    assert np.abs(Q.T @ Q - np.eye(layers.rank)).max() <= 1e-12
    assert np.abs(Q @ layers.weighted() / root[:, None] - A).max() <= 1e-12 * max(1.0, np.abs(layers.Psi).max())
    assert layers.doubt <= 1e-8 or n == d  # random rows say what they say
    over = layers.normalized()
    rounding = 1e-12 * root[:, None] * np.abs(over).max(axis=0, initial=0.0)  # of the sums, on a row's own scale
    assert (np.abs(root[:, None] * (A @ over) - Q) <= rounding + 1e-12).all()


@pytest.mark.parametrize("seed", range(5))
def test_singular_values_against_balls(seed):
    _, A, root, _ = drawn(seed, 8, 6)
    _, sigma, V = graded_svd(eliminated(A, root).weighted())
    with flint.ctx.workprec(4000):
        exact = rational_matrix(A)
        squares = [fmpq(*float(v).as_integer_ratio()) ** 2 for v in root]
        D = fmpq_mat(8, 8, [squares[i] if i == j else 0 for i in range(8) for j in range(8)])
        B = exact.transpose() * D * exact
        values = flint.acb_mat(6, 6, [flint.acb(flint.arb(v)) for v in B.entries()]).eig(multiple=True)
        wanted = sorted((float(value.real.sqrt().mid()) for value in values), reverse=True)
    assert sigma == pytest.approx(wanted, rel=1e-12)
    assert np.abs(V.T @ V - np.eye(6)).max() <= 1e-12


def test_nothing_to_decompose():
    layers = eliminated(np.zeros((2, 3)), np.ones(2))
    assert (layers.rank, layers.fit(np.ones((2, 1))).shape, layers.inverse.shape) == (0, (0, 1), (3, 0))
    assert [part.shape for part in graded_svd(layers.weighted())] == [(0, 0), (0,), (3, 0)]


def test_even_weights_are_not_graded():
    assert not graded(np.sqrt([1.0, 0.0, 1e-5]))
    assert graded(np.sqrt([1.0, 0.0, 1e-7]))
