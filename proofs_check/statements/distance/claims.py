r"""The distance $d(x, y) = K_{xx} + K_{yy} - 2 K_{xy}$: what it is made of, and what kind of distance it is."""

from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.case import Case, squared_distance
from proofs_check.chains.generators import chains, lumpable_chains, mixture
from proofs_check.statements.distance import hilbert_proof as hilbert
from proofs_check.statements.distance import identities
from proofs_check.statements.distance import marginals_proof as marginals
from proofs_check.statements.relation import Relation, at_most, below, equal
from proofs_check.statements.statement import SMALL_MODELS, Constant, Control, Cost, Pressure, Statement, Step

SELF_SIMILARITY_WITNESS = {
    "P_pi": [["0", "0", "1"], ["3/4", "0", "1/4"], ["1", "0", "0"]],
    "r": ["-1", "1", "1"],
    "gamma": "9/10",
    "pair": [1, 2],
}


def _mmd(case: Case) -> Any:
    return squared_distance(case.after)


def _identity(case: Case) -> list[Relation]:
    return [equal(case.d, case.apart + case.gamma * _mmd(case))]


def _self_similarity_printed(case: Case) -> list[Relation]:
    return [equal(np.diagonal(case.K), case.gamma * np.diagonal(case.after))]


def _third_line(case: Case) -> list[Relation]:
    own = case.gamma * np.diagonal(case.after)
    return [equal(case.d, case.apart + np.add.outer(own, own) - 2 * case.gamma * case.after)]


def _any_divisor(case: Case) -> list[Relation]:
    """The identity with ``2/R`` in front of the reward difference, at a divisor of 3."""
    K1 = 1 - case.apart / 3
    K = case.kernel_of(K1)
    return [equal(squared_distance(K), case.apart * 2 / 3 + case.gamma * squared_distance(case.push(K)))]


DISTANCE_IDENTITY = Statement(
    slug="prop-distance-identity",
    title="d = reward gap + gamma MMD^2",
    identities=identities.PROP_DISTANCE_IDENTITY,
    claim="d is the reward difference plus gamma times the squared MMD of the next-pair laws, when the divisor is 2; "
    "for any divisor the reward difference carries 2/R.",
    formula=r"d(x,y) = |r_x - r_y| + \gamma\,\mathrm{MMD}^2(K)(P_\pi x, P_\pi y)",
    source="paper, appendix, prop:kropedist",
    assumes="the divisor R is 2",
    instances=chains(reward_range="two"),
    sides=_identity,
    premise=lambda case: case.R == 2,
    steps=(
        Step(
            "definition",
            "d(x,y) = K(x,x) + K(y,y) - 2 K(x,y)",
            lambda case: [equal(case.d, squared_distance(case.K))],
        ),
        Step(
            "self-similarity",
            "K(x,x) = gamma E K(X1', X2') (printed; drops k1(x,x) = 1)",
            _self_similarity_printed,
        ),
        Step("third-line", "d = |dr| + gamma (E K(X1',X2') + E K(Y1',Y2') - 2 E K(X',Y'))", _third_line),
        Step("mmd", "the bracket is MMD^2", _identity),
        Step("any-divisor", "for a divisor R: d = (2/R) |dr| + gamma MMD^2 (here R = 3)", _any_divisor),
    ),
    false_step="self-similarity",
    control=Control("a divisor other than 2", instances=chains(rewards="distinct", reward_range="wider")),
    uses=("prop-fixed-point",),
)


def _triangle(case: Case) -> list[Relation]:
    longer, first, second = hilbert.legs(case)
    return [at_most(longer, first + second)]


def _root_triangle(case: Case) -> list[Relation]:
    """Triangle inequality of the root of ``d`` without roots, and of ``d`` with a factor of 2."""
    longer, first, second = hilbert.legs(case)
    over = longer - first - second
    over = np.where(over > 0, over, 0 * over)
    return [
        at_most(over * over, 4 * first * second, hilbert.largest_distance(case)),
        at_most(longer, 2 * (first + second)),
    ]


PSEUDOMETRIC = Statement(
    slug="d-pseudometric",
    title="d satisfies the triangle inequality",
    claim="d is a metric: it satisfies the triangle inequality.",
    formula=r"d(x,y) \le d(x,z) + d(z,y)",
    source="paper, section on the KROPE kernel ('d still induces a valid metric'); C2",
    instances=chains(),
    sides=_triangle,
    steps=(
        Step(
            "non-negative", "d >= 0 and d(x,x) = 0", lambda case: [at_most(-case.d, 0), equal(np.diagonal(case.d), 0)]
        ),
        Step("symmetric", "d(x,y) = d(y,x)", lambda case: [equal(case.d, case.d.T)]),
        Step("triangle", "d(x,y) <= d(x,z) + d(z,y)", _triangle),
    ),
    expected="refuted",
    true_instead="sqrt-d-metric",
    false_step="triangle",
    witnesses=(hilbert.SQUARED_LINE,),
    control=Control("d(x,y) <= max of the other two", sides=lambda case: [_ultrametric(case)]),
    pressure=Pressure(_triangle),
    cost=Cost(most_pairs=SMALL_MODELS),
)


