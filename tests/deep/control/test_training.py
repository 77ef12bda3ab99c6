import copy
import json
import os

import numpy as np
import pytest
import torch

import tabular_krope as tk
from deep.control import training
from deep.control.config import ALGORITHMS, LEARNED, ControlConfig
from deep.control.evaluation import COLUMNS
from deep.control.network import device_named, new_networks, optimizer
from deep.control.objectives import Minibatch, objective
from deep.control.preparation import prepared
from deep.control.run_folder import MOMENTS, load_progress, read_about, read_metrics, settings_of
from deep.control.training import features_on, fingerprint, train
from tabular_krope.control.control_data import ControlData
from tabular_krope.control.reading import read_data
from tabular_krope.errors import KropeError
from tests.deep.control.tables import as_control_data

SMALL = {"hidden": 16, "batch": 128, "evaluate_every": 2, "base_features": 16, "learning_rate": 1e-3}
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def cartpole(cartpole_file):
    return read_data(cartpole_file)


def same(one, two):
    return json.dumps(one) == json.dumps(two)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_on_real_data_stops_and_goes_on_to_the_last_bit(algorithm, cartpole, tmp_path):
    config = ControlConfig(algorithm, epochs=5, **SMALL)
    whole = train(config, cartpole, tmp_path / "whole")

    def stop(epoch, loss):
        assert np.isfinite(loss)
        if epoch == 3:
            raise KeyboardInterrupt

    if algorithm != "krope-closed":
        with pytest.raises(KeyboardInterrupt):
            train(config, cartpole, tmp_path / "parts", progress=stop)
        assert read_about(tmp_path / "parts")["epochs"] == 2
    again = train(config, cartpole, tmp_path / "parts")
    assert same(whole.rows, again.rows)
    for name in ("metrics.csv", "run.json"):
        assert (tmp_path / "whole" / name).read_text() == (tmp_path / "parts" / name).read_text()
    rows = read_metrics(tmp_path / "whole")
    assert same(rows, whole.rows)
    assert [row["epoch"] for row in rows] == ([0.0] if algorithm == "krope-closed" else [0.0, 2.0, 4.0, 5.0])
    last = rows[-1]
    assert tuple(last) == COLUMNS
    own_head = algorithm not in ("bcrl", "bcrl-exp", "krope-closed")
    assert np.isfinite(last["error_fqe"]) == own_head
    for name in ("radius_cov32", "norm_svd64", "condition", "negative_part", "completeness", "orthogonality"):
        assert np.isfinite(last[name])
    if algorithm != "krope-closed":
        assert last["hidden_norm"] <= np.sqrt(cartpole.gamma) + 1e-6
        assert np.isnan(rows[0]["hidden_norm"])


def test_algorithms_differ_and_seeds_too(cartpole, tmp_path):
    last = {}
    for algorithm, seed in [(a, 0) for a in LEARNED] + [("fqe", 1)]:
        config = ControlConfig(algorithm, seed, epochs=1, **SMALL | {"learning_rate": 1e-2})
        networks = new_networks(config, cartpole.n_inputs, CPU)
        training.train_epoch(config, networks, optimizer(config, networks), training._Table(cartpole, CPU), 0)
        last[algorithm, seed] = features_on(networks.encoder, cartpole).Phi.sum()
    assert len(set(last.values())) == len(LEARNED) + 1


def test_a_longer_run_extends_a_shorter_one(cartpole, tmp_path):
    whole = train(ControlConfig("krope", epochs=4, **SMALL), cartpole, tmp_path / "whole")
    train(ControlConfig("krope", epochs=2, **SMALL), cartpole, tmp_path / "parts")
    parts = train(ControlConfig("krope", epochs=4, **SMALL), cartpole, tmp_path / "parts")
    assert same(parts.rows[-1], whole.rows[-1])
    with pytest.raises(KropeError, match="epochs must be at least the 4 that"):
        train(ControlConfig("krope", epochs=3, **SMALL), cartpole, tmp_path / "parts")
    assert train(ControlConfig("fqe", epochs=0, **SMALL), cartpole, tmp_path / "none").epochs == 0
    assert len(read_metrics(tmp_path / "none")) == 1


