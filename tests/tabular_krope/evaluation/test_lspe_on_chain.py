"""The door for chains: matrices by hand, and eigenvalues that no condition number magnifies."""

import numpy as np
import pytest

from tabular_krope.arrays import dense
from tabular_krope.evaluation.lspe_on_chain import chain_iteration, features_after
from tabular_krope.models.mrp import MRP
from tests.cases import random_mrp


def eigenvalues(A):
    return np.sort_complex(np.round(np.linalg.eigvals(A), 9))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("apart", [1.0, 1e-6, 1e-10])
def test_of_all_functions_the_eigenvalues_are_the_chains_own_however_close_the_features(seed, apart):
    """Square features span everything, so ``core`` is similar to ``gamma P_pi``; only U, never 1 / sigma, enters it."""
    mrp = random_mrp(seed, S=3, A=2)
    rng = np.random.default_rng(seed)
    Phi = 1 + apart * rng.standard_normal((6, 6))
    found = chain_iteration(mrp, Phi, np.sqrt(rng.uniform(0.05, 0.3, 6)))
    assert found.rank == 6
    np.testing.assert_allclose(
        np.abs(np.linalg.eigvals(found.core)).max(),
        mrp.gamma * np.abs(np.linalg.eigvals(dense(mrp.P_pi))).max(),
        rtol=1e-12,
    )
    np.testing.assert_allclose(eigenvalues(found.core), eigenvalues(mrp.gamma * dense(mrp.P_pi)), atol=1e-6)


def test_pairs_without_weight_are_followed_by_their_features():
    """Two pairs with features 1 and 2; the second is not seen, stays where it is, and the first leads to it.

    By hand: ``L = gamma phi(x) phi(y) / phi(x)^2 = 2 gamma``, and ``b = r(x)``.
    """
    mrp = MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [3.0, 100.0], 0.25)
    Phi = np.array([[1.0], [2.0]])
    found = chain_iteration(mrp, Phi, np.array([1.0, 0.0]))
    assert (found.L.tolist(), found.b.tolist(), found.core.tolist()) == ([[0.5]], [3.0], [[0.5]])
    assert features_after(mrp, Phi).tolist() == [[2.0], [2.0]]


def test_functions_of_any_size_on_pairs_without_data():
    """Pair 0 leads to pair 2, which is not seen and has a feature of 1e200; pair 1, hardly seen, stays.

    By hand: ``L = gamma diag(1e200, 1)``.
    """
    mrp = MRP.from_matrix([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0, 0.0, 0.0], 0.5)
    Phi = np.array([[1.0, 0.0], [0.0, 1.0], [1e200, 0.0]])
    found = chain_iteration(mrp, Phi, np.array([1.0, 1e-10, 0.0]))
    assert found.layered
    assert found.L.tolist() == [[0.5e200, 0.0], [0.0, 0.5]]
    assert sorted(np.linalg.eigvals(found.core)) == pytest.approx([0.5, 0.5e200], rel=1e-12)
