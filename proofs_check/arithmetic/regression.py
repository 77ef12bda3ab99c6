r"""LSPE on an instance: in floats from features, in rationals from their Gram matrix.

A KROPE representation is known by its Gram matrix $\Phi\Phi^\top = K$; the features themselves are irrational. With
``T`` the pairs that have data and $\Pi_D$ the D-orthogonal projector onto the range of $K_{TT}$,

$$\|L\|_2^2 \le \gamma \iff K_{TT} - \gamma\,\Pi_D (P_\pi K P_\pi^\top)_{TT}\,\Pi_D^\top \succeq 0,$$

and the non-zero eigenvalues of ``L`` are those of the rational map $f \mapsto \gamma Z (P_\pi f)_T$, where ``Z``
extends the fit from the data to all pairs. Weights that vanish are covered: this is the pseudo-inverse. Where more is
asked than a sign, LSPE is taken to a rational basis of what the data see of the RKHS (`seen`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import NULL, flint_matrix, indefiniteness, pivot_columns, rationals, solve
from proofs_check.arithmetic.regression_at_once import by_key, iterations, kernel_factors
from proofs_check.chains.case import EPS, Case
from tabular_krope.exact.spectra import is_stable
from tabular_krope.representations.layers import weighted_directions


@dataclass(frozen=True, slots=True, eq=False)
class Iteration:
    """LSPE's map ``theta -> b + L theta``.

    Attributes:
        L: [d, d].
        b: [d].
        condition: of the weighted features, 1 for rationals; rounding in ``L`` is magnified by it.
    """

    L: Any
    b: Any
    condition: float = 1.0

    def limit(self) -> Any:
        """The fixed point."""
        unit = 0 * self.L
        np.fill_diagonal(unit, unit[0, 0] + 1)
        return solve(unit - self.L, self.b)


def iteration(case: Case, Phi: Any, D: Any = None) -> Iteration:
    """LSPE's map on features ``Phi`` [X, d] under weights ``D`` (the instance's own if None)."""
    if D is None and Phi is case._cache.get("features"):
        return kernel_iteration(case)
    if D is None and Phi is case.given.get("phi"):
        return case.shared("map", lambda: _iteration(case, Phi, case.weights), _given_iterations)
    return _iteration(case, Phi, case.weights if D is None else D)


def _given_iterations(cases: list[Case]) -> list[Iteration]:
    features = [np.asarray(case.given["phi"], np.float64) for case in cases]
    return [Iteration(*found) for found in iterations(cases, features, [case.weights for case in cases])]


def _iteration(case: Case, Phi: Any, weights: Any) -> Iteration:
    if case.exact:
        from tabular_krope.evaluation.exact_lspe import exact_iteration

        found = exact_iteration(case.exact_mrp(), flint_matrix(Phi), tuple(weights))
        return Iteration(rationals(found.L), rationals(found.b).reshape(-1))
    return Iteration(*iterations([case], [np.asarray(Phi, np.float64)], [weights])[0])


def kernel_features(case: Case) -> Any:
    """Float features with ``Phi Phi' = K``, small directions kept, [X, <= X]."""
    return case.shared("features", lambda: kernel_factors([case])[0], kernel_factors)


def kernel_iteration(case: Case) -> Iteration:
    """LSPE's map on `kernel_features`."""
    return case.shared("iteration", lambda: _kernel_iterations([case])[0], _kernel_iterations)


def _kernel_iterations(cases: list[Case]) -> list[Iteration]:
    found = iterations(cases, [kernel_features(case) for case in cases], [case.weights for case in cases])
    return [Iteration(*one) for one in found]


def kernel_radius(case: Case) -> float:
    """Spectral radius of LSPE's matrix on `kernel_features`, in floats."""
    return case.shared("radius", lambda: radius(kernel_iteration(case).L), lambda cases: _sizes(cases, radii))


def kernel_norm(case: Case) -> float:
    """2-norm of LSPE's matrix on `kernel_features`, in floats."""
    return case.shared("norm", lambda: norm(kernel_iteration(case).L), lambda cases: _sizes(cases, norms))


def _sizes(cases: list[Case], measure: Callable[[Any], Any]) -> list[float]:
    matrices = [kernel_iteration(case).L for case in cases]
    out = [0.0] * len(cases)
    for places in by_key(L.shape for L in matrices):
        for k, size in zip(places, measure(np.array([matrices[k] for k in places])).tolist(), strict=True):
            out[k] = size
    return out


def top_features(case: Case, D: Any = None) -> tuple[Any, Any]:
    """Float features ``K D^1/2 U S^-1/2`` in decreasing order of their eigenvalues, and those eigenvalues."""
    if D is None:
        return case.once("top features", lambda: _top_features(case, case.weights))
    return _top_features(case, D)


