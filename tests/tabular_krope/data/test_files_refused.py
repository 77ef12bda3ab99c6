"""Files that are refused, each with the field and the reason."""

import numpy as np
import pytest

from tabular_krope.data.files import load
from tabular_krope.errors import KropeError
from tests.tabular_krope.data.written import write

HEAD = {"krope": 1, "kind": "mdp", "P": [[[1.0]]], "r": [[0.0]], "gamma": 0.5}
DATA = {"krope": 1, "kind": "dataset", "s": [0], "a": [0], "r": [0.0], "s_next": [0], "done": [False],
        "n_states": 1, "n_actions": 1, "gamma": 0.5, "d0": [1.0]}  # fmt: skip
CHAIN = {"P_pi": [["1"]], "r": ["0"], "gamma": "1/2"}
EXACT = {"krope": 1, "kind": "exact-mrp", "P": [["1"]], "Pi": [["1"]], "r": ["0"], "gamma": "1/2"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (HEAD | {"krope": 2}, "krope must be the schema version 1, the one this program reads; got 2"),
        (HEAD | {"krope": True}, "krope must be the schema version 1, the one this program reads; got True"),
        (
            {"P": [[1.0]]},
            'the file must say what it holds, add "krope": 1, "kind": "mdp" .docs/files.md.; got the fields P',
        ),
        (
            {"kind": "policy", "probs": [[1.0]]},
            'add "krope": 1, "kind": "policy" .docs/files.md.; got the fields kind, pr',
        ),
        ({"kind": ["mdp"]}, 'add "krope": 1, "kind": "mdp" .docs/files.md.; got the fields kind'),
        ({}, 'add "krope": 1, "kind": "mdp" .docs/files.md.; got no fields'),
        (
            {"P": [[[1.0]]], "r": [[0.0]], "gamma": 0.5, "d_0": [1.0]},
            "the file must say what it holds, add .*P, r, gamma, d_0",
        ),
        ({"P": [[1.0]], "r": [0.0], "gamma": 0.5}, r"P must have shape|r must have shape"),
        (HEAD | {"kind": "MDP"}, "kind must be one of .*; got 'MDP' .did you mean 'mdp'"),
        (HEAD | {"kind": "polcy"}, "kind must be one of .*; got 'polcy' .did you mean 'policy'"),
        (HEAD | {"kind": ["mdp"]}, "kind must be a text such as 'mdp'; got"),
        (
            HEAD | {"d_0": [1.0]},
            "field of mdp must be one of P, action_names, d0, end, gamma, pair_action, pair_state, r; "
            "got 'd_0' .did you mean 'd0'",
        ),
        ({"krope": 1, "kind": "policy"}, "policy must have the field 'probs'; got no fields"),
        (HEAD | {"P": [[[0.5]]]}, r"P\[s=0, a=0, :\] must sum to 1; got 0.5"),
        (HEAD | {"P": {"data": [1.0]}}, "P must have the CSR parts data, indices, indptr, shape; 'indices' is missing"),
        (HEAD | {"r": [["a"]]}, "r must be an array of numbers; got list"),
        (HEAD | {"r": [[10**400]]}, "r must be an array of numbers; got list"),
        (HEAD | {"r": None}, r"r must have shape \[S, A\] = \(1, 1\), as P \[S, A, S\] has; got \(\)"),
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
        (CHAIN | {"ends": ["0"]}, r"field of a chain without header must be .*; got 'ends' \(did you mean 'end'\?\)"),
        ({"P_pi": [["1"]], "r": ["0"], "gama": "1/2"}, r"got 'gama' \(did you mean 'gamma'\?\)"),
        (CHAIN | {"reward_range": ["1", "2"]}, r"reward_range must cover the rewards \[0, 0\]; got \(1, 2\)"),
        (CHAIN | {"reward_range": ["1"]}, "reward_range must be two numbers; got"),
        (CHAIN | {"weights": ["1", "1"]}, "weights must be 1 non-negative numbers, not all zero; got"),
        (CHAIN | {"weights": ["0"]}, "weights must be 1 non-negative numbers, not all zero; got"),
        (CHAIN | {"P": [["1"]]}, "a chain with states must have the field 'Pi'; got P"),
        (
            CHAIN | {"P_pi": [["0", "1"], ["1", "0"]], "r": ["0", "0"], "P": [["1"], ["1"]], "Pi": [["1", "0"]]},
            "P_pi must be the product of P and Pi; got another matrix",
        ),
        ({"claim": "c", "outcome": "holds", "witness": None}, "the verdict must have a witness.*; got 'holds'"),
        ({"statements": [], "settings": {}}, "the file must hold one chain; got the verdicts of krope check"),
        ({"krope": 1, "kind": "features", "matrix": [[1.0]], "eigenvalues": [1.0]}, r"residuals must have shape \(1\)"),
        ({"krope": 1, "kind": "weights", "weights": [[1.0]]}, r"weights must have shape \(any\); got \(1, 1\)"),
        (3, "the file must hold a JSON object or a list of numbers; got a number"),
        ([[[1.0]]], r": array must have shape \(any, any\); got \(1, 1, 1\)"),
        ([1, [2]], ": array must be an array of numbers"),
        ({"krope": 1, "kind": "weights", "weights": ["x"]}, ": weights must be an array of numbers"),
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
        ({"a": np.zeros(2), "b": np.zeros(2)}, "add krope=1, kind='mdp' .docs/files.md.; got the fields a, b"),
        ({"krope": np.ones(2), "kind": "mdp"}, "krope must be the schema version 1"),
        ({"krope": 1, "kind": np.array(["mdp"])}, "kind must be a text such as 'mdp'; got"),
        ({"a": np.zeros((1, 1, 1))}, "the array must be a vector of weights or a matrix of features; got 3 dimensions"),
        ({"a": 1.0}, "the array must be a vector of weights or a matrix of features; got 0 dimensions"),
        ({"a": np.array([np.nan])}, r": a\[0\] must be finite; got nan"),
        ({"weights": np.array([np.nan])}, r": weights\[0\] must be finite; got nan"),
        ({"a": np.array(["x"])}, ": a must be an array of numbers"),
        ({"features": np.array([["x"]])}, ": features must be an array of numbers"),
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


def test_a_folder_is_named_as_one(tmp_path):
    (tmp_path / "runs").mkdir()
    with pytest.raises(KropeError, match=r"^path must be a file; got the folder '.*runs'$"):
        load(tmp_path / "runs")
    with pytest.raises(KropeError, match="path must end in"):
        load(tmp_path / "missing.foo")


def test_what_is_no_object_is_named_as_json_names_it(tmp_path):
    for text, word in (("null", "null"), ('"x"', "a text"), ("3", "a number")):
        (tmp_path / "x.json").write_text(text)
        with pytest.raises(KropeError, match=f"must hold a JSON object or a list of numbers; got {word}$"):
            load(tmp_path / "x.json")
