import re
from dataclasses import replace

import h5py
import numpy as np
import pytest

from tabular_krope.control.policy_files import Policies
from tabular_krope.control.reading import read_data
from tabular_krope.control.rollouts import MonteCarloValue
from tabular_krope.errors import KropeError
from tests.tabular_krope.control.conftest import TOY, constant_actor

VALUES = {"target": MonteCarloValue(2.0, 0.1, 300), "random": MonteCarloValue(1.0, 0.1, 300)}


@pytest.fixture
def policies():
    return Policies(TOY, {"target": constant_actor(0.3, n_observations=1)}, VALUES, {})


def write(path, fields, **attributes):
    with h5py.File(path, "w") as file:
        for name, array in fields.items():
            file[name] = array
        file.attrs.update(attributes)
    return path


def d4rl(n=6):
    """An episode of 3 that ends, one of 2 whose time is up, and the beginning of another."""
    return {
        "observations": np.arange(n, dtype=np.float32)[:, None],
        "actions": np.zeros((n, 2), dtype=np.float32),
        "rewards": np.arange(n, dtype=np.float32) / 10,
        "terminals": np.array([0, 0, 1, 0, 0, 0], dtype=bool),
        "timeouts": np.array([0, 0, 0, 0, 1, 0], dtype=bool),
    }


def test_d4rl_without_next_observations(tmp_path, policies):
    data = read_data(write(tmp_path / "a.h5", d4rl()), policies, seed=1)
    assert data.observations[:, 0].tolist() == [0, 1, 2, 3]  # rows 4 and 5 have nothing after them
    assert data.next_observations[:2, 0].tolist() == [1, 2]
    assert data.next_observations[3, 0] == 4
    assert data.alive.tolist() == [1, 1, 0, 1]
    assert data.initial_observations[:, 0].tolist() == [0, 3]
    np.testing.assert_allclose(data.next_actions, np.tanh(0.3), atol=1e-6)
    assert (data.gamma, data.name, data.target_value) == (0.5, "a", VALUES["target"])
    assert data.target_rows.size == 0


def minari(path, numbers=(0, 1)):
    """An episode of 3 that ends, and one of 2 whose time is up."""
    with h5py.File(path, "w") as file:
        for k, (number, length) in enumerate(zip(numbers, (3, 2), strict=True)):
            group = file.create_group(f"episode_{number}")
            group["observations"] = 10 * k + np.arange(length + 1.0)[:, None]
            group["actions"], group["rewards"] = np.zeros((length, 2)), np.ones(length)
            group["terminations"] = np.arange(length) == length - 1 if k == 0 else np.zeros(length, bool)
            group["truncations"] = np.arange(length) == length - 1 if k == 1 else np.zeros(length, bool)
    return path


@pytest.mark.parametrize("numbers", [(0, 1), (2, 10)], ids=["whole", "some left out"])
def test_minari_episodes(tmp_path, policies, numbers):
    data = read_data(minari(tmp_path / "main_data.hdf5", numbers), policies)
    assert data.observations[:, 0].tolist() == [0, 1, 2, 10, 11]
    assert data.next_observations[:, 0].tolist() == [1, 2, 3, 11, 12]
    assert data.alive.tolist() == [1, 1, 0, 1, 1]
    assert data.initial_observations[:, 0].tolist() == [0, 10]


def test_minari_lengths_fit_in_each_episode(tmp_path, policies):
    """A reward too few in one episode and one too many in the next would shift those between them unseen."""
    path = minari(tmp_path / "a.hdf5")
    with h5py.File(path, "a") as file:
        for k, length in enumerate((2, 3)):
            del file[f"episode_{k}/rewards"]
            file[f"episode_{k}/rewards"] = np.ones(length)
    with pytest.raises(KropeError, match="episode_0/rewards must have 3 rows where actions have 3; got 2"):
        read_data(path, policies)
    path = minari(tmp_path / "b.hdf5")
    with h5py.File(path, "a") as file:
        del file["episode_1/truncations"]
    with pytest.raises(KropeError, match="the file must have the array 'episode_1/truncations' of Minari's layout"):
        read_data(path, policies)


@pytest.mark.parametrize("own", [("next_actions",), ("initial_actions",), ()])
def test_actions_are_drawn_where_the_file_has_none(tmp_path, own):
    policies = Policies(TOY, {"target": constant_actor(0.3, n_observations=1, spread=-1.0)}, VALUES, {})
    stored = {"next_actions": np.full((6, 2), 0.7), "initial_actions": np.full((2, 2), 0.9)}
    whole = d4rl() | {"next_observations": np.zeros((6, 1)), "initial_observations": np.zeros((2, 1))}
    data = read_data(write(tmp_path / "a.h5", whole | {name: stored[name] for name in own}), policies, seed=1)
    drawn = read_data(write(tmp_path / "b.h5", whole), policies, seed=1)
    for name in stored:
        np.testing.assert_array_equal(getattr(data, name), stored[name] if name in own else getattr(drawn, name))
    lacking = "initial_actions" if "next_actions" in own else "next_actions"
    with pytest.raises(KropeError, match=rf"a.h5: {lacking} must be in the file or come from a target policy"):
        read_data(tmp_path / "a.h5")


