"""Packages that not everybody has: imported where they are needed, with a hint where they are missing."""

import importlib
from typing import Any

from tabular_krope.errors import KropeError, how_to_install

#: What each extra brings. Of a package's own dependencies those count too.
EXTRAS = {
    "deep": ("torch", "safetensors"),
    "control": ("dm_control", "mujoco", "imageio", "gymnasium", "stable_baselines3"),
}


def needed(module: str) -> Any:
    """The module, or an error that says which extra to install.

    >>> needed("math").floor(1.5)
    1
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        gone = (error.name or "").split(".")[0]
        for extra, packages in EXTRAS.items():
            if gone in packages:
                raise KropeError(f"deep must have {gone} installed ({how_to_install(extra)}); got none") from None
        raise
