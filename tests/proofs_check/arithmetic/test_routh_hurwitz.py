"""The table decides what eigenvalues and Lyapunov's equation say."""

import numpy as np
import pytest

from proofs_check.arithmetic.linear_algebra import floats, identity, indefiniteness, rationals, solve
from proofs_check.arithmetic.routh_hurwitz import opposite_polynomial, positive_stable, routh_column


def lyapunov_says(A):
    """Whether ``A X + X A' = I`` has a positive definite solution, by one linear system."""
    n, unit = len(A), identity(len(A), True)
    system = np.kron(A, unit) + np.kron(unit, A)
    try:
        X = solve(system, unit.reshape(-1)).reshape(n, n)
    except ZeroDivisionError:  # two eigenvalues of opposite sign
        return False
    return indefiniteness((X + X.T) / 2) == -1


@pytest.mark.parametrize("n", range(1, 7))
def test_random_matrices(n):
    rng = np.random.default_rng(n)
    said = []
    for _ in range(30):
        A = rationals(rng.integers(-3, 4, size=(n, n))) + int(rng.integers(0, 2 * n)) * identity(n, True)
        least = np.linalg.eigvals(floats(A)).real.min()
        if abs(least) > 1e-6:
            assert positive_stable(A) == (least > 0) == positive_stable(floats(A))
            said.append(positive_stable(A))
        if n < 4:
            assert positive_stable(A) == lyapunov_says(A)
    assert True in said
    assert False in said


@pytest.mark.parametrize(
    ("A", "expected"),
    [
        ([[0]], False),
        ([[1]], True),
        ([[-1]], False),
        ([[0, 1], [-1, 0]], False),  # on the axis
        ([["1/1000000", 1], [-1, "1/1000000"]], True),
        ([["-1/1000000", 1], [-1, "-1/1000000"]], False),
        ([[1, 0, 0], [0, 0, 1], [0, -1, 0]], False),  # a zero below the first rows
        ([[1, 0, 0], [0, 2, 0], [0, 0, 0]], False),
    ],
)
def test_by_hand(A, expected):
    assert positive_stable(rationals(A)) is expected


def test_the_column_of_a_quartic_by_hand():
    # s^4 + 2 s^3 + 3 s^2 + 4 s + 1: (2*3 - 4)/2 = 1, (1*4 - 2*1)/1 = 2, 1
    assert routh_column(rationals([1, 2, 3, 4, 1])) == list(rationals([1, 2, 1, 2, 1]))
    assert routh_column(rationals([2, 4, 6, 8, 2])) == list(rationals([1, 2, 1, 2, 1]))
    assert routh_column(rationals([1, 2, 3, 7, 1])) == list(rationals([1, 2, "-1/2"]))


def test_the_polynomial_of_the_opposite_matrix():
    assert opposite_polynomial(rationals([[1, 7], [0, -2]])) == list(rationals([1, -1, -2]))  # (s + 1)(s - 2)
