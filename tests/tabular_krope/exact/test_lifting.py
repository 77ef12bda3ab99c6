"""The Stein equation digit by digit, against the same equation as one linear system."""

from math import isqrt

import numpy as np
import pytest
from flint import fmpq, fmpq_mat, fmpz
from hypothesis import given
from hypothesis import strategies as st

import tabular_krope as tk
from tabular_krope.errors import KropeError
from tabular_krope.exact import exact_stein
from tabular_krope.exact.exact_stein import solve_stein_exactly
from tabular_krope.exact.lifting import IntegerStein, solve_by_lifting
from tabular_krope.exact.rationals import sandwiched
from tabular_krope.exact.reconstruction import fraction_modulo, joined, numerators_modulo
from tabular_krope.exact.shifted_stein import ShiftedStein, reduced

P = 4194301  # a prime


def random_matrix(rng: np.random.Generator, n: int, m: int, bottom: int = 9) -> fmpq_mat:
    tops, bottoms = rng.integers(-bottom, bottom + 1, n * m), rng.integers(1, bottom + 1, n * m)
    return fmpq_mat(n, m, [fmpq(int(a), int(b)) for a, b in zip(tops, bottoms, strict=True)])


def symmetric(matrix: fmpq_mat) -> fmpq_mat:
    return matrix + matrix.transpose()


@given(st.integers(0, 10**6), st.integers(1, 7))
def test_lifting_solves_the_equation(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    Q, C = random_matrix(rng, n, n), symmetric(random_matrix(rng, n, n))
    g = fmpq(int(rng.integers(-9, 10)) or 7, int(rng.integers(1, 10)))
    M = solve_by_lifting(Q, C, g)
    if M is not None:
        assert M == C + g * (Q * M * Q.transpose())
        assert M == M.transpose()


def test_lifting_is_taken_from_twenty_states_on(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = tk.rational_garnet(20, 1, seed=3)
    C = fmpq_mat(20, 20, [fmpq(1, 1 + abs(i - j)) for i in range(20) for j in range(20)])
    monkeypatch.setattr(exact_stein, "LIFTED_FROM", 21)
    expected = solve_stein_exactly(chain.Q, C, chain.gamma)
    monkeypatch.undo()
    monkeypatch.setattr(exact_stein, "_block_by_block", lambda *_: pytest.fail("not lifted"))
    assert solve_stein_exactly(chain.Q, C, chain.gamma) == expected


def test_a_dense_matrix_of_twenty_rows() -> None:
    rng = np.random.default_rng(0)
    Q = fmpq_mat(20, 20, [fmpq(int(v), 40) for v in rng.integers(1, 3, 400)])
    C = symmetric(random_matrix(rng, 20, 20))
    M = solve_stein_exactly(Q, C, fmpq(1, 2))
    assert M == C + fmpq(1, 2) * (Q * M * Q.transpose())


@pytest.mark.parametrize("n", [20, 24])
def test_two_absorbing_states_go_another_way(n: int) -> None:
    Q = fmpq_mat(n, n)
    for i in range(n):
        Q[i, max(i - 2, i % 2)] = fmpq(1)  # two independent eigenvectors for the eigenvalue 1
    C = fmpq_mat(n, n, [fmpq(1)] * (n * n))
    assert solve_by_lifting(Q, C, fmpq(1, 2)) is None
    assert solve_stein_exactly(Q, C, fmpq(1, 2)) == fmpq_mat(n, n, [fmpq(2)] * (n * n))


def test_large_denominators_go_another_way() -> None:
    Q = fmpq_mat([[fmpq(1, 3**40), fmpq(1, 2)], [fmpq(1, 5), fmpq(1, 7)]])
    assert IntegerStein.of(Q, Q + Q.transpose(), fmpq(1, 2)) is None
    assert solve_by_lifting(Q, Q + Q.transpose(), fmpq(1, 2)) is None


def test_a_singular_equation_is_refused() -> None:
    Q = fmpq_mat(20, 20)
    for i in range(20):
        Q[i, (i + 1) % 20] = fmpq(1)
    with pytest.raises(KropeError, match="singular Stein"):
        solve_stein_exactly(Q, Q + Q.transpose(), fmpq(1))


def test_a_right_hand_side_of_any_size() -> None:
    chain = tk.rational_garnet(4, 1, seed=1)
    C = fmpq_mat(4, 4, [fmpq(10**60, 3**50)] * 16)
    M = solve_by_lifting(chain.Q, C, chain.gamma)
    assert M == C + chain.gamma * (chain.Q * M * chain.Q.transpose())


def test_a_wrong_guess_is_seen() -> None:
    chain = tk.rational_garnet(5, 1, seed=2)
    C = fmpq_mat(5, 5, [fmpq(1, 1 + abs(i - j)) for i in range(5) for j in range(5)])
    equation = IntegerStein.of(chain.Q, C, chain.gamma)
    assert equation is not None
    M, denominator = (solve_by_lifting(chain.Q, C, chain.gamma) * equation.common).numer_denom()
    assert equation.solved_by(M, denominator)
    for i, j in ((0, 0), (1, 4), (4, 4)):
        M[i, j] += 1
        if i != j:
            M[j, i] += 1
        assert not equation.solved_by(M, denominator)
        M[i, j] -= 1
        if i != j:
            M[j, i] -= 1
    assert not equation.solved_by(M, denominator + 1)


@given(st.integers(0, 10**6), st.integers(1, 9))
def test_the_equation_modulo_a_prime(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    Q, R = rng.integers(-99, 99, (n, n)).astype(float), rng.integers(-99, 99, (n, n)).astype(float)
    R, g = R + R.T, int(rng.integers(2, P))
    equation = ShiftedStein.of(Q, g, P)
    if equation is not None:
        X = equation.solve(R)
        QXQ = reduced(reduced(Q @ X, P) @ Q.T, P)
        assert np.array_equal(reduced(X - reduced(g * QXQ, P) - R, P), np.zeros((n, n)))


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**9))
def test_a_fraction_comes_back(top: int, bottom: int) -> None:
    value, modulus = fmpq(top, bottom), fmpz(2**61 - 1)
    remainder = value.p * pow(int(value.q), -1, int(modulus)) % modulus
    assert fraction_modulo(remainder, modulus, fmpz(10**9), fmpz(10**9)) == (value.p, value.q)


def test_no_fraction_where_the_modulus_is_too_small() -> None:
    modulus = fmpz(2**31 - 1)
    bound = fmpz(isqrt(int(modulus) // 2))
    assert any(fraction_modulo(fmpz(v), modulus, bound, bound) is None for v in range(10**6, 10**6 + 50))
    assert numerators_modulo([fmpz(10**6 + k) * 10**3 for k in range(5)], modulus, fmpz(1), 8) is None


@given(st.lists(st.integers(-P // 2, P // 2), min_size=1, max_size=9), st.integers(-5, 5))
def test_digits_are_joined(digits: list[int], factor: int) -> None:
    columns = np.array([[d, factor * d] for d in digits], dtype=float)
    expected = sum(d * P**k for k, d in enumerate(digits))
    assert joined(columns, P) == [expected, factor * expected]


def test_a_sandwich_is_two_products() -> None:
    rng = np.random.default_rng(5)
    A, M = random_matrix(rng, 3, 4), symmetric(random_matrix(rng, 4, 4))
    assert sandwiched(A, M) == A * M * A.transpose()
