import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.kernels import striped, trimming
from tabular_krope.kernels.trimming import trimmed
from tests.cases import all_mrps

CASES = all_mrps()


def left_out(mrp, form, terms, root):
    """``D^1/2 (K - K_N) D^1/2`` from the dense kernel and products with all unit vectors."""
    K = tk.krope_kernel(mrp, "reduced").matrix()
    K_N = form.product(np.eye(mrp.n_pairs), terms)
    return root[:, None] * (K - K_N) * root


@pytest.mark.parametrize("name", ["random", "random-ending", "periodic", "reducible", "random-long-horizon"])
@pytest.mark.parametrize("allowed", [1e-2, 1e-5, 1e-8])
def test_what_is_left_out_is_positive_and_within_the_gap(name, allowed):
    mrp = CASES[name]
    form = tk.krope_kernel(mrp, "matrix-free")._form
    root = np.sqrt(np.random.default_rng(0).dirichlet(np.ones(mrp.n_pairs)))
    found = trimmed(form, root, allowed)
    assert found.gap <= allowed
    rounding = 1e-13 * mrp.horizon**2
    for terms in {found.terms, max(found.terms - 2, 1)}:
        values = np.linalg.eigvalsh(left_out(mrp, form, terms, root))
        assert values[0] >= -rounding
        if terms == found.terms:
            assert values[-1] <= found.gap + rounding
    assert found.terms <= form.series.terms


def test_the_gap_is_not_far_above_the_norm():
    mdp = tk.garnet(200, 3, 4, gamma=0.99, seed=0)
    mrp = tk.induce(mdp, tk.random_policy(mdp, seed=1))
    form, root = tk.krope_kernel(mrp, "matrix-free")._form, np.full(600, 600**-0.5)
    found = trimmed(form, root, 1e-9)
    norm = np.linalg.eigvalsh(left_out(mrp, form, found.terms, root))[-1]
    assert norm <= found.gap <= 2000 * norm  # of which chance asks for 56, and a trace is more than a norm
    assert found.terms < form.series._forward(form.before @ root).terms
    assert found.terms <= 14


def test_too_much_to_ask_takes_all_terms():
    form = tk.krope_kernel(CASES["random"], "matrix-free")._form
    assert trimmed(form, np.full(15, 15**-0.5), 1e-300) == trimming.Trimmed(form.series.terms, 0.0)


def test_probes_measure_the_tail_of_every_number_of_terms():
    """One probe's squares against the quadratic form of the dense kernel less its first terms."""
    mrp = CASES["random"]
    form = tk.krope_kernel(mrp, "matrix-free")._form
    g = np.random.default_rng(0).standard_normal(mrp.n_pairs)
    squares, left = form.series.squares_by_term(form.before @ g, 1e-12)
    assert left <= 1e-12
    K = tk.krope_kernel(mrp, "reduced").matrix()
    for terms in (1, 2, 5):
        tail = g @ K @ g - g @ form.product(g, terms)
        assert mrp.gamma * squares[terms:].sum() == pytest.approx(tail, abs=1e-11)
    later, same = form.series.squares_by_term(form.before @ g, 1e-12, first=3)
    assert np.isinf(later[:3]).all()
    assert np.array_equal(later[3:], squares[3:])
    assert same == left


@pytest.mark.parametrize("threads", ["1", "2"])
def test_features_are_the_same_with_threads(monkeypatch, threads):
    mdp = tk.garnet(150, 3, 4, gamma=0.95, seed=2)
    mrp = tk.induce(mdp, tk.random_policy(mdp, seed=1))
    alone = tk.features(tk.krope_kernel(mrp, "matrix-free"), 5)
    monkeypatch.setattr(striped, "SHARED", 1)
    monkeypatch.setenv("OMP_NUM_THREADS", threads)
    shared = tk.features(tk.krope_kernel(mrp, "matrix-free"), 5)
    assert np.array_equal(alone.matrix, shared.matrix)
    dense = tk.features(tk.krope_kernel(mrp, "reduced"), 5)
    assert np.all(np.abs(shared.eigenvalues - dense.eigenvalues) <= shared.errors + dense.errors)
    assert np.all(shared.residuals <= 1e-7 * shared.eigenvalues)
