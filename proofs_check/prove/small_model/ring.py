r"""The ring that reduced claims live in: rational polynomials in named variables, and their quotients.

- ``w`` is gamma/(1 - gamma); ``lo``, ``rho``, ``t`` stand for rmin, rho0 and R - rho0;
- ``g1, g2, ..`` are weights of corners of the cell of rewards, ``p..`` and ``v..`` of rays and corners of parameters;
- ``b1, c1, ..`` are the masses that the pairs of the claim send to the least and to the largest reward.

A polynomial in a file is a list of terms ``[coefficient, {variable: exponent}]``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flint import Ordering, fmpq, fmpq_mpoly_ctx

CORNERS, RAYS, PAIRS = 16, 8, 4
NAMES = (
    "w", "lo", "rho", "t",
    *(f"p{i}" for i in range(1, RAYS + 1)),
    *(f"v{i}" for i in range(1, RAYS + 1)),
    *(f"g{i}" for i in range(1, CORNERS + 1)),
    *(f"b{i}" for i in range(1, PAIRS + 1)),
    *(f"c{i}" for i in range(1, PAIRS + 1)),
    "h",
)  # fmt: skip
RING = fmpq_mpoly_ctx.get(NAMES, Ordering.lex)
PLACE: Mapping[str, int] = {name: i for i, name in enumerate(NAMES)}
_GENERATORS = dict(zip(NAMES, RING.gens(), strict=True))
#: An ``fmpq_mpoly`` of the ring; flint ships no types.
Polynomial = Any


def variable(name: str) -> Polynomial:
    """The polynomial that is one variable."""
    return _GENERATORS[name]


def constant(value: Any) -> Polynomial:
    """The polynomial that is one number.

    >>> constant(fmpq(1, 2)) + variable("w")
    w + 1/2
    """
    return RING.constant(fmpq(value.numerator, value.denominator) if not isinstance(value, fmpq | int) else fmpq(value))


ZERO, ONE = constant(0), constant(1)


def used(p: Polynomial) -> list[str]:
    """Names of the variables that a polynomial depends on.

    >>> used(variable("w") * variable("b1") + 1)
    ['w', 'b1']
    """
    return [name for name, exponent in zip(NAMES, p.degrees(), strict=True) if exponent > 0]


def degree(p: Polynomial, names: Any) -> int:
    """Largest total degree of a term in the named variables."""
    places = [PLACE[name] for name in names]
    return max((sum(m[i] for i in places) for m in p.monoms()), default=0)


def coefficients(p: Polynomial, names: Any) -> dict[tuple[int, ...], Polynomial]:
    """The polynomial sorted by powers of the named variables: exponents to what multiplies them.

    >>> w, b = variable("w"), variable("b1")
    >>> {powers: str(part) for powers, part in coefficients(w * b + 2 * w + b, ["w"]).items()}
    {(1,): 'b1 + 2', (0,): 'b1'}
    """
    places = [PLACE[name] for name in names]
    parts: dict[tuple[int, ...], dict[tuple[int, ...], fmpq]] = {}
    for powers, value in p.to_dict().items():
        key = tuple(powers[i] for i in places)
        rest = list(powers)
        for i in places:
            rest[i] = 0
        parts.setdefault(key, {})[tuple(rest)] = value
    return {key: RING.from_dict(part) for key, part in parts.items()}


def substitute(p: Polynomial, values: Mapping[str, Polynomial]) -> Polynomial:
    """The polynomial with polynomials in place of variables.

    >>> substitute(variable("w") ** 2, {"w": variable("b1") + 1})
    b1^2 + 2*b1 + 1
    """
    names = [name for name in used(p) if name in values]
    total = ZERO
    for powers, part in coefficients(p, names).items():
        for name, exponent in zip(names, powers, strict=True):
            part = part * values[name] ** exponent
        total = total + part
    return total


def as_terms(p: Polynomial) -> list[list[Any]]:
    """The form of files.

    >>> as_terms(variable("w") ** 2 - constant(fmpq(1, 2)))
    [['1', {'w': 2}], ['-1/2', {}]]
    """
    return [
        [str(value), {name: int(e) for name, e in zip(NAMES, powers, strict=True) if e}]
        for powers, value in p.to_dict().items()
    ]


@dataclass(frozen=True, slots=True, eq=False)
class Ratio:
    """A quotient of polynomials in lowest terms.

    >>> w = variable("w")
    >>> Ratio.of(w * w - 1, w + 1)
    Ratio(top=w - 1, bottom=1)
    """

    top: Polynomial
    bottom: Polynomial

    @classmethod
    def of(cls, top: Polynomial, bottom: Polynomial) -> "Ratio":
        """``top / bottom``, reduced; the first coefficient below is positive."""
        common = top.gcd(bottom)
        if not common.is_one():
            top, bottom = top / common, bottom / common
        lead = bottom.leading_coefficient()
        if bottom.is_constant():
            return cls(top / lead, ONE)
        return cls(-top, -bottom) if lead < 0 else cls(top, bottom)

    def __add__(self, other: "Ratio") -> "Ratio":
        if self.bottom == other.bottom:
            total = self.top + other.top
            return Ratio(total, ONE) if self.bottom.is_one() else Ratio.of(total, self.bottom)
        return Ratio.of(self.top * other.bottom + other.top * self.bottom, self.bottom * other.bottom)

    def __neg__(self) -> "Ratio":
        return Ratio(-self.top, self.bottom)

    def __sub__(self, other: "Ratio") -> "Ratio":
        return self + (-other)

    def __mul__(self, other: "Ratio") -> "Ratio":
        top, bottom = self.top * other.top, self.bottom * other.bottom
        return Ratio(top, ONE) if bottom.is_one() else Ratio.of(top, bottom)

    def inverse(self) -> "Ratio":
        """``bottom / top``; the top must not be zero."""
        return Ratio.of(self.bottom, self.top)
