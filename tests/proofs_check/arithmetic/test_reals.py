from fractions import Fraction
from math import exp, isclose, log, log2, sqrt

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from proofs_check.arithmetic import reals
from proofs_check.arithmetic.reals import UNDECIDED, UNDEFINED, Real, sign

fractions = st.fractions(min_value=-20, max_value=20, max_denominator=12)


def q(value):
    value = Fraction(value)
    return fmpq(value.numerator, value.denominator)


def root(value):
    return reals.root(q(value))


def test_sums_of_roots_by_hand():
    # sqrt(2) + sqrt(3) = sqrt(5 + 2 sqrt(6))
    left = reals.add(root(2), root(3))
    right = reals.root(reals.add(q(5), reals.multiply(q(2), root(6))))
    assert sign(reals.subtract(left, right)) == 0
    nudged = reals.add(right, q(Fraction(1, 10**60)))
    assert sign(reals.subtract(left, nudged)) == -1
    assert sign(reals.subtract(nudged, left)) == 1


def test_a_division_that_hides_a_zero():
    # 1 / (sqrt(5) - 2) = sqrt(5) + 2
    left = reals.divide(q(1), reals.subtract(root(5), q(2)))
    assert sign(reals.subtract(left, reals.add(root(5), q(2)))) == 0
    zero = reals.subtract(reals.multiply(root(2), root(8)), q(4))
    assert reals.divide(q(1), zero) is UNDEFINED
    assert reals.root(zero) == 0


def test_without_its_separation_bound_a_tie_stays_open():
    left = reals.add(root(2), root(3))
    right = reals.root(reals.add(q(5), reals.multiply(q(2), root(6))))
    difference = reals.subtract(left, right)
    assert sign(Real(difference.enclose)) is None


def test_a_ball_inside_a_bound_that_is_too_small_proves_nothing():
    tiny = fmpq(1, 2**3000)
    assert sign(Real(lambda: arb(tiny), u=1.0, l=3001.0)) == 1
    assert sign(Real(lambda: arb(0, 0.5), u=1.0, l=10.0)) is None


def test_a_number_far_below_one_ball_of_roots_is_not_zero():
    # second difference of the square root at N = 10**30: about 1e-45 / 4 next to numbers of 1e15
    N = 10**30
    first, second = reals.subtract(root(N + 1), root(N)), reals.subtract(root(N + 2), root(N + 1))
    assert sign(reals.subtract(first, second)) == 1


def wrapped(top, bottom):
    """A rational that does not know that it is one, with the bounds of its numerator and denominator."""
    return Real(lambda: arb(fmpq(top, bottom)), log2(abs(top)), log2(bottom))


positive = st.integers(1, 10**6)


@given(positive, positive, positive, positive)
def test_bounds_on_numerators_and_denominators(a, b, c, d):
    x, y = wrapped(a, b), wrapped(c, d)
    unreduced = {
        reals.add: (a * d + b * c, b * d),
        reals.subtract: (a * d - b * c, b * d),
        reals.multiply: (a * c, b * d),
        reals.divide: (a * d, b * c),
        reals.largest: (max(a, c), max(b, d)),
    }
    for act, (top, bottom) in unreduced.items():
        found = act(x, y)
        assert abs(top) <= 2 ** (found.u + 1e-6)
        assert bottom <= 2 ** (found.l + 1e-6)
    # sqrt(a/b) is sqrt(ab) / b or a / sqrt(ab)
    found = reals.root(x)
    tops, bottoms = ((a * b) ** 0.5, b) if a >= b else (a, (a * b) ** 0.5)
    assert tops <= 2 ** (found.u + 1e-6)
    assert bottoms <= 2 ** (found.l + 1e-6)
    assert list(found.fields.values()) == [2]


