r"""How the distance bounds differences of action values: in the RKHS, and with the spread of independent copies."""

from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import floats, indefiniteness
from proofs_check.arithmetic.transport_metric import transport_metric
from proofs_check.chains.case import Case
from proofs_check.chains.generators import chains, fixed
from proofs_check.chains.witness import case_from_witness
from proofs_check.statements.printed_lemma.claims import mean, value_gap
from proofs_check.statements.relation import Relation, at_most, float_only
from proofs_check.statements.statement import SMALL_MODELS, Constant, Control, Cost, Pressure, Statement
from proofs_check.statements.value_bounds import identities
from proofs_check.statements.value_bounds import proof as proofs

#: x -> + or the end (1/2 each); y ends. Pairs in the order x, y, +, -.
ONE_COPY_ENDS = {
    "P_pi": [["0", "0", "1/2", "0"], ["0", "0", "0", "0"], ["0", "0", "0", "0"], ["0", "0", "0", "0"]],
    "end": ["1/2", "1", "1", "1"],
    "r": ["0", "0", "1", "-1"],
    "gamma": "9/10",
}


def _rkhs_bounds(case: Case) -> list[Relation]:
    squares = value_gap(case.q) ** 2
    norm = proofs.reward_norm(case)
    ahead = 1 / (1 - case.gamma)
    scale = max(1.0, float(floats(norm * ahead)))
    out = [
        at_most(squares, norm * ahead * case.d, scale),
        at_most(indefiniteness(norm * case.K1 - np.outer(case.r, case.r)), 0, scale),
        at_most(indefiniteness(norm * ahead * case.K - np.outer(case.q, case.q)), 0, scale),
    ]
    if case.conservative:
        out.insert(0, at_most(squares, case.own_range * case.R / 2 * ahead * case.d, scale))
    if not case.exact:
        out.append(float_only(_projection(case, norm * ahead, scale)))
    return out


def _projection(case: Case, bound: float, scale: float) -> Relation:
    """``|q - q_d|_D^2 <= lambda_{d+1} |r|^2 / (1 - gamma)`` for every d."""
    root = np.sqrt(case.weights)
    eigenvalues, U = np.linalg.eigh(root[:, None] * case.K * root)
    left_out = np.cumsum((U.T @ (root * case.q)) ** 2)  # the d largest are at the end
    return at_most(left_out, np.maximum(eigenvalues, 0.0) * bound, scale)


def _half_constant(case: Case) -> list[Relation]:
    bound = case.own_range * case.R / 4 / (1 - case.gamma)
    return [at_most(value_gap(case.q) ** 2, bound * case.d)]


RKHS_BOUND = Statement(
    slug="value-bound-rkhs",
    title="Value gaps at most c sqrt(d), and c is best",
    identities=identities.VALUE_BOUND_RKHS,
    claim="Value differences are at most a constant times the root of d, with no additive constant; the constant is "
    "best possible. Ending chains: with the RKHS norm of the reward.",
    formula=r"|q(x) - q(y)| \le \sqrt{\rho_0 R / (2(1-\gamma))}\,\sqrt{d(x,y)}",
    source="B5",
    assumes="gamma < 1",
    instances=chains(),
    sides=_rkhs_bounds,
    steps=proofs.VALUE_BOUND_RKHS,
    control=Control(
        "half the constant, on two absorbing pairs",
        instances=fixed(lambda: case_from_witness(proofs.TWO_ABSORBING)),
        sides=_half_constant,
    ),
    uses=("cramer-identity", "k1-pd-distinct", "prop-fixed-point"),
    pressure=Pressure(
        lambda case: _rkhs_bounds(case)[:1] if case.conservative else [],
        constant=Constant("c in |dq| <= c sqrt(rho0 R / (1-gamma)) sqrt(d)", proven=0.5**0.5, power=0.5),
    ),
)


def _step_laws(case: Case) -> tuple[Any, Any]:
    """``sum_{n < N} gamma^n W1(reward laws n steps later)`` and a bound on the rest of the sum."""
    levels = np.array(sorted(set(case.r)))
    F = np.where(case.r[:, None] <= levels[None, :-1], 1 + 0 * case.r[:, None], 0 * case.r[:, None])
    steps, power, out = levels[1:] - levels[:-1], 1, 0 * case.apart
    for _ in range(6 if case.exact else 30):
        out = out + power * (np.abs(F[:, None, :] - F[None, :, :]) * steps).sum(axis=2)
        F, power = case.P_pi @ F, power * case.gamma
    return out, power * case.own_range / (1 - case.gamma)


def _repaired(case: Case) -> Relation:
    return at_most(value_gap(case.q), case.d * case.R / 2 + mean(np.diagonal(case.U)))


def _independent(case: Case) -> list[Relation]:
    gap = value_gap(case.q)
    if not case.conservative:
        return [_repaired(case)]
    between, rest = _step_laws(case)
    out = [
        _repaired(case),
        at_most(gap, case.U),
        at_most(gap, between + rest),
        at_most(case.d * case.R / 2, between + rest),
        at_most(between, case.U),
    ]
    if case.X <= proofs.MOST_COUPLED:
        out.append(at_most(between, transport_metric([case.P_pi], [case.r], case.gamma)))
    return out


INDEPENDENT_BOUND = Statement(
    slug="value-bound-independent",
    title="Value gaps at most d + C, with C repaired",
    identities=identities.VALUE_BOUND_INDEPENDENT,
    claim="The lemma repaired: with the spread of two independent copies in C, value differences are bounded.",
    formula=r"|q(x) - q(y)| \le \tfrac{R}{2} d(x,y) + \tfrac12 \sum_n \gamma^n (D_n(x) + D_n(y)) = U(x,y)",
    source="B9",
    assumes="no episode ends",
    instances=chains(ending=False),
    sides=_independent,
    steps=proofs.VALUE_BOUND_INDEPENDENT,
    premise=lambda case: case.conservative,
    control=Control("episodes that end", instances=fixed(lambda: case_from_witness(ONE_COPY_ENDS))),
    uses=("mico-identity", "cramer-identity"),
    pressure=Pressure(lambda case: [_repaired(case)]),
    cost=Cost(most_pairs=SMALL_MODELS),
)

STATEMENTS = (RKHS_BOUND, INDEPENDENT_BOUND)
