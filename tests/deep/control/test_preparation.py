from dataclasses import replace

import numpy as np
import pytest

from deep.control.config import ControlConfig
from deep.control.preparation import prepared
from tabular_krope.control.control_data import ControlData
from tabular_krope.control.reading import read_data
from tabular_krope.errors import KropeError


def some_data(n=50, seed=0):
    rng = np.random.default_rng(seed)
    s = 3 + 5 * rng.standard_normal((n, 3))
    s[:, 2] = 7.0  # a coordinate that never changes
    after, starts = s + rng.standard_normal((n, 3)), s[:4] - 1
    a = rng.uniform(-1, 1, (n, 2))
    alive, cut = np.ones(n), np.zeros(n)
    alive[10], cut[20] = 0, 1
    return ControlData("x", s, a, rng.random(n), after, a[::-1], alive, starts, a[:4], 0.9, cut=cut)


def test_states_have_mean_zero_and_deviation_one_and_the_rest_moves_along():
    data = some_data()
    seen = prepared(ControlConfig(), data)
    np.testing.assert_allclose(seen.observations.mean(0), 0, atol=1e-12)
    np.testing.assert_allclose(seen.observations.std(0), [1, 1, 0], atol=1e-12)
    scale = np.array([*data.observations.std(0)[:2], 1.0])
    for name in ("next_observations", "initial_observations"):
        back = getattr(seen, name) * scale + data.observations.mean(0)
        np.testing.assert_allclose(back, getattr(data, name))
    for name in ("actions", "next_actions", "initial_actions", "rewards", "alive"):
        np.testing.assert_array_equal(getattr(seen, name), getattr(data, name))


def test_raw_states_stay():
    data = some_data()
    assert prepared(ControlConfig(standardize=False), data) is data


def test_time_limits_end_episodes_only_where_asked():
    data = some_data()
    kept, ended = (prepared(ControlConfig(time_limits=how), data).alive for how in ("bootstrap", "end"))
    assert np.flatnonzero(kept == 0).tolist() == [10]
    assert np.flatnonzero(ended == 0).tolist() == [10, 20]
    assert prepared(ControlConfig(time_limits="end"), replace(data, cut=None)).alive.sum() == len(data) - 1


def test_files_say_where_time_was_up(cartpole_file):
    """Cartpole never ends: each behaviour's share is cut after its last row, here after 300."""
    data = read_data(cartpole_file)
    assert np.flatnonzero(data.cut).tolist() == [299, 599, 899]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"optimizer": "sgd"}, "optimizer must be one of adam, adamw; got 'sgd'"),
        ({"norm": "none"}, "norm must be one of after, before"),
        ({"time_limits": "stop"}, "time_limits must be one of bootstrap, end"),
        ({"step": "fast"}, "step must be one of autograd, by-hand, fused"),
        ({"standardize": 1}, "standardize must be true or false; got 1"),
        ({"pairings": 2048}, "pairings must be less than the batch of 2048; got 2048"),
        ({"head_scale": 0.0}, "head_scale must be positive; got 0"),
    ],
)
def test_settings_that_mean_nothing_are_refused(change, message):
    with pytest.raises(KropeError, match=message):
        ControlConfig(**change)
