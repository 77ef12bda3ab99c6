r"""The operator $F(k) = K_1 + \gamma P_\pi k P_\pi^\top$: contraction, completeness, fixed point, state reduction."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import floats, identity, indefiniteness, rationals
from proofs_check.chains.case import Case
from proofs_check.chains.generators import chains, numbers
from proofs_check.statements.operator import identities
from proofs_check.statements.operator import reduction_proof as reduction
from proofs_check.statements.relation import Relation, at_most, equal
from proofs_check.statements.statement import Control, Pressure, Statement, Step

#: Applications of the operator that the fixed point is compared with.
APPLICATIONS = 4


def _two_kernels(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    k = numbers(rng, case.exact, case.X, case.X)
    if rng.random() < 0.3:  # kernels that differ by a constant attain the modulus on a conservative chain
        return {"k": k, "h": k + 1}
    return {"k": k, "h": numbers(rng, case.exact, case.X, case.X)}


def _largest(k: Any) -> Any:
    return np.max(np.abs(k))


def _contraction(case: Case, modulus: Any) -> list[Relation]:
    k, h = case.given["k"], case.given["h"]
    return [at_most(_largest(case.operator(k) - case.operator(h)), modulus * _largest(k - h))]


CONTRACTION = Statement(
    slug="lemma-contraction",
    title="The operator contracts by gamma",
    identities=identities.LEMMA_CONTRACTION,
    claim="The KROPE operator is a contraction with modulus gamma in the sup norm, on all real matrices.",
    formula=r"\|F(k) - F(h)\|_\infty \le \gamma\,\|k - h\|_\infty",
    source="paper, appendix, lemma:krope_contract",
    instances=chains(extra=_two_kernels),
    sides=lambda case: _contraction(case, case.gamma),
    steps=(
        Step(
            "difference",
            "F(k) - F(h) = gamma E[(k - h)(X', Y')]",
            lambda case: [
                equal(
                    case.operator(case.given["k"]) - case.operator(case.given["h"]),
                    case.gamma * case.push(case.given["k"] - case.given["h"]),
                )
            ],
            kind="algebra",
        ),
        Step(
            "average",
            "|E[(k - h)(X', Y')]| <= max |k - h|",
            lambda case: [
                at_most(
                    np.abs(case.push(case.given["k"] - case.given["h"])), _largest(case.given["k"] - case.given["h"])
                )
            ],
        ),
    ),
    control=Control("modulus gamma / 2", sides=lambda case: _contraction(case, case.gamma / 2)),
    pressure=Pressure(lambda case: _contraction(case, case.gamma), free=("k", "h")),
)


def _sequence(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    X = case.X
    A = numbers(rng, case.exact, X, int(rng.integers(1, X + 1)))
    bump = numbers(rng, case.exact, X, X)
    if rng.random() < 0.3:  # the worst perturbation: constant, along a null direction
        bump = 0 * bump - 1
        A = 0 * A
    size = rationals(["1/8"])[0] if case.exact else 10.0 ** -int(rng.integers(0, 6))
    return {"k": A @ A.T, "limit": A @ A.T + size * (bump + bump.T) / 2}


def _closedness(case: Case, factor: Any) -> list[Relation]:
    k, limit = case.given["k"], case.given["limit"]
    shift = factor * case.X * _largest(limit - k)
    size = max(1.0, float(floats(_largest(k))))
    return [at_most(indefiniteness(limit + shift * identity(case.X, case.exact)), 0, size)]


COMPLETENESS = Statement(
    slug="lemma-complete",
    title="A limit of psd kernels is psd",
    claim="Positive semidefinite kernels are complete in the sup norm: a limit of them is one.",
    formula=r"\lambda_{\min}(K) \ge \lambda_{\min}(K_n) - X\,\|K - K_n\|_\infty",
    source="paper, appendix, lemma:krope_complete",
    assumes="K_n is positive semidefinite; checked as closedness, since the matrices are a complete space",
    instances=chains(extra=_sequence),
    sides=lambda case: _closedness(case, 1),
    premise=lambda case: indefiniteness(case.given["k"]) <= (0 if case.exact else 1e-12 * case.X),
    steps=(
        Step(
            "norms",
            "norm2(K - K_n) <= X max |K - K_n|",
            lambda case: _closedness(
                case.with_given(k=0 * case.given["k"], limit=case.given["limit"] - case.given["k"]), 1
            ),
            kind="algebra",
        ),
    ),
    control=Control(
        "the constant X / 2", sides=lambda case: _closedness(case, rationals(["1/2"])[0] if case.exact else 0.5)
    ),
)


def _start(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    return {"k": numbers(rng, case.exact, case.X, case.X)}


def _iterated(case: Case, k: Any) -> Any:
    for _ in range(APPLICATIONS):
        k = case.operator(k)
    return k


def _series(case: Case) -> Any:
    """``sum_{n < N} gamma^n P^n K1 P^n' + gamma^N P^N K P^N'``."""
    term, out = case.K1, 0 * case.K1
    for _ in range(APPLICATIONS):
        out = out + term
        term = case.gamma * case.push(term)
    rest = case.K
    for _ in range(APPLICATIONS):
        rest = case.gamma * case.push(rest)
    return out + rest


def _fixed_point(case: Case) -> list[Relation]:
    k = case.given["k"]
    return [
        equal(case.K, case.operator(case.K)),
        equal(case.K, _series(case)),
        at_most(_largest(_iterated(case, k) - case.K), case.gamma**APPLICATIONS * _largest(k - case.K)),
        at_most(indefiniteness(case.K), 0),
    ]


FIXED_POINT = Statement(
    slug="prop-fixed-point",
    title="One fixed point, positive semidefinite",
    identities=identities.PROP_FIXED_POINT,
    claim="The operator has one fixed point among all matrices; it is positive semidefinite.",
    formula=r"K = \sum_n \gamma^n P_\pi^n K_1 P_\pi^{n\top}",
    source="paper, appendix, prop:krope_fixedpoint",
    instances=chains(extra=_start),
    sides=_fixed_point,
    steps=(
        Step(
            "keeps-psd",
            "F maps positive semidefinite kernels to such kernels (not said in the paper; needs lemma-k1-psd)",
            lambda case: [
                at_most(indefiniteness(case.operator(case.given["k"] @ case.given["k"].T)), 0, 10.0 * case.X)
            ],
        ),
        Step("fixed", "K = F(K)", lambda case: _fixed_point(case)[:1]),
        Step("series", "K = sum_n gamma^n P^n K1 P^n'", lambda case: _fixed_point(case)[1:2]),
        Step("attracts", "max |F^n(k) - K| <= gamma^n max |k - K| for any k", lambda case: _fixed_point(case)[2:3]),
    ),
    control=Control(
        "convergence at rate gamma / 2",
        sides=lambda case: [
            at_most(
                _largest(_iterated(case, case.K + 1) - case.K),
                (case.gamma / 2) ** APPLICATIONS,
            )
        ],
    ),
    uses=("lemma-contraction", "lemma-complete", "lemma-k1-psd"),
    pressure=Pressure(_fixed_point),
)


def _reduction(case: Case) -> list[Relation]:
    M = case.Pi @ case.K @ case.Pi.T
    return [
        equal(case.K, reduction.stein(case, case.P_pi, case.K1)),  # solved on pairs, without the reduction
        equal(M, case.Pi @ case.K1 @ case.Pi.T + case.gamma * (case.Q @ M @ case.Q.T)),
        equal(case.K, case.K1 + case.gamma * (case.P @ M @ case.P.T)),
    ]


def _mean_reward_kernel(case: Case) -> list[Relation]:
    """A tempting shortcut: the reward kernel of the states' mean rewards in place of ``Pi K1 Pi'``."""
    mean = case.Pi @ case.r
    apart = np.abs(np.subtract.outer(mean, mean))
    return [equal(case.Pi @ case.K1 @ case.Pi.T, 1 - apart / case.R if case.R != 0 else 1 - 0 * apart)]


STATE_REDUCTION = Statement(
    slug="state-reduction",
    title="The kernel's equation lives on states",
    identities=identities.STATE_REDUCTION,
    claim="The kernel's equation lives on states: K = K1 + gamma P M P' with M = Pi K Pi'.",
    formula=r"K = K_1 + \gamma P M P^\top,\quad M = \Pi K_1 \Pi^\top + \gamma Q M Q^\top",
    source="B11",
    instances=chains(),
    sides=_reduction,
    steps=reduction.STATE_REDUCTION,
    control=Control("M built from the states' mean rewards", sides=_mean_reward_kernel),
    uses=("prop-fixed-point",),
)

STATEMENTS = (CONTRACTION, COMPLETENESS, FIXED_POINT, STATE_REDUCTION)
