"""The target policy as people have it: probabilities, functions, arrays of actions."""

import numpy as np
import pytest

from tabular_krope.data import offline
from tabular_krope.data.continuous import ContinuousDataset
from tabular_krope.data.dataset import Dataset, sample_dataset
from tabular_krope.data.offline import offline_problem
from tabular_krope.errors import KropeError
from tabular_krope.estimation.estimate_value import estimate_value
from tabular_krope.models.garnet import garnet
from tabular_krope.models.policy import Policy

MDP = garnet(6, 3, branching=2, gamma=0.8, seed=2)
DATA = sample_dataset(MDP, Policy.uniform(6, 3), 300, seed=0)
TAKEN = np.array([0, 2, 1, 1, 0, 2])
PROBS = np.eye(3)[TAKEN]
FIRST = np.unique(DATA.episode_numbers, return_index=True)[1]


def test_a_function_of_the_state_is_its_table():
    given = estimate_value(DATA, PROBS, replicates=0)
    for policy in (lambda s: TAKEN[s], lambda s: PROBS[s], lambda s: int(TAKEN[s])):
        assert estimate_value(DATA, policy, replicates=0).value == given.value
    named = Dataset(DATA.s, DATA.a, DATA.r, DATA.s_next, DATA.done, 6, 3, 0.8, DATA.d0, state_names=list("abcdef"))
    assert estimate_value(named, lambda s: TAKEN["abcdef".index(s)], replicates=0).value == given.value


@pytest.mark.parametrize("sparse", [False, True])
def test_next_actions_of_a_policy_are_that_policy(monkeypatch, sparse):
    monkeypatch.setattr(offline, "MOST_RESOLVED", 2 if sparse else 128)
    plain = Dataset(DATA.s, DATA.a, DATA.r, DATA.s_next, DATA.done, 6, 3, 0.8)  # starts are those of the episodes
    arrays = {"next_actions": TAKEN[DATA.s_next], "first_actions": TAKEN[DATA.s[FIRST]]}
    one, other = estimate_value(plain, PROBS), estimate_value(plain, **arrays)
    for name in ("value", "low", "high", "rewards"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-9), name
    p, q = offline_problem(plain, PROBS), offline_problem(plain, **arrays)
    assert p.uncovered == pytest.approx(q.uncovered)
    assert q.start == "the first state of each episode, with the action of the target"
    assert (q.pairs is not None) == sparse
    data_starts = offline_problem(plain, next_actions=arrays["next_actions"])
    assert data_starts.start == "the first state of each episode, with the action of the data"
    phi = np.random.default_rng(0).standard_normal((18, 4))
    given = [offline_problem(plain, policy, phi, **more) for policy, more in ((PROBS, {}), (None, arrays))]
    np.testing.assert_allclose(given[0].Phi_next, given[1].Phi_next)
    np.testing.assert_allclose(given[0].starts, given[1].starts)


def continuous():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((60, 2))
    return ContinuousDataset(x, rng.standard_normal(60), x[:, 0], 0.8 * x, np.arange(60) % 10 == 9, gamma=0.9)


def test_a_function_of_observations_and_its_arrays():
    data = continuous()

    def policy(x):
        return x[:, :1] - x[:, 1:]

    starts = data.observations[np.unique(data.episodes, return_index=True)[1]]
    arrays = {"next_actions": policy(data.next_observations), "first_actions": policy(starts)}
    one, other = offline_problem(data, policy), offline_problem(data, **arrays)
    np.testing.assert_array_equal(one.Phi_next, other.Phi_next)
    np.testing.assert_array_equal(one.starts, other.starts)
    assert one.start == "the given starts"
    assert offline_problem(data, next_actions=arrays["next_actions"]).start.endswith("with the action in the data")
    closed = [estimate_value(data, p, base="union", replicates=0, draws=1, **more).value
              for p, more in ((policy, {}), (None, arrays))]  # fmt: skip
    assert closed[0] == closed[1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: offline_problem(DATA, lambda s: 3), r"policy\(0\)\[0\] must lie in 0\.\.2; got 3"),
        (lambda: offline_problem(DATA, lambda s: [0.5, 0.5]), r"policy\(0\) must have shape \(3\)"),
        (lambda: offline_problem(DATA, lambda s: "left"), r"policy\(0\) must be 1 numbers of actions; got <U4"),
        (lambda: offline_problem(DATA, lambda s: [0.5, 0.2, 0.2]), "probs"),
        (lambda: offline_problem(DATA, next_actions=[0]), r"next_actions must be 300 numbers of actions; got int64"),
        (lambda: offline_problem(DATA, "uniform", next_actions=[0]), "policy must be None with next_actions; got 'uni"),
        (lambda: offline_problem(DATA, first_actions=[0]), "first_actions must be None without next_actions"),
        (lambda: offline_problem(continuous(), "behavior", next_actions=[0]), "policy must be None with next_actions"),
        (lambda: offline_problem(continuous(), np.cos, next_actions=[0]), "must be None with a policy that is a fun"),
        (lambda: offline_problem(continuous(), lambda x: x), "next_actions must have .*1"),
        (lambda: estimate_value(DATA, base="pairs", next_actions=[0]), "must be None with a base of tabular data"),
    ],
)
def test_what_is_wrong_is_said(call, message):
    with pytest.raises(KropeError, match=message):
        call()
