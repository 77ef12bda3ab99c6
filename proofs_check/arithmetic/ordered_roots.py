"""All eigenvalues of a rational matrix whose eigenvalues are real, in order, as exact numbers."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

from flint import acb, arb, ctx, fmpq, fmpq_mat, fmpz_poly

from proofs_check.arithmetic.algebraic import BITS, root_of
from proofs_check.arithmetic.reals import Number, Real


def real_eigenvalues(M: fmpq_mat) -> list[Number]:
    """The real eigenvalues, each as often as it occurs, the largest first.

    >>> real_eigenvalues(fmpq_mat([[2, 0, 0], [0, 3, 0], [0, 0, 2]]))
    [3, 2, 2]
    """
    factors = [(factor, int(count)) for factor, count in M.charpoly().numer().factor()[1]]
    for bits in BITS:
        with ctx.workprec(bits):
            balls = [(ball, factor, count, j) for factor, count in factors for j, ball in enumerate(real_roots(factor))]
        ordered = sorted(balls, key=lambda entry: float(entry[0].mid()), reverse=True)
        if all(first[0] > second[0] for first, second in pairwise(ordered)):
            return [_number(factor, j) for _, factor, count, j in ordered for _ in range(count)]
    raise ArithmeticError("distinct algebraic numbers must separate; got two that do not at 4096 bits")


def real_roots(factor: fmpz_poly) -> list[arb]:
    """Disjoint balls around the real roots of an irreducible polynomial, the largest first."""
    found = [acb(z).real for z, _ in factor.complex_roots() if acb(z).imag == 0]
    order: Callable[[Any], float] = lambda ball: float(ball.mid())  # noqa: E731
    ordered = sorted(found, key=order, reverse=True)
    if any(not first > second for first, second in pairwise(ordered)):
        raise ArithmeticError(
            "roots of an irreducible polynomial must be disjoint balls in order; got two that overlap"
        )
    return ordered


def _number(factor: fmpz_poly, j: int) -> Number:
    number = root_of(factor)
    if isinstance(number, fmpq):
        return number
    assert isinstance(number, Real)
    return replace(number, enclose=lambda: real_roots(factor)[j])
