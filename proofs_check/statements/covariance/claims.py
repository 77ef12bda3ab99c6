r"""Singular and ill-conditioned covariances: what LSPE does with as many features as pairs, and off the data."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import flint_matrix, floats, outside, rank, rationals
from proofs_check.arithmetic.regression import data_pairs, iteration, radius
from proofs_check.chains.case import EPS, Case
from proofs_check.chains.generators import chains, fixed, numbers
from proofs_check.chains.witness import case_from_witness
from proofs_check.statements.covariance import identities
from proofs_check.statements.covariance import proof as proofs
from proofs_check.statements.relation import Relation, at_most, below, equal
from proofs_check.statements.statement import Control, Pressure, Statement, Step
from tabular_krope.evaluation.lspe import lspe
from tabular_krope.exact.spectra import is_stable

#: Both pairs lead to the second.
TO_THE_SECOND = {"P_pi": [["0", "1"], ["0", "1"]], "r": ["0", "0"], "gamma": "9/10"}

#: Rank 2, weights positive: exactly stable (rho = gamma), yet the covariance's second singular value is 1e-19 of its
#: first, and a float pseudo-inverse that drops it is left with w -> 2w.
ILL_CONDITIONED = {
    **TO_THE_SECOND,
    "weights": ["9/10", "1/10"],
    "phi": [["1", "0"], ["2", "1/1000000000"]],
}

#: The same with a pair that has no data: rho = 9.
NO_DATA = {
    **TO_THE_SECOND,
    "weights": ["1", "0"],
    "phi": [["1", "0"], ["10", "1"]],
}

#: More features than pairs, data everywhere, but rank 1: rho = 99/65. The claim is about features of full rank.
RANK_ONE = {
    **TO_THE_SECOND,
    "weights": ["9/10", "1/10"],
    "phi": [["1", "1", "1"], ["2", "2", "2"]],
}

#: Instances on which LSPE is seen to recover q.
RECOVERED = 24

#: One state, two actions, the policy takes the first; data on that pair only. Both actions lead back to the state.
UNTAKEN_ACTION = {
    "P_pi": [["1", "0"], ["1", "0"]],
    "r": ["1", "0"],
    "gamma": "9/10",
    "weights": ["1", "0"],
    "phi": [["1", "0"], ["0", "1"]],
}


def _wide_features(least: int, most: int) -> Any:
    """Features of rank X, with ``least`` to ``most`` columns more than there are pairs."""

    def extra(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
        X = case.X
        Phi = numbers(rng, case.exact, X, X + int(rng.integers(least, most + 1))) / 4
        for x in range(X):  # diagonally heavy, hence of rank X whatever the rest is
            Phi[x, x] = Phi[x, x] * 0 + X
        return {"phi": _strained(rng, Phi) if case.exact else Phi}

    return extra


def _strained(rng: np.random.Generator, Phi: Any) -> Any:
    """Rational features of the same rank, most of which floats could not judge: one of five kinds."""
    kind, X = int(rng.integers(5)), len(Phi)
    tiny = rationals("1/1000000")[()]
    if kind == 1:  # rows of very different size
        Phi = Phi * np.array([tiny if x % 2 else tiny / tiny for x in range(X)], dtype=object)[:, None]
    elif kind == 2 and X > 1:  # two rows that nearly agree
        Phi = np.vstack([Phi[:1], Phi[:1] + tiny * Phi[1:2], Phi[2:]])
    elif kind == 3:  # a column twice
        Phi[:, -1] = Phi[:, -1] if Phi.shape[1] == X else Phi[:, 0]
    elif kind == 4:  # columns in another order and of either sign
        Phi = Phi[:, rng.permutation(Phi.shape[1])] * int(rng.choice([-1, 1]))
    return Phi


def _same_spectrum(case: Case) -> list[Relation]:
    """``Phi L = gamma P_pi Phi``: the non-zero spectrum of L is that of gamma P_pi, so LSPE is stable."""
    L = iteration(case, case.given["phi"]).L
    stable = equal(int(is_stable(flint_matrix(L))), 1) if case.exact else below(radius(L), 1)
    return [proofs.intertwined(case), stable]


def _full_rank_everywhere(case: Case) -> bool:
    return bool(np.all(case.weights > 0)) and rank(case.given["phi"]) == case.X and case.gamma < 1


def _float_route(case: Case) -> list[Relation]:
    """On the stored witness: the float covariance route says unstable, the exact one stable."""
    if not case.exact:
        return []
    case = case_from_witness(ILL_CONDITIONED)
    Phi, D, chain = floats(case.given["phi"]), floats(case.weights), case.mrp()
    return [
        below(1.0, lspe(chain, Phi, D, solver="covariance").spectral_radius),
        below(lspe(chain, Phi, D, solver="exact").spectral_radius, 0.91),
    ]


def _lower_rank(case: Case) -> list[Relation]:
    """``L`` has rank 1, so that its trace is its only eigenvalue that is not zero."""
    if not case.exact:
        return []
    L = iteration(case_from_witness(RANK_ONE), case_from_witness(RANK_ONE).given["phi"]).L
    return [equal(rank(L), 1), equal(np.trace(L), rationals(["99/65"])[0])]


def _regression_rounding(case: Case) -> float:
    return 64 * EPS * max(case.X, 4) * iteration(case, case.given["phi"]).condition * case.X


FIGURE_2 = Statement(
    slug="figure-2-instability",
    title="Full-rank features can make LSPE unstable",
    identities=identities.FIGURE_2_INSTABILITY,
    claim="Some full-rank features make LSPE unstable although every pair has data.",
    formula=r"\exists \Phi,\ \mathrm{rank}\,\Phi = X,\ D > 0:\ \rho(L) \ge 1",
    source="paper, figure 2 and its text; C5",
    assumes="rank(Phi) = X, D > 0, gamma < 1",
    instances=chains(coverage="positive", most=8, extra=_wide_features(0, 0)),
    sides=_same_spectrum,
    premise=_full_rank_everywhere,
    tolerance=_regression_rounding,
    steps=(
        *proofs.FULL_RANK,
        Step("float-route", "what diverges is a float pseudo-inverse of the covariance", _float_route, kind="example"),
    ),
    expected="refuted",
    form="some-fail",
    witnesses=(ILL_CONDITIONED,),
    control=Control("a pair without data", instances=fixed(lambda: case_from_witness(NO_DATA))),
    uses=("prop-lspe-stability",),
)

SINGULAR = Statement(
    slug="remark-singular-covariance",
    title="Instability with more features than pairs",
    identities=identities.REMARK_SINGULAR_COVARIANCE,
    claim="Some features of rank X with more columns than pairs make LSPE unstable although every pair has data: their "
    "covariance is singular.",
    formula=r"\exists \Phi,\ \mathrm{rank}\,\Phi = X < d,\ D > 0:\ \rho(L) \ge 1",
    source="paper, section on stability ('when d >= |X| ... higher chance of instability')",
    assumes="rank(Phi) = X < d, D > 0, gamma < 1; the pseudo-inverse of the covariance. Features of lower rank can be "
    "unstable, whatever their number",
    instances=chains(coverage="positive", most=8, extra=_wide_features(1, 3)),
    sides=_same_spectrum,
    premise=lambda case: _full_rank_everywhere(case) and case.given["phi"].shape[1] > case.X,
    tolerance=_regression_rounding,
    steps=(
        *proofs.FULL_RANK,
        Step(
            "lower-rank",
            "rank 1 and 3 columns on two pairs with data: rho(L) = 99/65 exactly",
            _lower_rank,
            kind="example",
        ),
    ),
    expected="refuted",
    form="some-fail",
    control=Control("features of lower rank", instances=fixed(lambda: case_from_witness(RANK_ONE))),
    uses=("figure-2-instability",),
)


def _any_features(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    return {"phi": np.column_stack([case.q, numbers(rng, case.exact, case.X, 1)])}


def _misses_values(case: Case) -> list[Relation]:
    Phi = case.given["phi"]
    it = iteration(case, Phi)
    stable = is_stable(flint_matrix(it.L))
    if not stable:
        return [equal(1, 0)]
    return [equal(outside(Phi, case.q), 0), below(0, np.max(np.abs(Phi @ it.limit() - case.q)))]


def _misses_with_coverage(case: Case) -> list[Relation]:
    T = data_pairs(case)
    if rank(case.given["phi"][T]) < case.given["phi"].shape[1]:
        return [equal(1, 0)]
    return _misses_values(case)


def _right_on_data(case: Case) -> list[Relation]:
    T = data_pairs(case)
    it = iteration(case, case.given["phi"])
    return [equal((case.given["phi"] @ it.limit())[T], case.q[T])]


def _recovers(case: Case) -> list[Relation]:
    """The other half of the claim, on rational instances whose features the data see and span ``q``."""
    out = []
    for seed in range(RECOVERED):
        one = chains(positive_gamma=True, extra=_any_features)(np.random.default_rng(seed), True)
        Phi = one.given["phi"]
        if rank(Phi[data_pairs(one)]) < Phi.shape[1]:
            continue
        it, theta = iteration(one, Phi), one.r[:2] * 0 + rationals([1, 0])
        out.append(equal(it.b, theta - it.L @ theta))
        if is_stable(flint_matrix(it.L)):
            out.append(equal(Phi @ it.limit(), one.q))
    return out


REALIZABLE = Statement(
    slug="remark-realizable-not-enough",
    title="Realizable and stable, and still q is missed",
    claim="Features that are realizable and stable need not make LSPE recover q. It happens only off the data, with a "
    "singular covariance: with B invertible LSPE recovers q.",
    formula=r"\exists \Phi, D:\ q \in \mathrm{span}\,\Phi,\ \rho(L) < 1,\ \hat q \ne q",
    source="paper, appendix, paragraph on realizability",
    instances=chains(extra=_any_features),
    sides=_misses_values,
    form="some",
    witnesses=(UNTAKEN_ACTION,),
    steps=(
        Step(
            "values",
            "q = (10, 9) and the limit is (10, 0) on the witness",
            lambda case: [
                equal(case.q, rationals([10, 9])),
                equal(case.given["phi"] @ iteration(case, case.given["phi"]).limit(), rationals([10, 0])),
            ],
        ),
        Step("right-on-data", "the limit is right on the pairs that have data", _right_on_data),
        Step(
            "recovers",
            "with B invertible b = theta - L theta for q = Phi theta, so a stable LSPE recovers q (drawn instances)",
            _recovers,
            kind="example",
        ),
    ),
    control=Control("the same with an invertible covariance", sides=_misses_with_coverage),
)


def _probability(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    p = rationals([f"{int(rng.integers(0, 31))}/30"])[0] if case.exact else float(rng.random())
    return {"p": np.array([p])}


def _bad_pairs(case: Case) -> list[Relation]:
    p = case.given["p"]
    single, pair = 2 * p * (1 - p), p * p
    return [at_most(pair, single)] if p[0] * 3 <= 2 else [below(single, pair)]


BAD_PAIRS = Statement(
    slug="remark-bad-pairs",
    title="Two bad transitions no likelier: p <= 2/3",
    identities=identities.REMARK_BAD_PAIRS,
    claim="A pair of bad transitions is no likelier than a single one exactly when p <= 2/3.",
    formula=r"p^2 \le 2p(1-p) \iff p \le 2/3",
    source="paper, appendix, on the divergence experiment",
    instances=chains(most=2, extra=_probability),
    sides=_bad_pairs,
    tolerance=lambda case: 4 * EPS,
    steps=proofs.BAD_PAIRS,
    control=Control(
        "for every p", sides=lambda case: [at_most(case.given["p"] ** 2, 2 * case.given["p"] * (1 - case.given["p"]))]
    ),
    pressure=Pressure(_bad_pairs),
)

STATEMENTS = (FIGURE_2, SINGULAR, REALIZABLE, BAD_PAIRS)
