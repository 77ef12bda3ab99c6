"""Small witnesses of refutations: Hypothesis looks for a simpler instance that fails, and what is left is simplified.

An instance is a chain with whatever the statement speaks about: data weights, reward range, features, matrices, pairs.
Whatever is proposed has to meet the premise and to fail over the rationals; the result is verified from its serialised
form alone.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.case import Case
from proofs_check.chains.simpler import GAMMAS, length, reward_moves, row_moves, without_end, without_pair
from proofs_check.chains.witness import INTEGERS, case_from_witness, witness_from_case
from proofs_check.statements.statement import Sides, Statement
from tabular_krope.errors import KropeError
from tabular_krope.exact.rationals import rational

#: Instances that Hypothesis draws, pairs that it draws them on, and instances that simplifying may try after it.
EXAMPLES, MAX_PAIRS, TRIES = 400, 3, 300


def small_witness(statement: Statement, case: Case) -> dict[str, Any]:
    """A small rational instance on which the statement fails, in serialised form, read back and verified.

    Args:
        statement: a universal claim.
        case: a rational instance on which it fails.

    Returns:
        The witness. The search is deterministic.

    >>> from proofs_check.statements.registry import STATEMENTS
    >>> lemma = STATEMENTS["lemma-value-bound"]
    >>> len(small_witness(lemma, case_from_witness(lemma.witnesses[0]))["r"])
    2
    """
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
    """The small witness that a serialised one leads to, serialised; a stored one is asked about again and again."""
    from proofs_check.search.shrink_strategy import find_like

    case = case_from_witness(json.loads(start))
    candidates = [case, find_like(case, lambda near: fails(claim, near), MAX_PAIRS, examples)]
    small = [simplified(claim, candidate, tries) for candidate in candidates if candidate is not None]
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


def simplified(statement: Statement | _Claim, case: Case, tries: int = TRIES) -> Case:
    """An instance that still fails, and none of whose simpler neighbours does (as far as ``tries`` instances reach)."""
    left = tries
    while True:
        for near in _simpler(case):
            left -= 1
            if fails(statement, near):
                case = near
                break
            if left <= 0:
                return case
        else:
            return case


def size(case: Case) -> tuple[bool, bool, int, int]:
    """How much a reader must accept: constant rewards or gamma = 0, episodes that end, pairs, length of all numbers.

    >>> size(case_from_witness({"P_pi": [["1", "0"], ["0", "1"]], "r": ["1/2", "0"], "gamma": "1/3"}))
    (False, False, 2, 8)
    """
    numbers = [*case.P_pi.reshape(-1), *case.r, *case.end, case.gamma, *(case.reward_range or ())]
    if any(weight != case.weights[0] for weight in case.weights):
        numbers += [*case.weights, *case.weights]
    total = sum(length(number) for number in numbers)
    for name, value in case.given.items():
        entries = np.asarray(value).reshape(-1)
        total += len(entries) + (0 if name in INTEGERS else sum(length(fmpq(entry)) for entry in entries))
    return case.own_range == 0 or case.gamma == 0, not case.conservative, case.X, total


def _simpler(case: Case) -> list[Case]:
    """Neighbours that are smaller, smallest first."""
    limit = size(case)
    found = [(size(near), k, near) for k, near in enumerate(_neighbours(case))]
    return [near for _, _, near in sorted((entry for entry in found if entry[0] < limit), key=lambda entry: entry[:2])]


def _neighbours(case: Case) -> Iterator[Case]:
    X = case.X
    for k in range(X if X > 1 else 0):
        yield from without_pair(case, k)
    if case.reward_range is not None:
        yield replace(case, reward_range=None)
    if not case.conservative:
        yield from without_end(case)
    yield replace(case, weights=rationals([fmpq(1, X)] * X))
    yield from (replace(case, weights=rationals(np.eye(X, dtype=int)[k])) for k in range(X))
    yield from (replace(case, gamma=rational(g)) for g in GAMMAS)
    yield from row_moves(case)
    yield from reward_moves(case)
    for name, value in case.given.items():
        if name not in INTEGERS:
            yield from (case.with_given(**{name: changed}) for changed in _simpler_arrays(value))


def _simpler_arrays(value: Any) -> Iterator[Any]:
    """An array with one entry set to 0, 1 or -1, or with one column of several left out."""
    array = np.asarray(value)
    if array.dtype != object:
        return
    if array.ndim == 2 and array.shape[0] != array.shape[1]:
        yield from (np.delete(array, k, axis=1) for k in range(array.shape[1] if array.shape[1] > 1 else 0))
    for index in np.ndindex(array.shape):
        for simple in (0, 1, -1):
            changed = array.copy()
            changed[index] = fmpq(simple)
            yield changed


def smaller(witness: Mapping[str, Any], than: Mapping[str, Any]) -> bool:
    """Whether a witness is smaller than another."""
    return size(case_from_witness(witness)) < size(case_from_witness(than))
