import json

import numpy as np
import pytest

from tabular_krope.control.policy_files import (
    ABOUT,
    SHIPPED,
    Policies,
    load_actor,
    load_policies,
    policies_for_reading,
    roles_lost,
    save_policies,
    user_folder,
)
from tabular_krope.control.rollouts import MonteCarloValue
from tabular_krope.control.tasks import TASKS, task_named
from tabular_krope.errors import KropeError
from tests.tabular_krope.control.conftest import TOY, constant_actor


@pytest.fixture
def saved(tmp_path):
    values = {"target": MonteCarloValue(1.0, 0.1, 300), "random": MonteCarloValue(0.5, 0.1, 300)}
    save_policies(tmp_path / "toy", Policies(TOY, {"target": constant_actor(0.3)}, values, {"seed": 0}))
    return tmp_path


def test_what_is_written_is_read(saved):
    found = load_policies(TOY, (saved,))
    assert found.values["target"] == MonteCarloValue(1.0, 0.1, 300)
    assert found.provenance == {"seed": 0}
    for name, array in constant_actor(0.3).parameters.items():
        np.testing.assert_array_equal(found.actors["target"].parameters[name], array)
    assert found.missing(("target", "behaviour-1", "random")) == ["behaviour-1"]


def test_the_users_policies_come_first(saved, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(saved))
    assert user_folder() == saved / "krope" / "policies"
    assert load_policies(TOY).actors == {}
    save_policies(user_folder() / "toy", load_policies(TOY, (saved,)))
    assert set(load_policies(TOY).actors) == {"target"}


WHOLE = {"target": constant_actor(0.3), "behaviour-1": constant_actor(0.1)}


@pytest.mark.parametrize("roles", [(), ("behaviour-1",), ("target",)])
def test_an_unfinished_set_hides_no_whole_one(tmp_path, roles):
    """A training that was stopped exports what it has, be it nothing: the set that ships is still found."""
    mine, shipped = tmp_path / "mine", tmp_path / "shipped"
    some = {role: constant_actor(0.9) for role in roles}
    save_policies(mine / "toy", Policies(TOY, some, {"random": MonteCarloValue(0.5, 0.1, 300)}, {"mine": True}))
    save_policies(shipped / "toy", Policies(TOY, WHOLE, {}, {}))
    assert set(load_policies(TOY, (mine, shipped)).actors) == set(WHOLE)
    assert load_policies(TOY, (mine,)).provenance == {"mine": True}
    save_policies(mine / "toy", Policies(TOY, WHOLE, {}, {"mine": True}))
    assert load_policies(TOY, (mine, shipped)).provenance == {"mine": True}


def test_of_unfinished_sets_the_fuller_counts(tmp_path):
    for name, actors in (("a", {}), ("b", {"target": constant_actor(0.3)}), ("c", {"target": constant_actor(0.4)})):
        save_policies(tmp_path / name / "toy", Policies(TOY, actors, {}, {"from": name}))
    assert load_policies(TOY, tuple(tmp_path / name for name in "abc")).provenance == {"from": "b"}


def test_what_writing_would_lose(tmp_path):
    one = Policies(TOY, {"target": constant_actor(0.3)}, {}, {})
    assert roles_lost(tmp_path / "toy", one) == []
    save_policies(tmp_path / "toy", Policies(TOY, WHOLE, {}, {}))
    assert roles_lost(tmp_path / "toy", one) == ["behaviour-1"]
    assert roles_lost(tmp_path / "toy", Policies(TOY, WHOLE, {}, {})) == []


def test_policies_for_reading(tmp_path):
    assert policies_for_reading(None, None) is None
    assert set(policies_for_reading("dmc-cartpole-swingup", str(SHIPPED)).actors) >= {"target"}
    with pytest.raises(KropeError, match="task must be one of"):
        policies_for_reading("cartpole", None)
    with pytest.raises(KropeError, match=r"policies must be given with the task they are of \(--task\); got x alone"):
        policies_for_reading(None, "x")
    with pytest.raises(KropeError, match="policies must be a folder with a folder hopper in it; got nowhere"):
        policies_for_reading("hopper", "nowhere")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda about: about["values"]["target"].update(error="3"), "must describe policies; got ValueError"),
        (lambda about: about.pop("roles"), "must describe policies; got KeyError"),
        (lambda about: about.update(gamma=0.9), "must be of task toy with its discount and repeat"),
        (lambda about: about["values"].update(target={"mean": 1}), "must describe policies; got TypeError"),
        (lambda about: about["roles"].append("behaviour-1"), "must be a safetensors file of an actor"),
    ],
)
def test_files_that_describe_something_else(saved, change, message):
    path = saved / "toy" / ABOUT
    about = json.loads(path.read_text())
    change(about)
    path.write_text(json.dumps(about))
    with pytest.raises(KropeError, match=message):
        load_policies(TOY, (saved,))


@pytest.mark.parametrize("content", [b"", b"nothing of the kind", b"\x08\x00\x00\x00\x00\x00\x00\x00{}      "])
def test_a_broken_actor(tmp_path, content):
    path = tmp_path / "target.safetensors"
    path.write_bytes(content)
    with pytest.raises(KropeError, match=r"target.safetensors must be a safetensors file of an actor"):
        load_actor(path)


@pytest.mark.parametrize("task", [task for task in TASKS if (SHIPPED / task.name).is_dir()], ids=lambda t: t.name)
def test_shipped_policies_have_about_the_wanted_values(task):
    found = load_policies(task, (SHIPPED,))
    assert found.missing(tuple(role for role, _ in task.wanted)) == []
    for role, wanted in task.wanted:
        value = found.values[role]
        assert value.episodes >= 300
        assert abs(value.mean - wanted) < 0.25 * wanted + 4 * value.error
    assert found.values["random"].mean < found.values["target"].mean


def test_cartpole_ships():
    assert set(load_policies(task_named("dmc-cartpole-swingup"), (SHIPPED,)).actors) == {
        "target",
        "behaviour-1",
        "behaviour-2",
    }
