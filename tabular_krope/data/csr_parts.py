"""Sparse matrices in files: their CSR parts."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse

from tabular_krope.arrays import frozen_array
from tabular_krope.errors import KropeError

PARTS = ("data", "indices", "indptr", "shape")


def parts_of(matrix: sparse.csr_array) -> dict[str, Any]:
    """The arrays ``data``, ``indices``, ``indptr`` and ``shape`` of a CSR matrix.

    >>> {name: part.tolist() for name, part in parts_of(sparse.csr_array([[0.0, 2.0]])).items()}
    {'data': [2.0], 'indices': [1], 'indptr': [0, 1], 'shape': [1, 2]}
    """
    data, *integers = (np.asarray(getattr(matrix, name)) for name in PARTS)
    # scipy chooses 32 or 64 bits by the size of the matrix; a file should not depend on that
    return dict(zip(PARTS, [data, *(part.astype(np.int64) for part in integers)], strict=True))


def csr_of(parts: Mapping[str, Any], name: str) -> sparse.csr_array:
    """The CSR matrix with the given ``data``, ``indices``, ``indptr`` and ``shape``, every index checked.

    Compiled code trusts the indices of a matrix: a file whose indices point outside must not get that far.
    """
    try:
        arrays = {key: np.array(parts[key]) for key in PARTS}
        for key in ("indices", "indptr"):
            if arrays[key].size == 0:  # an empty list has no type of its own
                arrays[key] = arrays[key].astype(np.int64)
        if not all(np.issubdtype(arrays[key].dtype, np.integer) for key in ("indices", "indptr", "shape")):
            raise ValueError("indices, indptr and shape that are not integers")
        rows, columns = (int(n) for n in arrays["shape"])
        data = frozen_array(arrays["data"], f"{name}.data", (None,))
        matrix = sparse.csr_array((data, arrays["indices"], arrays["indptr"]), shape=(rows, columns))
        matrix.check_format(full_check=True)
    except KropeError:
        raise
    except KeyError as error:
        raise KropeError(f"{name} must have the CSR parts data, indices, indptr, shape; {error} is missing") from None
    except (ValueError, TypeError, OverflowError) as error:
        raise KropeError(f"{name} must be a well-formed CSR matrix; got {error}") from None
    return matrix
