"""Packages that not everybody has: imported where they are needed, with a hint where they are missing."""

import importlib
from types import ModuleType

from tabular_krope.errors import KropeError, how_to_install

#: Which extra brings a package that is not installed with the others.
EXTRAS = {
    "torch": "deep",
    "safetensors": "deep",
    "numba": "fast",
    "mujoco": "control",
    "dm_control": "control",
    "imageio": "control",
    "gymnasium": "control",
    "stable_baselines3": "control",
    "dask": "dask",
    "distributed": "dask",
    "quantecon": "bench",
    "stormpy": "storm",
}


def needed(module: str) -> ModuleType:
    """The module, or an error that says which extra to install.

    >>> needed("math").floor(1.5)
    1
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if (missing := missing_extra(error)) is None:
            raise
        raise missing from None


def missing_extra(error: ModuleNotFoundError) -> KropeError | None:
    """The error that says which extra brings the module; None if it belongs to none.

    >>> str(missing_extra(ModuleNotFoundError(name="dask.bag")))
    "this needs dask, which is not installed (pip install '.[dask]' in the clone of krope-lab)"
    """
    gone = str(error.name).partition(".")[0]
    if gone not in EXTRAS:
        return None
    return KropeError(f"this needs {gone}, which is not installed ({how_to_install(EXTRAS[gone])})")
