r"""Proofs about the distance as a squared norm $d(x, y) = \|k_x - k_y\|^2$ (B12), and about MICo's distance (B8)."""

from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import floats, indefiniteness
from proofs_check.chains.case import Case
from proofs_check.chains.witness import case_from_witness
from proofs_check.statements.relation import Relation, at_most, equal
from proofs_check.statements.statement import Step

#: x -> a (1), z -> a or b (1/2 each), y -> b; a and b absorb with rewards 1 and -1. Pairs in the order x, y, z, +, -.
SQUARED_LINE = {
    "P_pi": [
        ["0", "0", "0", "1", "0"],
        ["0", "0", "0", "0", "1"],
        ["0", "0", "0", "1/2", "1/2"],
        ["0", "0", "0", "1", "0"],
        ["0", "0", "0", "0", "1"],
    ],
    "r": ["0", "0", "0", "1", "-1"],
    "gamma": "9/10",
}


def legs(case: Case) -> tuple[Any, Any, Any]:
    """``d(x, y)``, ``d(x, z)`` and ``d(z, y)`` on triples in the order x, y, z."""
    return case.d[:, :, None], case.d[:, None, :], case.d.T[None, :, :]


def largest_distance(case: Case) -> float:
    """The largest ``d``, at least 1: the scale of products of distances."""
    return max(1.0, float(floats(np.max(case.d))))


def _inner(case: Case) -> Any:
    """``<k_x - k_z, k_z - k_y>`` on triples in the order x, y, z."""
    K = case.K
    own = np.diagonal(K)
    return K[:, None, :] - K[:, :, None] - own[None, None, :] + K.T[None, :, :]


def _norm(case: Case) -> list[Relation]:
    return [at_most(indefiniteness(case.K), 0), at_most(-case.d, 0), equal(np.diagonal(case.d), 0)]


def _polarised(case: Case) -> list[Relation]:
    longer, first, second = legs(case)
    return [equal(longer, first + second + 2 * _inner(case))]


def _cauchy_schwarz(case: Case) -> list[Relation]:
    _, first, second = legs(case)
    inner = _inner(case)
    return [at_most(inner * inner, first * second, largest_distance(case))]


def _root(case: Case) -> list[Relation]:
    longer, first, second = legs(case)
    over = longer - first - second
    over = np.where(over > 0, over, 0 * over)
    return [at_most(over * over, 4 * first * second, largest_distance(case))]


def _mean(case: Case) -> list[Relation]:
    longer, first, second = legs(case)
    both = first + second
    return [at_most(4 * first * second, both * both, largest_distance(case)), at_most(longer, 2 * both)]


def _attained(case: Case) -> list[Relation]:
    if not case.exact:
        return []
    d = case_from_witness(SQUARED_LINE).d
    x, y, z = 0, 1, 2
    return [equal(d[x, y], 2 * (d[x, z] + d[z, y])), at_most(18, d[x, y])]


SQRT_D_METRIC = (
    Step("norm", "K is positive semidefinite, so d(x,y) = |k_x - k_y|^2 >= 0", _norm),
    Step("polarised", "d(x,y) = d(x,z) + d(z,y) + 2 <k_x - k_z, k_z - k_y>", _polarised),
    Step("cauchy-schwarz", "<k_x - k_z, k_z - k_y>^2 <= d(x,z) d(z,y)", _cauchy_schwarz),
    Step("root", "hence sqrt d(x,y) <= sqrt d(x,z) + sqrt d(z,y)", _root),
    Step("mean", "(sqrt a + sqrt b)^2 <= 2 (a + b), since 4ab <= (a + b)^2; so d(x,y) <= 2 (d(x,z) + d(z,y))", _mean),
    Step(
        "attained", "x -> +, y -> -, z half way: d(x,y) = 2 (d(x,z) + d(z,y)) = 18 exactly", _attained, kind="example"
    ),
)


def _solution(case: Case) -> Any:
    """``11' / (1 - gamma) - U / R``."""
    return 1 / (1 - case.gamma) - case.U / case.R


def reciprocal(case: Case) -> float:
    """The scale of numbers that were divided by R."""
    return max(1.0, 1.0 / float(floats(case.R)))


def _constants(case: Case) -> list[Relation]:
    one = 1 + 0 * case.apart
    return [equal(case.push(one), one)]


def _own_equation(case: Case) -> list[Relation]:
    return [equal(case.U, case.apart + case.gamma * case.push(case.U))]


def _same_equation(case: Case) -> list[Relation]:
    Z = _solution(case)
    return [equal(Z, case.operator(Z), reciprocal(case))]


def split(case: Case) -> list[Relation]:
    """``2 U = R d + U_xx + U_yy``."""
    own = np.diagonal(case.U)
    return [equal(2 * case.U, case.R * case.d + np.add.outer(own, own))]


MICO = (
    Step("constants", "no episode ends: P 11' P' = 11'", _constants),
    Step("own-equation", "U = |dr| + gamma P U P'", _own_equation),
    Step("same-equation", "so 11'/(1-gamma) - U/R satisfies the equation of K", _same_equation),
    Step(
        "unique",
        "whose solution is unique: K = 11'/(1-gamma) - U/R",
        lambda case: [equal(case.K, _solution(case), reciprocal(case))],
    ),
    Step("split", "d = K_xx + K_yy - 2 K_xy, so 2 U(x,y) = R d(x,y) + U(x,x) + U(y,y)", split),
)
