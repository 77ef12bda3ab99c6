"""The one place where torch is imported, with a hint where it is missing."""

from tabular_krope.errors import KropeError, how_to_install

try:
    import torch
except ModuleNotFoundError as error:
    if error.name != "torch":
        raise
    raise KropeError(f"deep must have torch installed ({how_to_install('deep')}); got none") from None

__all__ = ["torch"]
