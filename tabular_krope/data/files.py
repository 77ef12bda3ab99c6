"""Saving and loading models, policies, features, weights and data sets (docs/files.md describes the files)."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tabular_krope.arrays import Array, frozen_array
from tabular_krope.closed_form.base_features import OneHotFeatures
from tabular_krope.closed_form.feature_map import FeatureMap
from tabular_krope.data.atomic import PathLike, atomic_write
from tabular_krope.data.continuous import ContinuousDataset
from tabular_krope.data.csv_files import read_csv, write_csv
from tabular_krope.data.d4rl_rows import arrays_as_dataset
from tabular_krope.data.dataset import Dataset
from tabular_krope.data.drn_files import read_drn
from tabular_krope.data.drn_writing import write_drn
from tabular_krope.data.hdf5_files import read_hdf5, write_hdf5
from tabular_krope.data.json_files import json_word, read_json, with_sparse, write_json
from tabular_krope.data.mat_files import read_mat
from tabular_krope.data.minari import read_episodes
from tabular_krope.data.npz import read_npy, read_npz, write_npz
from tabular_krope.data.parquet_files import read_parquet, write_parquet
from tabular_krope.data.safetensors_files import read_safetensors, write_safetensors
from tabular_krope.data.schema import KINDS, VERSION, fields_kind, fields_of, is_bare_mdp, thing_of
from tabular_krope.data.storm_models import SYMBOLIC, read_symbolic
from tabular_krope.data.table_text import TABLES, read_numbers
from tabular_krope.data.witness_files import Witness, witness_of
from tabular_krope.errors import GammaMissing, GammaUnwanted, KropeError
from tabular_krope.models.exact_mdp import ExactMDP
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP
from tabular_krope.models.policy import Policy
from tabular_krope.representations.features import Features

#: Endings of tables as text.
TEXT_TABLES = (*TABLES, *(f"{ending}.gz" for ending in TABLES))
#: Characters of an error message about a file.
LONGEST_MESSAGE = 500


def save(thing: Any, path: PathLike) -> None:
    """Write a model, policy, data set, features or weights to a file, whole or not at all.

    `load` gives back the same value to the last bit.

    Args:
        thing: an MDP, ExactMDP, MRP, ExactMRP, Policy, Dataset, ContinuousDataset, Features, FeatureMap, a map of base
            features, or an array: [X, d] for features, [X] for weights.
        path: where; its extension chooses the format: ``.npz`` or ``.json`` for anything, ``.safetensors`` for
            whatever is dense arrays (feature maps, features, policies), ``.csv`` or ``.parquet`` for a Dataset,
            ``.hdf5`` or ``.h5`` for a ContinuousDataset, ``.drn`` (Storm's text) for a model.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(np.array([0.25, 0.75]), f"{folder}/weights.json")
    ...     load(f"{folder}/weights.json")
    array([0.25, 0.75])
    """
    extension = _extension(path, (*_WRITERS, *_DATA_WRITERS))
    if extension in _DATA_WRITERS:
        type_, write_data = _DATA_WRITERS[extension]
        if not isinstance(thing, type_):
            wanted = getattr(type_, "__name__", "model")
            raise KropeError(f"thing must be a {wanted} for a {extension} file; got {type(thing).__name__}")
        atomic_write(path, lambda stream: write_data(stream, thing))
        return
    kind, values = fields_of(thing)
    fields = {"krope": VERSION, "kind": kind, **values}
    atomic_write(path, lambda stream: _WRITERS[extension](stream, fields))


def load(
    path: PathLike, kind: str | None = None, gamma: float | None = None, columns: Mapping[str, str] | None = None
) -> Any:
    """The value that a file holds.

    Besides files of `save`: an MDP without header, the fields ``P``, ``r``, ``gamma`` (``d0``, ``end``) and no other;
    a rational chain in ``.json`` without header, ``{"P_pi": [["3/4", "1/4"], ...], "r": [...], "gamma": "9/10"}`` with
    ``end`` and ``d0`` if needed, or a verdict of ``krope conjecture`` that has one (`load_witness` keeps reward range
    and weights); a bare array in ``.npy``, ``.npz`` (alone) or ``.json``; transitions in ``.csv``, ``.tsv`` or ``.txt``
    (each also ``.gz``) or ``.parquet`` with columns ``s, a, r, s_next, done``; Storm's ``.drn`` (`read_drn` chooses
    rewards and end), and through stormpy ``.prism``, ``.nm``, ``.pm`` and ``.jani``; ``P`` and ``R`` of an MDP toolbox
    in ``.mat``; arrays in the layout of D4RL in ``.hdf5``, ``.h5`` or ``.npz``; and Minari's episodes in ``.hdf5``.

    Args:
        path: a file; its extension tells the format.
        kind: mdp, exact-mdp, mrp, exact-mrp, policy, features, weights, dataset, continuous, feature-map,
            fourier-features or one-hot-features, if it must be that; anything if None.
        gamma: discount factor of a file of transitions, needed if it states none, or of Storm's (0.99 if None).
        columns: what columns of a ``.csv`` or ``.parquet`` file are called, ``{"s": "obs", "r": "score"}``.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "chain.json")
    ...     _ = path.write_text('{"P_pi": [["1/2", "1/2"], ["0", "1"]], "r": ["1", "0"], "gamma": "9/10"}')
    ...     load(path).q
    (20/11, 0)
    """
    found, value = load_whole(path, gamma, columns)
    if kind is not None and found != kind:
        raise KropeError(f"{os.fspath(path)} must be a file of kind {kind!r}; got {found!r}")
    return value.chain if isinstance(value, Witness) else value


def load_witness(path: PathLike) -> Witness:
    """The chain of a witness that `krope conjecture` wrote, with the reward range and the weights in the file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "witness.json")
    ...     _ = path.write_text('{"P_pi": [["1"]], "r": ["1"], "gamma": "1/2", "reward_range": ["0", "2"]}')
    ...     load_witness(path).reward_range
    (0, 2)
    """
    found, value = load_whole(path)
    if not isinstance(value, Witness):
        raise KropeError(f"{os.fspath(path)} must be a chain without header (docs/files.md); got {found!r}")
    return value


def load_whole(path: PathLike, gamma: float | None = None, columns: Mapping[str, str] | None = None) -> tuple[str, Any]:
    """Kind and value of a file, as `load` gives it, except that a witness keeps what belongs to it."""
    if not isinstance(path, str | os.PathLike):
        raise KropeError(f"path must be a string or a Path; got {path!r}")
    name = os.fspath(path)
    read: Any = _LOADERS[_extension(name, tuple(_LOADERS))]
    if not os.path.isfile(name):
        raise KropeError(f"path must be an existing file; got {name!r}")
    try:
        found: tuple[str, Any] = read(name, gamma) if columns is None else _from_table(name, gamma, columns)
    except KropeError as error:
        text = str(error)  # which may quote what it found in the file
        kind = type(error) if isinstance(error, GammaMissing | GammaUnwanted) else KropeError
        raise kind(f"{name}: {text if len(text) <= LONGEST_MESSAGE else text[:LONGEST_MESSAGE] + '...'}") from None
    return found


def load_array(path: PathLike) -> Array:
    """Features [X, d] or weights [X]: a file of that kind, or a bare array in ``.npy``, ``.npz``, ``.json``, ``.csv``.

    A feature map of one-hot pairs, as ``krope diagnose --save`` writes it, is one of features.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.save(f"{folder}/phi.npy", np.eye(2))
    ...     load_array(f"{folder}/phi.npy")
    array([[1., 0.],
           [0., 1.]])
    """
    if _suffix(path) in TEXT_TABLES and os.path.isfile(path):
        try:
            array = read_numbers(os.fspath(path))
            return _bare_array(array, array.ndim)[1]
        except (KropeError, OSError) as error:
            raise KropeError(f"{os.fspath(path)}: {error}") from None
    value = load(path)
    if isinstance(value, Features):
        return value.matrix
    if isinstance(value, FeatureMap) and isinstance(value.base, OneHotFeatures):
        return value.map  # a row for each pair
    if not isinstance(value, np.ndarray):
        raise KropeError(f"{os.fspath(path)} must hold an array of features or weights; got {type(value).__name__}")
    return value


def load_policy(path: PathLike) -> Policy:
    """A policy: a file of that kind, or a bare array [S, A] as `load_array` takes it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "pi.csv").write_text("0.25, 0.75\\n1, 0\\n")
    ...     load_policy(f"{folder}/pi.csv").probs
    array([[0.25, 0.75],
           [1.  , 0.  ]])
    """
    value = load_array(path) if _suffix(path) in TEXT_TABLES else load(path)
    if isinstance(value, Policy):
        return value
    if not (isinstance(value, np.ndarray) and value.ndim == 2):
        found = "an array [X]" if isinstance(value, np.ndarray) else f"a {type(value).__name__}"
        raise KropeError(f"policy must be a file with a policy or an array [S, A]; got {found} in {os.fspath(path)}")
    return Policy(value)


def _from_table(path: str, gamma: float | None, columns: Mapping[str, str]) -> tuple[str, Any]:
    if _suffix(path) not in (*TEXT_TABLES, ".parquet"):
        raise KropeError(f"columns must be None unless the file is a .csv or .parquet; got {dict(columns)!r}")
    return "dataset", (read_parquet if _suffix(path) == ".parquet" else read_csv)(path, gamma, columns)


def _from_json(path: str, gamma: float | None) -> tuple[str, Any]:
    content = read_json(path)
    if isinstance(content, list):
        return _bare_array(content, 1 + any(isinstance(row, list) for row in content))
    if not isinstance(content, dict):
        raise KropeError(f"the file must hold a JSON object or a list of numbers; got {json_word(content)}")
    if "krope" not in content and content.keys() & {"P_pi", "witness", "statements"}:
        witness = witness_of(read_json(path, exact=True))
        if witness is not None:
            return "exact-mrp", witness
    exact = content.get("kind") in ("exact-mrp", "exact-mdp")
    return _headed(read_json(path, exact=True) if exact else with_sparse(content), gamma, '"krope": {}, "kind": "{}"')


def _from_npz(path: str, gamma: float | None) -> tuple[str, Any]:
    content = read_npz(path)
    if "krope" not in content and len(content) == 1:
        ((name, array),) = content.items()
        return _bare_array(array, np.ndim(array), name)
    if "krope" not in content and "observations" in content:
        return "continuous", arrays_as_dataset(content, gamma)
    texts = {
        name: v.tolist() if isinstance(v, np.ndarray) and v.dtype.kind == "U" else v for name, v in content.items()
    }
    return _headed(texts, gamma, "krope={}, kind='{}'")


def _from_npy(path: str, gamma: float | None) -> tuple[str, Any]:  # noqa: ARG001 (a reader takes both)
    array = read_npy(path)
    return _bare_array(array, array.ndim)


def _headed(content: Mapping[str, Any], gamma: float | None, header: str) -> tuple[str, Any]:
    """Kind and value of fields with a header, or of those of an MDP alone; ``header`` is how it is written there."""
    fields = {"krope": VERSION, "kind": "mdp", **content} if is_bare_mdp(content) else dict(content)
    if "krope" not in fields:
        stated = fields.get("kind")
        wanted = header.format(VERSION, stated if isinstance(stated, str) and stated in KINDS else "mdp")
        found = f"the fields {', '.join(fields)}" if fields else "no fields"
        raise KropeError(f"the file must say what it holds, add {wanted} (docs/files.md); got {found}")
    version, kind = fields.pop("krope", None), fields.pop("kind", None)
    if type(version) is not int or version != VERSION:
        raise KropeError(f"krope must be the schema version {VERSION}, the one this program reads; got {version!r}")
    if not isinstance(kind, str):
        raise KropeError(f"kind must be a text such as 'mdp'; got {kind!r}")
    if gamma is not None:
        if kind not in ("dataset", "continuous"):
            raise GammaUnwanted(
                f"gamma must be None unless the file holds transitions; got {gamma!r} for kind {kind!r}"
            )
        fields["gamma"] = gamma
    return kind, thing_of(kind, fields)


def _with_kind(model: Any) -> tuple[str, Any]:
    return fields_kind(model), model


def _bare_array(value: Any, dimensions: int, name: str = "array") -> tuple[str, Array]:
    """An array without header; errors call it by its name in the file, since what it is for only the caller knows."""
    if dimensions not in (1, 2):
        raise KropeError(f"the array must be a vector of weights or a matrix of features; got {dimensions} dimensions")
    kind = "weights" if dimensions == 1 else "features"
    return kind, frozen_array(value, name, (None,) * dimensions)


def _extension(path: PathLike, known: tuple[str, ...]) -> str:
    extension = _suffix(path)
    if extension not in known:
        if os.path.isdir(path):
            raise KropeError(f"path must be a file; got the folder {os.fspath(path)!r}")
        shown = [ending for ending in known if not ending.endswith(".gz")]
        raise KropeError(f"path must end in {', '.join(shown[:-1])} or {shown[-1]}; got {os.fspath(path)!r}")
    return extension


def _suffix(path: PathLike) -> str:
    """The ending of a name in small letters, ``.csv.gz`` as one."""
    name = Path(os.fspath(path).lower())
    return Path(name.stem).suffix + name.suffix if name.suffix == ".gz" else name.suffix


_WRITERS = {".json": write_json, ".npz": write_npz, ".safetensors": write_safetensors}
_LOADERS = {
    ".json": _from_json,
    ".npy": _from_npy,
    ".npz": _from_npz,
    ".safetensors": lambda path, gamma: _headed(read_safetensors(path), gamma, "krope={}, kind='{}'"),
    **{suffix: lambda path, gamma: ("dataset", read_csv(path, gamma)) for suffix in TEXT_TABLES},
    ".parquet": lambda path, gamma: ("dataset", read_parquet(path, gamma)),
    ".hdf5": lambda path, gamma: ("continuous", read_episodes(path, gamma) or read_hdf5(path, gamma)),
    ".h5": lambda path, gamma: ("continuous", read_episodes(path, gamma) or read_hdf5(path, gamma)),
    ".mat": lambda path, gamma: ("mdp", read_mat(path, gamma)),
    ".drn": lambda path, gamma: _with_kind(read_drn(path, gamma)),
    **{suffix: lambda path, gamma: _with_kind(read_symbolic(path, gamma)) for suffix in SYMBOLIC},
}
_DATA_WRITERS: Mapping[str, tuple[Any, Any]] = {
    ".csv": (Dataset, write_csv),
    ".parquet": (Dataset, write_parquet),
    ".hdf5": (ContinuousDataset, write_hdf5),
    ".h5": (ContinuousDataset, write_hdf5),
    ".drn": (MDP | MRP | ExactMDP | ExactMRP, write_drn),
}
