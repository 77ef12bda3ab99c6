"""Small witnesses of refutations: Hypothesis looks for a simpler instance that fails, and what is left is simplified.

An instance is a chain with whatever the statement speaks about: data weights, reward range, features, matrices, pairs.
Whatever is proposed has to meet the premise and to fail over the rationals; the result is verified from its serialized
form alone. What the search makes of the stored witnesses is kept (`kept_witnesses`) and only verified.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from proofs_check.chains.case import Case
from proofs_check.chains.scope import Scope
from proofs_check.chains.simpler import complexity
from proofs_check.chains.witness import case_from_witness, witness_from_case
from proofs_check.search.kept_witnesses import kept_witness
from proofs_check.search.shrink import shrink
from proofs_check.statements.statement import Sides, Statement
from tabular_krope.errors import KropeError

#: Instances that Hypothesis draws, pairs that it draws them on, and instances that simplifying may try after it.
EXAMPLES, MAX_PAIRS, TRIES = 1000, 3, 300
#: Statements speak of any chain, and of its pairs.
SCOPE = Scope()


def small_witness(statement: Statement, case: Case) -> dict[str, Any]:
    """A small rational instance on which the statement fails, in serialized form, read back and verified.

    Args:
        statement: a universal claim.
        case: a rational instance on which it fails.

    Returns:
        The witness: the one that is kept for this instance if it still refutes the statement, else what the search
        finds.

    >>> from proofs_check.statements.registry import STATEMENTS
    >>> lemma = STATEMENTS["lemma-value-bound"]
    >>> len(small_witness(lemma, case_from_witness(lemma.witnesses[0]))["r"])
    2
    """
    kept = kept_witness(statement.slug, witness_from_case(case))
    if kept is not None and fails(statement, case_from_witness(kept)):
        return kept
    return searched_witness(statement, case)


def searched_witness(statement: Statement, case: Case) -> dict[str, Any]:
    """`small_witness` by a search, which is deterministic."""
    claim = _Claim(statement.premise, statement.sides)
    witness: dict[str, Any] = json.loads(_shrunk(claim, json.dumps(witness_from_case(case)), EXAMPLES, TRIES))
    if not fails(statement, case_from_witness(witness)):
        raise KropeError(f"the witness of {statement.slug} must fail when it is read back; got one that holds")
    return witness


@dataclass(frozen=True, slots=True)
class _Claim:
    """What of a statement decides whether an instance refutes it."""

    premise: Callable[[Case], bool]
    sides: Sides


@lru_cache(maxsize=128)
def _shrunk(claim: _Claim, start: str, examples: int, tries: int) -> str:
    """The small witness that a serialized one leads to, serialized; a stored one is asked about again and again."""
    from proofs_check.search.shrink_strategy import find_like

    case = case_from_witness(json.loads(start))
    candidates = [case, find_like(case, lambda near: fails(claim, near), MAX_PAIRS, examples)]
    refutes = partial(fails, claim)
    small = [shrink(candidate, refutes, SCOPE, tries) for candidate in candidates if candidate is not None]
    best = min(small, key=size)
    witness = witness_from_case(best)
    if all(weight == best.weights[0] for weight in best.weights):
        del witness["weights"]  # uniform is what a reader assumes
    return json.dumps(witness)


def fails(statement: Statement | _Claim, case: Case) -> bool:
    """Whether a rational instance meets the premise and breaks a relation; False where neither can be computed."""
    try:
        return statement.premise(case) and not all(relation.holds(0.0) for relation in statement.sides(case))
    except (ArithmeticError, LookupError, ValueError):  # a feature may be zero, a matrix singular or of another size
        return False


def smaller(witness: Mapping[str, Any], than: Mapping[str, Any]) -> bool:
    """Whether a witness is smaller than another."""
    return size(case_from_witness(witness)) < size(case_from_witness(than))


def size(case: Case) -> tuple[int, int, int, int, int]:
    """How much a reader must accept, see `complexity`."""
    return complexity(SCOPE, case)
