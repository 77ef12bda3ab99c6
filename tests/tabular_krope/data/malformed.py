"""A thousand files that are not what they claim to be, each from its seed; and what loading does with them.

Run as ``python -m tests.tabular_krope.data.malformed FOLDER COUNT``: loads every file in one process whose memory is
limited, and prints as JSON what came of each. A file either loads as a valid value or raises KropeError in one line.
"""

import io
import json
import pickle
import resource
import signal
import struct
import sys
import zipfile
from functools import cache
from pathlib import Path

import numpy as np

FORMATS = (".npz", ".npy", ".json", ".csv", ".parquet", ".hdf5")
#: Bytes above what the process has after the first load of every format.
HEADROOM = 1_500 * 2**20
#: Seconds for one file.
PATIENCE = 10
KINDS = ("truncate", "flip", "overwrite", "insert", "repeat", "huge", "bomb", "junk", "values")


def originals(folder):
    """Honest files of every format: format -> list of their bytes."""
    from tabular_krope.data.files import save
    from tabular_krope.models.garnet import garnet
    from tabular_krope.models.induce import induce
    from tabular_krope.models.random_policy import random_policy
    from tests.tabular_krope.data.transitions import continuous_data, tabular_data

    mdp, csr = garnet(3, 2), garnet(3, 2, sparse=True)
    policy = random_policy(mdp)
    table, data = tabular_data(d0=[0.1, 0.2, 0.3, 0.4]), continuous_data(everything=True)
    models = [mdp, csr, policy, induce(csr, policy), induce(mdp, policy).exact(), np.eye(3), table, data]
    things = {".npz": models, ".json": models, ".csv": [table], ".parquet": [table], ".hdf5": [data]}
    found = {".npy": [npy(np.eye(3)), npy(np.arange(4))]}
    for extension, values in things.items():
        found[extension] = []
        for value in values:
            save(value, folder / f"honest{extension}")
            found[extension].append((folder / f"honest{extension}").read_bytes())
    found[".hdf5"].append(gzipped(folder / "gzipped.hdf5", data))
    return found


def gzipped(path, data):
    import h5py

    with h5py.File(path, "w") as file:
        for name in ("observations", "actions", "rewards", "terminals", "timeouts"):
            file.create_dataset(name, data=getattr(data, name), compression="gzip", chunks=True)
    return path.read_bytes()


def npy(array):
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=True)
    return stream.getvalue()


def npy_header(shape, descr="<f8"):
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": descr, "fortran_order": False, "shape": shape})
    return stream.getvalue()


