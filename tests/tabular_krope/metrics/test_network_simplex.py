import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from tabular_krope.metrics import network_simplex as module
from tabular_krope.metrics.network_simplex import compiled_solver, network_simplex, whole_package


def test_the_compiled_part_answers_as_the_whole_package_does_to_the_last_bit():
    compiled, whole = compiled_solver(), whole_package()
    assert compiled is not None
    rng = np.random.default_rng(0)
    for _ in range(200):
        n, m = rng.integers(2, 9, size=2)
        a, b = rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(m))
        C = rng.random((n, m)) if rng.random() < 0.5 else rng.integers(0, 3, size=(n, m)).astype(float)
        for one, other in zip(compiled(a, b, C), whole(a, b, C), strict=True):
            assert np.array_equal(one, other)
        assert np.allclose(compiled(a, b, C)[0].sum(axis=0), b)


def test_masses_of_other_totals_and_costs_of_another_order():
    a, b, C = np.array([2.0, 2.0]), np.array([3.0, 1.0]), np.asfortranarray([[0.0, 1.0], [3.0, 0.5]])
    assert np.array_equal(network_simplex()(a, b, C)[0], whole_package()(a, b, C)[0])


def in_a_process(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


def test_it_loads_neither_pot_nor_statistics_and_leaves_pot_whole():
    code = """
import sys
import numpy as np
from tabular_krope.metrics.network_simplex import network_simplex
half, cost = np.full(2, 0.5), np.eye(2)
T, _ = network_simplex()(half, half, cost)
print(any(name.partition('.')[0] == 'ot' for name in sys.modules), 'scipy.stats' in sys.modules)
import ot
print((ot.emd(half, half, cost) == T).all(), hasattr(ot, 'sinkhorn'))
"""
    assert in_a_process(code) == ["False", "False", "True", "True"]


def test_pot_that_is_loaded_is_used_as_it_is():
    code = """
import ot
from tabular_krope.metrics.network_simplex import compiled_solver
import sys
print(compiled_solver() is not None, sys.modules['ot'] is ot)
"""
    assert in_a_process(code) == ["True", "True"]


@pytest.mark.parametrize("trouble", [ImportError, AttributeError, TypeError])
def test_another_arrangement_of_pot_is_asked_as_a_package(monkeypatch, trouble):
    def core():
        raise trouble

    monkeypatch.setattr(module, "_core", core)
    assert compiled_solver() is None
    network_simplex.cache_clear()
    try:
        T, _ = network_simplex()(np.full(2, 0.5), np.full(2, 0.5), np.eye(2))
    finally:
        network_simplex.cache_clear()
    assert T.tolist() == [[0.0, 0.5], [0.5, 0.0]]


def test_a_solver_that_answers_otherwise_is_not_used(monkeypatch):
    class Other:
        @staticmethod
        def emd_c(a, b, *_):
            return np.outer(a, b), 0.0, np.zeros(len(a)), np.zeros(len(b)), 1

        @staticmethod
        def check_result(code):
            return None

    monkeypatch.setattr(module, "_core", lambda: Other)
    assert compiled_solver() is None


@pytest.mark.parametrize("found", [None, SimpleNamespace(submodule_search_locations=None)], ids=["absent", "one file"])
def test_without_the_package_the_compiled_part_is_not_looked_for(monkeypatch, found):
    monkeypatch.delitem(sys.modules, "ot", raising=False)
    monkeypatch.setattr(module, "find_spec", lambda name: found)
    with pytest.raises(ImportError, match="POT must be installed as a package; got none"):
        module._core()
    assert compiled_solver() is None


def test_only_the_empty_package_is_gone_when_the_compiled_part_is_loaded(monkeypatch):
    """Here, where everything else is loaded already, and stays."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "ot"]:
        monkeypatch.delitem(sys.modules, name)
    kept = dict(sys.modules)
    try:
        assert module._core().__name__ == "ot.lp.emd_wrap"
        gone = kept.keys() - sys.modules.keys()
    finally:
        sys.modules.update({name: part for name, part in kept.items() if name not in sys.modules})
    assert not gone
    assert not any(name.partition(".")[0] == "ot" for name in sys.modules)
