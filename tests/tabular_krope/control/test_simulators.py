import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from tabular_krope.control.simulators import Simulator
from tabular_krope.control.tasks import task_named

HIDE = """
import importlib.abc, sys
class No(importlib.abc.MetaPathFinder):
    def find_spec(self, name, *rest):
        if name.split(".")[0] in {hidden}: raise ModuleNotFoundError("no", name=name)
sys.meta_path.insert(0, No())
"""


def run_without(hidden, code):
    return subprocess.run([sys.executable, "-c", HIDE.format(hidden=hidden) + code], capture_output=True, text=True)


def test_two_steps_of_the_suite_are_one_decision():
    from dm_control import suite

    simulator = Simulator(task_named("dmc-cartpole-swingup"))
    environment = suite.load("cartpole", "swingup", task_kwargs={"random": 11})
    first = environment.reset().observation
    np.testing.assert_array_equal(simulator.reset(11), np.concatenate([np.ravel(part) for part in first.values()]))
    for _ in range(3):
        steps = [environment.step([0.3]) for _ in range(2)]
        observation, reward, ended, late = simulator.step(np.array([0.3]))
        assert reward == steps[0].reward + steps[1].reward
        assert (ended, late) == (False, False)
    np.testing.assert_array_equal(observation, np.concatenate([np.ravel(p) for p in steps[1].observation.values()]))
    assert (simulator.n_observations, simulator.n_actions) == (5, 1)


def test_time_runs_out_after_a_thousand_steps():
    simulator = Simulator(replace(task_named("dmc-cartpole-swingup"), action_repeat=300))
    simulator.reset(0)
    over = [simulator.step(np.zeros(1))[2:] for _ in range(4)]
    assert over == [(False, False)] * 3 + [(False, True)]


def test_a_hopper_falls_and_its_seed_repeats():
    simulator = Simulator(task_named("hopper"))
    np.testing.assert_array_equal(simulator.reset(5), simulator.reset(5))
    for _ in range(1000):
        _, _, ended, late = simulator.step(np.ones(3))
        if ended or late:
            break
    assert (ended, late) == (True, False)


@pytest.mark.parametrize("name", ["dmc-cartpole-swingup", "hopper"])
def test_missing_simulators_are_explained(name):
    code = (
        "from tabular_krope.control.simulators import Simulator; from tabular_krope.control.tasks import task_named\n"
    )
    code += f"Simulator(task_named({name!r}))"
    error = run_without(["dm_control", "mujoco"], code).stderr.splitlines()[-1]
    package = "dm_control" if name.startswith("dmc") else "mujoco"
    assert (
        f"KropeError: this needs {package}, which is not installed (pip install '.[control]' in the clone of krope-lab)"
        in error
    )


def test_another_missing_module_is_not_blamed_on_the_extra():
    code = "from tabular_krope.extras import needed; needed('deep.control.nobody')"
    assert "ModuleNotFoundError: No module named 'deep.control.nobody'" in run_without([], code).stderr


def test_the_command_without_torch_says_which_extra_and_the_rest_works():
    code = "from krope.app import run\n"
    code += "print(run(['deep', 'train', '--data', 'a.h5', '--out', 'b']), run(['analyze', 'zoo:two-state']))"
    found = run_without(["torch", "safetensors", "dm_control", "mujoco", "stable_baselines3"], code)
    assert found.stdout.strip().endswith("2 0")
    assert "this needs torch, which is not installed (pip install '.[deep]' in the clone of krope-lab)" in found.stderr


def test_what_mujoco_says_is_a_warning_and_no_log_file(tmp_path, monkeypatch):
    """HalfCheetah's model has a deprecated attribute, which MuJoCo would write down in the current folder."""
    import mujoco

    monkeypatch.chdir(tmp_path)
    Simulator(task_named("halfcheetah")).reset(0)
    body = '<mujoco><worldbody><body><freejoint/><geom size="1"/></body></worldbody></mujoco>'
    model = mujoco.MjModel.from_xml_string(body)
    data = mujoco.MjData(model)
    data.qvel[:] = 1e300
    with pytest.warns(RuntimeWarning, match="MuJoCo: Nan, Inf or huge value"):
        mujoco.mj_step(model, data)
    assert not list(tmp_path.iterdir())
