import doctest
import os
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq, fmpz
from scipy import sparse

from tabular_krope.closed_form.base_features import OneHotFeatures, random_fourier_features
from tabular_krope.closed_form.feature_space import feature_space_krope
from tabular_krope.data.dataset import Dataset, sample_dataset
from tabular_krope.data.files import load, load_array, load_witness, save
from tabular_krope.data.schema import KINDS, fields_of
from tabular_krope.errors import KropeError
from tabular_krope.models.exact_mdp import ExactMDP
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.garnet import garnet
from tabular_krope.models.induce import induce
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP
from tabular_krope.models.policy import Policy
from tabular_krope.models.random_policy import random_policy
from tabular_krope.models.rational_garnet import rational_garnet
from tabular_krope.models.zoo import ZOO, zoo
from tabular_krope.representations.features import Features
from tests.cases import all_mrps
from tests.tabular_krope.data.parts import parts
from tests.tabular_krope.data.transitions import continuous_data
from tests.tabular_krope.data.written import write

FORMATS = (".npz", ".json")


def things():
    mdp, csr = garnet(5, 2), garnet(5, 2, sparse=True)
    policy = random_policy(mdp)
    rng = np.random.default_rng(0)
    found = {
        "mdp": mdp,
        "mdp-csr": csr,
        "mdp-ending": zoo("van-roy").model,
        "mrp-weights": MRP([[1.0], [1.0]], [[0.3, 0.7]], [0.0, 1.0], 0.1, weights=[0.1, 0.7]),
        "mrp-all-end": MRP.from_matrix(sparse.csr_array((2, 2)), [0.0, 1.0], 1.0, end=[1.0, 1.0]),
        "exact": rational_garnet(4, 2),
        "exact-long": ExactMRP.from_matrix([[1]], [fmpq(fmpz("7" * 5000), 3)], "1/2"),
        "mdp-of-pairs": MDP([[1.0], [1.0]], [0.1, 1 / 3], 0.9, pair_state=[0, 0], pair_action=[0, 2]),
        "exact-mdp": ExactMDP([[["1/3", "1/3"]], [[1, 0], [0, 1]]], [["1/7"], [0, 1]], "0.9", end=[["1/3"], [0, 0]]),
        "policy": policy,
        "features": Features(rng.standard_normal((6, 2)), [2.0, 1.0], [1e-16, 0.0]),
        "matrix": rng.standard_normal((6, 2)),
        "weights": np.array([0.0, -0.0, 5e-324, 1 / 3, 1e308]),
        "dataset": sample_dataset(zoo("four-rooms").model, Policy.uniform(103, 4), 300),
        "continuous": continuous_data(),
        "continuous-all": continuous_data(everything=True),
        "feature-map": feature_space_krope(np.eye(3), np.eye(3)[[1, 2, 2]], [0.0, 1.0, 0.5], gamma=0.9, d=2),
        "feature-map-restricted": feature_space_krope(np.eye(2), np.diag([2, 0.5]), [0, 1], gamma=0.9, ridge=0.1),
        "fourier-features": random_fourier_features(rng.standard_normal((9, 2)), 5),
        "one-hot-features": OneHotFeatures(3, 2),
    }
    found |= {f"mrp-{name}": mrp for name, mrp in all_mrps().items()}
    return found | {f"zoo-{name}": zoo(name).model for name in ZOO}


THINGS = things()


@pytest.mark.parametrize("extension", FORMATS)
@pytest.mark.parametrize("name", THINGS)
def test_round_trip_to_the_last_bit(tmp_path, name, extension):
    thing, path = THINGS[name], tmp_path / f"thing{extension}"
    save(thing, path)
    back = load(path)
    assert type(back) is type(thing)
    assert parts(back) == parts(thing)
    save(back, tmp_path / f"again{extension}")
    assert (tmp_path / f"again{extension}").read_bytes() == path.read_bytes()
    assert sorted(os.listdir(tmp_path)) == [f"again{extension}", f"thing{extension}"]


def test_every_kind_is_tried():
    assert {fields_of(thing)[0] for thing in THINGS.values()} == set(KINDS)


def test_a_headerless_witness(tmp_path):
    path = write(tmp_path, '{"P_pi": [["3/4", 0.25], [0, 1]], "r": ["0", "1e-1"], "gamma": 0.9}')
    chain = load(path)
    assert chain.P.table() == [[fmpq(3, 4), fmpq(1, 4)], [0, 1]]
    assert (chain.r, chain.gamma) == ((0, fmpq(1, 10)), fmpq(9, 10))
    ends = load(write(tmp_path, '{"P_pi": [["1/2"]], "r": [1], "gamma": 1, "end": ["1/2"], "d0": [1]}', "b.json"))
    assert ends.q == (2,)
    assert load(path, kind="exact-mrp").n_pairs == 2


def test_a_witness_keeps_its_reward_range_weights_and_states(tmp_path):
    fields = {
        "P_pi": [["1/2", "1/2"], ["1/2", "1/2"]], "r": ["0", "1"], "gamma": "1/2", "reward_range": ["-2", 3],
        "weights": ["1/4", "3/4"], "P": [["1"], ["1"]], "Pi": [["1/2", "1/2"]], "pair": [0, 1], "phi": [["1"], ["2"]],
    }  # fmt: skip
    path = write(tmp_path, fields)
    found = load_witness(path)
    assert found.reward_range == (-2, 3)
    assert found.weights == (fmpq(1, 4), fmpq(3, 4))
    assert (found.chain.n_states, found.chain.n_pairs) == (1, 2)
    assert load(path).n_states == 1
    verdict = {"claim": "K[x,x] >= 1", "outcome": "refuted", "witness": fields, "settings": {"gamma": None}}
    assert load_witness(write(tmp_path, verdict, "verdict.json")).reward_range == (-2, 3)
    assert load(tmp_path / "verdict.json", kind="exact-mrp").gamma == fmpq(1, 2)
    bare = load_witness(write(tmp_path, {"P_pi": [["1"]], "r": ["1"], "gamma": "1/2"}, "bare.json"))
    assert (bare.reward_range, bare.weights) == (None, None)
    save(load(path), tmp_path / "headed.json")
    with pytest.raises(KropeError, match=r"must be a chain without header .*; got 'exact-mrp'"):
        load_witness(tmp_path / "headed.json")


