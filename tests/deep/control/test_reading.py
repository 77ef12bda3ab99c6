import h5py
import numpy as np
import pytest

from deep.control.policy_files import Policies
from deep.control.reading import read_data
from deep.control.rollouts import MonteCarloValue
from tabular_krope.errors import KropeError
from tests.deep.control.conftest import TOY, constant_actor

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


def test_minari_episodes(tmp_path, policies):
    path = tmp_path / "main_data.hdf5"
    with h5py.File(path, "w") as file:
        for k, length in enumerate((3, 2)):
            group = file.create_group(f"episode_{k}")
            group["observations"] = 10 * k + np.arange(length + 1.0)[:, None]
            group["actions"], group["rewards"] = np.zeros((length, 2)), np.ones(length)
            group["terminations"] = np.arange(length) == length - 1 if k == 0 else np.zeros(length, bool)
            group["truncations"] = np.arange(length) == length - 1 if k == 1 else np.zeros(length, bool)
    data = read_data(path, policies)
    assert data.observations[:, 0].tolist() == [0, 1, 2, 10, 11]
    assert data.next_observations[:, 0].tolist() == [1, 2, 3, 11, 12]
    assert data.alive.tolist() == [1, 1, 0, 1, 1]
    assert data.initial_observations[:, 0].tolist() == [0, 10]


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
        ({"values": '{"target": {"mean": NaN, "error": 0.1, "episodes": 3}}'}, "as JSON; got nan for target"),
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
    with pytest.raises(KropeError, match=r"must be a complete .hdf5|must be an array"):
        read_data(group)
