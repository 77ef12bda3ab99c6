import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.kernels import compiling
from tabular_krope.kernels.level_maps import LevelMaps
from tabular_krope.kernels.sorted_rewards import SortedRewards
from tests.cases import all_mrps

CASES = all_mrps()


@pytest.fixture
def compiled(monkeypatch):
    monkeypatch.setattr(compiling, "WORTH", 1)


def test_small_sums_are_not_compiled_and_large_ones_only_with_numba(monkeypatch):
    assert compiling.loops_for(compiling.WORTH - 1) is None
    assert compiling.loops_for(compiling.WORTH).__name__ == "tabular_krope.kernels.compiled_loops"
    monkeypatch.setattr(compiling, "find_spec", lambda name: None)
    compiling._loops.cache_clear()
    assert compiling.loops_for(compiling.WORTH) is None
    compiling._loops.cache_clear()


@pytest.mark.parametrize("name", CASES)
def test_both_routes_agree_on_every_chain(name, monkeypatch):
    """Products, entries, distances and squares of the compiled route, of the other one, and of the dense kernel."""
    mrp = CASES[name]
    plain = tk.krope_kernel(mrp, "matrix-free")
    monkeypatch.setattr(compiling, "WORTH", 1)
    K, matrix = tk.krope_kernel(mrp, "matrix-free"), tk.krope_kernel(mrp, "reduced").matrix()
    if K.matrix_free:
        assert isinstance(K._form.similar, SortedRewards)
        assert isinstance(plain._form.similar, LevelMaps)
        assert K.evidence.plan == plain.evidence.plan
    X, h = len(matrix), mrp.horizon
    V = np.random.default_rng(0).standard_normal((X, 3))
    allowed = 1e-14 * h * h * np.abs(V).sum()
    for found in (K @ V, np.stack([K @ v for v in V.T.copy()], axis=1)):
        assert np.abs(found - matrix @ V).max() <= allowed
        assert np.abs(found - plain @ V).max() <= allowed
    truth = tk.krope_kernel(mrp, "reduced").distance()
    assert np.abs(K.distance() - truth).max() <= 1e-13 * h * h
    assert np.abs(K.diagonal() - np.diagonal(matrix)).max() <= 1e-13 * h * h
    assert np.abs(K.squares(V) - plain.squares(V)).max() <= allowed * np.abs(V).sum()


def test_features_agree_and_each_route_is_right_by_its_own_bounds(monkeypatch):
    mrp = tk.induce(tk.garnet(60, 5, 5, seed=0), tk.Policy.uniform(60, 5))
    plain = tk.features(tk.krope_kernel(mrp, "matrix-free"), 8)
    monkeypatch.setattr(compiling, "WORTH", 1)
    fast = tk.features(tk.krope_kernel(mrp, "matrix-free"), 8)
    exact = tk.features(tk.krope_kernel(mrp, "reduced"), 8)
    for found in (plain, fast):
        assert found.products > 0
        assert np.all(np.abs(found.eigenvalues - exact.eigenvalues) <= found.errors + exact.errors)
    assert np.abs(fast.eigenvalues - plain.eigenvalues).max() <= 1e-12 * plain.eigenvalues[0]
    assert np.abs(fast.matrix - plain.matrix).max() <= 1e-7


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("threads", ["2", "4"])
def test_no_number_depends_on_the_threads(monkeypatch, threads):
    mrp, v = CASES["random"], np.arange(15.0)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    one = tk.krope_kernel(mrp, "matrix-free") @ v
    monkeypatch.setenv("OMP_NUM_THREADS", threads)
    assert np.array_equal(one, tk.krope_kernel(mrp, "matrix-free") @ v)
