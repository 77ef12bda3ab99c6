import json

import numpy as np
import pytest

from deep.control.sac import MEMORY, SacSettings, _exploration_noise, export_policies, read_snapshots, train_policies
from tabular_krope.control.policy_files import load_actor, load_policies
from tabular_krope.control.rollouts import MonteCarloValue, monte_carlo
from tabular_krope.errors import KropeError
from tests.tabular_krope.control.conftest import TOY, ToySimulator

#: A few updates of a tiny learner on a task without a simulator.
TINY = SacSettings(hidden=(8, 8), batch=16, buffer=500, warm_up=10)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A run interrupted after its first snapshot and gone on with; the values it has seen.

    Its third look passes the target's 0.9 by luck, its fourth does not only by luck.
    """
    patch = pytest.MonkeyPatch()
    for module in ("tabular_krope.control.rollouts", "tabular_krope.control.making", "deep.control.sac"):
        patch.setattr(f"{module}.Simulator", ToySimulator)
    cache, values = tmp_path_factory.mktemp("cache"), iter([0.3, 0.45, 1.5, 0.55, 1.6, 2.0])
    counts = []

    def scripted(task, actor, count, seed):
        counts.append((count, seed))
        found = monte_carlo(task, actor, count, seed)
        return MonteCarloValue(next(values), found.error, count)

    patch.setattr("deep.control.sac.monte_carlo", scripted)
    seen = []
    train_policies(TOY, cache, TINY, 20, every=20, episodes=2, progress=seen.append)
    train_policies(TOY, cache, TINY, 1000, every=20, episodes=2, progress=seen.append)
    patch.undo()
    assert counts == [(2, 1000), (2, 1000), *2 * [(2, 1000), (12, 2000)]]
    return cache, seen


def test_training_goes_on_and_stops_at_the_wanted_value(trained):
    cache, seen = trained
    assert [one.decisions for one in seen] == [20, 40, 60, 80]
    assert [one.value for one in seen] == [0.3, 0.45, 0.55, 2.0]  # those of the second look where the first passed
    assert read_snapshots(cache, TOY, TINY) == seen
    assert all(one.path(cache).exists() for one in seen)


def test_each_role_gets_the_nearest_snapshot(trained, tmp_path, toy):
    cache, _ = trained
    found = export_policies(TOY, cache, tmp_path, TINY, episodes=3, candidates=1)
    chosen = found.provenance["snapshots"]
    assert chosen["behaviour-1"]["decisions"] == 40  # 0.45 is as near to 0.5 as 0.55, and came first
    assert chosen["target"]["decisions"] == 60  # 0.55 is nearer to 0.9 than 2.0
    read = load_policies(TOY, (tmp_path,))
    assert set(read.values) == {"target", "behaviour-1", "random"}
    assert read.provenance["settings"]["hidden"] == [8, 8]


def test_the_nearest_are_measured_once_more_before_one_is_picked(trained, tmp_path, toy, monkeypatch):
    cache, _ = trained
    # In the order of asking: snapshots 60, 40, 20 for the target, 40, 60, 20 for the behavior; then both and random.
    again = iter([0.6, 0.1, 0.8, 0.7, 0.2, 0.52, 0.81, 0.51, 0.0])
    counts = []

    def scripted(task, actor, count, seed):
        counts.append(count)
        return MonteCarloValue(next(again), 0.01, count)

    monkeypatch.setattr("deep.control.sac.monte_carlo", scripted)
    found = export_policies(TOY, cache, tmp_path, TINY, episodes=50, candidates=3)
    chosen = found.provenance["snapshots"]
    assert chosen["target"] == {"decisions": 20, "value": 0.8, "error": 0.01}
    assert chosen["behaviour-1"] == {"decisions": 20, "value": 0.52, "error": 0.01}
    assert {role: value.mean for role, value in found.values.items()} == {
        "target": 0.81,
        "behaviour-1": 0.51,
        "random": 0.0,
    }
    assert counts == [10] * 6 + [50] * 3


def test_an_unfinished_training_takes_the_place_of_nothing(trained, tmp_path, toy):
    cache, seen = trained
    whole = export_policies(TOY, cache, tmp_path, TINY, episodes=3, candidates=1)
    before = {path.name: path.read_bytes() for path in (tmp_path / "toy").iterdir()}
    early = tmp_path / "early"
    early.mkdir()
    about = json.loads((cache / "snapshots.json").read_text())
    for count, roles in ((2, {"behaviour-1"}), (1, set())):
        about["snapshots"] = about["snapshots"][:count]
        (early / "snapshots.json").write_text(json.dumps(about))
        for one in seen[:count]:
            one.path(early).write_bytes(one.path(cache).read_bytes())
        found = export_policies(TOY, early, tmp_path, TINY, episodes=3, candidates=1)
        assert set(found.actors) == roles
        assert {path.name: path.read_bytes() for path in (tmp_path / "toy").iterdir()} == before
    export_policies(TOY, early, tmp_path / "new", TINY, episodes=3, candidates=1)
    assert not (tmp_path / "new").exists()  # no policy, no file
    assert set(load_policies(TOY, (tmp_path,)).actors) == set(whole.actors)


@pytest.mark.parametrize("junk", ["learner.zip", "buffer.pkl"])
def test_a_state_that_cannot_be_read_is_refused(trained, tmp_path, toy, junk):
    cache, _ = trained
    for path in cache.iterdir():
        (tmp_path / path.name).write_bytes(b"junk" if path.name == junk else path.read_bytes())
    with pytest.raises(KropeError, match=r"must hold the learner.zip and buffer.pkl of this run; got .* \(delete both"):
        train_policies(TOY, tmp_path, TINY, 1000)


def test_seeds_of_learners_have_32_bits():
    assert SacSettings(seed=2**32 - 1).seed == 2**32 - 1
    with pytest.raises(KropeError, match="seed must lie between 0 and 4294967295; got 4294967296"):
        SacSettings(seed=2**32)


def test_the_exported_actor_is_the_learners(trained):
    import torch
    from stable_baselines3 import SAC

    cache, seen = trained
    model = SAC.load(cache / "learner.zip")
    ours = load_actor(seen[-1].path(cache))
    s = np.random.default_rng(0).standard_normal((5, 3))
    with torch.no_grad():
        mean = model.policy.actor(torch.tensor(s).float(), deterministic=True)
    np.testing.assert_allclose(ours.act(s, np.zeros((5, 2))), mean.numpy(), atol=1e-5)


def test_a_cache_keeps_to_its_task_and_settings(trained, tmp_path):
    cache, _ = trained
    with pytest.raises(KropeError, match="must be of toy with the same settings; got toy with"):
        read_snapshots(cache, TOY, SacSettings())
    with pytest.raises(KropeError, match=r"must hold snapshots of toy; got none \(krope deep policies toy\)"):
        export_policies(TOY, tmp_path, tmp_path, TINY)
    (tmp_path / "snapshots.json").write_text(json.dumps({"task": "toy"}))
    with pytest.raises(KropeError, match="must list snapshots; got KeyError"):
        read_snapshots(tmp_path, TOY, TINY)


def test_exploration_noise_lasts_and_has_the_deviation_asked_for():
    np.random.seed(0)  # noqa: NPY002 (stable-baselines3 draws it from numpy's global generator)
    noise = _exploration_noise(0.5, (2,))
    drawn = np.array([noise() for _ in range(20_000)])
    assert drawn.std() == pytest.approx(0.5, rel=0.05)
    assert np.corrcoef(drawn[1:, 0], drawn[:-1, 0])[0, 1] == pytest.approx(MEMORY, abs=0.02)
    assert abs(np.corrcoef(drawn.T)[0, 1]) < 0.1
    assert _exploration_noise(0.0, (2,)) is None


def test_a_cache_from_before_exploration_is_gone_on_with(trained, tmp_path):
    cache, seen = trained
    about = json.loads((cache / "snapshots.json").read_text())
    del about["settings"]["exploration"]
    (tmp_path / "snapshots.json").write_text(json.dumps(about))
    assert read_snapshots(tmp_path, TOY, TINY) == seen