def test_a_model_written_by_hand_needs_only_what_has_no_default(tmp_path):
    mdp = load(write(tmp_path, {"krope": 1, "kind": "mdp", "P": [[[1]]], "r": [[2]], "gamma": 0.5}))
    assert (mdp.r.tolist(), mdp.d0.tolist(), mdp.end.tolist()) == ([[2.0]], [1.0], [[0.0]])


def test_a_model_written_by_hand_needs_no_header(tmp_path):
    fields = {"P": [[[0.5, 0.5]], [[0.0, 1.0]]], "r": [[1], [0]], "gamma": 0.9}
    for more in ({}, {"d0": [1, 0]}, {"end": [[0], [0]]}):
        wanted = MDP(**fields, **more)
        np.savez(tmp_path / "a.npz", **fields, **more)
        for path in (write(tmp_path, fields | more), tmp_path / "a.npz"):
            assert parts(load(path)) == parts(wanted)
            assert isinstance(load(path, kind="mdp"), MDP)


def test_bare_arrays(tmp_path):
    Phi = np.arange(6.0).reshape(3, 2)
    np.save(tmp_path / "phi.npy", Phi.astype(np.float32))
    np.savez(tmp_path / "phi.npz", anything=Phi)
    write(tmp_path, [[0, 1], [2, 3], [4, 5]], "phi.json")
    np.save(tmp_path / "w.npy", np.array([1, 2, 3]))
    (tmp_path / "w.npy").rename(tmp_path / "w.NPY")
    for name in ("phi.npy", "phi.npz", "phi.json"):
        np.testing.assert_array_equal(load_array(tmp_path / name), Phi)
        np.testing.assert_array_equal(load(tmp_path / name, kind="features"), Phi)
    weights = load_array(str(tmp_path / "w.NPY"))
    assert weights.dtype == np.float64
    assert weights.tolist() == [1.0, 2.0, 3.0]


def test_load_array_of_our_own_kinds(tmp_path):
    for name in ("features", "matrix", "weights"):
        save(THINGS[name], tmp_path / "a.npz")
        np.testing.assert_array_equal(load_array(tmp_path / "a.npz"), np.asarray(THINGS[name]))
    save(THINGS["policy"], tmp_path / "a.npz")
    with pytest.raises(KropeError, match=r"a.npz must hold an array of features or weights; got Policy"):
        load_array(tmp_path / "a.npz")


def test_paths_extensions_and_kinds(tmp_path):
    save(THINGS["policy"], tmp_path / "a.NPZ")
    assert isinstance(load(tmp_path / "a.NPZ", kind="policy"), Policy)
    with pytest.raises(KropeError, match=r"a.NPZ must be a file of kind 'mdp'; got 'policy'"):
        load(tmp_path / "a.NPZ", kind="mdp")
    with pytest.raises(KropeError, match=r"path must be an existing file; got '.*none.npz'"):
        load(tmp_path / "none.npz")
    with pytest.raises(
        KropeError,
        match=r"path must end in \.json, \.npy, \.npz, \.safetensors, \.csv, \.tsv, .* or \.jani; got '.*a\.pkl'",
    ):
        load(tmp_path / "a.pkl")
    for name in ("a.npy", "a", "a.pickle"):
        with pytest.raises(
            KropeError,
            match=r"path must end in \.json, \.npz, \.safetensors, \.csv, \.parquet, \.hdf5, .* or \.drn; got",
        ):
            save(THINGS["policy"], tmp_path / name)


def test_what_cannot_be_saved_leaves_no_file(tmp_path):
    for thing, message in [
        (zoo("baird"), "thing must be an MDP, .*; got ZooModel"),
        (np.zeros((1, 1, 1)), "thing must be an MDP, .*; got ndarray"),
        (np.array([np.nan]), r"weights\[0\] must be finite; got nan"),
    ]:
        with pytest.raises(KropeError, match=message):
            save(thing, tmp_path / "a.npz")
    with pytest.raises(KropeError, match="must be a file in an existing folder that can be written"):
        save(THINGS["policy"], tmp_path / "none" / "a.npz")
    assert os.listdir(tmp_path) == []


def test_a_large_sparse_model(tmp_path):
    mdp = garnet(20_000, 3, branching=5)
    save(mdp, tmp_path / "a.npz")
    assert parts(load(tmp_path / "a.npz")) == parts(mdp)


def test_the_page_on_files(tmp_path, monkeypatch):
    page = Path(__file__).parents[3] / "docs" / "files.md"
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(page), module_relative=False)
    assert result.failed == 0
    assert result.attempted > 10
    for kind in KINDS:
        assert f"| `{kind}` |" in page.read_text()


def test_loaded_models_can_be_used(tmp_path):
    save(garnet(5, 2), tmp_path / "mdp.json")
    save(Policy.uniform(5, 2), tmp_path / "policy.npz")
    mdp, policy = load(tmp_path / "mdp.json"), load(tmp_path / "policy.npz")
    assert isinstance(mdp, MDP)
    assert np.isfinite(induce(mdp, policy).q).all()
    assert isinstance(THINGS["dataset"], Dataset)
