import numpy as np
import pytest

from tabular_krope.evaluation.lspe import lspe
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.models.mrp import MRP
from tabular_krope.report import stability
from tabular_krope.report.stability import stability_by_route, sweep_dimensions, sweep_sizes
from tabular_krope.representations.features import features
from tests.cases import all_mrps, random_mrp

MRPS = all_mrps()


def test_routes_by_hand():
    mrp = MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [0.0, 0.0], gamma=0.9)
    routes = stability_by_route(mrp, [[1.0], [2.0]], weights=[1.0, 0.0])
    assert [(route.solver, route.dtype) for route in routes] == list(stability.ROUTES)
    assert not any(route.stable for route in routes)
    assert [route.rank for route in routes] == [1, 1, 1]


def test_the_covariance_is_said_to_have_the_square_of_the_condition():
    mrp = random_mrp(0)
    Phi = np.linalg.qr(np.random.default_rng(0).standard_normal((mrp.n_pairs, 3)))[0] * [1.0, 0.1, 0.01]
    svd, covariance, _ = stability_by_route(mrp, Phi)
    assert svd.condition == pytest.approx(100.0)
    assert covariance.condition == pytest.approx(1e4)


def test_float32_covariance_fails_where_the_svd_does_not():
    mrp = random_mrp(0)
    rng = np.random.default_rng(0)
    U, V = (np.linalg.qr(rng.standard_normal((mrp.n_pairs, mrp.n_pairs)))[0] for _ in range(2))
    svd, _, float32 = stability_by_route(mrp, U * np.geomspace(1, 1e-6, mrp.n_pairs) @ V)
    assert svd.spectral_radius == pytest.approx(mrp.gamma)
    assert abs(float32.spectral_radius - mrp.gamma) > 1e-3


@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("name", MRPS)
def test_sweep_agrees_with_lspe_on_each_truncation(name, zeros):
    mrp = MRPS[name]
    D = np.random.default_rng(1).random(mrp.n_pairs) + 0.1
    if zeros:
        D[1::2] = 0.0
    K = krope_kernel(mrp)
    sweep = sweep_dimensions(mrp, features(K, weights=D), D)
    for d, radius, norm in zip(sweep.d, sweep.spectral_radius, sweep.norm, strict=True):
        out = lspe(mrp, features(K, int(d), D), D)
        tolerance = 1e-10 * sweep.eigenvalues[0] / sweep.eigenvalues[d - 1]
        assert norm == pytest.approx(out.norm, abs=tolerance)
        # A defective eigenvalue moves by a root of the perturbation.
        assert radius == pytest.approx(out.spectral_radius, abs=max(tolerance, 1e-4))
        assert norm <= np.sqrt(mrp.gamma) + tolerance


def test_sizes_are_all_or_geometric():
    assert sweep_sizes(40).tolist() == list(range(1, 41))
    sizes = sweep_sizes(10_000)
    assert (sizes[0], sizes[-1]) == (1, 10_000)
    assert len(sizes) <= stability.SWEEP_POINTS
    assert (np.diff(sizes) > 0).all()


def test_a_sweep_stops_at_its_limit(monkeypatch):
    monkeypatch.setattr(stability, "MOST_SWEPT", 3)
    mrp = random_mrp(0)
    sweep = sweep_dimensions(mrp, features(krope_kernel(mrp)))
    assert sweep.d.tolist() == [1, 2, 3]
    assert len(sweep.eigenvalues) > 3
