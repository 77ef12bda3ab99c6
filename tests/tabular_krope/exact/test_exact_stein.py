import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from tabular_krope.errors import KropeError
from tabular_krope.exact.exact_stein import solve_stein_exactly


@given(st.lists(st.integers(0, 4), min_size=9, max_size=9), st.lists(st.integers(-3, 3), min_size=9, max_size=9))
def test_solves_the_equation_with_no_remainder(weights, values):
    Q = fmpq_mat(3, 3, [fmpq(w, 13) for w in weights])  # rows sum to at most 12/13
    A = fmpq_mat(3, 3, [fmpq(v, 3) for v in values])
    C, g = A + A.transpose(), fmpq(9, 10)
    M = solve_stein_exactly(Q, C, g)
    assert M == C + g * (Q * M * Q.transpose())
    assert M == M.transpose()


def test_singular_equation_is_refused():
    with pytest.raises(KropeError, match="no two eigenvalues with product 1/g"):
        solve_stein_exactly(fmpq_mat([[1]]), fmpq_mat([[1]]), fmpq(1))


@pytest.mark.parametrize("back", [0, 1, 7, 39])
def test_solves_long_chains_block_by_block(back):
    """A path of 40 whose last element returns to ``back``: blocks of one pair, of cycles, and of everything."""
    n, g = 40, fmpq(9, 10)
    Q, C = fmpq_mat(n, n), fmpq_mat(n, n)
    for i in range(n):
        Q[i, back if i == n - 1 else i + 1] = fmpq(1)
        C[i, i] = fmpq(i)
    M = solve_stein_exactly(Q, C, g)
    assert M == C + g * (Q * M * Q.transpose())
