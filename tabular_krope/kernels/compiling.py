"""Whether there is machine code for the loops of matrix-free products: if numba is installed, and only for large ones.

Small products gain nothing and would pay for loading numba (half a second, and some seconds of compiling the first time
on a machine). Both routes compute the same sums in another order.
"""

import importlib
from functools import cache
from importlib.util import find_spec
from types import ModuleType

#: Entries of a matrix, or rewards, from which machine code is worth while.
WORTH = 2**17


def loops_for(size: int) -> ModuleType | None:
    """`compiled_loops` for sums of so many terms; None where they are few or numba is not installed.

    >>> loops_for(5) is None
    True
    """
    return _loops() if size >= WORTH else None


@cache
def _loops() -> ModuleType | None:
    if find_spec("numba") is None:
        return None
    return importlib.import_module("tabular_krope.kernels.compiled_loops")
