import numpy as np
import pytest
from scipy import sparse

from tabular_krope.kernels import striped
from tabular_krope.kernels.striped import Striped


def matrix(n, m, share=0.4, seed=0):
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((n, m))
    A[rng.random((n, m)) > share] = 0.0
    A[n // 2] = 0.0
    return A


@pytest.mark.parametrize("private", [True, False])
@pytest.mark.parametrize("threads", ["1", "2", "5"])
@pytest.mark.parametrize("bands", [1, 3])
def test_product_is_that_of_the_matrix_however_it_is_cut(monkeypatch, private, threads, bands):
    monkeypatch.setenv("OMP_NUM_THREADS", threads)
    monkeypatch.setattr(striped, "SHARED", 1)
    monkeypatch.setattr(striped, "BAND_BYTES", 8 * 20 // bands)
    monkeypatch.setattr(striped, "LEAST_IN_BAND", 1)
    if not private:
        monkeypatch.setattr(striped, "csr_matvec", None)
    A = matrix(13, 20)
    cut = Striped.of(sparse.csr_array(A))
    assert len(cut.stripes) == int(threads)
    assert {len(parts) for _, parts in cut.stripes} == {bands + (bands > 1)}
    v, V = np.random.default_rng(1).standard_normal(20), np.random.default_rng(2).standard_normal((20, 3))
    assert np.abs(cut @ v - A @ v).max() <= 1e-14
    assert np.abs(cut @ V - A @ V).max() <= 1e-14
    out = np.arange(13.0)
    assert cut.add_to(out, v) is out
    assert np.abs(out - np.arange(13.0) - A @ v).max() <= 1e-14
    assert np.abs(cut @ V[:, 1] - A @ V[:, 1]).max() <= 1e-14  # a column: not contiguous
    light = cut.light() @ v.astype(np.float32)
    assert light.dtype == np.float32
    assert 0 < np.abs(light - A @ v).max() <= 1e-5


def test_no_number_depends_on_the_threads(monkeypatch):
    A = sparse.csr_array(matrix(60, 50))
    v = np.random.default_rng(1).standard_normal(50)
    monkeypatch.setattr(striped, "SHARED", 1)
    found = []
    for threads in ("1", "2", "4"):
        monkeypatch.setenv("OMP_NUM_THREADS", threads)
        found.append(Striped.of(A) @ v)
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])


def test_additions_of_the_longest_row_are_counted_with_those_of_bands(monkeypatch):
    A = sparse.csr_array(np.triu(np.ones((6, 6))))
    assert Striped.of(A).roundings == 6
    monkeypatch.setattr(striped, "BAND_BYTES", 16)
    monkeypatch.setattr(striped, "LEAST_IN_BAND", 1)
    assert Striped.of(A).roundings == 6 + 3 - 1


def test_without_bands_the_arrays_are_shared():
    A = sparse.csr_array(matrix(5, 5))
    ((_, ((_, part),)),) = Striped.of(A).stripes
    assert np.shares_memory(part.data, A.data)


def test_a_matrix_without_entries_gives_zeros():
    assert (Striped.of(sparse.csr_array((3, 2))) @ np.ones(2)).tolist() == [0.0, 0.0, 0.0]
