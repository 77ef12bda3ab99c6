"""Which solver of LSPE in which arithmetic, and what each can take."""

from typing import Any

import numpy as np

from tabular_krope.arrays import Array, refuse_where
from tabular_krope.errors import KropeError, unknown_name

DTYPES: dict[str, Any] = {"float64": np.float64, "float32": np.float32}


def require_route(solver: str, dtype: str, rcond: Any, solvers: tuple[str, ...]) -> None:
    """A known solver in an arithmetic it has, and a cut-off only where it is used."""
    if solver not in solvers:
        raise unknown_name("solver", str(solver), solvers)
    dtypes = ["float64"] if solver == "exact" else list(DTYPES)
    if dtype not in dtypes:
        raise unknown_name("dtype", str(dtype), dtypes)
    if rcond is not None and solver != "covariance":
        raise KropeError(f"rcond must be None unless solver is 'covariance'; got {rcond!r}")
    if rcond is not None and not (isinstance(rcond, int | float | np.floating) and 0 <= rcond < 1):
        raise KropeError(f"rcond must be a number in [0, 1); got {rcond!r}")


def require_size(Phi: Array, name: str, dtype: str) -> None:
    """Features whose squares can be summed in the arithmetic ``dtype``."""
    largest = float(np.sqrt(np.finfo(DTYPES[dtype]).max) / max(Phi.shape))
    refuse_where(~(np.abs(Phi) <= largest), Phi, name, f"be at most {largest:.3g} in size for {dtype}")


def cast_roots(root: Array, dtype: str) -> Array:
    """``D^1/2`` in the arithmetic ``dtype``, in which no positive weight may become zero.

    >>> cast_roots(np.array([0.5, 0.0]), "float32")
    array([0.5, 0. ], dtype=float32)
    """
    least = float(np.finfo(DTYPES[dtype]).tiny) / float(np.finfo(DTYPES[dtype]).eps)
    refuse_where((root > 0) & (root < least), root**2, "weights", f"be 0 or at least {least**2:.3g} for {dtype}")
    return np.asarray(root.astype(DTYPES[dtype]))
