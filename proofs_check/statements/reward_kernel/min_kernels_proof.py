"""Proofs about min-kernels and the reward kernel on distinct rewards (B6)."""

from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import indefiniteness, rank
from proofs_check.chains.case import Case
from proofs_check.statements.relation import Relation, at_most, below, equal
from proofs_check.statements.statement import Step


def minimum(x: Any) -> Any:
    """``min(x_i, x_j)``, [n, n]."""
    return (np.add.outer(x, x) - np.abs(np.subtract.outer(x, x))) / 2


def _blocks(case: Case) -> list[Relation]:
    x = np.array(sorted(case.given["x"]))
    shifted = minimum(x - x[0])
    return [equal(minimum(x), x[0] + shifted), equal(shifted[0], 0 * shifted[0])]


def _min_psd(x: Any) -> Relation:
    return at_most(indefiniteness(minimum(x)), 0)


def _block_rank(case: Case) -> list[Relation]:
    """Floats cannot tell: increments span three orders of magnitude."""
    if not case.exact:
        return []
    x = np.array(sorted(case.given["x"]))
    return [equal(rank(minimum(x[1:] - x[0])), len(x) - 1)]


def _full_rank(case: Case) -> list[Relation]:
    return [equal(rank(minimum(case.given["x"])), len(case.given["x"]))] if case.exact else []


MIN_KERNEL = (
    Step("psd", "min-kernels are positive semidefinite", lambda case: [_min_psd(case.given["x"])], kind="algebra"),
    Step(
        "induction", "min(x_i, x_j) = x_1 + min(x_i - x_1, x_j - x_1), zero in the first row", _blocks, kind="algebra"
    ),
    Step("hypothesis", "the block of x_2 - x_1, ..., x_n - x_1 has full rank", _block_rank, kind="algebra"),
    Step(
        "null-vector",
        "so K a = 0 leaves a_2 = ... = a_n = 0, then a_1 = 0: K has full rank",
        _full_rank,
        kind="algebra",
    ),
)


def _null_vectors(case: Case) -> list[Relation]:
    """A null vector of one min-kernel lives on the least reward, of the other on the greatest."""
    low, high = (min(case.r), max(case.r))
    first = [x for x in range(case.X) if case.r[x] != low]
    second = [x for x in range(case.X) if case.r[x] != high]
    return [
        equal(rank(minimum(case.r - low)), len(first)),
        equal(rank(minimum(high - case.r)), len(second)),
    ]


def _forms(case: Case) -> tuple[Any, Any]:
    """The columns 1 and ``1{r <= t_k} - 1/2`` [X, X], and their factors in ``R K1`` [X]."""
    levels = np.array(sorted(case.r))
    one = 1 + 0 * case.r[:, None]
    c = np.where(case.r[:, None] <= levels[None, :-1], one, 0 * one) - one / 2
    return np.hstack([one, c]), np.append(case.R - case.own_range / 2, 2 * (levels[1:] - levels[:-1]))


def _squares(case: Case) -> list[Relation]:
    C, factors = _forms(case)
    return [equal(case.R * case.K1, (C * factors) @ C.T)] if case.R != 0 else []


def _independent(case: Case) -> list[Relation]:
    C, factors = _forms(case)
    return [equal(rank(C), case.X), below(0, factors)] if case.R != 0 else []


K1_DEFINITE = (
    Step("sum-of-squares", "T1: R K1 = (R - rho0/2) 11' + 2 sum Delta_k c_k c_k', c_k = 1{r <= t_k} - 1/2", _squares),
    Step(
        "independent",
        "these X forms are independent, their factors positive: K1 is definite",
        _independent,
        kind="algebra",
    ),
    Step(
        "null-vectors",
        "or: the two min-kernels have null vectors on r_min and on r_max only",
        _null_vectors,
        kind="algebra",
    ),
)
