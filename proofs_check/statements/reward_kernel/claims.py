r"""The reward kernel $K_1 = 1 - |r_x - r_y| / R$ and general facts about kernels that the paper's proofs lean on."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import floats, identity, indefiniteness, rank, rationals
from proofs_check.chains.case import EPS, Case, rounding, squared_distance
from proofs_check.chains.generators import chains, lumpable_chains, mixture, numbers, probabilities
from proofs_check.statements.relation import Relation, at_most, below, equal
from proofs_check.statements.reward_kernel import identities
from proofs_check.statements.reward_kernel import min_kernels_proof as proofs
from proofs_check.statements.statement import SMALL_MODELS, Control, Cost, Pressure, Statement, Step


def _smallest_gap(x: Any) -> Any:
    """The smallest positive difference between neighbors of the sorted values."""
    values = sorted(set(x))
    return min(b - a for a, b in pairwise(values)) if len(values) > 1 else 1


def _ends(case: Case) -> tuple[Any, Any]:
    return (min(case.r), max(case.r)) if case.reward_range is None else case.reward_range


def _halves(case: Case) -> tuple[Any, Any]:
    low, high = _ends(case)
    return proofs.minimum(case.r - low), proofs.minimum(high - case.r)


def _psd_down_to_half(case: Case) -> list[Relation]:
    out = [at_most(indefiniteness(case.K1), 0)]
    if case.own_range != 0:
        K1 = case.reward_kernel(case.own_range / 2)
        ends = _end_indicator(case)
        out += [at_most(indefiniteness(K1), 0), equal(K1 @ ends, 0 * ends)]
        out.append(_not_below_half(case))
        if case.exact:
            distinct = np.unique(np.array([str(v) for v in case.r]), return_index=True)[1]
            out.append(equal(rank(K1[np.ix_(distinct, distinct)]), len(distinct) - 1))
    return out


def _not_below_half(case: Case) -> Relation:
    """With a smaller divisor ``z' K1 z = 4 - 2 rho0 / R < 0`` for ``z`` on one pair of each extreme reward."""
    shares = rationals(["1/3", "2/5", "49/100"]) if case.exact else np.array([1 / 3, 0.4, 0.49])
    z = _end_indicator(case)
    return below(np.array([z @ case.reward_kernel(case.own_range * share) @ z for share in shares]), 0)


def _end_indicator(case: Case) -> Any:
    """One pair with the least and one with the greatest reward: the null vector at ``R = rho0 / 2``."""
    z = 0 * case.r
    z[list(case.r).index(min(case.r))] += 1
    z[list(case.r).index(max(case.r))] += 1
    return z


REWARD_KERNEL_PSD = Statement(
    slug="lemma-k1-psd",
    title="The reward kernel is positive semidefinite",
    identities=identities.LEMMA_K1_PSD,
    claim="The reward kernel is positive semidefinite; sharply, iff R is at least half the range of the rewards.",
    formula=r"K_1 \succeq 0 \iff R \ge \rho_0 / 2",
    source="paper, appendix, lemma:k1psd; the sharp range from A",
    instances=chains(),
    sides=_psd_down_to_half,
    steps=(
        Step(
            "two-min-kernels",
            "R K1 = min(r_x - a, r_y - a) + min(b - r_x, b - r_y)",
            lambda case: [equal(case.R * case.K1, sum(_halves(case)))] if case.R != 0 else [],
        ),
        Step(
            "each-psd",
            "each min-kernel of non-negative numbers is positive semidefinite",
            lambda case: [at_most(indefiniteness(half), 0) for half in _halves(case)],
            kind="algebra",
        ),
        Step(
            "only-if",
            "for R < rho0/2 the vector z of one pair of each extreme reward has z' K1 z = 4 - 2 rho0/R < 0",
            lambda case: [_not_below_half(case)] if case.own_range != 0 else [],
        ),
    ),
    control=Control(
        "a divisor of 2/5 of the range",
        instances=chains(rewards="distinct"),
        sides=lambda case: [at_most(indefiniteness(case.reward_kernel(case.own_range * 2 / 5)), 0)],
    ),
)


