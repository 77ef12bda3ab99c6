import numpy as np
import pytest

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.statements.relation import Relation, at_most, below, equal, float_only


def test_gaps_by_hand():
    assert at_most([1.0, 2.0], [3.0, 1.5]).gap() == 0.5
    assert at_most([1.0], [3.0]).gap() == -2.0
    assert equal([1.0, 2.0], [3.0, 1.5]).gap() == 2.0
    assert str(equal(rationals(["1/2"]), rationals(["1/3"])).gap()) == "1/6"


@pytest.mark.parametrize("relation", [at_most(np.zeros(0), 1), equal(np.zeros(0), 1), below(np.zeros(0), 0)])
def test_nothing_to_compare_holds(relation):
    assert relation.holds(0.0)


def test_scale_multiplies_the_tolerance():
    assert not at_most(1.5, 1.0).holds(0.1)
    assert at_most(1.5, 1.0, scale=10.0).holds(0.1)


def test_rationals_are_strict_without_tolerance():
    third = rationals(["1/3"])
    assert at_most(third, third).holds(0.0)
    assert not below(third, third).holds(0.0)
    assert not at_most(third, third - rationals(["1/1000000000000"])).holds(0.0)


def test_nan_never_holds():
    assert not any(Relation(float("nan"), sign, 0.0).holds(1e9) for sign in ("<=", "<", "=="))


def test_tightness_ignores_small_right_sides():
    relation = at_most([1e-20, 1.0], [1e-21, 2.0])
    assert relation.tightness() == pytest.approx(10.0)
    assert relation.tightness(floor=1e-9) == 0.5
    assert np.isnan(equal(1.0, 1.0).tightness())
    assert at_most(rationals(["1/2"]), rationals([2])).tightness() == 0.25


def test_float_only_keeps_the_rest():
    relation = float_only(at_most(1.0, 3.0, scale=2.0))
    assert (relation.gap(), relation.scale, relation.arbitrated) == (-2.0, 2.0, False)
