import io
import os
import pickle

import numpy as np
import pytest

from tabular_krope.control.actors import ACTING, Actor
from tabular_krope.control.importing import import_actor, parameters_named, unpickled
from tabular_krope.control.policy_files import Policies, save_actor
from tabular_krope.control.rollouts import MonteCarloValue
from tabular_krope.errors import KropeError


def layers(seed=0, o=3, a=2, widths=(5, 4)):
    """(weight, bias) of two hidden layers, of the mean and of the logarithm of the deviation."""
    rng, sizes = np.random.default_rng(seed), (o, *widths)
    shapes = [*zip(sizes[1:], sizes[:-1], strict=True), (a, widths[-1]), (a, widths[-1])]
    return [(rng.standard_normal(shape).astype("f4"), rng.standard_normal(shape[0]).astype("f4")) for shape in shapes]


NAMINGS = {
    "ours": ("weight-0", "weight-1", "weight-mu", "weight-log_std"),
    "deep_ope": ("fc0/weight", "fc1/weight", "last_fc/weight", "last_fc_log_std/weight"),
    "stable-baselines3": ("actor.latent_pi.0.weight", "actor.latent_pi.2.weight", "actor.mu.weight", "log_std.weight"),
}


def named(naming):
    found = {}
    for name, (weight, bias) in zip(NAMINGS[naming], layers(), strict=True):
        found |= {name: weight, name.replace("weight", "bias"): bias}
    return found


def mean_action(s):
    """The policy without noise, from the layers alone."""
    *hidden, (W, b), _ = layers()
    for weight, bias in hidden:
        s = np.maximum(s @ weight.T + bias, 0)
    return np.tanh(s @ W.T + b)


@pytest.mark.parametrize("naming", NAMINGS)
@pytest.mark.parametrize("ending", [".npz", ".safetensors", ".pkl"])
def test_every_naming_in_every_format_is_the_same_policy(naming, ending, tmp_path):
    path, content = tmp_path / f"policy{ending}", named(naming)
    if ending == ".npz":
        np.savez(path, **content)
    elif ending == ".pkl":
        path.write_bytes(pickle.dumps(content | {"nonlinearity": "relu", "output_distribution": "tanh_gaussian"}))
    else:
        from safetensors.numpy import save_file

        save_file(content, path)
    s = np.random.default_rng(1).standard_normal((6, 3)).astype("f4")
    actor = import_actor(path, allow_pickle=True)
    np.testing.assert_allclose(actor.acting("mean").act(s, np.ones((6, 2))), mean_action(s), atol=1e-6)


def test_a_pickle_is_read_only_where_it_is_allowed_and_makes_nothing_but_arrays(tmp_path):
    path = tmp_path / "policy.pkl"
    path.write_bytes(pickle.dumps(named("deep_ope")))
    with pytest.raises(KropeError, match="import must not be a pickle unless --allow-pickle is given"):
        import_actor(path)

    class Evil:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "made"),)

    path.write_bytes(pickle.dumps(named("deep_ope") | {"extra": Evil()}))
    with pytest.raises(KropeError, match=r"must hold numpy arrays alone; got posix.mkdir"):
        import_actor(path, allow_pickle=True)
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "must be whole; got EOFError"),
        (pickle.dumps([1]), "must hold a table of arrays by name; got list"),
        (pickle.dumps({"a": eval}), "numpy arrays alone; got builtins.eval"),
        (pickle.dumps({"a": np.random.default_rng}), "numpy arrays alone"),
        (b"cnumpy._core.multiarray\n_reconstruct.x\n.", "numpy arrays alone|must be whole"),
    ],
)
def test_other_pickles_are_refused(content, message):
    with pytest.raises(KropeError, match=message):
        unpickled(content)


def test_pickles_of_numpy_1_are_known():
    old = pickle.dumps({"a": np.arange(3.0)}, protocol=2).replace(b"numpy._core.multiarray", b"numpy.core.multiarray")
    assert b"numpy.core.multiarray" in old
    np.testing.assert_array_equal(unpickled(old)["a"], np.arange(3.0))


def test_files_that_hold_no_policy(tmp_path):
    with pytest.raises(KropeError, match="import must be a file"):
        import_actor(tmp_path / "none.npz")
    for name, content, message in (
        ("x.npz", b"no zip", "must be an npz file of plain arrays"),
        ("x.safetensors", b"nothing", "must be a safetensors file"),
        ("x.txt", b"", "must end in .safetensors, .npz or .pkl; got '.txt'"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(KropeError, match=message):
            import_actor(tmp_path / name)
    out = io.BytesIO()
    np.savez(out, other=np.ones(2))
    (tmp_path / "other.npz").write_bytes(out.getvalue())
    with pytest.raises(KropeError, match="parameters must be those of an actor"):
        import_actor(tmp_path / "other.npz")
    with pytest.raises(KropeError, match="nonlinearity must be relu, the only policies known here; got 'tanh'"):
        parameters_named(named("deep_ope") | {"nonlinearity": "tanh"})


def test_what_was_imported_is_written_as_ours(tmp_path):
    actor = Actor(parameters_named(named("deep_ope")))
    save_actor(tmp_path / "target.safetensors", actor)
    again = import_actor(tmp_path / "target.safetensors")
    for name, array in actor.parameters.items():
        np.testing.assert_array_equal(again.parameters[name], array)


def test_ways_to_act():
    actor = Actor(parameters_named(named("ours")), 0.1)
    rng = np.random.default_rng(2)
    s, eps = rng.standard_normal((4, 3)).astype("f4"), rng.standard_normal((4, 2))
    *hidden, (W, b), (V, c) = layers()
    h = s
    for weight, bias in hidden:
        h = np.maximum(h @ weight.T + bias, 0)
    mu, sigma = h @ W.T + b, np.exp(np.clip(h @ V.T + c, -20, 2))
    wanted = {
        "own": np.tanh(mu + sigma * eps),
        "scaled": np.tanh(mu + 0.1 * sigma * eps),
        "mean": np.tanh(mu),
        "added": np.clip(np.tanh(mu) + 0.1 * eps, -1, 1),
    }
    assert set(wanted) == set(ACTING)
    for how, actions in wanted.items():
        np.testing.assert_allclose(actor.acting(how).act(s, eps), actions, atol=1e-5)
    with pytest.raises(KropeError, match="acting must be one of"):
        actor.acting("wild")
    values = {"target": MonteCarloValue(1.0, 0.1, 10)}
    policies = Policies(None, {"target": actor}, values, {})
    assert policies.acting("added").values == values
    assert policies.acting("scaled").values == {}
