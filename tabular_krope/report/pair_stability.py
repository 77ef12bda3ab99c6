"""What `row_stability` says of rows of features, for sparse one-hot features of many pairs."""

from dataclasses import replace
from math import isqrt
from typing import Any

import numpy as np
from scipy import sparse

from tabular_krope.arrays import Array, Matrix
from tabular_krope.evaluation.pair_rows import PairModel, PairRows
from tabular_krope.evaluation.pair_spectrum import (
    balanced,
    growth_of_pairs,
    leading_eigenvalues,
    norm_of_pairs,
    pair_distance_to_the_circle,
    radius_of_pairs,
)
from tabular_krope.report.row_stability import ANGLES, ROUTES, STEPS, RowFacts, RowRoute, angles_to_look_at

#: Errors that are followed for the picture, in random directions.
DIRECTIONS = 64


def pair_facts(rows: PairRows, episodes: Any) -> RowFacts:
    """The facts of one-hot rows; the singular values of their weighted features are the roots of the pairs' shares."""
    n, k = len(rows.r), rows.k
    order = np.argsort(-rows.model.shares, kind="stable")
    sigma = np.sqrt(rows.model.shares[order])
    E = sparse.csr_array((1 / sigma, (order, np.arange(k))), shape=(k, k))
    F, G = balanced(rows.model)
    T = sparse.csr_array(rows.gamma * (F @ G))[order][:, order]
    growth, condition = growth_of_pairs(rows), float(sigma[0] / sigma[-1])
    rounding = (2 * k + 1 + isqrt(n)) * float(np.finfo(float).eps) * condition * rows.gamma * float(np.sqrt(growth))
    eigenvalues = rows.gamma * leading_eigenvalues(rows.model.between_states, ANGLES)
    margin = pair_distance_to_the_circle(rows.model, angles_to_look_at(eigenvalues))
    many = len(np.unique(episodes))
    R = sparse.diags_array(np.sqrt(rows.model.shares), format="csr")
    return RowFacts(n, many, k, k, condition, sigma, growth, margin, rounding, E, T, R)


def pair_routes(rows: PairRows, facts: RowFacts) -> tuple[RowRoute, ...]:
    """LSPE by each solver: on one-hot features both divide sums by sums, with the rounding of their arithmetic."""
    return tuple(_route(rows, facts, solver, dtype) for solver, dtype in ROUTES)


def _route(rows: PairRows, facts: RowFacts, solver: str, dtype: str) -> RowRoute:
    P, rewards = _regressed(rows, solver, np.dtype(dtype))
    rounded = replace(rows.model, P=P.astype(np.float64), rewards=rewards.astype(np.float64))
    radius, norm = radius_of_pairs(rounded), norm_of_pairs(rounded)
    value = float(rows.start @ rounded.values()[0])
    condition = facts.condition if solver == "svd" else facts.condition**2
    return RowRoute(solver, dtype, radius, norm, radius < 1, value, condition, _errors(rounded))


def _regressed(rows: PairRows, solver: str, dtype: Any) -> tuple[Matrix, Array]:
    """``P`` and mean rewards as sums over the rows in an arithmetic, by the covariance or by a singular value each."""
    n, goes = len(rows.r), rows.after >= 0
    weight = np.full(n, 1.0 / n, dtype)
    Phi = sparse.csr_array((np.ones(n, dtype), rows.pair, np.arange(n + 1)), shape=(n, rows.k))
    after = np.flatnonzero(goes)
    entries = (np.ones(len(after), dtype), (after, rows.after[goes]))
    follow = sparse.csr_array(entries, shape=(n, rows.m))
    if solver == "covariance":
        weighted = sparse.csr_array(sparse.diags_array(weight) @ Phi)
        share = np.asarray(weighted.T @ np.ones(n, dtype))
        P, rewards = weighted.T @ follow, weighted.T @ rows.r.astype(dtype)
        return sparse.csr_array(sparse.diags_array(1 / share) @ P), rewards / share
    root = sparse.csr_array(sparse.diags_array(np.sqrt(weight)) @ Phi)
    sigma = np.sqrt(np.asarray(root.multiply(root).T @ np.ones(n, dtype)))
    U = sparse.csr_array(root @ sparse.diags_array(1 / sigma))
    P, rewards = U.T @ (sparse.diags_array(np.sqrt(weight)) @ follow), U.T @ (np.sqrt(weight) * rows.r.astype(dtype))
    return sparse.csr_array(sparse.diags_array(1 / sigma) @ P), rewards / sigma


def _errors(model: PairModel) -> Array:
    """What is left of errors in random directions after 0, 1, ... steps, root mean square over the data."""
    F, G = balanced(model)
    V = np.random.default_rng(0).choice([-1.0, 1.0], size=(len(model.shares), DIRECTIONS))
    left = np.empty(STEPS + 1)
    for t in range(STEPS + 1):
        left[t] = np.linalg.norm(V) / np.sqrt(V.size)
        V = model.gamma * (F @ (G @ V))
    return left
