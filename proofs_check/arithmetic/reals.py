r"""Real numbers that are compared exactly: rationals, and what roots and algebraic numbers make of them.

A number is a python-flint rational as long as it can be. Otherwise it is a `Real`: an expression that can be enclosed
in a ball of any precision, together with what bounds it away from zero. Write $E = U/L$ with algebraic integers ``U``
and ``L``, all of whose conjugates are at most ``u`` and ``l`` in modulus, in a field of degree at most ``D``. If
$E \ne 0$ then the product of the conjugates of ``U`` is a non-zero integer, so

$$|E| \ge \frac{1}{l\,u^{D-1}}$$

(Burnikel, Funke, Mehlhorn, Schirra and Schmitt, 2001). A ball inside that radius around zero therefore proves that the
number *is* zero: comparisons of what ``+ - * / sqrt abs min max`` make of rationals and algebraic numbers are decided
whenever the bound is within reach. With ``exp`` and ``log``, or with balls of unknown origin, there is no such bound,
and a tie stays undecided.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf, isinf, isqrt, log2
from types import MappingProxyType
from typing import Any

from flint import arb, ctx, fmpq

#: Precisions at which balls are tried, in bits; the larger ones only where a separation bound says that they can help.
BITS = (64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384)
BITS_WITHOUT_BOUND = BITS[:4]


class Undefined:
    """The value of 0/0 and of the root of a negative number: nothing is claimed there."""

    def __repr__(self) -> str:
        return "undefined"


class Undecided:
    """The value of what could not be told apart from an undefined one at the largest precision."""

    def __repr__(self) -> str:
        return "undecided"


UNDEFINED, UNDECIDED = Undefined(), Undecided()


@dataclass(frozen=True, slots=True, eq=False)
class Real:
    """A real number that is not known to be rational.

    Attributes:
        enclose: a ball that contains it, at the precision of flint's context.
        u, l: base-2 logarithms of the bounds on conjugates in the module's docstring; infinite if there are none.
        fields: degree of each root and algebraic number in it, by identity; ``D`` is their product.
    """

    enclose: Callable[[], arb]
    u: float = inf
    l: float = inf  # noqa: E741
    fields: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    parts: tuple[Any, ...] = ()  # kept alive, so that identities in ``fields`` stay unique

    @property
    def separation(self) -> float:
        """Bits ``b`` such that the number is zero or at least ``2**-b`` in modulus."""
        if isinf(self.u + self.l):
            return inf
        degree = 1
        for own in self.fields.values():
            degree *= own
        return self.u * (degree - 1) + self.l + 1


Number = Any  # an fmpq, a Real, UNDEFINED or UNDECIDED


def sign(number: Number) -> int | None:
    """-1, 0 or 1; None if it cannot be decided.

    >>> two = fmpq(2)
    >>> sign(subtract(multiply(root(two), root(two)), two)), sign(subtract(root(two), fmpq(7, 5)))
    (0, 1)
    """
    if isinstance(number, fmpq):
        return int(number > 0) - int(number < 0)
    if not isinstance(number, Real):
        return None
    separation = number.separation
    reachable = separation < BITS[-1]
    for bits in BITS if reachable else BITS_WITHOUT_BOUND:
        with ctx.workprec(bits):
            ball = number.enclose()
            if ball > 0:
                return 1
            if ball < 0:
                return -1
            if ball == 0 or (reachable and abs(ball) < arb(2) ** -int(separation + 1)):
                return 0
    return None


def add(a: Number, b: Number) -> Number:
    """``a + b``."""
    return _combine(a, b, lambda x, y: x + y, _sum_bounds)


def subtract(a: Number, b: Number) -> Number:
    """``a - b``; nothing of it is enclosed where both are one and the same number."""
    if a is b and isinstance(a, Real):
        return fmpq(0)
    return _combine(a, b, lambda x, y: x - y, _sum_bounds)


def multiply(a: Number, b: Number) -> Number:
    """``a b``."""
    return _combine(a, b, lambda x, y: x * y, lambda ua, la, ub, lb: (ua + ub, la + lb))


def divide(a: Number, b: Number) -> Number:
    """``a / b``; undefined if ``b`` is zero.

    >>> divide(fmpq(1), fmpq(0))
    undefined
    """
    if isinstance(b, fmpq | Real):
        of_divisor = sign(b)
        if of_divisor == 0:
            return UNDEFINED
        if of_divisor is None:
            return UNDECIDED
    return _combine(a, b, lambda x, y: x / y, lambda ua, la, ub, lb: (ua + lb, la + ub))


def negate(a: Number) -> Number:
    """``-a``."""
    return subtract(fmpq(0), a)


def absolute(a: Number) -> Number:
    """``|a|``."""
    if isinstance(a, fmpq):
        return abs(a)
    return _single(a, abs)


def power(a: Number, n: int) -> Number:
    """``a ** n`` for ``n >= 0``."""
    if isinstance(a, fmpq):
        return a**n
    result: Number = fmpq(1)
    for _ in range(n):
        result = multiply(result, a)
    return result


def root(a: Number) -> Number:
    """The square root; rational where it can be, undefined for a negative number.

    >>> root(fmpq(9, 4)), root(fmpq(-1))
    (3/2, undefined)
    """
    if isinstance(a, fmpq):
        if a < 0:
            return UNDEFINED
        top, bottom = isqrt(int(a.p)), isqrt(int(a.q))
        if top * top == a.p and bottom * bottom == a.q:
            return fmpq(top, bottom)
    elif isinstance(a, Real):
        of_a = sign(a)
        if of_a != 1:
            return {None: UNDECIDED, -1: UNDEFINED, 0: fmpq(0)}[of_a]
    else:
        return a
    enclose, u, l, fields = _view(a)  # noqa: E741
    u, l = ((u + l) / 2, l) if u >= l else (u, (u + l) / 2)  # noqa: E741
    # The argument is positive, so that what a wide ball holds below zero can be left out.
    node = Real(lambda: enclose().nonnegative_part().sqrt(), u, l, MappingProxyType({}), (a,))
    return Real(node.enclose, u, l, MappingProxyType({**fields, id(node): 2}), (a, node))


def exponential(a: Number) -> Number:
    """``exp(a)``; 1 at zero, transcendental at every other algebraic number."""
    if isinstance(a, fmpq) and a == 0:
        return fmpq(1)
    return _without_bounds(a, lambda ball: ball.exp())


def logarithm(a: Number) -> Number:
    """The natural logarithm; undefined for numbers that are not positive."""
    if isinstance(a, fmpq | Real):
        of_a = sign(a)
        if of_a != 1:
            return UNDECIDED if of_a is None else UNDEFINED
        if isinstance(a, fmpq) and a == 1:
            return fmpq(0)
    return _without_bounds(a, lambda ball: ball.log())


def least(a: Number, b: Number) -> Number:
    """The smaller of two."""
    if isinstance(a, fmpq) and isinstance(b, fmpq):
        return min(a, b)
    return _combine(a, b, lambda x, y: x.min(y), _either_bounds)


def largest(a: Number, b: Number) -> Number:
    """The larger of two."""
    if isinstance(a, fmpq) and isinstance(b, fmpq):
        return max(a, b)
    return _combine(a, b, lambda x, y: x.max(y), _either_bounds)


def decimal(number: Number, digits: int = 10) -> str:
    """A decimal with that many correct digits, as far as they are known.

    >>> decimal(fmpq(1, 3), 4), decimal(root(fmpq(2)), 6)
    ('0.3333', '1.41421')
    """
    if isinstance(number, fmpq):
        return f"{int(number.p) / int(number.q):.{digits}g}"
    if not isinstance(number, Real):
        return repr(number)
    with ctx.workprec(256):
        return f"{float(number.enclose().mid()):.{digits}g}"


Bounds = Callable[[float, float, float, float], tuple[float, float]]


def _sum_bounds(ua: float, la: float, ub: float, lb: float) -> tuple[float, float]:
    return max(ua + lb, la + ub) + 1, la + lb


def _either_bounds(ua: float, la: float, ub: float, lb: float) -> tuple[float, float]:
    return max(ua, ub), max(la, lb)


def _view(a: Number) -> tuple[Callable[[], arb], float, float, Mapping[int, int]]:
    if isinstance(a, Real):
        return a.enclose, a.u, a.l, a.fields
    # Rounding of the logarithm is covered by the unit that `separation` adds and the one that `sign` adds.
    u = log2(abs(int(a.p))) if a != 0 else 0.0
    return (lambda: arb(a)), u + 1e-6, log2(int(a.q)) + 1e-6, {}


def _combine(a: Number, b: Number, act: Callable[[Any, Any], Any], bounds: Bounds) -> Number:
    if isinstance(a, fmpq) and isinstance(b, fmpq):
        return act(a, b)
    for number in (a, b):
        if isinstance(number, Undefined):
            return UNDEFINED
    for number in (a, b):
        if isinstance(number, Undecided):
            return UNDECIDED
    (ball_a, ua, la, fields_a), (ball_b, ub, lb, fields_b) = _view(a), _view(b)
    u, l = bounds(ua, la, ub, lb)  # noqa: E741
    return Real(lambda: act(ball_a(), ball_b()), u, l, MappingProxyType({**fields_a, **fields_b}), (a, b))


def _single(a: Number, act: Callable[[arb], arb]) -> Number:
    if not isinstance(a, Real):
        return a
    return Real(lambda: act(a.enclose()), a.u, a.l, a.fields, (a,))


def _without_bounds(a: Number, act: Callable[[arb], arb]) -> Number:
    if not isinstance(a, fmpq | Real):
        return a
    enclose = _view(a)[0]
    return Real(lambda: act(enclose()), parts=(a,))
