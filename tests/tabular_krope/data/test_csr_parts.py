import numpy as np
import pytest
from scipy import sparse

from tabular_krope.data.csr_parts import csr_of, parts_of
from tabular_krope.errors import KropeError

FINE = {"data": [0.5, 0.5], "indices": [0, 1], "indptr": [0, 2], "shape": [1, 2]}


def test_there_and_back():
    matrix = sparse.csr_array([[0.0, 0.25, 0.75], [1.0, 0.0, 0.0]])
    back = csr_of(parts_of(matrix), "P")
    np.testing.assert_array_equal(back.toarray(), matrix.toarray())
    assert csr_of(FINE, "P").toarray().tolist() == [[0.5, 0.5]]


def test_empty_lists():
    assert csr_of({"data": [], "indices": [], "indptr": [0, 0], "shape": [1, 2]}, "P").toarray().tolist() == [
        [0.0, 0.0]
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"indices": [0, 2]}, "P must be a well-formed CSR matrix; got"),
        ({"indices": [0, -1]}, "P must be a well-formed CSR matrix; got"),
        ({"indices": [0, 2**64 - 1]}, "P must be a well-formed CSR matrix; got"),
        ({"indices": [0.0, 1.0]}, "P must be a well-formed CSR matrix; got indices, indptr and shape that are not"),
        ({"indices": [0]}, "P must be a well-formed CSR matrix; got"),
        ({"indices": [[0], [1, 2]]}, "P must be a well-formed CSR matrix; got"),
        ({"indptr": [0, 9]}, "P must be a well-formed CSR matrix; got"),
        ({"indptr": [0, 2, 1], "shape": [2, 2]}, "P must be a well-formed CSR matrix; got"),
        ({"indptr": []}, "P must be a well-formed CSR matrix; got"),
        ({"shape": [10**12, 2]}, "P must be a well-formed CSR matrix; got"),
        ({"shape": [1]}, "P must be a well-formed CSR matrix; got"),
        ({"shape": [-1, 2]}, "P must be a well-formed CSR matrix; got"),
        ({"data": [0.5, np.nan]}, r"P.data\[1\] must be finite; got nan"),
        ({"data": "x"}, r"P.data must"),
    ],
)
def test_malformed_parts(change, message):
    with pytest.raises(KropeError, match=message):
        csr_of(FINE | change, "P")


def test_a_missing_part():
    parts = {name: part for name, part in FINE.items() if name != "indptr"}
    with pytest.raises(KropeError, match="P must have the CSR parts data, indices, indptr, shape; 'indptr' is missing"):
        csr_of(parts, "P")
