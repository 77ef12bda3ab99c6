import errno
import json
import os

import h5py
import numpy as np
import pytest

from tabular_krope.control.making import make_data, write_data
from tabular_krope.control.policy_files import SHIPPED, Policies, load_policies
from tabular_krope.control.reading import read_data
from tabular_krope.control.rollouts import MonteCarloValue, episode_streams
from tabular_krope.control.tasks import Recipe, recipe_named
from tabular_krope.errors import KropeError
from tests.tabular_krope.control.conftest import TOY, constant_actor

ROLES = ("target", "behaviour-1", "random")


@pytest.fixture
def policies():
    actors = {"target": constant_actor(0.9), "behaviour-1": constant_actor(-0.2)}
    values = {role: MonteCarloValue(float(k), 0.1, 300) for k, role in enumerate(ROLES)}
    return Policies(TOY, actors, values, {"seed": 0})


@pytest.fixture
def recipe(toy, monkeypatch):
    monkeypatch.setattr("tabular_krope.control.making._simulator_version", lambda suite: "toy 1")
    return Recipe("toy-mixed", toy, ROLES)


def test_seeds_fit_in_the_file(recipe, policies):
    with pytest.raises(KropeError, match="seed must be at most 9223372036854775807; got"):
        make_data(recipe, policies, 40, seed=10**23)


def test_shares_layout_and_who_acted(recipe, policies):
    seen = []
    arrays, about = make_data(recipe, policies, 40, seed=1, starts=6, progress=seen.append)
    n = {name: len(array) for name, array in arrays.items()}
    assert n.pop("initial_observations") == n.pop("initial_actions") == 6
    assert set(n.values()) == {40}
    assert np.bincount(arrays["infos/behaviour"]).tolist() == [14, 13, 13]
    assert seen[-1] == 40
    for k, action in ((0, 0.9), (1, -0.2)):
        mine = arrays["infos/behaviour"] == k
        np.testing.assert_allclose(arrays["actions"][mine], np.tanh(action), atol=1e-6)
        np.testing.assert_allclose(arrays["rewards"][mine], 1 + np.tanh(action), atol=1e-6)
    np.testing.assert_allclose(arrays["next_actions"], np.tanh(0.9), atol=1e-6)
    np.testing.assert_allclose(arrays["initial_actions"], np.tanh(0.9), atol=1e-6)
    assert json.loads(about["values"])["behaviour-1"] == {"mean": 1.0, "error": 0.1, "episodes": 300}
    assert json.loads(about["behaviours"]) == list(ROLES)


def test_rows_follow_each_other_until_an_episode_is_over(recipe, policies):
    arrays, _ = make_data(recipe, policies, 60, seed=2)
    over = arrays["terminals"] | arrays["timeouts"]
    inside = np.flatnonzero(~over[:-1])
    np.testing.assert_array_equal(arrays["observations"][inside + 1], arrays["next_observations"][inside])
    assert over[[19, 39, 59]].all()  # each share is cut
    assert not (arrays["terminals"] & arrays["timeouts"]).any()
    assert (arrays["terminals"] <= arrays["infos/ends"]).all()
    for i in np.flatnonzero(~over):  # discounted rewards to the end of the whole episode
        assert arrays["infos/return"][i] == pytest.approx(arrays["rewards"][i] + 0.5 * arrays["infos/return"][i + 1])
        assert arrays["infos/remaining"][i] == arrays["infos/remaining"][i + 1] + 1


@pytest.mark.parametrize("transitions", range(30, 48, 3))
def test_the_last_row_of_a_share_is_the_last_of_its_episode(recipe, policies, transitions):
    """Whether the share ends there by itself or is cut: what follows is another behaviour's."""
    arrays, _ = make_data(recipe, policies, transitions, seed=2)
    ends = np.arange(1, 4) * (transitions // 3) - 1
    assert (arrays["terminals"] ^ arrays["timeouts"])[ends].all()


def test_a_seed_gives_the_same_data_and_another_others(recipe, policies):
    one, two, other = (make_data(recipe, policies, 30, seed=seed)[0] for seed in (5, 5, 6))
    assert all((one[name] == two[name]).all() for name in one)
    assert not (one["observations"] == other["observations"]).all()
    assert episode_streams(5, 0)[0] != episode_streams(6, 0)[0]


def test_values_can_be_measured_anew(recipe, policies):
    _, about = make_data(recipe, policies, 30, rollouts=4)
    values = json.loads(about["values"])
    assert set(values) == set(ROLES)
    assert {value["episodes"] for value in values.values()} == {4}
    assert values["target"]["mean"] > values["behaviour-1"]["mean"]


def test_a_missing_policy_names_the_command(recipe, policies):
    half = Policies(TOY, {"target": policies.actors["target"]}, policies.values, {})
    with pytest.raises(
        KropeError, match=r"toy must have its behaviour-1 policy; got none \(krope deep policies toy trains it, for"
    ):
        make_data(recipe, half, 30)


@pytest.mark.parametrize(
    ("sizes", "message"),
    [({"n_actions": 3}, "must have 2 actions like toy; got 3"), ({"n_observations": 4}, "3 observations like toy")],
)
def test_a_policy_of_other_dimensions(recipe, policies, sizes, message):
    wrong = Policies(TOY, {**policies.actors, "target": constant_actor(0.0, **sizes)}, policies.values, {})
    with pytest.raises(KropeError, match=message):
        make_data(recipe, wrong, 30)


@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left on device"), RuntimeError("can't write")])
def test_a_full_disk_leaves_the_earlier_file_whole(recipe, policies, tmp_path, monkeypatch, failure):
    path = tmp_path / "data.h5"
    write_data(path, *make_data(recipe, policies, 30))
    before = path.read_bytes()

    def full(*arguments):
        raise failure

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync" if isinstance(failure, OSError) else "replace", full)
        with pytest.raises(KropeError, match=r"data.h5 must be a file .*that can be written"):
            write_data(path, *make_data(recipe, policies, 60))
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["data.h5"]


def test_real_data(cartpole_file):
    """Cartpole by the shipped policies: what the file says is what the simulator did."""
    data = read_data(cartpole_file)
    assert (len(data), data.n_inputs, data.gamma) == (900, 6, 0.99)
    assert data.alive.all()
    assert data.rewards.min() >= 0
    assert data.rewards.max() <= 2
    assert data.target_value.mean == pytest.approx(50, rel=0.1)
    with h5py.File(cartpole_file) as file:
        assert "dm_control 1.0.50" in file.attrs["simulator"]
        assert json.loads(file.attrs["policies"])["algorithm"] == "SAC, stable-baselines3"
        assert file["observations"].shape == (900, 5)
        next_actions = np.asarray(file["next_actions"])
        noise = np.random.default_rng([3, 1]).standard_normal((900, 1))
    recipe = recipe_named("dmc-cartpole-swingup")
    target = load_policies(recipe.task, (SHIPPED,)).actors["target"]
    np.testing.assert_allclose(target.act(data.next_observations, noise), next_actions, atol=1e-5)
