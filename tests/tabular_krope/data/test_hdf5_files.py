"""HDF5 files that reach elsewhere, claim more than they hold, or would fill the memory."""

import tracemalloc

import h5py
import numpy as np
import pytest

from tabular_krope.data import allowance
from tabular_krope.data.files import load
from tabular_krope.data.streams import stream
from tabular_krope.errors import KropeError
from tests.tabular_krope.data.transitions import FIELDS
from tests.tabular_krope.data.written import write_hdf5


def elsewhere(path):
    other = h5py.File(path.with_name("other.hdf5"), "w")
    other["rewards"] = [1.0, 2.0]
    other.close()
    return other


def tampered(path, how):
    fields = {name: value for name, value in FIELDS.items() if name != "rewards"}
    with h5py.File(write_hdf5(path, fields), "a") as file:
        how(file)
    return path


def virtual(file):
    layout = h5py.VirtualLayout(shape=(2,), dtype="f8")
    layout[:] = h5py.VirtualSource("other.hdf5", "rewards", shape=(2,))
    file.create_virtual_dataset("rewards", layout)


def unknown_filter(file):
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_chunk((2,))
    properties.set_filter(32015, h5py.h5z.FLAG_OPTIONAL, ())  # Zstandard: would be looked for among plugins
    h5py.h5d.create(file.id, b"rewards", h5py.h5t.IEEE_F64LE, h5py.h5s.create_simple((2,)), properties)


def linked(to):
    return lambda file: file.__setitem__("rewards", to)


def made(*shape_and_type, **options):
    return lambda file: file.create_dataset("rewards", *shape_and_type, **options)


def discounted(gamma):
    def how(file):
        file["rewards"] = [1.0, 2.0]
        file.attrs["gamma"] = gamma

    return how


REFUSED = {
    "external-link": (linked(h5py.ExternalLink("other.hdf5", "/rewards")), "got a link to elsewhere"),
    "soft-link": (linked(h5py.SoftLink("/terminals")), "rewards must be an array in the file itself"),
    "group": (lambda file: file.create_group("rewards"), "rewards must be an array; got a group"),
    "external-storage": (made((2,), "f8", external=[("raw.bin", 0, 16)]), "got virtual or external storage"),
    "virtual": (virtual, "got virtual or external storage"),
    "plugin": (unknown_filter, "rewards must be stored plainly, by gzip or by lzf; got the filter 32015"),
    "empty-claim": (made((10**9,), "f8"), r"must hold the 8000000000 bytes of shape \(1000000000,\); got 0"),
    "huge-chunks": (made((10**9,), "f8", chunks=(10**8,)), "rewards must have chunks of at most 67108864 bytes"),
    "lists": (made((2,), h5py.vlen_dtype(np.dtype("f8"))), "a vector or a matrix of real numbers; got object"),
    "gamma-list": (discounted([0.9]), "gamma must be one number; got"),
    "gamma-text": (discounted("x"), "gamma must be one number; got"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_hdf5_that_is_refused(tmp_path, name):
    how, message = REFUSED[name]
    elsewhere(tmp_path / "a.hdf5")
    path = tampered(tmp_path / "a.hdf5", how)
    with pytest.raises(KropeError, match=message):
        load(path, gamma=None if "gamma" in name else 0.9)


def test_compressed_zeros_do_not_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(allowance, "ROOM", 2**20)
    n = 1_200_000
    with h5py.File(tmp_path / "a.hdf5", "w") as file:
        for name in ("observations", "actions", "rewards", "next_observations", "terminals", "timeouts"):
            file.create_dataset(name, (n,), "i1", compression="gzip", chunks=(10**5,))[:] = 0
    with pytest.raises(KropeError, match="the file must not unfold to 100 times the file; got 57600000 bytes"):
        load(tmp_path / "a.hdf5", gamma=0.9)
    tracemalloc.start()
    try:
        first = next(stream(tmp_path / "a.hdf5", 1000, gamma=0.9))
        assert len(first) == 1000
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()
