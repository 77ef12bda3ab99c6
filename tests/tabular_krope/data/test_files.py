import doctest
import json
import os
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq, fmpz
from scipy import sparse

from tabular_krope.closed_form.base_features import OneHotFeatures, random_fourier_features
from tabular_krope.closed_form.feature_space import feature_space_krope
from tabular_krope.data.dataset import Dataset, sample_dataset
from tabular_krope.data.files import load, load_array, save
from tabular_krope.data.schema import KINDS, fields_of
from tabular_krope.errors import KropeError
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.garnet import garnet
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP, induce
from tabular_krope.models.policy import Policy
from tabular_krope.models.random_policy import random_policy
from tabular_krope.models.rational_garnet import rational_garnet
from tabular_krope.models.zoo import ZOO, zoo
from tabular_krope.representations.features import Features
from tests.cases import all_mrps
from tests.tabular_krope.data.transitions import continuous_data

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


def parts(thing):
    """Everything a value holds, as bytes and texts."""
    if isinstance(thing, np.ndarray):
        return {"": (thing.shape, thing.tobytes())}
    names = [name for name in type(thing).__dataclass_fields__ if not name.startswith("_")]
    out = {}
    for name in names:
        value = getattr(thing, name)
        if sparse.issparse(value):
            out[name] = (value.shape, value.data.tobytes(), value.indices.tolist(), value.indptr.tolist())
        elif isinstance(value, np.ndarray):
            out[name] = (value.shape, value.dtype, value.tobytes())
        else:
            out[name] = str(value)
    return out


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


def write(tmp_path, content, name="a.json"):
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_a_headerless_witness(tmp_path):
    path = write(tmp_path, '{"P_pi": [["3/4", 0.25], [0, 1]], "r": ["0", "1e-1"], "gamma": 0.9}')
    chain = load(path)
    assert chain.P.table() == [[fmpq(3, 4), fmpq(1, 4)], [0, 1]]
    assert (chain.r, chain.gamma) == ((0, fmpq(1, 10)), fmpq(9, 10))
    ends = load(write(tmp_path, '{"P_pi": [["1/2"]], "r": [1], "gamma": 1, "end": ["1/2"], "d0": [1]}', "b.json"))
    assert ends.q == (2,)
    assert load(path, kind="exact-mrp").n_pairs == 2


def test_a_model_written_by_hand_needs_only_what_has_no_default(tmp_path):
    mdp = load(write(tmp_path, {"krope": 1, "kind": "mdp", "P": [[[1]]], "r": [[2]], "gamma": 0.5}))
    assert (mdp.r.tolist(), mdp.d0.tolist(), mdp.end.tolist()) == ([[2.0]], [1.0], [[0.0]])


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


HEAD = {"krope": 1, "kind": "mdp", "P": [[[1.0]]], "r": [[0.0]], "gamma": 0.5}
DATA = {"krope": 1, "kind": "dataset", "s": [0], "a": [0], "r": [0.0], "s_next": [0], "done": [False],
        "n_states": 1, "n_actions": 1, "gamma": 0.5, "d0": [1.0]}  # fmt: skip
