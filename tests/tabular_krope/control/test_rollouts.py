from itertools import islice

import numpy as np
import pytest

from tabular_krope.control.actors import UniformActor
from tabular_krope.control.rollouts import MonteCarloValue, episode_streams, episodes, monte_carlo
from tests.tabular_krope.control.conftest import constant_actor


def test_episodes_depend_on_their_number_alone(toy):
    alone = list(islice(episodes(toy, UniformActor(2), seed=4, width=1), 7))
    together = list(islice(episodes(toy, UniformActor(2), seed=4, width=5), 7))
    later = list(islice(episodes(toy, UniformActor(2), seed=4, first=3, width=2), 4))
    for one, two in [*zip(alone, together, strict=True), *zip(alone[3:], later, strict=True)]:
        np.testing.assert_array_equal(one.actions, two.actions)
        np.testing.assert_array_equal(one.observations, two.observations)
        assert (one.ended, one.rewards.sum()) == (two.ended, two.rewards.sum())
    assert {len(one.rewards) for one in alone} <= {2, 3, 4}
    assert len(alone[0].observations) == len(alone[0].rewards) + 1


def test_the_value_of_a_constant_policy(toy):
    reward = 1 + np.tanh(0.5)
    lengths = np.array([episode_streams(0, k)[0] % 3 + 2 for k in range(9)])
    returns = reward * (1 - 0.5**lengths) / 0.5
    found = monte_carlo(toy, constant_actor(0.5), 9, seed=0)
    assert found.mean == pytest.approx(returns.mean(), rel=1e-6)
    assert found.error == pytest.approx(returns.std(ddof=1) / 3, rel=1e-6)
    assert found.episodes == 9
    assert np.isnan(MonteCarloValue.of(np.ones(1)).error)
