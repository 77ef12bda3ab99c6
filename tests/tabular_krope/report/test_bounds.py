from dataclasses import replace

import numpy as np
import pytest

from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.measures.value_bounds import value_bounds
from tabular_krope.models.mrp import MRP
from tabular_krope.models.zoo import zoo
from tabular_krope.report.bounds import bound_facts
from tests.cases import all_mrps

MRPS = all_mrps()


def facts_of(mrp):
    return {bound.name: bound for bound in bound_facts(mrp, value_bounds(krope_kernel(mrp)))}


def test_the_witness_against_the_printed_bound():
    found = facts_of(zoo("c1-value-bound").mrp())
    assert found["printed"].worst_ratio >= 2.0 - 1e-12  # |dq| = 81/10 against d = 81/20
    assert found["printed"].holds is False
    assert found["rkhs"].holds is True
    assert found["independent"].holds is True


def test_equality_counts_as_holding():
    found = facts_of(MRP.from_matrix([[1.0, 0.0], [0.0, 1.0]], [0.0, 1.0], gamma=0.99))
    assert found["rkhs"].worst_ratio == pytest.approx(1.0)
    assert found["rkhs"].holds
    assert found["rkhs"].worst_pair == (0, 1)


@pytest.mark.parametrize("name", MRPS)
def test_true_bounds_hold_wherever_their_premise_does(name):
    mrp = MRPS[name]
    found = facts_of(mrp)
    assert (found["rkhs"].holds is None) == (mrp.gamma == 1.0)
    assert (found["independent"].holds is None) == (not mrp.conservative)
    for bound in (found["rkhs"], found["independent"]):
        assert bound.holds in (True, None)
        assert bound.worst_ratio is None or bound.worst_ratio <= 1 + 1e-9


def test_equal_values_have_no_worst_pair():
    found = facts_of(MRPS["constant-reward"])
    assert (found["rkhs"].worst_ratio, found["rkhs"].worst_pair, found["rkhs"].holds) == (0.0, None, True)


def test_a_zero_bound_on_different_values_is_infinitely_wrong():
    mrp = MRPS["absorbing"]
    bounds = value_bounds(krope_kernel(mrp))
    broken = bound_facts(mrp, replace(bounds, printed=np.zeros_like(bounds.printed)))[0]
    assert broken.worst_ratio == float("inf")
    assert broken.holds is False
