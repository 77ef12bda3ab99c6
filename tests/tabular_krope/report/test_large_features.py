import pytest

from tabular_krope.report import large_features as module
from tabular_krope.report.large_features import agreement, growth, large_features, terms_taken


def test_products_agree_with_the_dense_kernel():
    assert agreement(60) <= 1e-13


def test_the_terms_of_features_are_few():
    assert 8 <= terms_taken(300) <= 14


def test_the_bound_is_the_sparse_products_shared_among_the_cores(monkeypatch):
    asked = []

    def measured(name, S, environment):
        asked.append((name, S, environment["OMP_NUM_THREADS"]))
        found = {"pairs": 5 * S, "products": 7, "seconds": 3.0, "wall": 2.0, "bytes": 4e9}
        return found | {"seconds": 0.5 if name == "sparse P @ v" else 3.0}

    monkeypatch.setattr(module, "measured", measured)
    monkeypatch.setattr(module, "_cores", lambda: 2)
    found = large_features(20, terms=3)
    assert asked == [("top-32 features", 20, "2"), ("sparse P @ v", 20, "1")]
    assert found["bound"] == pytest.approx(7 * 8 * 0.1 / 2)
    assert (found["GB"], found["wall"], found["pairs"], found["cores"]) == (4.0, 2.0, 100, 2)


def test_cores_are_counted_whatever_this_process_was_told(monkeypatch):
    monkeypatch.setattr(module.os, "sched_getaffinity", lambda process: {0, 1, 2})
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    assert module._cores() == 3
    assert module.os.environ["OMP_NUM_THREADS"] == "7"
    monkeypatch.delenv("OMP_NUM_THREADS")
    assert module._cores() == 3


def test_growth_is_the_power_from_end_to_end():
    points = [{"pairs": 10, "seconds": 2.0}, {"pairs": 100, "seconds": 1.0}, {"pairs": 1000, "seconds": 20_000.0}]
    assert growth(points) == pytest.approx(2.0)
