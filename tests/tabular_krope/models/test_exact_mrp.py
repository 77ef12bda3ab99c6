from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq, fmpq_mat

from tabular_krope.errors import KropeError
from tabular_krope.models.exact_mrp import ExactMRP
from tests.cases import all_mrps

CHAINS = all_mrps()
THREE = [["0", "0", "1"], ["3/4", "0", "1/4"], ["1", "0", "0"]]


def test_two_states_by_hand():
    ex = ExactMRP.from_matrix([["1/2", "1/2"], [0, 1]], r=[1, 0], gamma="9/10")
    assert ex.q == (fmpq(20, 11), fmpq(0))
    assert (ex.n_pairs, ex.n_states, ex.conservative) == (2, 2, True)
    assert ex.d0 == (fmpq(1, 2), fmpq(1, 2))


def test_entries_may_be_fractions_decimals_and_floats():
    ex = ExactMRP.from_matrix([[Fraction(1, 3), "2/3"], [0.25, "0.75"]], r=[np.float64(0.5), 1], gamma=0.5)
    assert ex.P.table() == [[fmpq(1, 3), fmpq(2, 3)], [fmpq(1, 4), fmpq(3, 4)]]
    assert ex.r == (fmpq(1, 2), fmpq(1))


@pytest.mark.parametrize("name", CHAINS)
def test_q_solves_the_bellman_equation_exactly_and_rows_sum_to_one(name):
    ex = CHAINS[name].exact()
    q = fmpq_mat(ex.n_pairs, 1, list(ex.q))
    r = fmpq_mat(ex.n_pairs, 1, list(ex.r))
    assert r + ex.gamma * (ex.P_pi * q) == q
    for row, end in zip(ex.P.table(), ex.end, strict=True):
        assert sum(row, end) == 1
    assert all(sum(row, fmpq(0)) == 1 for row in ex.Pi.table())
    assert sum(ex.d0, fmpq(0)) == 1
    assert ex.conservative == CHAINS[name].conservative
    assert ex.Pi * ex.P == ex.Q


@pytest.mark.parametrize("name", CHAINS)
def test_to_float_undoes_exact_up_to_the_renormalization(name):
    mrp = CHAINS[name]
    back = mrp.exact().to_float()
    tolerance = 4 * mrp.n_states * np.finfo(float).eps
    for field in ("r", "end", "d0"):
        np.testing.assert_allclose(getattr(back, field), getattr(mrp, field), rtol=tolerance)
    np.testing.assert_allclose(back.P, mrp.P if isinstance(mrp.P, np.ndarray) else mrp.P.toarray(), rtol=tolerance)
    np.testing.assert_allclose(back.Pi.toarray(), mrp.Pi.toarray(), rtol=tolerance)
    assert back.gamma == mrp.gamma


def test_gamma_one_when_every_chain_ends():
    ex = ExactMRP.from_matrix([[0, "1/2"], ["1/4", 0]], r=[1, 2], gamma=1, end=["1/2", "3/4"])
    assert ex.q == (fmpq(16, 7), fmpq(18, 7))
    with pytest.raises(KropeError, match="gamma must be below 1 unless every chain surely ends; got 1"):
        ExactMRP.from_matrix([[0, "1/2"], [0, 1]], r=[1, 2], gamma=1, end=["1/2", 0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"r": []}, "r must have at least one pair; got an empty vector"),
        ({"r": [0, 1]}, "P must have 2 rows like r; got 3"),
        ({"Pi": [[1, 0, 0]]}, r"Pi must have shape \(3, 3\); got \(1, 3\)"),
        ({"end": [0]}, "end and d0 must have 3 entries like r; got 1 and 3"),
        ({"d0": [1]}, "end and d0 must have 3 entries like r; got 3 and 1"),
        ({"d0": ["1/2", "1/2", "1/3"]}, r"d0\[0, :\] must sum to 1; got 4/3"),
        ({"end": ["1/2", 0, 0]}, r"P\[0, :\] must sum to 1; got 3/2"),
        ({"end": ["-1/2", 0, 0]}, r"end\[0\] must be non-negative; got -1/2"),
        ({"P": [[2, -1, 0], *THREE[1:]]}, r"P\[0, 1\] must be non-negative; got -1"),
        ({"P": [THREE[0], THREE[1], ["1"]]}, r"P\[2\] must have 3 entries like the first row; got 1"),
        ({"r": ["a", 0, 0]}, r"r\[0\] must be a rational such as .*; got 'a'"),
        ({"r": [float("nan"), 0, 0]}, r"r\[0\] must be a rational such as .*; got nan"),
        ({"gamma": "11/10"}, r"gamma must lie in \[0, 1\]; got 11/10"),
        ({"gamma": None}, "gamma must be a rational such as .*; got None"),
    ],
)
def test_bad_input(change, message):
    fine = {"P": THREE, "Pi": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "r": [-1, 1, 1], "gamma": "9/10"}
    with pytest.raises(KropeError, match=message):
        ExactMRP(**(fine | change))


def test_a_matrix_that_is_not_square():
    with pytest.raises(KropeError, match=r"P_pi must be a square matrix; got shape \(1, 2\)"):
        ExactMRP.from_matrix([[1, 0]], r=[0], gamma=0)


def test_a_copy_through_another_process_is_the_same():
    import copy
    import pickle

    chain = ExactMRP(
        [["1/3", "1/6"], ["0", "1"]], [["1", "0"], ["0", "1"]], ["1/7", "-2"], "9/10", ["1/2", "0"], ["1/4", "3/4"]
    )
    for same in (pickle.loads(pickle.dumps(chain)), copy.deepcopy(chain)):
        for name in ("P", "Pi", "r", "gamma", "end", "d0"):
            assert getattr(same, name) == getattr(chain, name)
