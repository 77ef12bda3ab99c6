import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from tabular_krope.data import json_files
from tabular_krope.data.json_files import read_json, with_sparse, write_json
from tabular_krope.errors import KropeError


def written(fields):
    stream = io.BytesIO()
    write_json(stream, fields)
    return stream.getvalue()


def test_one_line_for_each_field():
    text = written({"krope": 1, "r": np.array([0.1, -0.0]), "done": np.array([True]), "name": np.array(["1/2"])})
    assert text == b'{\n  "krope": 1,\n  "r": [0.1, -0.0],\n  "done": [true],\n  "name": ["1/2"]\n}\n'


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_floats_to_the_last_bit(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("json") / "a.json"
    path.write_bytes(written({"r": np.array(values)}))
    assert np.array(read_json(str(path))["r"]).tobytes() == np.array(values).tobytes()


def test_sparse_matrices_by_their_parts(tmp_path):
    path = tmp_path / "a.json"
    path.write_bytes(written({"P": sparse.csr_array([[0.0, 1.0]])}))
    content = read_json(str(path))
    assert content == {"P": {"data": [1.0], "indices": [1], "indptr": [0, 1], "shape": [1, 2]}}
    assert with_sparse(content)["P"].toarray().tolist() == [[0.0, 1.0]]


def test_exact_keeps_the_text_of_numbers(tmp_path):
    (tmp_path / "a.json").write_text('{"gamma": 0.10, "r": [1e-3, 2]}')
    assert read_json(str(tmp_path / "a.json"), exact=True) == {"gamma": "0.10", "r": ["1e-3", 2]}
    assert read_json(str(tmp_path / "a.json")) == {"gamma": 0.1, "r": [0.001, 2]}


def test_a_byte_order_mark_is_no_harm(tmp_path):
    (tmp_path / "a.json").write_bytes(b"\xef\xbb\xbf[1]")
    assert read_json(str(tmp_path / "a.json")) == [1]


def test_nan_is_not_written():
    with pytest.raises(ValueError, match="Out of range float"):
        written({"r": np.array([np.nan])})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file must be complete JSON, save it again; got a damaged one"),
        (b'{"r": [1, 2', "the file must be complete JSON, save it again; got a damaged one"),
        (b"\xff\xfe{}", "the file must be complete JSON, save it again; got a damaged one"),
        (b"[NaN]", "every number must be finite; got NaN"),
        (b"[-Infinity]", "every number must be finite; got -Infinity"),
        (b'{"r": 1, "r": 2}', "each field must be given once; got 'r' twice"),
        (b"[" * 200_000, "the file must be JSON of a few levels; got one that is nested too deeply"),
        (
            b"[" + b"1" * 5000 + b"]",
            "the file must be complete JSON, save it again; got a damaged one .Exceeds the limit",
        ),
    ],
)
def test_refused(tmp_path, content, message):
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(KropeError, match=message):
        read_json(str(tmp_path / "a.json"))


def test_too_large_and_unreadable(tmp_path, monkeypatch):
    (tmp_path / "a.json").write_text("[1, 2]")
    monkeypatch.setattr(json_files, "LARGEST_JSON", 5)
    with pytest.raises(KropeError, match=r"the file must have at most 5 bytes, use \.npz for more; got 6"):
        read_json(str(tmp_path / "a.json"))
    monkeypatch.undo()
    with pytest.raises(KropeError, match="the file must be readable; got"):
        read_json(str(tmp_path))
