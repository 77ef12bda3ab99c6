"""Expressions with square roots: sums of quotients times products of different roots."""

from dataclasses import dataclass, field

from proofs_check.prove.small_model.ring import ONE, ZERO, Ratio

Roots = frozenset[int]
NONE: Roots = frozenset()


class Nested(Exception):
    """A root inside a root, or below a fraction bar beside something else."""


@dataclass(slots=True)
class Table:
    """The radicands of one evaluation, numbered."""

    radicands: list[Ratio] = field(default_factory=list)

    def number(self, radicand: Ratio) -> int:
        """The number of a radicand, a new one if it is new."""
        for i, known in enumerate(self.radicands):
            if known.top == radicand.top and known.bottom == radicand.bottom:
                return i
        self.radicands.append(radicand)
        return len(self.radicands) - 1

    def product(self, roots: Roots) -> Ratio:
        """What is under the product of some roots."""
        result = Ratio(ONE, ONE)
        for i in sorted(roots):
            result = result * self.radicands[i]
        return result


@dataclass(frozen=True, slots=True, eq=False)
class Surd:
    """``sum_S part_S * prod_{i in S} sqrt(radicand_i)``; parts that vanish are left out."""

    table: Table
    parts: dict[Roots, Ratio]

    @classmethod
    def of(cls, table: Table, ratio: Ratio) -> "Surd":
        """A quotient without roots."""
        return cls(table, {NONE: ratio} if not ratio.top.is_zero() else {})

    @property
    def plain(self) -> Ratio:
        """The value if there are no roots in it; raises `Nested` otherwise."""
        if set(self.parts) - {NONE}:
            raise Nested
        return self.parts.get(NONE, Ratio(ZERO, ONE))

    def __add__(self, other: "Surd") -> "Surd":
        parts = dict(self.parts)
        for roots, part in other.parts.items():
            total = parts[roots] + part if roots in parts else part
            parts[roots] = total
        return Surd(self.table, {roots: part for roots, part in parts.items() if not part.top.is_zero()})

    def __neg__(self) -> "Surd":
        return Surd(self.table, {roots: -part for roots, part in self.parts.items()})

    def __mul__(self, other: "Surd") -> "Surd":
        result = Surd(self.table, {})
        for one, a in self.parts.items():
            for two, b in other.parts.items():
                result = result + Surd(self.table, {one ^ two: a * b * self.table.product(one & two)})
        return result

    def inverse(self) -> "Surd":
        """``1 / self`` of a single term."""
        if len(self.parts) != 1:
            raise Nested
        ((roots, part),) = self.parts.items()
        return Surd(self.table, {roots: (part * self.table.product(roots)).inverse()})

    def root(self) -> "Surd":
        """The square root of an expression without roots."""
        return Surd(self.table, {frozenset((self.table.number(self.plain),)): Ratio(ONE, ONE)})
