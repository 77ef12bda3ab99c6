"""A conjecture as a value: the claim, its premises, and the chains that it is about."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from flint import fmpq

from proofs_check.chains.case import Case
from proofs_check.chains.classes import belongs, require_classes
from proofs_check.chains.scope import Scope
from proofs_check.conjectures.language import QUANTITIES
from proofs_check.conjectures.matrix_language import FEATURES, MATRICES, MATRIX_FUNCTIONS
from proofs_check.conjectures.parse import parse, require_together
from proofs_check.conjectures.policies import is_distribution, is_policy, surely_ends
from proofs_check.conjectures.translate import constant_value
from proofs_check.conjectures.tree import Claim, Named
from tabular_krope.arrays import require_count
from tabular_krope.errors import KropeError, unknown_name
from tabular_krope.exact.rationals import rational

#: Quantities that are part of a chain, or nearly so: rounding does not blur them.
GIVEN = frozenset(("r", "end", "D", "P", "I", "gamma", "R", "rho0", "rmin", "rmax", "X", "S", "actions", "rewards"))
#: Quantities of another policy.
POLICY = frozenset(("mu", "q_mu", "P_mu", "K_mu", "d_mu"))
_EXISTS = re.compile(r"\s*exists\b\s*:?(.*)", re.DOTALL)
#: Quantities that depend on features.
FEATURED = frozenset(("rho", "norm", "norm_data", "q_hat"))
#: Quantities that are drawn or computed on rational chains, and that floats know as well.
FLOATED = POLICY | {"D2", "pi", "W1", "q_hat"}
#: Quantities that need no kernel.
PLAIN = GIVEN | {"q", "life", "horizon"}


@dataclass(frozen=True)  # no slots: what it is about is asked for every chain, and computed once
class Question:
    """What is asked.

    Attributes:
        claim: asserted for every choice of its free indices.
        premises: a free index that also occurs in the claim means the same pair there; any other one is quantified
            inside the premise ("for all").
        conservative: whether only chains are meant in which no episode ends.
        gamma: the only discount factor meant; any in [0, 1) if None.
        dim: number of features that spectral quantities are about; as many as there are if None.
        features: "any" for all matrices of features, "krope" for all KROPE features, "truncated" for the top ``dim``.
        exists: the claim as it was made, if it says there is a chain with pairs that meet it; ``claim`` is then its
            opposite, and a chain that refutes that is what was asked for.
        classes: names of `CLASSES` that the chains belong to.
    """

    claim: Claim
    premises: tuple[Claim, ...] = ()
    conservative: bool = False
    gamma: fmpq | None = None
    dim: int | None = None
    features: str = "krope"
    exists: Claim | None = None
    classes: tuple[str, ...] = ()

    @cached_property
    def text(self) -> str:
        """What is claimed, as it was understood."""
        return str(self.claim) if self.exists is None else f"exists {self.exists}"

    @cached_property
    def provable(self) -> bool:
        """Whether provers may be asked: they know discount factors below 1, no ``!=``, and nothing beside the chain."""
        return (
            not self.given and self.gamma != 1 and all(comparison.sign != "!=" for comparison in self.claim.comparisons)
        )

    @cached_property
    def axes(self) -> Mapping[str, int]:
        """An axis for each index: free ones of the claim first, then those of the premises, then bound ones."""
        parts = (self.claim, *self.premises)
        names = [index for part in parts for index in part.indices] + [index for part in parts for index in part.bound]
        return {index: axis for axis, index in enumerate(dict.fromkeys(names))}

    @cached_property
    def names(self) -> frozenset[str]:
        """Every quantity that the claim or a premise speaks about."""
        return frozenset().union(*(part.names | part.letters for part in (self.claim, *self.premises)))

    @cached_property
    def functions(self) -> frozenset[str]:
        """Every function of a matrix in it."""
        parts = (part.functions for part in (self.claim, *self.premises))
        return frozenset().union(*parts) & set(MATRIX_FUNCTIONS)

    @cached_property
    def letters(self) -> frozenset[str]:
        """Every whole matrix that it speaks about, except for the identity."""
        return frozenset().union(*(part.letters for part in (self.claim, *self.premises))) - {"I"}

    @cached_property
    def given(self) -> frozenset[str]:
        """What is quantified besides the chain and its data, by its name in a witness."""
        featured = any(MATRICES[name].featured for name in self.letters) or bool(self.names & FEATURED)
        parts = {"Phi"} if featured and self.features == "any" else set()
        parts |= {"D2"} if "D2" in self.names else set()
        return frozenset(parts | ({"mu"} if self.names & POLICY else set()))

    @cached_property
    def weighted(self) -> bool:
        """Whether the data distribution matters."""
        known = [QUANTITIES[name] for name in self.names if name in QUANTITIES]
        featured = any(MATRICES[name].featured for name in self.letters)
        spectral = any(one.spectral and not one.chain for one in known)
        return "D" in self.names or "on-policy" in self.classes or featured or spectral

    @cached_property
    def structured(self) -> bool:
        """Whether states matter, and not only pairs."""
        return bool(self.names & {"S", "actions", "pi"} or "mu" in self.given)

    @cached_property
    def spectral(self) -> bool:
        """Whether a spectral quantity is involved; a trace is a sum."""
        return bool(self.functions - {"trace"}) or any(
            name in QUANTITIES and QUANTITIES[name].spectral for name in self.names
        )

    @cached_property
    def exact_only(self) -> bool:
        """Whether only rational chains can be judged: a quantity has no float version."""
        if self.given or any(MATRICES[name].featured for name in self.letters) or self.functions & {"det", "rk"}:
            return True
        return any(name in QUANTITIES and QUANTITIES[name].exact_only for name in self.names)

    @cached_property
    def pressed(self) -> bool:
        """Whether an adversary in floats can press what rational chains alone are asked: features, policies, ``W1``."""
        if self.gamma == 1 or self.classes or self.functions & {"det", "rk"}:
            return False
        featured = "q_hat" in self.names or any(MATRICES[name].featured for name in self.letters)
        costly = {name for name in self.names if name in QUANTITIES and QUANTITIES[name].exact_only}
        return self.exact_only and costly <= FLOATED and (self.features == "any" or not featured)

    @cached_property
    def pinned(self) -> "Question":
        """The same question, with the discount factor that a premise names as the only one meant."""
        for premise in self.premises:
            for side, sign, other in ((c.left, c.sign, c.right) for c in premise.comparisons):
                for one, value in ((side, constant_value(other)), (other, constant_value(side))):
                    if sign == "==" and one == Named("gamma") and isinstance(value, fmpq) and 0 <= value < 1:
                        return replace(self, gamma=value) if self.gamma is None else self
        return self

    @cached_property
    def soft(self) -> bool:
        """Whether floats can only tell that a premise is nearly met: it is an equation, or may hold with equality."""
        signs = {comparison.sign for premise in self.premises for comparison in premise.comparisons}
        return bool(signs & {"==", "<=", ">="})

    @cached_property
    def blurred(self) -> bool:
        """Whether a premise that may hold with equality speaks about a quantity that floats have to compute."""
        return self.soft and any(name not in GIVEN for premise in self.premises for name in premise.names)

    @cached_property
    def scope(self) -> Scope:
        """What a search has to know of it."""
        return Scope(self.about, self.gamma, self.weighted, self.structured)

    def about(self, case: Case) -> bool:
        """Whether a rational chain is among those meant."""
        meant = (case.conservative or not self.conservative) and self.gamma in (None, case.gamma)
        ends = case.gamma < 1 or (self.gamma == 1 and surely_ends(case))
        return meant and ends and self._complete(case) and belongs(case, self.classes)

    def _complete(self, case: Case) -> bool:
        """Whether what is quantified besides the chain is of the right shape; it may still have to be drawn."""
        given = {name: case.given[name] for name in self.given if name in case.given}
        if "D2" in given and not (len(given["D2"]) == case.X and is_distribution(given["D2"])):
            return False
        if "mu" in given and not is_policy(case, given["mu"]):
            return False
        if "Phi" not in given:
            return True
        shape = np.shape(case.given["Phi"])
        return len(shape) == 2 and shape[0] == case.X and shape[1] >= 1 and self.dim in (None, shape[1])


def ask(
    text: object,
    assume: Iterable[object] = (),
    conservative: bool = False,
    gamma: Any = None,
    dim: int | None = None,
    features: str | None = None,
    classes: Iterable[str] = (),
) -> Question:
    """The question that a user asks, validated.

    >>> ask("q[x] == q[y]", assume=["d[x,y] == 0"]).axes
    {'x': 0, 'y': 1}
    """
    there_is = _EXISTS.match(text) if isinstance(text, str) else None
    said = parse(text if there_is is None else there_is[1])
    claim = said if there_is is None else _opposite(said)
    if isinstance(assume, str):
        assume = [assume]
    premises = tuple(parse(premise, f"assume[{i}]") for i, premise in enumerate(assume))
    require_together(claim, premises)
    g = None if gamma is None else rational(gamma, "gamma")
    if g is not None and not 0 <= g <= 1:
        raise KropeError(f"gamma must lie in [0, 1], and be 1 only where every episode ends; got {gamma}")
    if g == 1 and conservative:
        raise KropeError("gamma must be below 1 where no episode ends; got 1")
    d = None if dim is None else require_count(dim, "dim")
    exists = None if there_is is None else said
    return Question(claim, premises, bool(conservative), g, d, _features(features, d), exists, require_classes(classes))


def _opposite(claim: Claim) -> Claim:
    """What every chain has to meet for no chain to meet the claim."""
    if len(claim.comparisons) != 1:
        raise KropeError(f"claim must be one comparison after exists; got {claim} (use --assume for the others)")
    return Claim(claim.text, (claim.comparisons[0].negated,))


def _features(features: str | None, dim: int | None) -> str:
    """Which features are meant: where only their number is given, that many of the top ones."""
    if features is None:
        return "krope" if dim is None else "truncated"
    if features not in FEATURES:
        raise unknown_name("features", features, FEATURES)
    if (features == "truncated") != (dim is not None) and features != "any":
        wanted = "be given with truncated features" if features == "truncated" else "be left out for all features"
        raise KropeError(f"dim must {wanted}; got {'nothing' if dim is None else dim}")
    return features
