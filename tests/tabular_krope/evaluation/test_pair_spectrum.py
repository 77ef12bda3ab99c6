"""Largest singular values of sparse matrices, small and large, tall and wide."""

import numpy as np
import pytest
from scipy import sparse

from tabular_krope.evaluation import pair_spectrum as module
from tabular_krope.evaluation.pair_spectrum import operator_norm


@pytest.mark.parametrize("shape", [(1, 1), (40, 2), (2, 40), (7, 7), (1, 30)])
@pytest.mark.parametrize("dense", [True, False])
def test_norms_are_those_of_the_dense_matrix(shape, dense, monkeypatch):
    monkeypatch.setattr(module, "DENSE", 100 if dense else -1)
    M = np.random.default_rng(0).standard_normal(shape) + 1
    if min(shape) > 1 or dense:
        assert operator_norm(sparse.csr_array(M)) == pytest.approx(np.linalg.norm(M, 2), rel=1e-9)
    assert operator_norm(sparse.csr_array(0 * M)) == operator_norm(sparse.csr_array((0, 3))) == 0


@pytest.mark.parametrize("shape", [(40, 2), (2, 40), (3, 3)])
def test_of_two_products_the_smaller_one_is_written_out(shape, monkeypatch):
    """A matrix of a million rows and two columns has a product with two rows, and one that fits no memory."""
    seen, eigenvalues = [], np.linalg.eigvalsh
    monkeypatch.setattr(module.np.linalg, "eigvalsh", lambda A: seen.append(A.shape) or eigenvalues(A))
    operator_norm(sparse.csr_array(np.ones(shape)))
    assert seen == [(min(shape), min(shape))]
