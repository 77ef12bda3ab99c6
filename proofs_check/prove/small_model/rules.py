"""Finding certificates: corners, coefficients, then squares. What is found is checked elsewhere."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from flint import fmpq

from proofs_check.prove.small_model.excess import excesses
from proofs_check.prove.small_model.patience import remembered
from proofs_check.prove.small_model.problem import Problem
from proofs_check.prove.small_model.ring import (
    ONE,
    Polynomial,
    coefficients,
    constant,
    degree,
    substitute,
    used,
)
from proofs_check.prove.small_model.samples import fails_somewhere
from proofs_check.prove.small_model.squares import sum_of_squares

Proof = dict[str, Any]
#: Powers of 1 + w that a goal is multiplied by.
MOST_MULTIPLIED = 2


def find(problem: Problem, squares: bool = True) -> Proof | None:
    """A proof of a problem; None if none was found.

    Args:
        problem: the goal and where it has to hold.
        squares: whether to try sums of squares, which takes a semidefinite program each.

    >>> from proofs_check.prove.small_model.ring import variable
    >>> b = variable("b1")
    >>> find(Problem(b * (1 - b), simplices=(("b1",),)))["rule"]
    'corners'
    """
    if _trivial(problem):
        return {"rule": "nonnegative"}
    if fails_somewhere(problem) or (problem.strict and _vanishes(problem)):
        return None
    for step in (_by_plain_excess, _by_coefficients, _by_corners, _by_excess, _by_one_variable):
        proof = step(problem, squares)
        if proof is not None:
            return proof
    if not squares:
        return None
    return remembered(problem, lambda: _by_squares(problem))


def _by_squares(problem: Problem) -> Proof | None:
    """A sum of squares times factors, of growing degree."""
    powers = range(MOST_MULTIPLIED + 1) if "w" in used(problem.goal) and "w" in problem.nonnegative else (0,)
    for level in (0, 1):
        for power in powers:
            proof = sum_of_squares(problem, level, power)
            if proof is not None:
                return proof
    return None


def _trivial(problem: Problem) -> bool:
    terms = problem.goal.to_dict()
    if any(value < 0 for value in terms.values()) or set(used(problem.goal)) & set(problem.free):
        return False
    if not problem.strict:
        return True
    positive = problem.positive
    return any(
        all(name in positive for name in used(_monomial(powers))) for powers, value in terms.items() if value > 0
    )


def _monomial(powers: Sequence[int]) -> Polynomial:
    return ONE.context().from_dict({tuple(powers): fmpq(1)})


def _vanishes(problem: Problem) -> bool:
    return bool(problem.goal.is_zero())


def _by_excess(problem: Problem, squares: bool) -> Proof | None:
    """A strict goal that is at least a multiple of what is above 0."""
    for by, of, rest in excesses(problem) if problem.strict and problem.exceeding else ():
        proof = find(problem.about(rest), squares)
        if proof is not None:
            return {"rule": "exceeds", "by": str(by), "of": list(of), "proof": proof}
    return None


def _by_plain_excess(problem: Problem, squares: bool) -> Proof | None:
    """The same without squares: before strict goals are looked for at corners where they fail."""
    return _by_excess(problem, False)


def _by_coefficients(problem: Problem, squares: bool) -> Proof | None:
    """All coefficients of powers of the unbounded variables."""
    of = _unbounded(problem)
    return _sorted_by(problem, of, squares) if of else None


def _by_one_variable(problem: Problem, squares: bool) -> Proof | None:
    """All coefficients of powers of one unbounded variable, where there are others."""
    of = _unbounded(problem)
    for name in of if len(of) > 1 else ():
        proof = _sorted_by(problem, (name,), squares)
        if proof is not None:
            return proof
    return None


def _unbounded(problem: Problem) -> tuple[str, ...]:
    return tuple(name for name in problem.nonnegative if name in used(problem.goal))


def _sorted_by(problem: Problem, of: tuple[str, ...], squares: bool) -> Proof | None:
    parts = coefficients(problem.goal, of)
    jobs = []
    for powers, part in parts.items():
        keeps = problem.strict and all(name in problem.positive for name, e in zip(of, powers, strict=True) if e)
        jobs.append((powers, problem.without(of, part, keeps)))
    if any(fails_somewhere(job.about(job.goal)) for _, job in jobs):
        return None
    proofs, lasting = [], False
    for powers, job in sorted(jobs, key=lambda pair: not pair[1].strict):
        proof = find(job, squares) if job.strict else None
        keeps = proof is not None
        if proof is None:
            proof = find(job.about(job.goal), squares)
        if proof is None:
            return None
        lasting = lasting or keeps
        named = {name: int(e) for name, e in zip(of, powers, strict=True) if e}
        proofs.append({"powers": named, "strict": keeps, "proof": proof})
    if problem.strict and not lasting:
        return None
    return {"rule": "coefficients", "of": list(of), "parts": proofs}


def corner_values(block: Sequence[str]) -> list[dict[str, Polynomial]]:
    """The corners of a simplex: one for each variable, then the origin."""
    return [{v: constant(int(v == chosen)) for v in block} for chosen in (*block, None)]


def bends(goal: Polynomial, block: Sequence[str]) -> list[Polynomial]:
    """How far a quadratic lies above its chords, for each edge of a simplex: ``4 p(mid) - 2 p(v_i) - 2 p(v_j)``."""
    corners = corner_values(block)
    at = [substitute(goal, corner) for corner in corners]
    found = []
    for i, j in combinations(range(len(corners)), 2):
        middle = {v: (corners[i][v] + corners[j][v]) / 2 for v in block}
        found.append(4 * substitute(goal, middle) - 2 * at[i] - 2 * at[j])
    return found


def _by_corners(problem: Problem, squares: bool) -> Proof | None:
    """The corners of a simplex in which the goal is affine or bends upwards along no edge."""
    candidates = []
    names = set(used(problem.goal))
    for block in problem.simplices:
        if not names & set(block) or degree(problem.goal, block) > 2:
            continue
        edges = [problem.without(block, bend, False) for bend in bends(problem.goal, block)]
        if not any(fails_somewhere(edge) for edge in edges):
            candidates.append((sum(not edge.goal.is_zero() for edge in edges), len(block), block, edges))
    for _, _, block, edges in sorted(candidates, key=lambda entry: entry[:3])[:2]:
        proofs = []
        for edge in edges:
            proof = find(edge, squares)
            if proof is None:
                break
            proofs.append(proof)
        if len(proofs) < len(edges):
            continue
        corners = []
        for values in corner_values(block):
            proof = find(problem.without(block, substitute(problem.goal, values), problem.strict), squares)
            if proof is None:
                return None
            corners.append(proof)
        return {"rule": "corners", "simplex": list(block), "corners": corners, "edges": proofs}
    return None