EXACT = {"krope": 1, "kind": "exact-mrp", "P": [["1"]], "Pi": [["1"]], "r": ["0"], "gamma": "1/2"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (HEAD | {"krope": 2}, "krope must be the schema version 1, the one this program reads; got 2"),
        (HEAD | {"krope": True}, "krope must be the schema version 1, the one this program reads; got True"),
        ({"P": [[1.0]]}, "krope must be the schema version 1, the one this program reads; got None"),
        (HEAD | {"kind": "polcy"}, "kind must be one of .*; got 'polcy' .did you mean 'policy'"),
        (HEAD | {"kind": ["mdp"]}, "kind must be a text such as 'mdp'; got"),
        (HEAD | {"d_0": [1.0]}, "field of mdp must be one of P, d0, end, gamma, r; got 'd_0' .did you mean 'd0'"),
        ({"krope": 1, "kind": "policy"}, "policy must have the field 'probs'; got no fields"),
        (HEAD | {"P": [[[0.5]]]}, r"P\[s=0, a=0, :\] must sum to 1; got 0.5"),
        (HEAD | {"P": {"data": [1.0]}}, "P must have the CSR parts data, indices, indptr, shape; 'indices' is missing"),
        (HEAD | {"r": [["a"]]}, "r must be an array of numbers; got list"),
        (HEAD | {"r": [[10**400]]}, "r must be an array of numbers; got list"),
        (HEAD | {"r": None}, r"r must have shape \(any, any\); got \(\)"),
        (HEAD | {"gamma": []}, "gamma must be a number"),
        (HEAD | {"gamma": 1e999}, "every number must be finite; got Infinity"),
        (DATA | {"s": [[0], [0, 1]]}, "s must be a vector; got rows of different lengths"),
        (DATA | {"s": None}, "s must be a vector of integers; got object"),
        (DATA | {"s": [2**70]}, "s must be a vector of integers; got object"),
        (DATA | {"done": ["0"]}, r"done\[0\] must be true or false; got 0"),
        (DATA | {"n_states": 10**13}, r"dataset must have a d0 and at most 10000000 pairs; got 10000000000000 x 1"),
        (DATA | {"d0": None}, "dataset must have a d0 and at most 10000000 pairs"),
        (EXACT | {"P": "1"}, "P must be a list; got str"),
        (EXACT | {"P": ["1"]}, r"P\[0\] must be a list; got str"),
        (EXACT | {"r": ["x"]}, r'r\[0\] must be a rational such as "3/4" or 0.75; got \'x\''),
        (EXACT | {"P": [["1/2"]]}, r"P\[0, :\] must sum to 1; got 1/2"),
        (EXACT | {"gamma": "1e-999999999"}, "gamma must be a rational such as"),
        ({"P_pi": [["1"]], "r": ["0"]}, "a chain without header must have the field 'gamma'; got P_pi, r"),
        ({"krope": 1, "kind": "features", "matrix": [[1.0]], "eigenvalues": [1.0]}, r"residuals must have shape \(1\)"),
        ({"krope": 1, "kind": "weights", "weights": [[1.0]]}, r"weights must have shape \(any\); got \(1, 1\)"),
        (3, "the file must hold a JSON object or a list of numbers; got int"),
        ([[[1.0]]], r"features must have shape \(any, any\); got \(1, 1, 1\)"),
        ([1, [2]], "features must be an array of numbers"),
        ('{"krope": 1', "the file must be complete JSON, save it again; got a damaged one"),
    ],
)
def test_bad_json(tmp_path, content, message):
    path = write(tmp_path, content)
    with pytest.raises(KropeError, match=message) as error:
        load(path)
    assert str(error.value).startswith(f"{path}: ")


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"a": np.zeros(2), "b": np.zeros(2)}, "krope must be the schema version 1, .*; got None"),
        ({"krope": np.ones(2), "kind": "mdp"}, "krope must be the schema version 1"),
        ({"krope": 1, "kind": np.array(["mdp"])}, "kind must be a text such as 'mdp'; got"),
        ({"a": np.zeros((1, 1, 1))}, "the array must be a vector of weights or a matrix of features; got 3 dimensions"),
        ({"a": 1.0}, "the array must be a vector of weights or a matrix of features; got 0 dimensions"),
        ({"a": np.array([np.nan])}, r"weights\[0\] must be finite; got nan"),
        ({"a": np.array(["x"])}, "weights must be an array of numbers"),
        ({"krope": 1, "kind": "exact-mrp", "P": np.eye(1), "Pi": np.eye(1), "r": np.eye(1)[0], "gamma": 0.5},
         "P must be a list; got ndarray"),
    ],
)  # fmt: skip
def test_bad_npz(tmp_path, arrays, message):
    np.savez(tmp_path / "a.npz", **arrays)
    with pytest.raises(KropeError, match=message) as error:
        load(tmp_path / "a.npz")
    assert str(error.value).startswith(f"{tmp_path / 'a.npz'}: ")


def test_pickles_are_refused(tmp_path):
    np.save(tmp_path / "a.npy", np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(
        KropeError, match="the file must hold numbers or text; got pickled objects, which are never loaded"
    ):
        load(tmp_path / "a.npy")


@pytest.mark.parametrize("order", ["<", ">"])
def test_text_that_is_no_text_is_refused(tmp_path, order):
    text = np.frombuffer(b"\x7f\xff\xff\x7f" * 2, dtype=f"{order}U1")
    for arrays in (
        {"krope": 1, "kind": text[:1].reshape(())},
        {"krope": 1, "kind": "exact-mrp", "r": text},
        {"a": text},
    ):
        np.savez(tmp_path / "a.npz", **arrays)
        with pytest.raises(KropeError, match=r"must hold text; got numbers that are no characters"):
            load(tmp_path / "a.npz")
    np.savez(tmp_path / "b.npz", krope=1, kind="exact-mrp", **{
        name: np.array(value, dtype=f"{order}U3") for name, value in
        {"P": [["1"]], "Pi": [["1"]], "r": ["1/2"], "gamma": "1/2"}.items()
    })  # fmt: skip
    assert load(tmp_path / "b.npz").q == (1,)


def test_paths_extensions_and_kinds(tmp_path):
    save(THINGS["policy"], tmp_path / "a.NPZ")
    assert isinstance(load(tmp_path / "a.NPZ", kind="policy"), Policy)
    with pytest.raises(KropeError, match=r"a.NPZ must be a file of kind 'mdp'; got 'policy'"):
        load(tmp_path / "a.NPZ", kind="mdp")
    with pytest.raises(KropeError, match=r"path must be an existing file; got '.*none.npz'"):
        load(tmp_path / "none.npz")
    with pytest.raises(
        KropeError,
        match=r"path must end in \.json or \.npy or \.npz or \.csv or \.parquet or \.hdf5 or \.h5; got '.*a\.pkl'",
    ):
        load(tmp_path / "a.pkl")
    for name in ("a.npy", "a", "a.pickle"):
        with pytest.raises(
            KropeError, match=r"path must end in \.json or \.npz or \.csv or \.parquet or \.hdf5 or \.h5; got"
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
