from dataclasses import replace

import numpy as np
import pytest

import tabular_krope as tk
from deep.control.closed import closed_columns, closed_row, projection
from deep.control.config import ControlConfig
from deep.control.evaluation import COLUMNS, FeaturesOnData, error_noise, evaluation_row, lspe_row, normalized_errors
from tabular_krope.control.control_data import ControlData
from tabular_krope.control.rollouts import MonteCarloValue
from tabular_krope.errors import KropeError
from tests.deep.control.tables import as_control_data

TRUE, RANDOM = MonteCarloValue(10.0, 0.5, 300), MonteCarloValue(4.0, 0.3, 300)


def chain(true=TRUE, random=RANDOM, n=200, seed=0):
    mdp = tk.garnet(3, 2, branching=2, gamma=0.9, seed=seed)
    data = as_control_data(mdp, tk.random_policy(mdp, seed=1), n, seed)
    fields = {name: getattr(data, name) for name in ControlData.__dataclass_fields__}
    return ControlData(**fields | {"target_value": true, "random_value": random})


def features(data, seed=0, d=2):
    W = np.random.default_rng(seed).standard_normal((data.n_inputs, d))
    parts = (data.pairs(), data.alive[:, None] * data.next_pairs(), data.initial_pairs())
    return FeaturesOnData(*(part @ W for part in parts))


def test_errors_by_hand():
    value, error, starts = normalized_errors(np.array([11.0, 15.0]), chain())
    assert (value, error) == (13.0, pytest.approx(9 / 36))
    assert starts == pytest.approx((1 + 25) / 2 / 36)
    assert normalized_errors(np.array([np.inf, 1.0]), chain())[1:] == (np.inf, np.inf)
    assert normalized_errors(np.array([np.nan]), chain())[1:] == (np.inf, np.inf)
    unknown = normalized_errors(np.array([1.0]), chain(true=None))
    assert unknown[0] == 1.0
    assert np.isnan(unknown[1:]).all()


@pytest.mark.parametrize("value", [10.0, 13.0, 0.0])
def test_noise_by_simulation(value):
    data, rng = chain(), np.random.default_rng(0)
    v, u = 10 + 0.5 * rng.standard_normal(200_000), 4 + 0.3 * rng.standard_normal(200_000)
    spread = np.std((value - v) ** 2 / (u - v) ** 2)
    assert error_noise(value, data) == pytest.approx(spread, rel=0.35)  # first order, and its floor at the truth
    assert np.isnan(error_noise(value, chain(random=None)))
    assert np.isnan(error_noise(np.inf, data))


@pytest.mark.parametrize("value", [10.0, 10.5, 10.8, 13.0, 0.0])
def test_noise_covers_the_reward_beyond_the_time_limit(value):
    """Without standard errors: the error by the value of episodes without end lies within the noise."""
    exact = {"true": MonteCarloValue(10.0, 0.0, 300), "random": MonteCarloValue(4.0, 0.0, 300)}
    data = replace(chain(**exact), beyond=0.8)
    shown, right = (value - 10) ** 2 / 36, (value - 10.8) ** 2 / 6.8**2
    noise = error_noise(value, data)
    assert abs(shown - right) <= noise * (1 + 1e-12)
    assert noise <= 2 * abs(shown - right) + 2 * 0.8**2 / 36
    assert error_noise(value, chain(**exact)) == 0.0
    assert error_noise(value, replace(chain(), beyond=0.8)) > error_noise(value, chain())


@pytest.mark.parametrize("random", [10.0, 10.0 + 1e-180, -1e200])
def test_values_that_are_no_unit_of_errors(random):
    data = chain(random=MonteCarloValue(random, 0.3, 300))
    value, *errors = normalized_errors(np.array([11.0, 15.0]), data)
    assert value == 13.0
    assert np.isnan(errors).all()
    assert np.isnan(error_noise(13.0, data))


