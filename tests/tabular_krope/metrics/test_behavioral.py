import numpy as np
import pytest

from tabular_krope.metrics.behavioral import BehavioralMetric
from tabular_krope.metrics.pi_bisimulation import pi_bisimulation_metric
from tests.cases import all_mrps


def test_usable_as_an_array():
    metric = pi_bisimulation_metric(all_mrps()["periodic"])
    assert np.array_equal(np.asarray(metric), metric.matrix)
    assert np.asarray(metric, dtype=np.float32).dtype == np.float32
    assert np.max(metric) == metric.matrix.max()
    copy = np.array(metric)
    copy[0, 1] = 7.0
    assert metric.matrix[0, 1] != 7.0
    with pytest.raises(ValueError, match="read-only"):
        metric.matrix[0, 1] = 7.0


def test_is_frozen():
    with pytest.raises(AttributeError):
        BehavioralMetric(np.zeros((1, 1)), None, 0, 0.0, 0.0).residual = 1.0
