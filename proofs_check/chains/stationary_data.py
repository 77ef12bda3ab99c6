"""Data of the chain itself: stationary laws, closed sets of pairs, irreducibility; in floats or rationals."""

from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import identity, is_exact, solve
from proofs_check.chains.case import Case


def reachable(P: Any, start: int) -> list[int]:
    """Pairs that can follow ``start`` sooner or later, itself among them.

    >>> reachable(np.array([[0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]), 0)
    [0, 1]
    """
    return _reached(_successors(P), start)


def _successors(P: Any) -> list[set[int]]:
    return [{y for y, there in enumerate(row) if there} for row in (P != 0).tolist()]


def _reached(successors: list[set[int]], start: int) -> list[int]:
    seen, left = {start}, [start]
    while left:
        new = successors[left.pop()] - seen
        seen |= new
        left += new
    return sorted(seen)


def is_irreducible(P: Any) -> bool:
    """Whether every pair leads to every other.

    >>> from proofs_check.arithmetic.linear_algebra import rationals
    >>> is_irreducible(rationals([[0, 1], [1, 0]])), is_irreducible(rationals([[1, 0], [1, 0]]))
    (True, False)
    """
    successors = _successors(P)
    return all(len(_reached(successors, x)) == len(P) for x in range(len(P)))


def stationary_law(P: Any, start: int) -> Any:
    """A law with ``mu P = mu`` on pairs that ``start`` leads to, all of which lead to each other, [X].

    >>> from proofs_check.arithmetic.linear_algebra import rationals
    >>> stationary_law(rationals([["1/2", "1/2", 0], [1, 0, 0], [0, 1, 0]]), 2)
    array([2/3, 1/3, 0], dtype=object)
    """
    successors = _successors(P)
    T = min((_reached(successors, x) for x in _reached(successors, start)), key=len)
    inner = P[np.ix_(T, T)]
    system = (identity(len(T), is_exact(P)) - inner).T.copy()
    system[-1] = system[-1] * 0 + 1  # one equation follows from the others; the masses sum to 1
    right = 0 * system[-1]
    right[-1] = right[-1] + 1
    mu = 0 * P[0]
    mu[T] = solve(system, right)
    return mu


def own_law(case: Case) -> Any:
    """A stationary law of the chain, that of a closed set which its heaviest pair leads to, [X].

    >>> from proofs_check.arithmetic.linear_algebra import rationals
    >>> chain = Case.from_matrix(rationals([[0, 1], [0, 1]]), rationals([0, 1]), rationals(["1/2"])[0])
    >>> own_law(chain)
    array([0, 1], dtype=object)
    """
    return case.once("stationary", lambda: stationary_law(case.P_pi, int(np.argmax(case.weights))))
