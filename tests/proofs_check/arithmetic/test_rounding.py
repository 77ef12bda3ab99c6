from fractions import Fraction
from math import exp, log, sqrt

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from proofs_check.arithmetic.rounding import EPS, Rounded, extreme_of

numbers = st.floats(-1e6, 1e6, allow_subnormal=False).filter(lambda v: v == 0 or abs(v) > 1e-6)
#: Far from underflow, which first-order bounds do not know.
errors = st.floats(0, 1e-3).filter(lambda v: v == 0 or v > 1e-60)


def noisy(value, error=0.0):
    return Rounded(np.array([float(value)]), np.array([float(error)]))


def holds(result, truth):
    """Whether the exact value lies within the error bound."""
    return abs(Fraction(float(result.value[0])) - Fraction(truth)) <= Fraction(float(result.error[0]))


@given(numbers, numbers, errors, errors, st.floats(-1, 1), st.floats(-1, 1))
@example(a=0.0, b=1.0, ea=0.0009239358863859766, eb=1.1754943508222875e-38, s=1.0, t=1.0)  # the bound itself is rounded
def test_the_exact_result_is_within_the_error(a, b, ea, eb, s, t):
    # the operands' true values are anywhere within their errors
    x, y = Fraction(a) + Fraction(ea) * Fraction(s), Fraction(b) + Fraction(eb) * Fraction(t)
    p, q = noisy(a, ea), noisy(b, eb)
    assert holds(p + q, x + y)
    assert holds(p - q, x - y)
    assert holds(p * q, x * y)
    assert holds(-p, -x)
    assert holds(abs(p), abs(x))
    assert holds(p.power(3), x**3)
    if abs(b) > 2 * eb:
        assert holds(p / q, x / y)
    assert holds(extreme_of("min", [p, q]), min(x, y))
    assert holds(extreme_of("max", [p, q]), max(x, y))


@given(st.floats(0, 1e4), st.floats(1e-12, 1e-3), st.floats(-1, 1))
def test_roots_exponentials_and_logarithms(a, e, t):
    x = a + e * t
    root, truth = noisy(a, e).sqrt(), sqrt(max(x, 0.0))
    assert abs(root.value[0] - truth) <= root.error[0] + 4 * EPS * truth
    if a < 100:
        power = noisy(a, e).exp()
        assert abs(power.value[0] - exp(x)) <= power.error[0] * (1 + 1e-9) + 1e-12 * exp(x)
    if a > 2 * e:
        logarithm = noisy(a, e).log()
        assert abs(logarithm.value[0] - log(x)) <= logarithm.error[0] + 4 * EPS * (1 + abs(log(x)))


def test_undefined_entries_are_nan():
    with np.errstate(all="ignore"):
        assert np.isnan((noisy(0) / noisy(0)).value[0])
        assert np.isnan((noisy(1) / noisy(1e-17, 1e-16)).value[0])
        assert np.isnan(noisy(-1).sqrt().value[0])
        assert noisy(-1e-17, 1e-16).sqrt().value[0] == 0
        assert np.isnan(noisy(0).log().value[0])
        assert np.isnan(noisy(1e5).exp().value[0])


def test_reductions():
    table = Rounded(np.array([[1.0, 2.0, 4.0]]), np.array([[0.1, 0.2, 0.3]]))
    assert table.total(1).value.tolist() == [[7.0]]
    assert table.total(1).error[0, 0] == pytest.approx(0.6)
    assert table.extreme("max", 1).value.tolist() == [[4.0]]
    assert table.extreme("min", 1).value.tolist() == [[1.0]]
    assert table.extreme("min", 1).error.tolist() == [[0.3]]
