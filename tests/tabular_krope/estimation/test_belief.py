from dataclasses import replace

import numpy as np
import pytest

from tabular_krope.estimation.belief import LIMITS, NOISY, REFUSE, Evidence, believe, unusual
from tabular_krope.estimation.dual_weights import DualWeights

FINE = Evidence(
    negative=0.05, imbalance=0.3, effective=0.3, spread_q=1.0, standard_error=0.02, change=0.01, unit=4.0, rewards=900.0
)


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


def test_noise_alone_asks_for_more_data():
    out = believe(replace(FINE, standard_error=0.12 * FINE.unit))
    assert out.verdict == NOISY
    assert out.reasons == ("standard error 0.12 units (at most 0.11)",)
    assert believe(replace(FINE, standard_error=0.1 * FINE.unit)).believed
    assert believe(replace(FINE, standard_error=0.12 * FINE.unit, negative=0.9)).verdict == REFUSE


def test_evidence_is_the_median_over_the_draws():
    def dual(negative, spread):
        q = np.array([-spread, spread])
        return DualWeights(np.ones(2), q, np.zeros(2), np.zeros(1), negative, 10 * negative, 100 * negative)

    duals = [dual(0.1, 1.0), dual(0.3, 5.0), dual(0.2, 2.0)]
    out = Evidence.of(duals, np.array([1.0, 2.0, 9.0]), 2.5, 0.7, None, np.array([0.0, 0.0, 1.0]))
    assert (out.negative, out.imbalance, out.effective, out.spread_q) == pytest.approx((0.2, 2.0, 10.0, 2.0))
    assert (out.change, out.unit, out.standard_error) == pytest.approx((0.5, 2.0, 0.7))
    assert Evidence.of(duals, np.array([1.0, 2.0, 9.0]), 2.5, 0.7, -3.0, np.zeros(2)).unit == pytest.approx(5.0)


def test_rewards_that_hardly_ever_vary_say_nothing():
    out = believe(replace(FINE, spread_q=0.0, standard_error=0.0, change=0.0, unit=0.0, rewards=1.0))
    assert out.reasons == ("1 unusual rewards (at least 30)",)
    r = np.random.default_rng(0).choice([0.0, 2.0], 1000, p=[0.9, 0.1])
    assert unusual(r) == pytest.approx((r > 0).sum())
    assert unusual(r + 5) == pytest.approx(unusual(-3 * r))
