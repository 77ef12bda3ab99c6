"""What learned features are worth: stability of LSPE under several arithmetics, orthogonality, realizability.

LSPE is judged on the chain and the weights of the data set it would be run on; true action values are those of the
Garnet itself.
"""

import numpy as np

from deep.tabular.problems import Problem
from tabular_krope.arrays import Array
from tabular_krope.data.empirical import empirical_mrp
from tabular_krope.evaluation.lspe import lspe
from tabular_krope.exact.rationals import rational_matrix
from tabular_krope.measures.completeness import bellman_completeness_error
from tabular_krope.measures.orthogonality import orthogonality_correlation
from tabular_krope.measures.realizability import realizability_error
from tabular_krope.models.induce import induce
from tabular_krope.models.mrp import MRP

#: Ways to compute LSPE's iteration matrix in floating point. numpy and torch cut the covariance's pseudo-inverse at
#: different relative sizes: 1e-15, and d times the machine's epsilon.
FLOAT_ROUTES = ("covariance32", "covariance64", "covariance32_torch", "covariance64_torch", "svd")


def route_radius(mrp: MRP, phi: Array, route: str) -> float:
    """Spectral radius of LSPE's iteration matrix as the route computes it."""
    if route == "svd":
        return lspe(mrp, phi, mrp.weights, steps=0).spectral_radius
    dtype = "float32" if "32" in route else "float64"
    rcond = phi.shape[1] * float(np.finfo(dtype).eps) if route.endswith("torch") else 1e-15
    return lspe(mrp, phi, mrp.weights, "covariance", dtype, steps=0, rcond=rcond).spectral_radius


def evaluate(one: Problem, phi: Array) -> dict[str, float]:
    """The measures of one trial's features [X, d], by name.

    ``radius_<route>`` for the float routes; those of `arbitrate`; ``rank``, ``condition``, ``orthogonality``,
    ``realizability`` and ``completeness``, the proxy for Bellman completeness.
    """
    seen, true = empirical_mrp(one.dataset, one.policy), induce(one.mdp, one.policy)
    phi = np.asarray(phi, dtype=np.float64)
    measures = {f"radius_{route}": route_radius(seen, phi, route) for route in FLOAT_ROUTES}
    # Also where every route says unstable: an instability is a claim, and a claim is certified.
    disputed = not all(radius < 1 for radius in measures.values())
    by_svd = lspe(seen, phi, seen.weights, steps=0)
    measures |= {"rank": float(by_svd.rank), "condition": by_svd.condition}
    measures["orthogonality"] = orthogonality_correlation(true, phi)
    measures["realizability"] = realizability_error(true, phi)
    measures["completeness"] = bellman_completeness_error(seen, phi, seen.weights)
    return measures | arbitrate(seen, phi, disputed)


def arbitrate(mrp: MRP, phi: Array, disputed: bool) -> dict[str, float]:
    r"""The stability of LSPE without rounding, where it is needed.

    ``exact_rank`` is the rank of the features over the rationals. If it is the number of pairs, every pair has data and
    no episode ends, the spectral radius is gamma: the non-zero spectrum of ``L`` is that of $\gamma P_\pi$
    (``exact_by = 1``). Otherwise, unless every float route says stable, rational arithmetic decides (``exact_by = 2``).
    What nobody disputes is left NaN (``exact_by = 0``).

    Returns:
        ``exact_rank``, ``exact_by``, ``exact_stable``, ``radius_exact`` between ``exact_low`` and ``exact_high``.
    """
    rank = rational_matrix(phi).numer_denom()[0].rank()
    nan, covered = float("nan"), mrp.weights is not None and bool((mrp.weights > 0).all())
    if rank == mrp.n_pairs and covered and mrp.conservative:
        low, high, by, stable = mrp.gamma, mrp.gamma, 1.0, float(mrp.gamma < 1)
    elif disputed:
        exact = lspe(mrp, phi, mrp.weights, solver="exact", steps=0)
        low, high = exact.enclosure or (nan, nan)
        by, stable = 2.0, float(exact.stable)
    else:
        low, high, by, stable = nan, nan, 0.0, nan
    found = {"radius_exact": (low + high) / 2, "exact_low": low, "exact_high": high, "exact_stable": stable}
    return found | {"exact_rank": float(rank), "exact_by": by}


def evaluate_all(each: tuple[Problem, ...], features: Array) -> dict[str, Array]:
    """`evaluate` for every trial of features [T, X, d]: arrays [T] by name."""
    rows = [evaluate(one, phi) for one, phi in zip(each, features, strict=True)]
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}