def _positive_numbers(distinct: bool) -> Any:
    def extra(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
        n = int(rng.integers(2, 6 if case.exact else 13))
        if case.exact:
            x = rationals(np.cumsum(rng.integers(1, 4, size=n))) / rationals(["2"])[0]
        else:
            x = np.cumsum(10.0 ** rng.uniform(-3, 0, size=n))
        x = rng.permutation(x)
        if not distinct:
            x[0] = x[1]
        return {"x": x}

    return extra


def _min_kernel_pd(case: Case) -> list[Relation]:
    x = case.given["x"]
    # z'Mz = sum of increments times squared suffix sums, and z is at most twice the suffix sums in norm.
    least = (0 * x[0] + min(_smallest_gap(x), *x)) / 4  # of the kind of x, where all are equal too
    return [at_most(indefiniteness(proofs.minimum(x) - least * identity(len(x), case.exact)), 0)]


MIN_KERNEL = Statement(
    slug="prop-min-kernel-pd",
    title="min(x, y) is a positive definite kernel",
    identities=identities.PROP_MIN_KERNEL_PD,
    claim="min(x_i, x_j) is positive definite for distinct positive x; its least eigenvalue is at least a quarter of "
    "the smallest increment.",
    formula=r"(\min(x_i, x_j))_{ij} \succ 0",
    source="paper, appendix, prop:k1pd",
    assumes="x positive and distinct",
    instances=chains(most=4, extra=_positive_numbers(distinct=True)),
    sides=_min_kernel_pd,
    premise=lambda case: min(case.given["x"]) > 0 and len(set(case.given["x"])) == len(case.given["x"]),
    tolerance=lambda case: 8 * EPS * len(case.given["x"]) ** 2 * float(max(case.given["x"])),
    steps=proofs.MIN_KERNEL,
    control=Control("two equal numbers", instances=chains(most=4, extra=_positive_numbers(distinct=False))),
)


def _k1_definite(case: Case) -> list[Relation]:
    if case.R == 0:
        return [below(0, case.K1[0, 0])] if case.X == 1 else [below(0, -indefiniteness(case.K1))]
    # Suffix sums S, total Z: S^2 + (Z - S)^2 >= (3 - sqrt 5)/2 (S^2 + Z^2), and (3 - sqrt 5)/8 > 1/11.
    least = _smallest_gap(case.r) / (11 * case.R)
    return [at_most(indefiniteness(case.K1 - least * identity(case.X, case.exact)), 0)]


K1_DEFINITE = Statement(
    slug="k1-pd-distinct",
    title="Reward kernel definite on distinct rewards",
    identities=identities.K1_PD_DISTINCT,
    claim="The reward kernel is positive definite on distinct rewards, the least and the greatest included.",
    formula=r"\lambda_{\min}(K_1) \ge \frac{1}{11 R}\min_{x \ne y} |r_x - r_y|",
    source="B6",
    assumes="distinct rewards",
    instances=chains(rewards="distinct"),
    sides=_k1_definite,
    premise=lambda case: len(set(case.r)) == case.X,
    steps=proofs.K1_DEFINITE,
    control=Control("two pairs with the same reward", instances=lumpable_chains(distinct=True)),
    uses=("prop-min-kernel-pd",),
)


def _two_laws(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    p, q = probabilities(rng, case.exact, 2, case.X, zeros=True)
    return {"p": p, "q": q}


def _two_twins(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    blocks = case.given["blocks"]
    x = next(x for x in range(case.X) if sum(blocks == blocks[x]) > 1)
    y = max(np.flatnonzero(blocks == blocks[x]))
    unit = identity(case.X, case.exact)
    return {"p": unit[x], "q": unit[y]}


def _mmd_separates(case: Case) -> list[Relation]:
    z = case.given["p"] - case.given["q"]
    mmd = z @ case.K @ z
    if case.exact:
        return [below(0, mmd)]
    return [at_most(-indefiniteness(case.K) * (z @ z), mmd)]


def _full_rank_image(case: Case) -> list[Relation]:
    z = case.given["p"] - case.given["q"]
    image = case.K @ z
    if case.exact:
        return [below(0, image @ image)]
    least = max(0.0, -indefiniteness(case.K))
    return [at_most(least * least * (z @ z), image @ image, max(1.0, float(np.trace(case.K))))]


MMD_ZERO = Statement(
    slug="lemma-mmd-zero",
    title="Full rank: MMD zero means equal laws",
    claim="If K has full rank and MMD(p, q) = 0 then p = q; quantitatively lambda_min(K) |p - q|^2 <= MMD^2.",
    formula=r"\lambda_{\min}(K)\,\|p - q\|^2 \le \mathrm{MMD}^2(p, q)",
    source="paper, appendix, lemma:mmdzero",
    assumes="K of full rank, p and q different",
    instances=chains(rewards="distinct", extra=_two_laws),
    sides=_mmd_separates,
    premise=lambda case: rank(case.K) == case.X and any(case.given["p"] != case.given["q"]),
    steps=(
        Step(
            "norms",
            "MMD = 0 implies K(p - q) = 0: |K(p - q)|^2 <= trace(K) MMD^2",
            lambda case: [_embedded(case)],
        ),
        Step("full-rank", "K has full rank, so K(p - q) = 0 only for p = q", _full_rank_image),
    ),
    control=Control("a kernel of deficient rank", instances=lumpable_chains(distinct=True, extra=_two_twins)),
    pressure=Pressure(_mmd_separates),
)


def _embedded(case: Case) -> Relation:
    z = case.given["p"] - case.given["q"]
    image = case.K @ z
    trace = np.trace(case.K)
    return at_most(image @ image, trace * (z @ image), float(floats(trace)))


def _gram(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    if rng.random() < 0.5:
        return {"k": case.K}
    A = numbers(rng, case.exact, case.X, 2)
    A[-1] = A[0]
    return {"k": A @ A.T}


def _symmetric(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    A = numbers(rng, case.exact, case.X, case.X)
    return {"k": A + A.T}


def _cauchy_schwarz(case: Case) -> list[Relation]:
    k = case.given["k"]
    difference = k[:, None, :] - k[None, :, :]  # k(x, .) - k(y, .)
    bound = squared_distance(k)[:, :, None] * np.diagonal(k)[None, None, :]
    return [at_most(difference * difference, bound, max(1.0, float(floats(np.max(np.abs(k))))))]


EMBEDDING = Statement(
    slug="lemma-kernel-embedding",
    title="Distance zero means equal kernel rows",
    identities=identities.LEMMA_KERNEL_EMBEDDING,
    claim="d(x, y) = 0 implies k(x, .) = k(y, .): (k(x, z) - k(y, z))^2 <= d(x, y) k(z, z).",
    formula=r"(k(x,z) - k(y,z))^2 \le d(x,y)\,k(z,z)",
    source="paper, appendix, lemma:kernelemb",
    assumes="k is positive semidefinite",
    instances=mixture(chains(extra=_gram), lumpable_chains(distinct=False, extra=_gram)),
    sides=_cauchy_schwarz,
    premise=lambda case: indefiniteness(case.given["k"]) <= (0 if case.exact else rounding(case)),
    steps=(
        Step(
            "rearranged",
            "(k(x,x) - k(x,y)) - (k(x,y) - k(y,y)) = d(x,y), zero when d is",
            lambda case: [_rearranged(case.given["k"])],
            kind="algebra",
        ),
        Step("implies", "hence k(x, .) = k(y, .), by Cauchy and Schwarz", _cauchy_schwarz, kind="algebra"),
    ),
    control=Control("a kernel that is not positive semidefinite", instances=chains(extra=_symmetric)),
    pressure=Pressure(_cauchy_schwarz),
    cost=Cost(most_pairs=SMALL_MODELS),
)


def _rearranged(k: Any) -> Relation:
    diagonal = np.diagonal(k)
    left = (diagonal[:, None] - k) - (k - diagonal[None, :])
    return equal(left, squared_distance(k))


STATEMENTS = (REWARD_KERNEL_PSD, MIN_KERNEL, K1_DEFINITE, MMD_ZERO, EMBEDDING)
