"""A polynomial inequality on a simple set: what a claim is reduced to, and what a certificate is about."""

from dataclasses import dataclass, replace
from typing import Any

from proofs_check.prove.small_model.ring import ONE, Polynomial, as_terms, used, variable


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """``goal >= 0`` (or ``> 0``) wherever the variables obey their bounds and the constraints hold.

    Attributes:
        goal: a polynomial.
        nonnegative: variables that are at least 0.
        simplices: groups of variables that are at least 0 and sum to at most 1.
        free: variables that may be any number.
        constraints: polynomials that are at least 0.
        strict: whether the goal must not vanish.
        positive: those of the non-negative variables that are above 0.
        above: polynomials that are above 0.
    """

    goal: Polynomial
    nonnegative: tuple[str, ...] = ()
    simplices: tuple[tuple[str, ...], ...] = ()
    free: tuple[str, ...] = ()
    constraints: tuple[Polynomial, ...] = ()
    strict: bool = False
    positive: frozenset[str] = frozenset()
    above: tuple[Polynomial, ...] = ()

    @property
    def factors(self) -> list[Polynomial]:
        """Everything known to be at least 0: variables, what is left of each simplex, constraints; in that order."""
        found = [variable(name) for name in self.nonnegative]
        for block in self.simplices:
            found += [variable(name) for name in block]
            found.append(ONE - sum((variable(name) for name in block), ONE - ONE))
        return [*found, *self.constraints]

    @property
    def exceeding(self) -> list[Polynomial]:
        """Everything known to be above 0: variables by name, then polynomials."""
        return [*(variable(name) for name in sorted(self.positive)), *self.above]

    def about(self, goal: Polynomial, strict: bool = False) -> "Problem":
        """Another goal on the same set."""
        return replace(self, goal=goal, strict=strict)

    def without(self, names: tuple[str, ...], goal: Polynomial, strict: bool) -> "Problem":
        """A goal without some variables; conditions that speak of them are forgotten."""
        gone = set(names)
        return replace(
            self,
            goal=goal,
            strict=strict,
            nonnegative=tuple(name for name in self.nonnegative if name not in gone),
            simplices=tuple(block for block in self.simplices if not gone & set(block)),
            constraints=tuple(g for g in self.constraints if not gone & set(used(g))),
            positive=self.positive - gone,
            above=tuple(g for g in self.above if not gone & set(used(g))),
        )

    def as_json(self) -> dict[str, Any]:
        """The form of files."""
        return {
            "goal": as_terms(self.goal),
            "strict": self.strict,
            "nonnegative": list(self.nonnegative),
            "positive": sorted(self.positive),
            "simplices": [list(block) for block in self.simplices],
            "free": list(self.free),
            "constraints": [as_terms(g) for g in self.constraints],
            **({"above": [as_terms(g) for g in self.above]} if self.strict and self.above else {}),
        }
