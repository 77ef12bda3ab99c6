"""Features that claims are tried on have every width that is promised, and the rank that is assumed."""

import numpy as np
import pytest

from proofs_check.arithmetic.linear_algebra import identity, rank, rationals
from proofs_check.chains.case import Case
from proofs_check.statements.covariance.claims import _wide_features
from proofs_check.statements.neighbors.temporal_differences import any_features, independent_features, wide_features
from proofs_check.statements.stability.claims import random_features

DRAWS = 60


def on(X, make):
    """Features that are drawn for a chain of ``X`` pairs that stay where they are."""
    case = Case.from_matrix(identity(X, True), rationals(range(X)), rationals("1/2")[()])
    return [make(np.random.default_rng(seed), case)["phi"] for seed in range(DRAWS)]


@pytest.mark.parametrize("make", [random_features, any_features, independent_features])
@pytest.mark.parametrize(("X", "widths"), [(1, {1}), (2, {1, 2}), (5, {1, 2, 3})])
def test_one_to_three_columns(make, X, widths):
    found = on(X, make)
    assert {Phi.shape[1] for Phi in found} == widths
    assert all(len(Phi) == X and Phi.any() for Phi in found)


def test_independent_and_dependent_columns():
    assert all(rank(Phi) == Phi.shape[1] for Phi in on(5, independent_features))
    dependent = sum(rank(Phi) < Phi.shape[1] for Phi in on(5, any_features))
    assert 5 <= dependent <= 30  # three of ten where there are two columns or three


def test_independent_rows():
    found = on(3, wide_features)
    assert {Phi.shape[1] for Phi in found} == {3, 4, 5}
    assert all(rank(Phi) == 3 for Phi in found)


@pytest.mark.parametrize(("least", "most"), [(0, 0), (1, 3)])
def test_features_as_wide_as_there_are_pairs(least, most):
    found = on(3, _wide_features(least, most))
    assert {Phi.shape[1] for Phi in found} == set(range(3 + least, 3 + most + 1))
    assert all(rank(Phi) == 3 for Phi in found)
