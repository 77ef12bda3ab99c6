import contextlib
import io
import struct
import tracemalloc
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from tabular_krope.data.npz import read_npy, read_npz, write_npz
from tabular_krope.errors import KropeError


def npy(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def header(shape, descr="<f8"):
    """The header of an array of that shape, whatever follows."""
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": descr, "fortran_order": False, "shape": shape})
    return stream.getvalue()


def archive(path, members, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as out:
        for name, content in members:
            out.writestr(name, content)
    return str(path)


def test_there_and_back(tmp_path):
    fields = {"krope": 1, "kind": "mdp", "gamma": 0.1, "r": np.array([[1.0, -0.0]]),
              "P": sparse.csr_array([[0.0, 1.0]]),
              "texts": np.array(["1/2", "3"]), "done": np.array([True, False])}  # fmt: skip
    path = tmp_path / "a.npz"
    with open(path, "wb") as stream:
        write_npz(stream, fields)
    back = read_npz(str(path))
    assert list(back) == list(fields)
    assert (back["krope"], back["kind"], back["gamma"]) == (1, "mdp", 0.1)
    assert np.signbit(back["r"]).tolist() == [[False, True]]
    assert back["P"].toarray().tolist() == [[0.0, 1.0]]
    assert back["texts"].tolist() == ["1/2", "3"]
    assert back["done"].dtype == bool
    with np.load(path, allow_pickle=False) as plain:  # numpy itself can read it
        assert plain["P.indices"].tolist() == [1]


def test_the_same_fields_give_the_same_bytes():
    first, second = io.BytesIO(), io.BytesIO()
    write_npz(first, {"r": np.arange(3.0)})
    write_npz(second, {"r": np.arange(3.0)})
    assert first.getvalue() == second.getvalue()


def test_files_of_numpy_compressed_and_in_fortran_order(tmp_path):
    array = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    np.savez_compressed(tmp_path / "a.npz", phi=array, zeros=np.zeros((1000, 1000)), none=np.zeros((0, 3)))
    back = read_npz(str(tmp_path / "a.npz"))
    np.testing.assert_array_equal(back["phi"], array)
    assert back["none"].shape == (0, 3)
    np.save(tmp_path / "b.npy", array)
    np.testing.assert_array_equal(read_npy(str(tmp_path / "b.npy")), array)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            npy(np.array([None, {}], dtype=object)),
            "must hold numbers or text; got pickled objects, which are never loaded",
        ),
        (npy(np.array([1 + 2j])), "must hold real numbers or text; got complex128"),
        (npy(np.zeros(1, dtype=[("a", "f8")])), "must hold real numbers or text; got"),
        (npy(np.array([b"x"])), r"must hold real numbers or text; got \|S1"),
        (header((10**15,)) + b"x" * 8, r"must hold the 8000000000000000 bytes of shape \(1000000000000000,\) .* got 8"),
        (header((-1, -1)) + b"x" * 8, r"must hold the 8 bytes of shape \(-1, -1\)"),
        (header((1,)), "must hold the 8 bytes of shape .* that its header claims; got 0"),
        (b"", "must begin with an array's header; got ValueError"),
        (b"\x93NUMPY\x03\x00" + b"x" * 20, r"must begin with an array's header; got KeyError: \(3, 0\)"),
        (b"\x93NUMPY\x01\x00" + struct.pack("<H", 10) + b"(" * 10, "must begin with an array's header; got"),
        (b"not an array at all", "must begin with an array's header; got ValueError"),
    ],
)
def test_arrays_that_are_refused(tmp_path, content, message):
    with pytest.raises(KropeError, match=f"r.npy {message}"):
        read_npz(archive(tmp_path / "a.npz", [("r.npy", content)]))
    (tmp_path / "a.npy").write_bytes(content)
    with pytest.raises(KropeError, match=f"the file {message}"):
        read_npy(str(tmp_path / "a.npy"))


def test_a_lying_header_allocates_nothing(tmp_path):
    path = archive(tmp_path / "a.npz", [("r.npy", header((2**27,)) + bytes(1000))], zipfile.ZIP_DEFLATED)
    tracemalloc.start()
    with pytest.raises(KropeError, match="must hold the 1073741824 bytes"):
        read_npz(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**20


def lie(path, **changes):
    """Change what the central directory says of the first member."""
    content = bytearray(path.read_bytes())
    at = content.index(b"PK\x01\x02")
    for offset, value in {"method": 10, "compressed": 20, "size": 24, "flags": 8}.items():
        if value and (new := changes.get(offset)) is not None:
            struct.pack_into("<I" if offset in ("compressed", "size") else "<H", content, at + value, new)
    path.write_bytes(content)
    return str(path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"size": 2**31}, "r.npy must have its listed 2147483648 bytes; got"),
        ({"compressed": 2**31}, "the archive must hold what its directory lists; got"),
        ({"size": 200}, r"r.npy must (hold the 8 bytes|be complete)"),
        ({"method": 12}, "r.npy must be stored or deflated; got another compression, or encryption"),
        ({"flags": 1}, "r.npy must be stored or deflated; got another compression, or encryption"),
    ],
)
def test_a_lying_directory(tmp_path, changes, message):
    archive(tmp_path / "a.npz", [("r.npy", npy(np.zeros(1)))])
    with pytest.raises(KropeError, match=message):
        read_npz(lie(tmp_path / "a.npz", **changes))


def test_a_directory_that_promises_more_than_there_is(tmp_path):
    archive(tmp_path / "a.npz", [("r.npy", header((9,)) + bytes(64))])
    with pytest.raises(KropeError, match=r"must be complete; got 64 of 72 bytes|a damaged one"):
        read_npz(lie(tmp_path / "a.npz", size=len(header((9,))) + 72))


def test_other_members_and_members_twice(tmp_path):
    with pytest.raises(KropeError, match=r"the archive must hold arrays .* only; got 'evil.pkl'"):
        read_npz(archive(tmp_path / "a.npz", [("evil.pkl", b"")]))
    with pytest.warns(UserWarning, match="Duplicate name"):
        path = archive(tmp_path / "b.npz", [("r.npy", npy(np.zeros(1)))] * 2)
    with pytest.raises(KropeError, match=r"the archive must hold each array once; got 'r.npy' 2 times"):
        read_npz(path)


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(KropeError, match=r"the file must be a complete \.npz, save it again; got a damaged one"):
        read_npz(str(tmp_path))
    with pytest.raises(KropeError, match="the file must be readable; got"):
        read_npy(str(tmp_path))


def small_archive():
    stream = io.BytesIO()
    write_npz(stream, {"krope": 1, "kind": "policy", "P": sparse.csr_array(np.eye(2)), "text": np.array(["1/2"])})
    return stream.getvalue()


WHOLE = small_archive()


@given(st.integers(0, len(WHOLE) - 1))
def test_every_truncation_is_refused(tmp_path_factory, length):
    path = tmp_path_factory.mktemp("cut") / "a.npz"
    path.write_bytes(WHOLE[:length])
    with pytest.raises(KropeError):
        read_npz(str(path))


@given(st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), min_size=1, max_size=4))
def test_damaged_bytes_give_arrays_or_an_error_of_ours(tmp_path_factory, changes):
    content = bytearray(WHOLE)
    for at, byte in changes:
        content[at] = byte
    path = tmp_path_factory.mktemp("bad") / "a.npz"
    path.write_bytes(content)
    with contextlib.suppress(KropeError):
        assert isinstance(read_npz(str(path)), dict)
