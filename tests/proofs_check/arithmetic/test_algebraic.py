import numpy as np
import pytest
from flint import fmpq, fmpq_mat, fmpz_poly
from hypothesis import given
from hypothesis import strategies as st

from proofs_check.arithmetic import algebraic
from proofs_check.arithmetic.algebraic import largest_eigenvalue, largest_root, least_eigenvalue, spectral_radius
from proofs_check.arithmetic.reals import Real, decimal, multiply, root, sign, subtract

matrices = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.lists(st.integers(-3, 3), min_size=n, max_size=n), min_size=n, max_size=n)
)


def test_the_golden_ratio():
    phi = largest_root(fmpz_poly([-1, -1, 1]))
    assert isinstance(phi, Real)
    square = multiply(phi, phi)
    assert sign(subtract(subtract(square, phi), fmpq(1))) == 0
    assert decimal(phi, 12) == "1.61803398875"


def test_rational_roots_are_rational():
    assert largest_root(fmpz_poly([-3, 2]) * fmpz_poly([1, 0, 1])) == fmpq(3, 2)


def test_the_larger_of_two_near_roots():
    # sqrt(2) against a rational 1e-40 above it
    above = fmpq(int(2**0.5 * 10**15) + 1, 10**15)
    polynomial = fmpz_poly([-2, 0, 1]) * fmpz_poly([-int(above.p), int(above.q)])
    assert largest_root(polynomial) == above


@given(
    st.sampled_from([3, 5]).flatmap(lambda n: st.lists(st.integers(-50, 50), min_size=n, max_size=n)),
    st.integers(1, 40),
)
def test_roots_carry_the_bounds_of_their_conjugates(low, leading):
    polynomial = fmpz_poly([*low, leading])  # of odd degree, so that it has a real root
    found = largest_root(polynomial)
    if not isinstance(found, Real):
        return
    (degree,) = found.fields.values()
    factors = [f for f, _ in polynomial.factor()[1] if f.degree() == degree]
    if len(factors) > 1:
        return
    (factor,) = factors
    conjugates = np.abs(np.roots([float(int(c)) for c in factor.coeffs()[::-1]]))
    own = abs(int(factor.leading_coefficient()))
    assert own <= 2**found.l
    assert own * conjugates.max() <= 2**found.u * (1 + 1e-9)


@given(matrices)
def test_spectral_radius_against_lapack(rows):
    radius = spectral_radius(fmpq_mat(rows))
    truth = np.abs(np.linalg.eigvals(np.array(rows, dtype=float))).max()
    # a defective eigenvalue of a 4-by-4 matrix moves by the fourth root of eps
    assert abs(float(decimal(radius, 15)) - truth) < 2e-3


@given(matrices)
def test_spectral_radius_of_a_square(rows):
    M = fmpq_mat(rows)
    assert sign(subtract(spectral_radius(M * M), multiply(spectral_radius(M), spectral_radius(M)))) in (0, None)


def test_radius_of_a_rotation_of_a_negative_and_of_a_periodic_matrix():
    assert spectral_radius(fmpq_mat([[3, -4], [4, 3]])) == 5
    assert spectral_radius(fmpq_mat([[-7]])) == 7
    assert spectral_radius(fmpq_mat([[0, 1, 0], [0, 0, 1], [1, 0, 0]])) == 1
    assert spectral_radius(fmpq_mat([[0, 1], [0, 0]])) == 0


def test_balls_where_the_square_would_be_too_large(monkeypatch):
    monkeypatch.setattr(algebraic, "LARGEST_SQUARE", 1)
    radius = spectral_radius(fmpq_mat([[1, -2], [1, 1]]))  # eigenvalues 1 +- i sqrt(2)
    assert isinstance(radius, Real)
    assert decimal(radius) == "1.732050808"
    assert sign(subtract(radius, root(fmpq(3)))) is None
    assert sign(subtract(radius, fmpq(17, 10))) == 1


@pytest.mark.parametrize("rows", [[[2, 1], [1, 2]], [[1, 1], [1, 0]], [[4, 0], [0, 4]]])
def test_extreme_eigenvalues_of_symmetric_matrices(rows):
    values = np.linalg.eigvalsh(np.array(rows, dtype=float))
    assert abs(float(decimal(largest_eigenvalue(fmpq_mat(rows)))) - values[-1]) < 1e-9
    assert abs(float(decimal(least_eigenvalue(fmpq_mat(rows)))) - values[0]) < 1e-9


def test_an_eigenvalue_against_its_closed_form():
    # [[1, 1], [1, 0]]: (1 - sqrt(5)) / 2
    least = least_eigenvalue(fmpq_mat([[1, 1], [1, 0]]))
    closed = multiply(fmpq(1, 2), subtract(fmpq(1), root(fmpq(5))))
    assert sign(subtract(least, closed)) == 0


def test_factors_that_never_separate_are_an_error(monkeypatch):
    monkeypatch.setattr(algebraic, "BITS", ())
    with pytest.raises(ArithmeticError, match="must separate"):
        largest_root(fmpz_poly([-1, 1]))


@pytest.mark.parametrize("n", range(2, 7))
def test_the_radius_of_a_cycle_is_decided_though_all_eigenvalues_share_it(n):
    """Of n numbers 1/2 around a cycle: the eigenvalues are the n-th roots of 2^-n. Up to six rows that is algebra."""
    M = fmpq_mat(n, n)
    for i in range(n):
        M[i, (i + 1) % n] = fmpq(1, 2)
    assert sign(subtract(spectral_radius(M), fmpq(1, 2))) == 0
    M[0, 1] = fmpq(2) ** (n - 1)  # the product around is 1
    assert sign(subtract(spectral_radius(M), fmpq(1))) == 0