def zipped(members, compression=zipfile.ZIP_STORED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


class Evil:
    """Would leave a mark if it were ever unpickled."""

    def __reduce__(self):
        return (print, ("UNPICKLED",))


def malformed(seed, honest):
    """(extension, kind, bytes) of the file with that seed."""
    rng = np.random.default_rng(seed)
    extension, kind = FORMATS[seed % len(FORMATS)], KINDS[(seed // len(FORMATS)) % len(KINDS)]
    choices = honest[extension]
    raw = bytearray(choices[int(rng.integers(len(choices)))])
    at = int(rng.integers(len(raw)))
    if kind == "truncate":
        raw = raw[:at]
    elif kind == "flip":
        for i in rng.integers(len(raw), size=int(rng.integers(1, 9))):
            raw[i] ^= 1 << int(rng.integers(8))
    elif kind == "overwrite":
        length = int(rng.integers(1, 33))
        raw[at : at + length] = rng.integers(256, size=length, dtype=np.uint8).tobytes()
    elif kind == "insert":
        raw[at:at] = rng.integers(256, size=int(rng.integers(1, 200)), dtype=np.uint8).tobytes()
    elif kind == "repeat":
        raw = raw[:at] + raw[at // 2 :]
    elif kind == "huge":
        raw = huge(extension, raw, rng)
    elif kind == "bomb":
        raw = bomb(extension, rng)
    elif kind == "junk":
        raw = junk(rng, honest)
    else:
        raw = values(extension, raw, rng)
    return extension, kind, bytes(raw)


def huge(extension, raw, rng):
    """Sizes that nobody has."""
    n = int(rng.choice([10**9, 10**12, 2**31 - 1, 2**40, 2**63 - 1]))
    if extension in (".npz", ".npy"):
        array = npy_header(
            (n,) if rng.random() < 0.5 else (n, n), str(rng.choice(["<f8", "|i1", "<U9", "|O"]))
        ) + bytes(64)
        return array if extension == ".npy" else zipped({"krope.npy": npy(np.array(1)), "P.npy": array})
    if extension == ".json":
        field = {"krope": 1, "kind": "dataset", "s": [0], "a": [0], "r": [0.0], "s_next": [0], "done": [True]}
        return json.dumps(field | {"n_states": n, "n_actions": n, "gamma": 0.5, "d0": None}).encode()
    if extension == ".csv":
        return f'# {{"gamma": 0.5, "n_states": {n}}}\ns,a,r,s_next,done\n{n - 1},{n - 1},0,0,1\n'.encode()
    # in binary formats: a large number over any eight, or four, bytes
    at, size = int(rng.integers(len(raw))), int(rng.choice([4, 8]))
    raw[at : at + size] = struct.pack("<q", n)[:size]
    return raw


def bomb(extension, rng):
    """Much from little."""
    depth = int(rng.integers(1_000, 200_000))
    if extension == ".json":
        return rng.choice(['{"krope":', "[", '{"P":[']).encode() * depth
    if extension == ".csv":
        opened, quotes = b'# {"d0":' + b"[" * depth + b"\n", b"s,a,r,s_next,done\n" + b'"' * depth
        return [b"#" * depth + b"\n", opened, quotes, b"," * depth][int(rng.integers(4))]
    if extension == ".npy":
        return npy_header((depth, depth), "|i1") + bytes(depth)
    return compressed_zeros(extension, int(rng.choice([10**4, 10**6, 10**8])))


@cache
def compressed_zeros(extension, n):
    stream = io.BytesIO()
    if extension == ".npz":
        content = npy_header((n // 4,), "|i1") + bytes(n // 4)
        return zipped({f"x{i}.npy": content for i in range(5)}, zipfile.ZIP_DEFLATED)
    if extension == ".parquet":
        import pyarrow
        from pyarrow import parquet

        zeros = pyarrow.array(np.zeros(min(n, 15_000_000), dtype=np.int8))
        parquet.write_table(pyarrow.table(dict.fromkeys(("s", "a", "r", "s_next", "done"), zeros)), stream)
    else:
        import h5py

        with h5py.File(stream, "w") as file:
            for name in ("observations", "actions", "rewards", "terminals"):
                file.create_dataset(name, (n * 100,), "f8", compression="gzip", chunks=(10**6,))
    return stream.getvalue()


def junk(rng, honest):
    """Something else under this name: noise, nothing, a pickle, an archive that runs code, another format."""
    other = honest[str(rng.choice(FORMATS))]
    things = [
        rng.integers(256, size=int(rng.integers(1, 5000)), dtype=np.uint8).tobytes(),
        b"",
        pickle.dumps(Evil()),
        npy(np.array([Evil()], dtype=object)),
        zipped({"data.pkl": pickle.dumps(Evil()), "P.npy": pickle.dumps(Evil())}),
        other[int(rng.integers(len(other)))],
        b"PAR1" + struct.pack("<i", int(rng.integers(2**31))) + b"PAR1",
        b"\x89HDF\r\n\x1a\n" + bytes(int(rng.integers(400))),
        "\ud83d\ude00".encode("utf-16", "surrogatepass") * 50,
    ]
    return things[int(rng.integers(len(things)))]


def values(extension, raw, rng):
    """The right form, with values of the wrong kind."""
    bad = str(
        rng.choice(["NaN", "Infinity", "-1", "1e999", "null", '"x"', "[]", "{}", "true", "0.5", "9" * 5000, '"1/0"'])
    )
    if extension in (".json", ".csv"):
        text = bytes(raw)
        digits = [i for i, byte in enumerate(text) if chr(byte).isdigit()]
        at = int(rng.choice(digits))
        return text[:at] + bad.encode() + text[at + 1 :]
    array = rng.choice([np.nan, np.inf, -1.0, 1e308, 0.5], size=(3, int(rng.integers(1, 4)))).astype(
        str(rng.choice(["f8", "f4", "f2", "i8", "u1", "?", "U3", "c16", "M8[s]"])), casting="unsafe"
    )
    if extension == ".npy":
        return npy(array)
    if extension == ".npz":
        return zipped(
            {f"{name}.npy": npy(array) for name in ("P", "r", "observations", "actions", "rewards", "terminals")}
        )
    stream = io.BytesIO()
    if extension == ".hdf5":
        import h5py

        array = array if array.dtype.kind not in "UM" else array.astype("S")
        with h5py.File(stream, "w") as file:
            for name in ("observations", "actions", "rewards", "terminals"):
                file[name] = array
    else:
        import pyarrow
        from pyarrow import parquet

        column = pyarrow.array(array[:, 0]) if array.dtype.kind != "c" else pyarrow.array([None, {"a": 1}, None])
        parquet.write_table(pyarrow.table(dict.fromkeys(("s", "a", "r", "s_next", "done"), column)), stream)
    return stream.getvalue()


def outcome(path):
    """``("valid", type)``, ``("refused", message)`` or ``("fault", what happened)`` of loading a file."""
    from tabular_krope.data.files import load
    from tabular_krope.errors import KropeError

    signal.alarm(PATIENCE)
    try:
        return "valid", type(load(path, gamma=None)).__name__
    except KropeError as error:
        first = str(error)
        try:
            if "gamma must be given" in first:  # a table without settings: with a discount it may be valid
                return "valid", type(load(path, gamma=0.9)).__name__
        except KropeError as again:
            first = str(again)
        one_line = "\n" not in first and "\r" not in first
        return ("refused" if one_line else "fault"), first
    except BaseException as error:
        return "fault", f"{type(error).__name__}: {error}"
    finally:
        signal.alarm(0)


def run(folder, count):
    """What came of each of ``count`` files."""
    honest = originals(folder)
    for extension, contents in honest.items():
        for content in contents:
            (folder / f"a{extension}").write_bytes(content)
            assert outcome(folder / f"a{extension}")[0] == "valid", extension
    pages = int(Path("/proc/self/statm").read_text().split()[0]) if sys.platform == "linux" else 0
    if pages:
        limit = pages * resource.getpagesize() + HEADROOM
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    results = []
    for seed in range(count):
        extension, kind, content = malformed(seed, honest)
        path = folder / f"bad{extension}"
        path.write_bytes(content)
        print(seed, extension, kind, file=sys.stderr, flush=True)  # the last line tells where a crash happened
        results.append((seed, extension, kind, *outcome(path)))
    return results


if __name__ == "__main__":
    print(json.dumps(run(Path(sys.argv[1]), int(sys.argv[2]))))
