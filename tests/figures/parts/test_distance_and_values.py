import numpy as np
import pytest
from matplotlib.figure import Figure

from figures.parts import distance_and_values
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.measures.value_bounds import value_bounds
from tabular_krope.models.zoo import zoo
from tests.cases import all_mrps, random_mrp

MRPS = all_mrps()


def data_of(mrp):
    return distance_and_values.compute(value_bounds(krope_kernel(mrp)))


def labels(data):
    ax = distance_and_values.draw(data, Figure().add_subplot())
    return ax, {line.get_label(): line for line in ax.get_lines()}


@pytest.mark.parametrize("name", MRPS)
def test_points_of_every_chain(name):
    mrp = MRPS[name]
    data = data_of(mrp)
    X = mrp.n_pairs
    assert len(data.gaps) == data.total == X * (X - 1) // 2
    assert (np.diff(data.distance) >= 0).all()
    assert (data.rkhs is None) == (mrp.gamma == 1.0)
    assert (data.independent is None) == (not mrp.conservative)
    distance_and_values.draw(data, Figure().add_subplot())


def test_points_above_the_printed_bound_are_marked():
    ax, found = labels(data_of(zoo("c1-value-bound").mrp()))
    above = found["value gap above it"]
    assert (above.get_ydata() > above.get_xdata()).all()
    assert ax.get_xscale() == "linear"


def test_the_rkhs_curve_passes_through_its_points():
    data = data_of(zoo("c1-value-bound").mrp())
    curve = labels(data)[1][r"RKHS bound, $c\,\sqrt{d}$"]
    np.testing.assert_allclose(np.interp(data.distance, *curve.get_data()), data.rkhs, rtol=1e-2)


def test_loose_bounds_get_logarithmic_axes():
    ax, found = labels(data_of(MRPS["random-long-horizon"]))
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert "value gap above it" not in found


def test_equal_values_are_said_to_be_equal():
    ax, found = labels(data_of(MRPS["constant-reward"]))
    assert found == {}
    assert [text.get_text() for text in ax.texts] == ["all values are equal"]


def test_many_points_are_thinned_but_the_worst_stay(monkeypatch):
    monkeypatch.setattr(distance_and_values, "MOST_POINTS", 20)
    for mrp in (random_mrp(0), random_mrp(2, ending=True)):
        bounds = value_bounds(krope_kernel(mrp))
        data = distance_and_values.compute(bounds)
        assert 20 <= len(data.gaps) <= 23
        assert np.max(data.gaps - data.rkhs) == np.max((bounds.gaps - bounds.rkhs)[np.triu_indices(15, 1)])
        title = distance_and_values.draw(data, Figure().add_subplot()).get_title(loc="center")
        assert f"({len(data.gaps)} of 105 points)" in title
