import numpy as np
import pytest
from scipy.sparse.linalg import ArpackNoConvergence

import tabular_krope as tk
from deep.control import measures
from deep.control.measures import certificate_on_rows, completeness_on_rows, orthogonality_on_rows
from tabular_krope.evaluation.residual import residual_certificate


def rows(seed, n=30, d=3, gamma=0.9):
    """A deterministic chain whose rows are its pairs, with random features, as an MRP and as arrays."""
    rng = np.random.default_rng(seed)
    follows, r = rng.integers(0, n, n), rng.uniform(-1, 1, n)
    Phi = rng.standard_normal((n, d))
    mrp = tk.MRP.from_matrix(np.eye(n)[follows], r, gamma)
    return mrp, Phi, Phi[follows], r


@pytest.mark.parametrize("n", [30, 200])  # by all eigenvalues, by Lanczos
def test_the_certificate_is_that_of_the_chain(n):
    mrp, Phi, Phi_next, r = rows(0, n=n)
    ours, theirs = certificate_on_rows(Phi, Phi_next, r, mrp.gamma), residual_certificate(mrp, Phi)
    assert ours.negative_part == pytest.approx(theirs.negative_part, rel=1e-5)
    assert ours.smallest_eigenvalue == pytest.approx(theirs.smallest_eigenvalue, rel=1e-9)
    assert ours.margin == pytest.approx(theirs.margin, rel=1e-5)
    assert ours.certified is theirs.certified is False


def test_without_a_future_everything_is_certified():
    _, Phi, Phi_next, r = rows(0)
    for features in (Phi, 0 * Phi):
        found = certificate_on_rows(features, Phi_next, r, 0.0)
        assert (found.certified, found.margin) == (True, np.inf)


def test_exact_krope_features_are_certified():
    mrp, *_ = rows(1, n=20)
    Phi = np.asarray(tk.krope_kernel(mrp).factor())
    Phi_next = np.asarray(mrp.P_pi @ Phi)
    found = certificate_on_rows(Phi, Phi_next, mrp.r, mrp.gamma)
    assert found.certified
    assert found.negative_part < 1e-9


def test_the_smallest_eigenvalue_is_that_on_the_range():
    """A feature that is the sum of two others adds a zero eigenvalue, which is none of the three that count."""
    mrp, Phi, Phi_next, r = rows(5)
    more, more_next = (np.column_stack([part, part[:, 0] + part[:, 1]]) for part in (Phi, Phi_next))
    found = certificate_on_rows(more, more_next, r, mrp.gamma)
    assert found.smallest_eigenvalue == pytest.approx(np.linalg.eigvalsh(more.T @ more / len(r))[1], rel=1e-9)
    assert found.smallest_eigenvalue > 1e-3


def test_no_convergence_is_not_certified(monkeypatch):
    def never(*arguments, **settings):
        raise ArpackNoConvergence("no", np.zeros(0), np.zeros((0, 0)))

    monkeypatch.setattr(measures, "eigsh", never)
    mrp, Phi, Phi_next, r = rows(2, n=100)
    found = certificate_on_rows(Phi, Phi_next, r, mrp.gamma)
    assert np.isnan(found.margin)
    assert not found.certified
    assert not certificate_on_rows(0 * Phi, Phi_next, r, mrp.gamma).certified


def test_completeness_is_that_of_the_chain():
    mrp, Phi, Phi_next, r = rows(3)
    assert completeness_on_rows(Phi, Phi_next, r, mrp.gamma) == pytest.approx(tk.bellman_completeness_error(mrp, Phi))
    assert completeness_on_rows(0 * Phi, 0 * Phi, r, mrp.gamma) == pytest.approx(np.mean(r**2))


def test_orthogonality_is_that_of_the_chain():
    mrp, Phi, *_ = rows(4)
    assert orthogonality_on_rows(Phi, mrp.q) == pytest.approx(tk.orthogonality_correlation(mrp, Phi))
    assert np.isnan(orthogonality_on_rows(Phi[:2], mrp.q[:2]))
    assert np.isnan(orthogonality_on_rows(Phi, np.full(len(Phi), 3.0)))
    many = np.random.default_rng(0).standard_normal((5000, 2))
    assert abs(orthogonality_on_rows(many, many[:, 0])) < 1
