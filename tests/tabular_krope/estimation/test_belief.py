from dataclasses import replace

import numpy as np
import pytest

from tabular_krope.estimation.belief import LIMITS, REFUSE, Evidence, believe
from tabular_krope.estimation.dual_weights import DualWeights

FINE = Evidence(negative=0.05, imbalance=0.3, effective=0.3, spread_q=1.0, standard_error=0.02, change=0.01, unit=4.0)


def test_fine_evidence_is_believed_without_reasons():
    out = believe(FINE)
    assert out.believed
    assert out.reasons == ()
    assert FINE.error == pytest.approx(np.hypot(0.3, 0.02) / 4)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"negative": LIMITS.negative + 0.01}, "of the weights are negative"),
        ({"imbalance": LIMITS.imbalance + 0.1, "spread_q": 0.0}, "imbalance"),
        ({"spread_q": 1e3}, "expected error"),
        ({"standard_error": 1e3}, "expected error"),
        ({"effective": LIMITS.effective - 0.01}, "rests on"),
        ({"change": 1e3}, "a tenth of the ridge changes it"),
        ({"unit": 0.0}, "expected error"),
        ({"negative": float("nan")}, "of the weights are negative"),
    ],
)
def test_each_limit_refuses_by_itself(change, words):
    out = believe(replace(FINE, **change))
    assert out.verdict == REFUSE
    assert not out.believed
    assert any(words in reason for reason in out.reasons)


def test_evidence_is_the_median_over_the_draws():
    def dual(negative, spread):
        q = np.array([-spread, spread])
        return DualWeights(np.ones(2), q, np.zeros(2), np.zeros(1), negative, 10 * negative, 100 * negative)

    duals = [dual(0.1, 1.0), dual(0.3, 5.0), dual(0.2, 2.0)]
    out = Evidence.of(duals, np.array([1.0, 2.0, 9.0]), 2.5, 0.7, None)
    assert (out.negative, out.imbalance, out.effective, out.spread_q) == pytest.approx((0.2, 2.0, 10.0, 2.0))
    assert (out.change, out.unit, out.standard_error) == pytest.approx((0.5, 2.0, 0.7))
    assert Evidence.of(duals, np.array([1.0, 2.0, 9.0]), 2.5, 0.7, -3.0).unit == pytest.approx(5.0)


def test_nothing_to_be_wrong_about_is_believed():
    assert believe(replace(FINE, spread_q=0.0, standard_error=0.0, change=0.0, unit=0.0)).believed
