"""The one place where torch is imported, with a hint where it is missing."""

from tabular_krope.errors import KropeError

try:
    import torch
except ModuleNotFoundError as error:
    if error.name != "torch":
        raise
    raise KropeError("deep must have torch installed (pip install 'krope-lab[deep]'); got none") from None

__all__ = ["torch"]
