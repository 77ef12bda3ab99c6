"""Values of the free *-algebra over the rationals: sums of words of matrices, with scalars that commute.

A value maps ``(parameters, letters)`` to a rational: ``{(("gamma",), ("P", "K", "P'")): 1}`` is ``gamma P K P'``.
"""

import re
from fractions import Fraction
from typing import Any

from tabular_krope.errors import KropeError

Value = dict[tuple[tuple[str, ...], tuple[str, ...]], Fraction]


def need(condition: Any, what: str) -> None:
    """Refuses the certificate unless the condition holds."""
    if not condition:
        raise KropeError(f"the certificate must {what}")


def rational(text: str) -> Fraction:
    """A rational written as "-3/4" or "2".

    >>> rational("-3/4")
    Fraction(-3, 4)
    """
    need(isinstance(text, str) and re.fullmatch("-?[0-9]+(/0*[1-9][0-9]*)?", text), f"have rationals; got {text!r}")
    return Fraction(text)


def word(*letters: str) -> Value:
    """The product of the letters; the identity, or the number 1, if there are none.

    >>> word("P", "K")
    {((), ('P', 'K')): Fraction(1, 1)}
    """
    return {((), letters): Fraction(1)}


def plus(*values: Value) -> Value:
    """The sum, without terms that cancel."""
    out: Value = {}
    for key, number in (item for value in values for item in value.items()):
        out[key] = out.get(key, Fraction(0)) + number
    return {key: number for key, number in out.items() if number}


def minus(left: Value, right: Value) -> Value:
    """The difference.

    >>> minus(word("K"), word("K"))
    {}
    """
    return plus(left, {key: -number for key, number in right.items()})


def times(*values: Value) -> Value:
    """The product in this order: letters are joined, parameters commute.

    >>> times(word("P"), minus(word("K"), word()))
    {((), ('P', 'K')): Fraction(1, 1), ((), ('P',)): Fraction(-1, 1)}
    """
    out = word()
    for value in values:
        pairs = [(a, b) for a in out.items() for b in value.items()]
        out = plus(*({(tuple(sorted(m + n)), v + w): x * y} for ((m, v), x), ((n, w), y) in pairs))
    return out


def is_scalar(value: Value) -> bool:
    """Whether it has no letters."""
    return all(not letters for _, letters in value)