@pytest.mark.parametrize(
    ("name", "row", "number"),
    [("observations", "[4, 0]", 1e200), ("rewards", "[4]", 1e30), ("actions", "[4, 0]", -1e16)],
)
def test_numbers_too_large_for_float32_are_refused_by_row(tmp_path, policies, name, row, number):
    fields = d4rl() | {"next_observations": np.zeros((6, 1))}
    fields[name] = fields[name].astype(np.float64)
    fields[name][4] = number
    message = rf"a.h5: {name}{re.escape(row)} must be at most 1e\+15 in size, to be squared in float32; got"
    with pytest.raises(KropeError, match=message):
        read_data(write(tmp_path / "a.h5", fields), policies)


def beyond_fields():
    """Two episodes cut after 4 decisions: rewards 1 by the target in its second half, 5 by another; one that ended."""
    n = 10
    fields = {"observations": np.zeros((n, 1)), "next_observations": np.zeros((n, 1)), "actions": np.zeros((n, 2))}
    fields |= {"next_actions": np.zeros((n, 2)), "initial_actions": np.zeros((1, 2))}
    fields["initial_observations"] = np.zeros((1, 1))
    fields["rewards"] = np.array([7.0, 7, 1, 1, 5, 5, 5, 5, 9, 9])
    fields["terminals"], fields["timeouts"] = np.arange(n) == 9, np.isin(np.arange(n), (3, 7))
    fields["infos/behaviour"] = np.array([0] * 4 + [1] * 4 + [0] * 2)
    fields["infos/remaining"] = np.array([4, 3, 2, 1, 4, 3, 2, 1, 2, 1])
    fields["infos/ends"], fields["infos/return"] = np.arange(n) >= 8, np.zeros(n)
    return fields


@pytest.mark.parametrize(
    ("roles", "values", "beyond"),
    [
        ('["target", "random"]', True, 0.5**4 * 1.0 / 0.5),  # the level of its last two rewards
        ('["random", "other"]', True, 0.5**4 * 9.0 / 0.5),  # nobody knows its level: the largest there is
        ('["target", "random"]', False, 0.0),  # no value, nothing missing in it
    ],
)
def test_reward_beyond_the_time_limit(tmp_path, roles, values, beyond):
    stored = '{"target": {"mean": 7.0, "error": 0.2, "episodes": 5}}' if values else "{}"
    path = write(tmp_path / "a.h5", beyond_fields(), behaviours=roles, gamma=0.5, values=stored)
    assert read_data(path).beyond == pytest.approx(beyond, rel=1e-12)


def test_reward_beyond_the_time_limit_of_a_policys_own_values(tmp_path):
    task = replace(TOY, gamma=0.99, action_repeat=2)
    policies = Policies(task, {"target": constant_actor(0.3, n_observations=1)}, VALUES, {})
    data = read_data(write(tmp_path / "a.h5", d4rl()), policies)
    assert data.beyond == pytest.approx(0.99**500 * np.float32(0.3) / 0.01)
    stated = '{"target": {"mean": 7.0, "error": 0.2, "episodes": 5}}'
    assert read_data(write(tmp_path / "b.h5", d4rl(), values=stated), policies).beyond == 0.0  # how, nobody knows


def test_cartpoles_reward_beyond_its_time_limit(cartpole_file):
    """Eight episodes of twice the length gave 0.80 (with more data on file the estimate is 0.77)."""
    assert read_data(cartpole_file).beyond == pytest.approx(0.8, abs=0.2)


def test_returns_of_the_target_policy_are_found(tmp_path):
    n = 6
    fields = d4rl() | {"next_observations": np.zeros((n, 1)), "next_actions": np.zeros((n, 2))}
    fields |= {"initial_observations": np.zeros((2, 1)), "initial_actions": np.zeros((2, 2))}
    fields |= {"infos/behaviour": np.array([0, 0, 0, 0, 1, 1]), "infos/return": np.arange(6.0)}
    fields |= {"infos/remaining": np.array([3, 2, 1, 10, 10, 10]), "infos/ends": np.array([1, 0, 0, 0, 0, 0], bool)}
    data = read_data(write(tmp_path / "a.h5", fields, behaviours='["target", "random"]', gamma=0.5, name="mine"))
    assert data.target_rows.tolist() == [0, 3]  # one ended, one has 0.5^10 of its return missing
    assert data.target_returns.tolist() == [0, 3]
    assert (data.name, data.target_value) == ("mine", None)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.pop("actions"), "the file must have the array 'actions' of D4RL's layout"),
        (lambda f: f.update(rewards=np.zeros(4)), "observations must have 4 rows like rewards"),
        (lambda f: f.update(rewards=np.full(6, np.nan)), r"rewards\[0\] must be finite"),
        (lambda f: f.update(actions=np.zeros((6, 3))), "actions must have 2 columns like the target policy's; got 3"),
        (lambda f: f.update(observations=np.zeros((6, 4))), "observations must have 1 columns like the target"),
        (lambda f: f.update(next_observations=np.zeros(())), r"next_observations must be a vector or a matrix"),
    ],
)
def test_files_that_do_not_fit(tmp_path, policies, change, message):
    fields = d4rl()
    change(fields)
    with pytest.raises(KropeError, match=rf"a\.h5: {message}"):
        read_data(write(tmp_path / "a.h5", fields), policies)


