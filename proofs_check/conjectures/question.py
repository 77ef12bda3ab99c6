"""A conjecture as a value: the claim, its premises, and the chains that it is about."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from proofs_check.chains.case import Case
from proofs_check.chains.scope import Scope
from proofs_check.conjectures.language import QUANTITIES
from proofs_check.conjectures.parse import parse, require_together
from proofs_check.conjectures.tree import Claim
from tabular_krope.arrays import require_count
from tabular_krope.errors import KropeError
from tabular_krope.exact.rationals import rational

#: Quantities that are part of a chain, or nearly so: rounding does not blur them.
GIVEN = frozenset(("r", "end", "D", "P", "I", "gamma", "R", "rho0", "rmin", "rmax", "X", "S", "actions", "rewards"))


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked.

    Attributes:
        claim: asserted for every choice of its free indices.
        premises: a free index that also occurs in the claim means the same pair there; any other one is quantified
            inside the premise ("for all").
        conservative: whether only chains are meant in which no episode ends.
        gamma: the only discount factor meant; any in [0, 1) if None.
        dim: number of KROPE features that spectral quantities are about; as many as there are if None.
    """

    claim: Claim
    premises: tuple[Claim, ...] = ()
    conservative: bool = False
    gamma: fmpq | None = None
    dim: int | None = None

    @property
    def axes(self) -> Mapping[str, int]:
        """An axis for each index: free ones of the claim first, then those of the premises, then bound ones."""
        parts = (self.claim, *self.premises)
        names = [index for part in parts for index in part.indices] + [index for part in parts for index in part.bound]
        return {index: axis for axis, index in enumerate(dict.fromkeys(names))}

    @property
    def names(self) -> frozenset[str]:
        """Every quantity that the claim or a premise speaks about."""
        return frozenset().union(*(part.names for part in (self.claim, *self.premises)))

    @property
    def weighted(self) -> bool:
        """Whether the data distribution matters."""
        known = [QUANTITIES[name] for name in self.names]
        return "D" in self.names or any(quantity.spectral and not quantity.chain for quantity in known)

    @property
    def structured(self) -> bool:
        """Whether states matter, and not only pairs."""
        return bool(self.names & {"S", "actions"})

    @property
    def spectral(self) -> bool:
        """Whether a spectral quantity is involved."""
        return any(QUANTITIES[name].spectral for name in self.names)

    @property
    def exact_only(self) -> bool:
        """Whether only rational chains can be judged: a quantity has no float version."""
        return any(QUANTITIES[name].exact_only for name in self.names)

    @property
    def soft(self) -> bool:
        """Whether floats can only tell that a premise is nearly met: it is an equation, or may hold with equality."""
        signs = {comparison.sign for premise in self.premises for comparison in premise.comparisons}
        return bool(signs & {"==", "<=", ">="})

    @property
    def blurred(self) -> bool:
        """Whether a premise that may hold with equality speaks about a quantity that floats have to compute."""
        return self.soft and any(name not in GIVEN for premise in self.premises for name in premise.names)

    @property
    def scope(self) -> Scope:
        """What a search has to know of it."""
        return Scope(self.about, self.gamma, self.weighted, self.structured)

    def about(self, case: Case) -> bool:
        """Whether a rational chain is among those meant."""
        return (case.conservative or not self.conservative) and self.gamma in (None, case.gamma) and case.gamma < 1


def ask(
    text: object,
    assume: Iterable[object] = (),
    conservative: bool = False,
    gamma: Any = None,
    dim: int | None = None,
) -> Question:
    """The question that a user asks, validated.

    >>> ask("q[x] == q[y]", assume=["d[x,y] == 0"]).axes
    {'x': 0, 'y': 1}
    """
    claim = parse(text)
    if isinstance(assume, str):
        assume = [assume]
    premises = tuple(parse(premise, f"assume[{i}]") for i, premise in enumerate(assume))
    require_together(claim, premises)
    g = None if gamma is None else rational(gamma, "gamma")
    if g is not None and not 0 <= g < 1:
        raise KropeError(f"gamma must lie in [0, 1); got {gamma}")
    return Question(claim, premises, bool(conservative), g, None if dim is None else require_count(dim, "dim"))
