"""Indefinite matrices whose diagonal does not tell."""

import pytest
from flint import fmpq_mat

from tabular_krope.exact.psd import is_pd, is_psd


@pytest.mark.parametrize("sign", [1, -1])
def test_zero_diagonal_with_an_entry_of_either_sign(sign):
    assert not is_psd(fmpq_mat([[0, sign], [sign, 0]]))
    assert not is_pd(fmpq_mat([[0, sign], [sign, 0]]))


@pytest.mark.parametrize("sign", [1, -1])
def test_zero_diagonal_that_only_elimination_reveals(sign):
    # After the first pivot the remainder is [[0, sign], [sign, 0]].
    assert not is_psd(fmpq_mat([[1, 1, 1], [1, 1, 1 + sign], [1, 1 + sign, 1]]))
    assert is_psd(fmpq_mat([[1, 1, 1], [1, 1, 1], [1, 1, 1]]))
