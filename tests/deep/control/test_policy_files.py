import json

import numpy as np
import pytest

from deep.control.policy_files import (
    ABOUT,
    SHIPPED,
    Policies,
    load_actor,
    load_policies,
    save_policies,
    user_folder,
)
from deep.control.rollouts import MonteCarloValue
from deep.control.tasks import TASKS, task_named
from tabular_krope.errors import KropeError
from tests.deep.control.conftest import TOY, constant_actor


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


@pytest.mark.parametrize(
    ("change", "message"),
    [
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
