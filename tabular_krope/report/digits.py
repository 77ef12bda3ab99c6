"""Numbers as a reader wants them: three digits, no rounding, no doubt about 1."""

from math import isnan

#: Smaller numbers are rounding; differences from 1 below the second are shown with more digits.
ROUNDING, NEAR_ONE = 1e-12, 5e-3
#: Sizes that are written out with commas.
THOUSANDS = (1e3, 1e6)


def three(value: float | None) -> str:
    """A number with three significant digits, 0 for what is rounding, a dash for none; more where 1 is near.

    >>> three(0.965566), three(17189.1), three(-5.3e-15), three(None), three(float("nan")), three(float("inf"))
    ('0.966', '17,200', '0', '-', '-', 'inf')
    >>> three(0.99987), three(1.00002), three(1.0), three(2.39e-05), three(1234567.0), three(1 + 2e-15)
    ('0.9999', '1.00002', '1', '2.39e-05', '1.23e+06', '1')
    """
    if value is None or isnan(value):
        return "-"
    if abs(value) < ROUNDING:
        return "0"
    if ROUNDING < abs(value - 1) < NEAR_ONE:
        digits = next(d for d in range(3, 16) if float(f"{value:.{d}g}") != 1)
        return f"{value:.{digits}g}"
    if THOUSANDS[0] <= abs(value) < THOUSANDS[1]:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.3g}"
