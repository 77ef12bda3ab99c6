"""The one place where torch is imported, with a hint where it is missing."""

from typing import TYPE_CHECKING

from tabular_krope.extras import needed

if TYPE_CHECKING:
    import torch
else:
    torch = needed("torch")

__all__ = ["torch"]