def test_without_a_policy_next_actions_are_missing(tmp_path):
    with pytest.raises(KropeError, match="next_actions must be in the file or come from a target policy"):
        read_data(write(tmp_path / "a.h5", d4rl()))
    fields = d4rl() | {"next_actions": np.zeros((6, 2)), "initial_actions": np.zeros((3, 2))}
    with pytest.raises(KropeError, match="attribute values must be Monte Carlo values as JSON"):
        read_data(write(tmp_path / "b.h5", fields, values="[1]"))
    with pytest.raises(KropeError, match="attribute gamma must be a number; got 'fast'"):
        read_data(write(tmp_path / "c.h5", fields, gamma="fast"))


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({"values": '{"target": {"mean": "high", "error": 0.1, "episodes": 3}}'}, "Monte Carlo values as JSON"),
        ({"values": '{"target": {"mean": NaN, "error": 0.1, "episodes": 3}}'}, r"as JSON; got nan for target \(mean\)"),
        ({"values": '{"target": {"mean": 1, "error": "3", "episodes": 3}}'}, r"got '3' for target \(error\)"),
        ({"values": '{"target": {"mean": 1, "error": NaN, "episodes": 3}}'}, r"got nan for target \(error\)"),
        ({"values": '{"target": {"mean": 1, "error": -1, "episodes": 3}}'}, r"got -1 for target \(error\)"),
        ({"values": '{"target": {"mean": 1, "error": 1, "episodes": null}}'}, r"got None for target \(episodes\)"),
        ({"values": f'{{"target": {{"mean": {10**400}, "error": 1, "episodes": 3}}}}'}, r"for target \(mean\)"),
        ({"behaviours": "{"}, "attribute behaviours must be a list of roles as JSON"),
        ({"behaviours": "3"}, "attribute behaviours must be a list of roles as JSON"),
    ],
)
def test_attributes_that_make_no_sense(tmp_path, attributes, message):
    fields = d4rl() | {"next_actions": np.zeros((6, 2)), "initial_actions": np.zeros((2, 2))}
    with pytest.raises(KropeError, match=message):
        read_data(write(tmp_path / "a.h5", fields, **attributes))


def test_what_the_file_says_counts_before_what_the_policies_say(tmp_path, policies):
    stated = '{"target": {"mean": 7.0, "error": 0.2, "episodes": 5}}'
    data = read_data(write(tmp_path / "a.h5", d4rl(), gamma=0.25, values=stated), policies)
    assert data.gamma == 0.25
    assert data.target_value == MonteCarloValue(7.0, 0.2, 5)
    assert data.random_value == VALUES["random"]


def test_a_task_whose_target_policy_nobody_has(tmp_path):
    message = r"a\.h5: toy must have its target policy; got none \(krope deep policies toy trains it"
    with pytest.raises(KropeError, match=message):
        read_data(write(tmp_path / "a.h5", d4rl()), Policies(TOY, {}, VALUES, {}))
    with pytest.raises(KropeError, match=r"must be a data file; got a folder"):
        read_data(tmp_path)


def test_truncated_foreign_and_absent_files(cartpole_file, tmp_path):
    whole = cartpole_file.read_bytes()
    cut = tmp_path / "cut.h5"
    for length in (0, 100, len(whole) // 2):
        cut.write_bytes(whole[:length])
        with pytest.raises(KropeError, match=r"cut\.h5: the file must be a complete .hdf5"):
            read_data(cut)
    cut.write_text("a,b\n1,2\n")
    with pytest.raises(KropeError, match=r"must be a complete .hdf5|must be an array"):
        read_data(cut)
    with pytest.raises(KropeError, match=r"got no such file \(krope deep data makes one\)"):
        read_data(tmp_path / "nobody.h5")
    group = tmp_path / "group.h5"
    with h5py.File(group, "w") as file:
        file.create_group("observations")
        file.create_group("episode_0")
    with pytest.raises(KropeError, match=r"must have the array 'episode_0/observations' of Minari's layout; got none"):
        read_data(group)
