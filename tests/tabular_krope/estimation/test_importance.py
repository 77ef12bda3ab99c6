"""Importance ratios against a loop over episodes, and where their interval ends."""

import numpy as np
import pytest
from scipy.stats import t as student

from tabular_krope.data.dataset import Dataset
from tabular_krope.errors import KropeError
from tabular_krope.estimation.importance import FEW_EPISODES, doubly_robust, importance_sampling
from tabular_krope.models.policy import Policy

GAMMA = 0.8
TARGET = Policy([[0.25, 0.75], [0.5, 0.5]])
BEHAVIOUR = np.array([[0.5, 0.5], [0.4, 0.6]])
#: (state, action, reward) of each step; the last step ends the episode, or is where it was cut.
LONG = [(0, 0, 1.0), (1, 1, -2.0), (0, 1, 0.5)]
SHORT = [(1, 0, 3.0)]


def dataset(episodes, cut=()):
    steps = [step for episode in episodes for step in episode]
    s, a, r = zip(*steps, strict=True)
    after = [state for episode in episodes for state in [*(step[0] for step in episode[1:]), 0]]
    done = [k == len(episode) - 1 and n not in cut for n, episode in enumerate(episodes) for k in range(len(episode))]
    numbers = [n for n, episode in enumerate(episodes) for _ in episode]
    return Dataset(s, a, r, after, done, n_states=2, n_actions=2, gamma=GAMMA, episodes=numbers)


def by_loop(episodes, q=None, value=0.0, cut=()):
    """Totals and last ratios, one episode after the other."""
    totals, ends = [], []
    v = None if q is None else (TARGET.probs * q).sum(axis=1)
    for n, episode in enumerate(episodes):
        total, ratio = value, 1.0
        for k, (s, a, r) in enumerate(episode):
            ratio *= TARGET.probs[s, a] / BEHAVIOUR[s, a]
            last = k == len(episode) - 1
            after = 0.0 if q is None or (last and n not in cut) else v[0 if last else episode[k + 1][0]]
            total += GAMMA**k * ratio * (r + (0.0 if q is None else GAMMA * after - q[s, a]))
        totals.append(total)
        ends.append(ratio)
    return np.array(totals), np.array(ends)


@pytest.mark.parametrize("times", [(1, 1), (9, 10), (20, 3), (3, 40)])
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_totals_and_intervals_of_episodes(times, level):
    episodes = [LONG] * times[0] + [SHORT] * times[1]
    for q, value in ((None, 0.0), (np.array([[1.0, -1.0], [2.0, 0.5]]), 0.75)):
        data = dataset(episodes, cut={0})
        out = (
            importance_sampling(data, TARGET, BEHAVIOUR, level)
            if q is None
            else doubly_robust(data, TARGET, q, value, BEHAVIOUR, level)
        )
        totals, ends = by_loop(episodes, q, value, cut={0})
        assert out.value == pytest.approx(totals.mean())
        assert (out.episodes, out.cut) == (len(episodes), 1)
        effective = ends.sum() ** 2 / (ends**2).sum()
        assert out.effective == pytest.approx(effective)
        half = student.ppf((1 + level) / 2, len(episodes) - 1) * totals.std(ddof=1) / np.sqrt(len(episodes))
        assert [out.low, out.high] == (
            pytest.approx([totals.mean() - half, totals.mean() + half])
            if effective >= FEW_EPISODES
            else pytest.approx([np.nan] * 2, nan_ok=True)
        )


def test_as_many_episodes_as_are_asked_for_have_an_interval_and_one_fewer_has_none():
    enough = int(FEW_EPISODES)
    for count, there in ((enough, True), (enough - 1, False)):
        out = importance_sampling(dataset([SHORT] * count), TARGET, BEHAVIOUR)
        assert out.effective == pytest.approx(count)
        assert np.isfinite([out.low, out.high]).all() == there


def test_a_target_that_never_acts_like_the_data_leaves_no_episode():
    never = Policy([[0.0, 1.0], [0.0, 1.0]])
    out = importance_sampling(dataset([SHORT] * 20), never, BEHAVIOUR)
    assert (out.value, out.effective) == (0.0, 0.0)
    assert np.isnan([out.low, out.high]).all()


def test_who_made_the_data_must_have_been_able_to():
    with pytest.raises(KropeError, match=r"behaviour must be positive where the data acted; got 0 in row 1"):
        importance_sampling(dataset([LONG]), TARGET, [[0.5, 0.5], [1.0, 0.0]])
    with pytest.raises(KropeError, match=r"behaviour must have shape \(2, 2\); got \(1, 2\)"):
        importance_sampling(dataset([LONG]), TARGET, [[0.5, 0.5]])
