"""Fractions from their remainders modulo a large number."""

import numpy as np
from flint import fmpz, fmpz_poly

from tabular_krope.arrays import Array


def joined(digits: Array, p: int) -> list[fmpz]:
    """``sum_k digits[k] p^k`` for each column of whole floats, [digits, columns].

    >>> joined(np.array([[1.0, 2.0], [3.0, -1.0]]), 10)
    [31, -8]
    """
    whole, base = digits.astype(np.int64), fmpz(p)
    if np.abs(digits).max(initial=0.0) < 2.0**30 and p < 2**31:  # two digits at a time
        if len(whole) % 2:
            whole = np.vstack((whole, np.zeros_like(whole[:1])))
        whole, base = whole[::2] + p * whole[1::2], base * base
    return [fmpz_poly(column)(base) for column in whole.T.tolist()]


def fraction_modulo(value: fmpz, modulus: fmpz, top: fmpz, bottom: fmpz) -> tuple[fmpz, fmpz] | None:
    """The fraction that is ``value`` modulo ``modulus``, by Euclid's algorithm; unique if ``2 top bottom < modulus``.

    Args:
        value, modulus: integers.
        top, bottom: what numerator and denominator may be at most.

    Returns:
        Numerator and positive denominator, or None where there is no such fraction.

    >>> fraction_modulo(fmpz(6672), fmpz(10007), fmpz(70), fmpz(70))  # 3 * 6672 = 20016 = 2 (mod 10007)
    (2, 3)
    """
    low, high, of_low, of_high = value % modulus, modulus, fmpz(1), fmpz(0)
    while low > top:
        quotient, rest = divmod(high, low)
        high, low, of_high, of_low = low, rest, of_low, of_high - quotient * of_low
    if of_low == 0 or abs(of_low) > bottom:
        return None
    return (low, of_low) if of_low > 0 else (-low, -of_low)


def numerators_modulo(
    values: list[fmpz], modulus: fmpz, denominator: fmpz, slack: int
) -> tuple[list[fmpz], fmpz] | None:
    """Integers and one denominator with ``integer = value * denominator (mod modulus)`` and integers of few bits.

    Args:
        values: remainders of fractions.
        modulus: a power that is larger than the integers by more than twice ``slack`` bits.
        denominator: the common denominator, but perhaps for a factor of less than ``slack`` bits.
        slack: bits that tell an integer from chance.

    Returns:
        The integers and the denominator, or None where some value has none.

    >>> numerators_modulo([fmpz(5004), fmpz(3336)], fmpz(10007), fmpz(1), 4)  # 1/2 and 1/3
    ([3, 2], 6)
    """
    top, bottom = modulus >> (slack + 2), fmpz(1) << slack
    numerators: list[fmpz] = []
    for value in values:
        rest = value * denominator % modulus
        rest -= modulus if 2 * rest > modulus else 0
        if abs(rest) > top:
            fraction = fraction_modulo(rest, modulus, top, bottom)
            if fraction is None:
                return None
            rest, more = fraction
            numerators, denominator = [numerator * more for numerator in numerators], denominator * more
        numerators.append(rest)
    return numerators, denominator