def test_lspe_by_both_routes_against_the_chain():
    data = chain(n=400)
    at = features(data)
    config = ControlConfig("fqe")
    row = lspe_row(config, data, at)
    A, b = at.Phi.T @ (at.Phi - data.gamma * at.Phi_next), at.Phi.T @ data.rewards
    value = float(np.mean(at.Phi_start @ np.linalg.solve(A, b)))  # LSTD, the limit of stable LSPE
    L = data.gamma * np.linalg.solve(at.Phi.T @ at.Phi, at.Phi.T @ at.Phi_next)
    assert row["radius_svd64"] == pytest.approx(np.abs(np.linalg.eigvals(L)).max(), rel=1e-9)
    assert row["radius_svd64"] < 1
    assert row["value_svd64"] == pytest.approx(value, rel=1e-9)
    assert row["error_svd64"] == pytest.approx((value - 10) ** 2 / 36, rel=1e-8)
    assert row["value_cov32"] == pytest.approx(value, rel=1e-3)
    assert (row["rank"], row["stable_cov32"]) == (2, 1)


def test_an_unstable_iteration_shows_as_an_error():
    data = chain(n=50)
    double = FeaturesOnData(np.ones((50, 1)), 2 * np.ones((50, 1)), np.ones((3, 1)))
    row = lspe_row(ControlConfig("fqe"), data, double)
    assert row["radius_svd64"] == pytest.approx(1.8)
    assert (row["error_svd64"], row["error_cov32"]) == (np.inf, np.inf)
    assert row["stable_svd64"] == 0


def test_ill_conditioned_features_divide_the_routes():
    """Directions of relative size 1e-5: float32 covariances lose them, the float64 SVD does not."""
    data = chain(n=400)
    at = features(data, d=3)
    small = np.diag([1.0, 1.0, 1e-5])
    squeezed = FeaturesOnData(at.Phi @ small, at.Phi_next @ small, at.Phi_start @ small)
    whole, row = (lspe_row(ControlConfig("fqe"), data, f) for f in (at, squeezed))
    assert row["radius_svd64"] == pytest.approx(whole["radius_svd64"], rel=1e-6)
    assert row["value_svd64"] == pytest.approx(whole["value_svd64"], rel=1e-5)
    assert abs(row["value_cov32"] - whole["value_svd64"]) > 1e-3 * abs(whole["value_svd64"])
    assert row["condition"] > 1e4


def test_features_too_large_for_float32_are_a_divergence_of_that_route():
    data = chain(n=50)
    at = features(data)
    huge = FeaturesOnData(1e30 * at.Phi, 1e30 * at.Phi_next, 1e30 * at.Phi_start)
    row = lspe_row(ControlConfig("fqe"), data, huge)
    assert (row["error_cov32"], row["stable_cov32"]) == (np.inf, 0)
    assert np.isfinite(row["error_svd64"])


def test_a_row_has_all_columns_and_a_diverged_one_says_so():
    data = chain()
    at = features(data)
    row = evaluation_row(ControlConfig("fqe"), data, at, at.Phi_start[:, 0], 10, 0.5)
    assert tuple(row) == COLUMNS
    assert row["value_fqe"] == pytest.approx(at.Phi_start[:, 0].mean())
    assert row["epoch"], row["loss"] == (10, 0.5)
    assert np.isnan(evaluation_row(ControlConfig("bcrl"), data, at, None, 0, np.nan)["error_fqe"])
    gone = FeaturesOnData(at.Phi * np.nan, at.Phi_next, at.Phi_start)
    row = evaluation_row(ControlConfig("fqe"), data, gone, None, 20, np.inf)
    assert row["diverged"] == 1
    assert np.isnan(row["error_svd64"])
    starts = FeaturesOnData(at.Phi, at.Phi_next, at.Phi_start * np.inf)
    assert evaluation_row(ControlConfig("fqe"), data, starts, None, 20, 1.0)["diverged"] == 1


