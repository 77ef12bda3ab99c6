"""Rationals as people write them: text such as ``3/4``, ``-2`` or ``0.125``."""

import re
from typing import Any

from flint import fmpq, fmpz

from tabular_krope.errors import KropeError

_RATIO = re.compile(r"\s*([+-]?[0-9]+)(?:/([0-9]+))?\s*")
_DECIMAL = re.compile(r"\s*([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,3}))?\s*")


def fraction_from_text(value: Any, name: str) -> fmpq:
    """The rational written in ``value``, a string or an integer, however many digits it has.

    An exponent may have three digits: ``1e-999999999`` is a short text for a number that fills the memory.

    >>> fraction_from_text("3/4", "r[0]"), fraction_from_text("-2.5e-1", "r[1]"), fraction_from_text(2, "r[2]")
    (3/4, -1/4, 2)
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return fmpq(value)
    if isinstance(value, str):
        if ratio := _RATIO.fullmatch(value):
            whole, part = fmpz(ratio[1].lstrip("+")), fmpz(ratio[2] or "1")
            if part != 0:
                return fmpq(whole, part)
        elif (decimal := _DECIMAL.fullmatch(value)) and (digits := decimal[2] + (decimal[3] or "")):
            size = fmpq(fmpz(digits)) * fmpq(10) ** (int(decimal[4] or 0) - len(decimal[3] or ""))
            return -size if decimal[1] == "-" else size
    raise KropeError(f'{name} must be a rational such as "3/4" or 0.75; got {_shortened(value)}')


def _shortened(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
