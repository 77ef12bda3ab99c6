"""Exact chains as people and verdicts write them down: ``.json`` without a header.

``{"P_pi": [["3/4", "1/4"], ["0", "1"]], "r": ["0", "1"], "gamma": "9/10"}``, with what else belongs to a witness: the
reward range of its kernel, data weights, its states. A whole verdict of ``krope conjecture --json`` stands for its
witness.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from tabular_krope.data.schema import exact_fields, require_names
from tabular_krope.errors import KropeError
from tabular_krope.exact.exact_kernel import exact_reward_kernel
from tabular_krope.models.exact_mrp import ExactMRP

NEEDED = ("P_pi", "r", "gamma")
OPTIONAL = ("end", "d0", "weights", "reward_range", "P", "Pi")
#: What a witness of ``krope check`` carries besides: features, kernels, partitions and pairs that a statement is about.
ASIDE = (
    "P_other", "P_three", "P_two", "b", "blocks", "delta", "eta", "first", "h", "k", "kept", "levels", "limit", "mix",
    "off", "other", "p", "pair", "phi", "psi", "psi_next", "q", "r_other", "r_three", "r_two", "range_other",
    "second", "start", "x",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Witness:
    """An exact chain with what its kernel and its data depend on.

    Attributes:
        chain: the chain.
        reward_range: (low, high) of the reward kernel; the rewards' own range if None.
        weights: data weights over pairs, [X]; uniform if None.
    """

    chain: ExactMRP
    reward_range: tuple[fmpq, fmpq] | None = None
    weights: tuple[fmpq, ...] | None = None


def witness_of(content: Mapping[str, Any]) -> Witness | None:
    """The witness that the content of a file without header describes; None if it is something else.

    >>> found = witness_of({"P_pi": [["1"]], "r": ["1"], "gamma": "1/2", "reward_range": ["-1", "1"]})
    >>> found.chain.q, found.reward_range
    ((2,), (-1, 1))
    """
    if "krope" in content:
        return None
    if "outcome" in content and "claim" in content and "witness" in content:
        if not isinstance(content["witness"], dict):
            raise KropeError(
                f"the verdict must have a witness, which only a refutation has; got {content['outcome']!r}"
            )
        return _witness(content["witness"])
    if isinstance(content.get("statements"), list):
        raise KropeError(
            "the file must hold one chain; got the verdicts of krope check (save the witness of one of its statements)"
        )
    return _witness(content) if "P_pi" in content else None


def _witness(fields: Mapping[str, Any]) -> Witness:
    kind = "a chain without header"
    require_names(kind, [name for name in fields if name not in ASIDE], NEEDED, OPTIONAL)
    exact = exact_fields({name: value for name, value in fields.items() if name in NEEDED + OPTIONAL})
    weights, limits = exact.pop("weights", None), exact.pop("reward_range", None)
    states = {name: exact.pop(name) for name in ("P", "Pi") if name in exact}
    chain = ExactMRP.from_matrix(exact.pop("P_pi"), **exact)
    if states:
        require_names("a chain with states", states, ("P", "Pi"), ())
        whole = ExactMRP(**states, **exact)
        if whole.P_pi != chain.P_pi:
            raise KropeError("P_pi must be the product of P and Pi; got another matrix")
        chain = whole
    if limits is not None:
        exact_reward_kernel(chain.r, limits)  # refuses a range that does not cover the rewards
    if weights is not None and (len(weights) != chain.n_pairs or min(weights) < 0 or sum(weights) == 0):
        raise KropeError(
            f"weights must be {chain.n_pairs} non-negative numbers, not all zero; got {list(map(str, weights))}"
        )
    return Witness(chain, limits and tuple(limits), weights and tuple(weights))
