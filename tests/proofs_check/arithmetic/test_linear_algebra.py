import numpy as np
import pytest

from proofs_check.arithmetic import linear_algebra as field


def test_the_same_answers_in_both_arithmetics():
    rng = np.random.default_rng(0)
    for _ in range(20):
        A = rng.integers(-3, 4, size=(4, 3))
        B = A @ A.T
        exact = field.rationals(B)
        assert field.rank(exact) == np.linalg.matrix_rank(B) == field.rank(B.astype(float))
        np.testing.assert_allclose(field.floats(field.pseudo_inverse(exact)), np.linalg.pinv(B), atol=1e-9)
        np.testing.assert_allclose(field.pseudo_inverse(B.astype(float)), np.linalg.pinv(B), atol=1e-9)
        shifted = B + 3 * np.eye(4, dtype=int)
        right = rng.integers(-3, 4, size=(4, 2))
        solution = field.solve(field.rationals(shifted), field.rationals(right))
        np.testing.assert_allclose(field.floats(solution), field.solve(shifted.astype(float), right.astype(float)))


@pytest.mark.parametrize(("M", "sign"), [([[2, 1], [1, 2]], -1), ([[1, 1], [1, 1]], 0), ([[1, 2], [2, 1]], 1)])
def test_the_sign_of_definiteness(M, sign):
    assert field.indefiniteness(field.rationals(M)) == sign
    assert np.sign(np.round(field.indefiniteness(np.array(M, dtype=float)), 12)) == sign


def test_indefiniteness_reads_both_triangles():
    assert field.indefiniteness(np.array([[1.0, 4.0], [0.0, 1.0]])) == pytest.approx(1.0)


def test_outside_measures_the_distance_to_a_span():
    V = np.array([[1.0], [1.0]])
    assert field.outside(V, np.array([1.0, 3.0])) == pytest.approx(1.0)
    assert field.outside(V, np.array([2.0, 2.0])) == pytest.approx(0.0, abs=1e-14)
    assert field.outside(0 * V, np.array([1.0, 3.0])) == 3.0


def test_zero_matrices():
    zero = field.rationals([[0, 0], [0, 0]])
    assert field.rank(zero) == 0
    assert field.rank(np.zeros((2, 2))) == 0
    assert field.pseudo_inverse(zero).tolist() == zero.tolist()
    assert field.independent_columns(zero).shape == (2, 0)


def test_identity_and_conversions():
    assert field.identity(2, True).dtype == object
    assert field.identity(2, False).dtype == float
    assert (
        field.rationals(field.flint_matrix(field.rationals([["1/2", 3]]))).tolist()
        == field.rationals([["1/2", 3]]).tolist()
    )
    np.testing.assert_array_equal(field.floats([1, 2]), [1.0, 2.0])
