r"""The matrices of temporal differences on features ``Phi`` under weights ``D``, and features to try claims on.

$$\Sigma = \Phi^\top D\,\Phi, \quad C = \Phi^\top D P_\pi \Phi, \quad A = \Sigma - \gamma C, \quad
L = \gamma\,\Sigma^+ C, \quad \Pi_D = \Phi\,\Sigma^+ \Phi^\top D.$$
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import NULL, floats, is_exact, pseudo_inverse, rank
from proofs_check.arithmetic.regression import data_pairs
from proofs_check.arithmetic.regression_at_once import by_key
from proofs_check.chains.at_once import stacked
from proofs_check.chains.case import EPS, Case
from proofs_check.chains.generators import Extra, Maker, chains, numbers, probabilities

#: How often features of a kind are drawn before some are made.
TRIES = 20


@dataclass(frozen=True, eq=False)
class Fit:
    """What TD, fitted iteration and LSTD are made of.

    Attributes:
        left: ``Phi' D``, [d, X].
        Sigma, C, A: [d, d].
        regression: ``Sigma^+ Phi' D``, [d, X].
    """

    left: Any
    Sigma: Any
    C: Any
    A: Any
    regression: Any

    @cached_property
    def spectrum(self) -> Any:
        """Singular values of ``Sigma``, in floats."""
        return np.linalg.svd(floats(self.Sigma), compute_uv=False)

    @cached_property
    def size(self) -> float:
        """The largest entry in modulus, against which a float counts as zero."""
        return max(float(np.abs(floats(part)).max()) for part in (self.left, self.Sigma, self.C, self.A))


def fit(case: Case, weights: Any = None) -> Fit:
    """The matrices on the features of an instance, under its data weights or others."""
    if weights is not None:
        return case.once("fit elsewhere", lambda: _fit(case, weights))
    return case.shared("fit", lambda: _fit(case, case.weights), _fits)


def _fit(case: Case, weights: Any) -> Fit:
    Phi = case.given["phi"]
    left = Phi.T * weights
    Sigma, C = left @ Phi, left @ case.P_pi @ Phi
    return Fit(left, Sigma, C, Sigma - case.gamma * C, pseudo_inverse(Sigma) @ left)


def _fits(cases: list[Case]) -> list[Fit]:
    """`fit` of float instances of one size under their own weights."""
    out: list[Any] = [None] * len(cases)
    for places in by_key(case.given["phi"].shape for case in cases):
        here = [cases[k] for k in places]
        Phi, P = stacked(here, lambda case: case.given["phi"]), stacked(here, lambda case: case.P_pi)
        left = Phi.transpose(0, 2, 1) * stacked(here, lambda case: case.weights)[:, None, :]
        Sigma, C = left @ Phi, left @ P @ Phi
        A = Sigma - stacked(here, lambda case: case.gamma)[:, None, None] * C
        for k, *parts in zip(places, left, Sigma, C, A, pseudo_inverse(Sigma) @ left, strict=True):
            out[k] = Fit(*parts)
    return out


def iteration_matrix(case: Case, steps: int = 1, weights: Any = None) -> Any:
    """``L_n = gamma^n Sigma^+ Phi' D P_pi^n Phi``, [d, d]."""
    ahead = case.given["phi"]
    for _ in range(steps):
        ahead = case.gamma * (case.P_pi @ ahead)
    return fit(case, weights).regression @ ahead


def rank_against(M: Any, size: float) -> int:
    """The rank: exact for rationals; for floats the singular values that are not small against ``size``."""
    if is_exact(M):
        return rank(M)
    return int(np.sum(np.linalg.svd(np.asarray(M), compute_uv=False) > NULL * size))


def invertible(case: Case, weights: Any = None) -> bool:
    """Whether the features are independent on the data: ``Sigma`` is invertible."""
    Sigma = fit(case, weights).Sigma
    return rank(Sigma) == len(Sigma)


def fit_rounding(case: Case, weights: Any = None) -> float:
    """What float64 leaves in a regression: rounding, magnified by the condition of ``Sigma``."""
    sigma = fit(case, weights).spectrum
    kept = sigma[sigma > NULL * sigma[0]] if sigma[0] > 0 else np.ones(1)
    return 64 * EPS * max(case.X, 4) * float(kept[0] / kept[-1])


def with_data(choose: Callable[[np.random.Generator, Case], list[int]], extra: Extra) -> Maker:
    """A maker of chains with data on chosen pairs only, and features."""
    plain = chains(most=8)

    def make(rng: np.random.Generator, exact: bool) -> Case:
        case = plain(rng, exact)
        T = choose(rng, case)
        weights = 0 * case.weights
        weights[T] = probabilities(rng, exact, 1, len(T))[0]
        return maker.around(rng, replace(case, weights=weights))

    maker = Maker(make, extra)
    return maker


def any_features(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    """Features of one to three columns, sometimes dependent."""
    d = int(rng.integers(1, min(case.X, 3) + 1))
    Phi = numbers(rng, case.exact, case.X, d)
    Phi[0, 0] = Phi[0, 0] * 0 + 1  # not all zero
    if d > 1 and rng.random() < 0.3:
        Phi[:, -1] = 2 * Phi[:, 0]
    return {"phi": Phi}


def independent_features(rng: np.random.Generator, case: Case, T: list[int] | None = None) -> Mapping[str, Any]:
    """Features whose columns are independent on the data's pairs, or on the pairs ``T``."""
    T = data_pairs(case) if T is None else T
    d = int(rng.integers(1, min(len(T), 3) + 1))
    return {"phi": _drawn(rng, case, d, lambda Phi: rank(Phi[T]) == d, [(T[k], k) for k in range(d)])}


def wide_features(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    """Features whose rows are independent on the data's pairs, with up to two columns more than these."""
    T = data_pairs(case)
    d = len(T) + int(rng.integers(0, 3))
    return {"phi": _drawn(rng, case, d, lambda Phi: rank(Phi[T]) == len(T), [(x, k) for k, x in enumerate(T)])}


def _drawn(
    rng: np.random.Generator, case: Case, d: int, wanted: Callable[[Any], bool], heavy: list[tuple[int, int]]
) -> Any:
    """Random features [X, d] of the wanted kind; where none is drawn, some with heavy entries at these places."""
    for _ in range(TRIES):
        Phi = numbers(rng, case.exact, case.X, d)
        if wanted(Phi):
            return Phi
    for x, k in heavy:
        Phi[x, k] = Phi[x, k] * 0 + 4 * d
    return Phi