def _ultrametric(case: Case) -> Relation:
    first, second = case.d[:, None, :], case.d.T[None, :, :]
    return at_most(case.d[:, :, None], np.where(first > second, first, second))


ROOT_METRIC = Statement(
    slug="sqrt-d-metric",
    title="sqrt(d) is a pseudometric",
    identities=identities.SQRT_D_METRIC,
    claim="The square root of d is a pseudometric, and d(x,y) <= 2 (d(x,z) + d(z,y)); the 2 is attained.",
    formula=r"\sqrt{d(x,y)} \le \sqrt{d(x,z)} + \sqrt{d(z,y)}",
    source="B12",
    instances=mixture(chains(), lumpable_chains(distinct=False)),
    sides=_root_triangle,
    steps=hilbert.SQRT_D_METRIC,
    control=Control("the root dropped", sides=_triangle),
    uses=("prop-fixed-point",),
    pressure=Pressure(
        lambda case: _root_triangle(case)[1:], constant=Constant("c in d(x,y) <= c (d(x,z) + d(z,y))", proven=2.0)
    ),
    cost=Cost(most_pairs=SMALL_MODELS),
)


def _cramer(case: Case) -> list[Relation]:
    levels = np.array(sorted(set(case.r)))
    if len(levels) == 1:
        return [equal(case.d, 0 * case.d)]
    below_level = np.where(case.r[:, None] <= levels[None, :-1], 1 + 0 * case.r[:, None], 0 * case.r[:, None])
    steps = levels[1:] - levels[:-1]
    W = marginals.summed(case, below_level @ (steps[:, None] * below_level.T))
    return [equal(case.d, squared_distance(W) * 2 / case.R)]


CRAMER = Statement(
    slug="cramer-identity",
    title="d sums Cramer distances over time",
    identities=identities.CRAMER_IDENTITY,
    claim="d sums, step by step, the squared Cramer distances between the laws of the reward n steps later.",
    formula=r"d(x,y) = \frac{2}{R} \sum_n \gamma^n \int (F_n^x - F_n^y)^2\,dt",
    source="B7",
    assumes="no episode ends",
    instances=chains(ending=False),
    sides=_cramer,
    steps=marginals.CRAMER,
    premise=lambda case: case.conservative,
    control=Control("episodes that end", instances=chains(ending=True, rewards="distinct", positive_gamma=True)),
    uses=("prop-fixed-point",),
)


def _mico(case: Case) -> list[Relation]:
    own = np.diagonal(case.U)
    return [
        equal(case.K, 1 / (1 - case.gamma) - case.U / case.R, hilbert.reciprocal(case)),
        equal(case.U, case.d * case.R / 2 + np.add.outer(own, own) / 2),
    ]


MICO = Statement(
    slug="mico-identity",
    title="The kernel is a constant minus MICo / R",
    identities=identities.MICO_IDENTITY,
    claim="The KROPE kernel is a constant minus the MICo distance over R.",
    formula=r"K = \frac{1 1^\top}{1-\gamma} - \frac{U}{R}",
    source="B8",
    assumes="no episode ends, R > 0",
    instances=chains(ending=False, rewards="distinct"),
    sides=_mico,
    steps=hilbert.MICO,
    premise=lambda case: case.conservative and case.R > 0,
    control=Control("episodes that end", instances=chains(ending=True, rewards="distinct", positive_gamma=True)),
    uses=("prop-fixed-point",),
)


def _own_less(case: Case) -> list[Relation]:
    x, y = (int(i) for i in case.given["pair"])
    return [below(case.K[x, x], case.K[x, y])]


def _both_less(case: Case) -> list[Relation]:
    x, y = (int(i) for i in case.given["pair"])
    return [below(case.K[x, x], case.K[x, y]), below(case.K[y, y], case.K[x, y])]


SELF_SIMILARITY = Statement(
    slug="remark-self-similarity",
    title="A pair can be more like another than itself",
    claim="A pair may be less similar to itself than to another pair: some k(x,x) < k(x,y).",
    formula=r"\exists x, y:\ k(x,x) < k(x,y)",
    source="paper, remarks on the KROPE kernel",
    instances=chains(ending=False, extra=lambda rng, case: {"pair": rng.integers(0, case.X, size=2)}),
    sides=_own_less,
    form="some",
    witnesses=(SELF_SIMILARITY_WITNESS,),
    steps=(
        Step(
            "witness-values",
            "k(1,1) = 53/8 and k(1,2) = 31/4 on the witness",
            lambda case: [equal(case.K[1, 1:], rationals(["53/8", "31/4"]))],
        ),
    ),
    control=Control("both k(x,x) and k(y,y) below k(x,y)", sides=_both_less),
)

STATEMENTS = (DISTANCE_IDENTITY, PSEUDOMETRIC, ROOT_METRIC, CRAMER, MICO, SELF_SIMILARITY)
