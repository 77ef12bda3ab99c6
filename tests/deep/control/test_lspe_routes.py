import numpy as np
import pytest

import tabular_krope as tk
from deep.control.evaluation import FeaturesOnData, limit_row
from deep.control.lspe_routes import by_cov32, by_svd64, short_rows
from tests.deep.control.test_evaluation import chain, features


def test_both_routes_are_those_of_lspe_on_data():
    data = chain(n=400)
    at = features(data, d=3)
    rows = short_rows(at.Phi, at.Phi_next, data.rewards)
    assert rows.Phi.shape == (7, 3)
    ours = {"svd": by_svd64(rows, 400, 0.9, 50)}
    ours["covariance"] = by_cov32(at.Phi, at.Phi_next, data.rewards, 0.9, 50)
    cut = {"svd": None, "covariance": 3 * float(np.finfo(np.float32).eps)}
    for solver, dtype, tolerance in (("svd", "float64", 1e-10), ("covariance", "float32", 1e-4)):
        theirs = tk.lspe_on_data(
            at.Phi, at.Phi_next, data.rewards, 0.9, solver=solver, dtype=dtype, steps=50, rcond=cut[solver]
        )
        out = ours[solver]
        assert out.spectral_radius == pytest.approx(theirs.spectral_radius, rel=tolerance)
        assert out.norm == pytest.approx(theirs.norm, rel=tolerance)
        np.testing.assert_allclose(out.trace[-1], theirs.trace[-1], rtol=tolerance)
        if solver == "svd":
            assert (out.rank, out.condition) == (theirs.rank, pytest.approx(theirs.condition))


def test_the_limit_is_lstds_solution_where_there_is_one():
    data = chain(n=400)
    at = features(data)
    out = by_svd64(short_rows(at.Phi, at.Phi_next, data.rewards), 400, data.gamma, 2)  # far from its limit
    A, b = at.Phi.T @ (at.Phi - data.gamma * at.Phi_next), at.Phi.T @ data.rewards
    value = float(np.mean(at.Phi_start @ np.linalg.solve(A, b)))
    row = limit_row(data, out, at.Phi_start)
    assert row["value_limit"] == pytest.approx(value, rel=1e-9)
    assert row["error_limit"] == pytest.approx((value - 10) ** 2 / 36, rel=1e-8)
    assert abs(float(np.mean(at.Phi_start @ out.trace[-1])) - value) > 1e-3


def test_without_a_limit_the_error_is_infinite():
    data = chain(n=50)
    double = FeaturesOnData(np.ones((50, 1)), 2 * np.ones((50, 1)), np.ones((3, 1)))
    out = by_svd64(short_rows(double.Phi, double.Phi_next, data.rewards), 50, data.gamma, 5)
    for lost in (out, None):
        row = limit_row(data, lost, double.Phi_start)
        assert (row["error_limit"], row["error_starts_limit"]) == (np.inf, np.inf)
        assert np.isnan(row["value_limit"])
