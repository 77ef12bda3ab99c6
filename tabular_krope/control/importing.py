"""Policies that a user has, as files: safetensors, npz, and pickles of nothing but numpy arrays.

Three namings of a squashed Gaussian's layers are known: this package's own (``weight-0``, ``bias-mu``, ...), deep_ope's
(``fc0/weight``, ``last_fc/bias``, ``last_fc_log_std/weight``, ...) and stable-baselines3's (``latent_pi.0.weight``,
``mu.bias``, ``log_std.weight``, after any prefix). Hidden layers are ReLU.

A pickle runs what it names: the one here is read by an unpickler that knows the constructors of numpy arrays and
refuses every other name, and only where the caller allows pickles.
"""

import io
import pickle
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tabular_krope.control.actors import Actor
from tabular_krope.errors import KropeError
from tabular_krope.extras import needed

#: What a pickled array is made from, by the module names of numpy 1 and 2.
HARMLESS = {
    (module, name)
    for module in ("numpy.core.multiarray", "numpy._core.multiarray")
    for name in ("_reconstruct", "scalar")
} | {("numpy", "ndarray"), ("numpy", "dtype"), ("_codecs", "encode")}
#: Larger files are no small network.
LARGEST = 2**28
#: What deep_ope writes beside the arrays, and the only values that mean an actor of this package.
WORDS = {"nonlinearity": "relu", "output_distribution": "tanh_gaussian"}


def import_actor(path: Path, allow_pickle: bool = False) -> Actor:
    """The policy in a file, by its ending: ``.safetensors``, ``.npz``, or (where allowed) ``.pkl`` and ``.pickle``."""
    if not path.is_file():
        raise KropeError(f"import must be a file; got {path}")
    if path.stat().st_size > LARGEST:
        raise KropeError(f"import must be a file of at most {LARGEST} bytes; got {path.stat().st_size}")
    try:
        return Actor(parameters_named(_content(path, allow_pickle)))
    except KropeError as error:
        raise KropeError(f"{path}: {error}") from None


def _content(path: Path, allow_pickle: bool) -> dict[str, Any]:
    ending = path.suffix.lower()
    if ending == ".safetensors":
        try:
            return dict(needed("safetensors.numpy").load_file(path))
        except (needed("safetensors").SafetensorError, OSError) as error:
            raise KropeError(f"import must be a safetensors file; got {error}") from None
    if ending == ".npz":
        try:
            with np.load(path, allow_pickle=False) as file:
                return {name: file[name] for name in file.files}
        except (OSError, ValueError) as error:
            raise KropeError(f"import must be an npz file of plain arrays; got {error}") from None
    if ending in (".pkl", ".pickle"):
        if not allow_pickle:
            raise KropeError("import must not be a pickle unless --allow-pickle is given; got one")
        return unpickled(path.read_bytes())
    raise KropeError(f"import must end in .safetensors, .npz or .pkl; got {ending or 'no ending'!r}")


class _Arrays(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in HARMLESS:
            raise KropeError(f"the pickle must hold numpy arrays alone; got {module}.{name}")
        return super().find_class(module.replace("numpy.core", "numpy._core"), name)


def unpickled(content: bytes) -> dict[str, Any]:
    """The table of numpy arrays and words that a pickle holds; anything else is refused before it is made.

    >>> unpickled(pickle.dumps({"a": np.ones(2)}))
    {'a': array([1., 1.])}
    >>> unpickled(pickle.dumps(print))
    Traceback (most recent call last):
    tabular_krope.errors.KropeError: the pickle must hold numpy arrays alone; got builtins.print
    """
    try:
        found = _Arrays(io.BytesIO(content), encoding="latin1").load()
    except KropeError:
        raise
    except Exception as error:  # a broken pickle raises all sorts of things
        raise KropeError(f"the pickle must be whole; got {type(error).__name__} ({error})") from None
    if not isinstance(found, dict) or not all(isinstance(name, str) for name in found):
        raise KropeError(f"the pickle must hold a table of arrays by name; got {type(found).__name__}")
    return found


def parameters_named(content: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters of an `Actor` from arrays under any of the known names; what belongs to no actor is left out.

    >>> sorted(parameters_named({"fc0/weight": np.ones((2, 3)), "last_fc_log_std/bias": np.ones(2)}))
    ['bias-log_std', 'weight-0']
    """
    for name, wanted in WORDS.items():
        got = content.get(name, wanted)
        got = str(got.item() if isinstance(got, np.ndarray) and got.size == 1 else got)
        if got != wanted:
            raise KropeError(f"{name} must be {wanted}, the only policies known here; got {got!r}")
    found, hidden = {}, {}
    for name, array in content.items():
        match = OURS.fullmatch(name) or DEEP_OPE.fullmatch(name) or STABLE.fullmatch(name)
        if match is None:
            continue
        layer, part = match["layer"], match["part"]
        layer = {"last_fc": "mu", "last_fc_log_std": "log_std"}.get(layer, layer)
        values = np.asarray(array, dtype=np.float32)
        if layer in ("mu", "log_std"):
            found[f"{part}-{layer}"] = values
        else:
            hidden[int(re.sub(r"\D", "", layer)), part] = values
    order = {number: k for k, number in enumerate(sorted({number for number, _ in hidden}))}
    found |= {f"{part}-{order[number]}": values for (number, part), values in hidden.items()}
    return {name: values.reshape(-1) if name.startswith("bias") else values for name, values in found.items()}


OURS = re.compile(r"(?P<part>weight|bias)-(?P<layer>\d+|mu|log_std)")
DEEP_OPE = re.compile(r"(?P<layer>fc\d+|last_fc|last_fc_log_std)/(?P<part>weight|bias)")
STABLE = re.compile(r"(?:.*\.)?(?P<layer>latent_pi\.\d+|mu|log_std)\.(?P<part>weight|bias)")