@given(fractions, fractions, fractions)
def test_products_and_quotients_of_roots_against_squares(a, b, c):
    a, b, c = abs(a), abs(b), abs(c)
    product = reals.multiply(root(a), root(b))
    assert sign(reals.subtract(product, root(a * b))) == 0
    order = sign(reals.subtract(reals.add(root(a), root(b)), root(c)))
    # sqrt(a) + sqrt(b) < sqrt(c) iff 2 sqrt(ab) < c - a - b
    rest = c - a - b
    truth = 1 if rest < 0 else (4 * a * b > rest * rest) - (4 * a * b < rest * rest)
    assert order == truth


@given(st.lists(fractions, min_size=2, max_size=2), st.sampled_from(["add", "subtract", "multiply", "divide"]))
def test_rationals_stay_rationals(values, name):
    a, b = values
    result = getattr(reals, name)(q(a), q(b))
    if name == "divide" and b == 0:
        assert result is UNDEFINED
        return
    truth = {"add": lambda: a + b, "subtract": lambda: a - b, "multiply": lambda: a * b, "divide": lambda: a / b}[
        name
    ]()
    assert result == q(truth)


def test_roots_that_are_rational():
    assert root(Fraction(9, 16)) == q(Fraction(3, 4))
    assert root(0) == 0
    assert root(-1) is UNDEFINED
    assert isinstance(root(Fraction(9, 2)), Real)


def test_absolute_values_extremes_and_powers():
    minus = reals.negate(root(2))
    assert sign(reals.subtract(reals.absolute(minus), root(2))) == 0
    assert sign(reals.subtract(reals.least(minus, q(1)), minus)) == 0
    assert sign(reals.subtract(reals.largest(minus, q(1)), q(1))) == 0
    assert reals.least(q(1), q(2)) == 1
    assert reals.largest(q(1), q(2)) == 2
    assert sign(reals.subtract(reals.power(minus, 3), reals.multiply(q(-2), root(2)))) == 0
    assert reals.power(q(2), 5) == 32
    assert reals.power(root(2), 0) == 1
    assert reals.absolute(q(-3)) == 3


def test_exponentials_and_logarithms():
    assert reals.exponential(q(0)) == 1
    assert reals.logarithm(q(1)) == 0
    assert reals.logarithm(q(0)) is UNDEFINED
    assert reals.logarithm(reals.negate(root(2))) is UNDEFINED
    assert sign(reals.subtract(reals.exponential(q(1)), q(Fraction(2718281828, 10**9)))) == 1
    assert sign(reals.subtract(reals.logarithm(q(2)), q(Fraction(7, 10)))) == -1
    tie = reals.subtract(reals.logarithm(reals.exponential(q(2))), q(2))
    assert sign(tie) is None
    assert reals.divide(q(1), tie) is UNDECIDED
    assert reals.root(tie) is UNDECIDED
    assert reals.logarithm(tie) is UNDECIDED


def test_markers_spread():
    for marker in (UNDEFINED, UNDECIDED):
        assert reals.add(marker, q(1)) is marker
        assert reals.multiply(root(2), marker) is marker
        assert reals.absolute(marker) is marker
        assert reals.root(marker) is marker
        assert reals.exponential(marker) is marker
        assert reals.logarithm(marker) is marker
        assert reals.divide(q(1), marker) is marker
        assert sign(marker) is None
    assert reals.add(UNDECIDED, UNDEFINED) is UNDEFINED
    assert [repr(UNDEFINED), repr(UNDECIDED)] == ["undefined", "undecided"]


@pytest.mark.parametrize(
    ("number", "value"),
    [
        (root(2), sqrt(2)),
        (reals.exponential(q(3)), exp(3)),
        (reals.logarithm(q(3)), log(3)),
        (q(Fraction(1, 3)), 1 / 3),
    ],
)
def test_decimals(number, value):
    assert isclose(float(reals.decimal(number, 15)), value, rel_tol=1e-14)
    assert reals.decimal(UNDEFINED) == "undefined"