def test_a_process_that_ends_right_after_a_checkpoint_leaves_nothing_out(cartpole, tmp_path):
    """The checkpoint says where a run stands: the tables are made from it again, though nothing is left to train."""
    config = ControlConfig("fqe", epochs=2, **SMALL)
    train(config, cartpole, tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for stale in ("metrics.csv", "run.json"):
        (tmp_path / stale).unlink()
        train(config, cartpole, tmp_path)
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_table_written_as_continuous_data_gives_the_exact_kernels_answer(tmp_path):
    """Six pairs, a kernel of rank four: LSPE on the learned features is right where untrained ones are wrong."""
    P = np.zeros((3, 2, 3))
    for s, a, after in [(0, 0, 1), (0, 1, 2), (1, 0, 2), (1, 1, 2), (2, 0, 0), (2, 1, 0)]:
        P[s, a, after] = 1
    mdp = tk.MDP(P, np.array([[0.0, 1.0], [0.5, 0.5], [1.0, 1.0]]), 0.7)
    policy = tk.Policy(np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    mrp, data = tk.induce(mdp, policy), as_control_data(mdp, policy, 400, 0)
    K = tk.krope_kernel(mrp)
    assert np.linalg.matrix_rank(K.matrix()) == 4
    exact = tk.lspe(mrp, tk.features(K, d=4)).q_hat
    np.testing.assert_allclose(exact, mrp.q)
    config = ControlConfig(
        "krope",
        epochs=250,
        dimension=4,
        alpha=1.0,
        weight_decay=0.0,
        hidden=32,
        batch=100,
        learning_rate=1e-3,
        evaluate_every=1000,
    )
    pair = data.observations.argmax(1) * 2 + data.actions.argmax(1)
    first = [int(np.flatnonzero(pair == x)[0]) for x in range(6)]

    def estimates(networks):
        at = features_on(networks.encoder, prepared(config, data))
        return at.Phi[first] @ tk.lspe_on_data(at.Phi, at.Phi_next, data.rewards, 0.7).theta, at.Phi[first]

    networks = new_networks(config, data.n_inputs, CPU)
    before, _ = estimates(networks)
    train(config, data, tmp_path)
    bound = settings_of(config, data.name, fingerprint(data))
    load_progress(tmp_path, bound, networks, optimizer(config, networks))
    after, Phi = estimates(networks)
    assert np.abs(after - exact).max() < 0.05
    assert np.abs(before - exact).max() > 0.15
    assert np.abs(Phi @ Phi.T - K.matrix()).max() < 0.1 * K.diagonal().max()


def test_divergence_is_recorded_and_ends_the_run(cartpole, tmp_path):
    config = ControlConfig("krope", epochs=6, **SMALL | {"learning_rate": 1e30})
    at = train(config, cartpole, tmp_path)
    assert at.diverged
    assert at.epochs == 1
    assert read_about(tmp_path)["status"] == "diverged"
    assert [row["diverged"] for row in read_metrics(tmp_path)] == [0.0, 1.0]
    assert same(train(config, cartpole, tmp_path).rows, at.rows)  # and stays so


def changed(data, **fields):
    return ControlData(**{name: getattr(data, name) for name in ControlData.__dataclass_fields__} | fields)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_data_where_every_transition_ends_or_nothing_follows_is_no_divergence(algorithm, cartpole, tmp_path):
    config = ControlConfig(algorithm, epochs=1, **SMALL)
    for name, data in (("ends", changed(cartpole, alive=0 * cartpole.alive)), ("now", changed(cartpole, gamma=0.0))):
        at = train(config, data, tmp_path / name)
        assert not at.diverged
        assert np.isfinite(at.rows[-1]["error_svd64"])
        assert algorithm == "krope-closed" or np.isfinite(at.rows[-1]["loss"])


def test_a_random_policy_as_good_as_the_target_leaves_errors_unknown(cartpole, tmp_path):
    at = train(ControlConfig("fqe", epochs=1, **SMALL), changed(cartpole, random_value=cartpole.target_value), tmp_path)
    assert not at.diverged
    for name in ("error_svd64", "error_cov32", "error_fqe", "noise_svd64", "own_error"):
        assert np.isnan(at.rows[-1][name])
    assert np.isfinite(at.rows[-1]["value_svd64"])


def test_files_of_killed_runs_are_cleared_away(cartpole, tmp_path):
    old, fresh = (tmp_path / f".krope-{digit * 16}.tmp" for digit in "ab")
    for path in (old, fresh):
        path.write_bytes(b"half of a checkpoint")
    os.utime(old, (1, 1))
    train(ControlConfig("fqe", epochs=0, **SMALL), cartpole, tmp_path)
    assert not old.exists()
    assert fresh.exists()  # it may be another's, being written


def test_a_folder_keeps_to_its_settings_and_data(cartpole, tmp_path):
    train(ControlConfig("fqe", epochs=2, **SMALL), cartpole, tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(KropeError, match=r"must hold a run with alpha = 0.3; got 0.1 \(choose another folder\)"):
        train(ControlConfig("fqe", epochs=2, alpha=0.3, **SMALL), cartpole, tmp_path)
    mdp = tk.garnet(3, 2, branching=2, gamma=0.9, seed=0)
    other = as_control_data(mdp, tk.random_policy(mdp, seed=0), 200, 0)
    with pytest.raises(KropeError, match="must hold a run on data table; got dmc-cartpole-swingup"):
        train(ControlConfig("fqe", epochs=2, **SMALL), other, tmp_path)
    with pytest.raises(KropeError, match="batch must be at most the 200 transitions of the data; got 300"):
        train(ControlConfig("fqe", batch=300), other, tmp_path / "new")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("content", [b"", b"nothing", None])
def test_a_broken_checkpoint_is_refused(cartpole, tmp_path, content):
    config = ControlConfig("fqe", epochs=2, **SMALL)
    train(config, cartpole, tmp_path)
    path = tmp_path / "checkpoint.safetensors"
    path.write_bytes(path.read_bytes()[:500] if content is None else content)
    with pytest.raises(KropeError, match=r"checkpoint.safetensors must be a complete checkpoint"):
        train(ControlConfig("fqe", epochs=4, **SMALL), cartpole, tmp_path)


def drop(name):
    return lambda tensors, meta: tensors.pop(name)


def state(change):
    def put(tensors, meta):
        whole = json.loads(meta["state"])
        change(whole)
        meta["state"] = json.dumps(whole)

    return put


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (drop("encoder.widen.weight"), r"encoder.widen.weight of shape \(16, 6\); got none"),
        (drop("encoder.widen.weight/exp_avg"), r"encoder.widen.weight/exp_avg of shape \(16, 6\); got none"),
        (lambda tensors, meta: [tensors.pop(f"head.weight/{m}") for m in MOMENTS], "head.weight/exp_avg of shape"),
        (
            lambda tensors, meta: tensors.update({"encoder.widen.bias": torch.zeros(1)}),
            r"encoder.widen.bias of shape \(16,\); got \(1,\)",  # torch would fill the layer with it
        ),
        (state(lambda at: at.pop("diverged")), r"got KeyError \('diverged'\)"),
        (state(lambda at: at["rows"][0].pop("error_svd64")), r"got KeyError \('error_svd64'\)"),
        (state(lambda at: at.update(epochs=None)), "got TypeError"),
    ],
)
def test_a_checkpoint_that_lacks_something_is_refused(cartpole, tmp_path, change, message):
    from safetensors import safe_open
    from safetensors.torch import save_file

    train(ControlConfig("fqe", epochs=2, **SMALL), cartpole, tmp_path)
    path = tmp_path / "checkpoint.safetensors"
    with safe_open(path, "pt") as file:
        tensors, meta = {name: file.get_tensor(name) for name in file.keys()}, file.metadata()  # noqa: SIM118
    change(tensors, meta)
    save_file(tensors, path, meta)
    with pytest.raises(KropeError, match=f"checkpoint.safetensors must be a complete checkpoint.*{message}"):
        train(ControlConfig("fqe", epochs=4, **SMALL), cartpole, tmp_path)


def test_a_checkpoint_of_other_settings_and_a_broken_description(cartpole, tmp_path):
    config = ControlConfig("fqe", epochs=2, **SMALL)
    train(config, cartpole, tmp_path)
    about = json.loads((tmp_path / "run.json").read_text())
    (tmp_path / "run.json").unlink()
    with pytest.raises(KropeError, match="must be of the settings and data asked for"):
        train(ControlConfig("fqe", 1, epochs=2, **SMALL), cartpole, tmp_path)
    for broken in ("{", json.dumps(about | {"settings": 3})):
        (tmp_path / "run.json").write_text(broken)
        with pytest.raises(KropeError, match=r"run.json must describe a run"):
            train(config, cartpole, tmp_path)
    (tmp_path / "metrics.csv").write_text("epoch\nx\n")
    with pytest.raises(KropeError, match="must be a table of metrics"):
        read_metrics(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(KropeError, match="out must be a folder that can be written"):
        train(config, cartpole, tmp_path / "file" / "run")


def test_a_full_disk_leaves_the_last_checkpoint(cartpole, tmp_path, monkeypatch):
    config = ControlConfig("fqe", epochs=2, **SMALL)
    train(config, cartpole, tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def full(handle):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        with pytest.raises(KropeError, match="No space left on device"):
            train(ControlConfig("fqe", epochs=4, **SMALL), cartpole, tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert train(ControlConfig("fqe", epochs=4, **SMALL), cartpole, tmp_path).epochs == 4


@pytest.mark.parametrize("algorithm", LEARNED)
def test_nothing_assumes_the_cpu(algorithm):
    """On torch's device without storage every mixture with a tensor on the CPU is an error, as on a GPU."""
    config = ControlConfig(algorithm, hidden=8)
    with torch.device("meta"):
        networks = new_networks(config, 6, torch.device("meta"))
        rows = [torch.zeros(300, 6), torch.zeros(300), torch.zeros(300, 6), torch.ones(300)]
        batch = Minibatch(*rows, 0.99, torch.ones(()))
    target = copy.deepcopy(networks).requires_grad_(False)
    loss = objective(config, networks, target, batch)
    assert loss.device.type == "meta"
    loss.backward()
    optimizer(config, networks).step()


def test_ends_are_masked(cartpole):
    """What follows an end does not matter to any loss."""
    rng = torch.Generator().manual_seed(0)
    x, x_next, other = (torch.randn(8, 6, generator=rng) for _ in range(3))
    r, alive = torch.rand(8, generator=rng), torch.tensor([1.0, 0.0] * 4)
    for algorithm in LEARNED:
        config = ControlConfig(algorithm, hidden=8)
        networks = new_networks(config, 6, CPU)
        mixed = torch.where(alive[:, None] > 0, x_next, other)
        losses = [
            objective(config, networks, networks, Minibatch(x, r, after, alive, 0.9, torch.tensor(1.0))).item()
            for after in (x_next, mixed)
        ]
        assert losses[0] == pytest.approx(losses[1], rel=1e-6), algorithm
        whole = objective(config, networks, networks, Minibatch(x, r, mixed, 0 * alive + 1, 0.9, torch.tensor(1.0)))
        assert abs(whole.item() - losses[0]) > 1e-7, algorithm


def test_minibatches_cover_the_data_in_another_order_each_epoch(cartpole, monkeypatch):
    config = ControlConfig("fqe", epochs=2, **SMALL)
    taken = []

    def rows(table, index):
        taken.append(index)
        return original(table, index)

    original = training._Table.rows
    monkeypatch.setattr(training._Table, "rows", rows)
    networks = new_networks(config, cartpole.n_inputs, CPU)
    for epoch in (0, 1, 0):
        training.train_epoch(config, networks, optimizer(config, networks), training._Table(cartpole, CPU), epoch)
    first, second, again = np.split(np.concatenate(taken), 3)
    assert len(set(first)) == len(first) == 7 * 128
    assert not np.array_equal(first, second)
    assert np.array_equal(first, again)


def test_the_fingerprint_knows_every_number_that_counts(cartpole):
    fields = {name: getattr(cartpole, name) for name in ControlData.__dataclass_fields__}
    known = {fingerprint(cartpole)}
    for name in (
        "observations",
        "actions",
        "rewards",
        "next_observations",
        "next_actions",
        "initial_observations",
        "initial_actions",
    ):
        known.add(fingerprint(ControlData(**fields | {name: fields[name] + 0.5})))
    known.add(fingerprint(ControlData(**fields | {"alive": 1 - fields["alive"]})))
    known.add(fingerprint(ControlData(**fields | {"gamma": 0.5})))
    known.add(fingerprint(ControlData(**fields | {"target_value": None})))
    assert len(known) == 11
    assert fingerprint(ControlData(**fields | {"provenance": {}})) == fingerprint(cartpole)


def test_features_after_an_end_are_zero(cartpole):
    fields = {name: getattr(cartpole, name) for name in ControlData.__dataclass_fields__}
    alive = np.where(np.arange(len(cartpole)) % 2 == 0, 0.0, 1.0)
    networks = new_networks(ControlConfig("fqe", hidden=8), cartpole.n_inputs, CPU)
    at = features_on(networks.encoder, ControlData(**fields | {"alive": alive}))
    assert not at.Phi_next[::2].any()
    np.testing.assert_array_equal(at.Phi_next[1::2], features_on(networks.encoder, cartpole).Phi_next[1::2])


def test_devices():
    assert device_named("cpu") == CPU
    assert device_named("auto").type in ("cpu", "cuda")
    with pytest.raises(KropeError, match="device must be one of auto, cpu, cuda; got 'tpu'"):
        device_named("tpu")
    if not torch.cuda.is_available():
        with pytest.raises(KropeError, match="device must be one that is available; got 'cuda'"):
            device_named("cuda")