def _top_features(case: Case, D: Any) -> tuple[Any, Any]:
    G = kernel_features(case)
    _, sigma, V = weighted_directions(G, np.sqrt(D), NULL)
    return G @ V, sigma**2


def top_norms(case: Case) -> Any:
    """2-norms of LSPE's matrix on the first ``d`` of the `top_features`, for every ``d``, in floats."""
    return case.shared("top norms", lambda: _top_norms([case])[0], _top_norms)


def _top_norms(cases: list[Case]) -> list[Any]:
    whole = [top_features(case)[0] for case in cases]
    out: list[list[float]] = [[] for _ in cases]
    for d in range(1, 1 + max(Phi.shape[1] for Phi in whole)):
        there = [k for k, Phi in enumerate(whole) if Phi.shape[1] >= d]
        found = iterations(
            [cases[k] for k in there], [whole[k][:, :d] for k in there], [cases[k].weights for k in there]
        )
        for k, size in zip(there, norms(np.array([L for L, _, _ in found])).tolist(), strict=True):
            out[k].append(size)
    return [np.array(some) for some in out]


def radius(L: Any) -> float:
    """Spectral radius of a float matrix."""
    return float(radii(L))


def radii(L: Any) -> Any:
    """Spectral radii of float matrices [..., d, d]."""
    return np.abs(np.linalg.eigvals(L)).max(axis=-1)


def norm(L: Any) -> float:
    """2-norm of a float matrix."""
    return float(norms(L))


def norms(L: Any) -> Any:
    """2-norms of float matrices [..., d, d]."""
    return np.linalg.svd(L, compute_uv=False)[..., 0]  # what np.linalg.norm does, by way of stacks


def regression_rounding(case: Case) -> float:
    """What float64 leaves in LSPE's map on `kernel_features`."""
    return 64 * EPS * max(case.X, 4) * case.horizon * kernel_iteration(case).condition


def data_pairs(case: Case) -> list[int]:
    """Pairs of positive weight."""
    return [x for x in range(case.X) if case.weights[x] > 0]


def gram_projector(case: Case, N: Any) -> tuple[Any, Any]:
    """The projector ``Pi_D`` on the data's pairs [t, t] and the extension ``Z`` [X, t], for rational features with Gram
    matrix ``N``."""
    T = data_pairs(case)
    seen = N[np.ix_(T, T)]
    pivots = pivot_columns(seen)
    V, columns = seen[:, pivots], [T[j] for j in pivots]
    D = case.weights[T]
    fit = solve(V.T @ (D[:, None] * V), V.T * D)
    return V @ fit, N[:, columns] @ fit


def gram_norm_excess(case: Case, N: Any) -> Any:
    """At most 0 if LSPE on features with rational Gram matrix ``N`` has ``norm2(L)^2 <= gamma``, else 1."""
    T = data_pairs(case)
    projector, _ = gram_projector(case, N)
    pushed = case.push(N)[np.ix_(T, T)]
    return indefiniteness(N[np.ix_(T, T)] - case.gamma * (projector @ pushed @ projector.T))


def gram_stable(case: Case, N: Any) -> bool:
    """Whether LSPE on features with rational Gram matrix ``N`` has spectral radius below 1; decided exactly."""
    _, Z = gram_projector(case, N)
    return is_stable(flint_matrix(case.gamma * (Z @ case.P_pi[data_pairs(case)])))


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What the data see of the RKHS, over the rationals.

    Attributes:
        points: data pairs whose kernel functions are a basis.
        Psi: these functions, [X, n].
        gram: their Gram matrix, [n, n].
        N: the covariance operator, [n, n].
        L: ``gamma P_pi`` projected on the span in the RKHS, [n, n].
    """

    points: list[int]
    Psi: Any
    gram: Any
    N: Any
    L: Any

    def coordinates(self, f: Any) -> Any:
        """Of the projection of ``f`` [X] on the span, in the RKHS: interpolation at the points."""
        return solve(self.gram, f[self.points])


def seen(case: Case) -> Seen:
    """The covariance operator of a rational instance."""

    def build() -> Seen:
        T = data_pairs(case)
        points = [T[j] for j in pivot_columns(case.K[np.ix_(T, T)])]
        Psi, gram = case.K[:, points], case.K[np.ix_(points, points)]
        N = solve(gram, Psi.T @ (case.weights[:, None] * Psi))
        return Seen(points, Psi, gram, N, case.gamma * solve(gram, (case.P_pi @ Psi)[points]))

    return case.once("seen", build)