def test_the_closed_form_is_stable_on_features_that_are_not():
    data = chain(n=300)
    grow = np.array([[2.0, 0.0], [0.0, 0.3]])
    at = features(data)
    wild = FeaturesOnData(at.Phi, at.Phi @ grow, at.Phi_start)
    assert lspe_row(ControlConfig(dimension=2), data, wild)["radius_svd64"] == pytest.approx(1.8)
    closed = closed_columns(ControlConfig(dimension=2), data, wild, "own")
    assert closed["own_dimension"] == 1
    assert closed["own_norm"] <= np.sqrt(0.9) + 1e-6
    nothing = FeaturesOnData(0 * at.Phi, 0 * at.Phi, at.Phi_start)
    assert np.isnan(closed_columns(ControlConfig(dimension=2), data, nothing, "hidden")["hidden_dimension"])


def test_the_closed_form_on_random_features_finds_the_value():
    """One-hot pairs of a small chain: random features span every function, so LSPE on all of them is right."""
    data = chain(n=2000)
    true = as_control_data(
        tk.garnet(3, 2, branching=2, gamma=0.9, seed=0),
        tk.random_policy(tk.garnet(3, 2, branching=2, gamma=0.9, seed=0), seed=1),
        2,
        0,
    ).target_value.mean
    row = closed_row(ControlConfig("krope-closed", dimension=6, base_features=64), data)
    assert row["norm_svd64"] <= np.sqrt(0.9) + 1e-6
    assert row["value_svd64"] == pytest.approx(true, rel=0.2)  # of 50 starts and 2000 sampled transitions
    assert row["value_svd64"] != pytest.approx(0.0, abs=0.05)


def test_projections():
    assert projection(ControlConfig(hidden=8, hidden_features=16)).shape == (8, 8)
    assert projection(ControlConfig(hidden=64, hidden_features=16)).shape == (64, 16)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"algorithm": "sarsa"}, "algorithm must be one of"),
        ({"seed": 99999999999999999999999}, "seed must be at most 9223372036854775807; got 99999999999999999999999"),
        ({"seed": -1}, "seed must be an integer of at least 0"),
        ({"batch": 1}, "batch must be an integer of at least 2"),
        ({"dimension": 0}, "dimension must be an integer of at least 1"),
        ({"learning_rate": 0.0}, "learning_rate must be positive; got 0"),
        ({"fraction": float("nan")}, "fraction must be a finite number; got nan"),
        ({"weight_decay": -1.0}, "weight_decay must be non-negative"),
        ({"alpha": 2.0}, r"alpha must lie in \[0, 1\]; got 2"),
    ],
)
def test_settings_that_make_no_sense(change, message):
    with pytest.raises(KropeError, match=message):
        ControlConfig(**change)


def test_the_papers_settings_are_the_defaults():
    config = ControlConfig()
    assert (config.batch, config.hidden, config.epochs, config.alpha) == (2048, 1024, 500, 0.1)
    assert (config.weight_decay, config.model_learning_rate, config.predictor_learning_rate) == (1e-2, 1e-5, 1e-4)
    assert [ControlConfig(fraction=f).dimension_of(23) for f in (0.25, 0.5, 0.75)] == [5, 11, 17]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"observations": np.zeros((1, 3))}, "observations must have at least 2 rows"),
        ({"initial_observations": np.zeros((0, 3))}, "initial_observations must have at least one row"),
        ({"alive": np.full(200, 0.5)}, r"alive\[0\] must be 0 or 1; got 0.5"),
        ({"next_actions": np.zeros((200, 5))}, r"next_actions must have shape \(200, 2\)"),
    ],
)
def test_data_that_do_not_fit_together(change, message):
    data = chain()
    fields = {name: getattr(data, name) for name in ControlData.__dataclass_fields__}
    with pytest.raises(KropeError, match=message):
        ControlData(**fields | change)


def test_estimates_beyond_the_square_root_of_the_largest_float():
    """Their squares overflow: an infinite error, not an exception that would end a sweep."""
    data = chain()
    assert normalized_errors(np.array([1e200, 1e200]), data) == (1e200, np.inf, np.inf)
    assert error_noise(1e200, data) == np.inf
