import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from figures.parts.stability_sweep import OtherFeatures, StabilitySweep, draw


def drawn(gamma=0.81, most=3, other=None):
    d = np.arange(1, most + 1)
    data = StabilitySweep(d, np.linspace(0.7, 0.81, most), np.linspace(0.75, 0.9, most), gamma, other)
    return draw(data, Figure().add_subplot())


def heights(ax):
    return {line.get_label(): line.get_ydata()[0] for line in ax.get_lines()}


def test_lines_stand_at_gamma_its_root_and_one():
    found = heights(drawn())
    assert found["1: stable below"] == 1.0
    assert found[r"$\sqrt{\gamma}$ = 0.9"] == pytest.approx(0.9)
    assert found[r"$\gamma$ = 0.81"] == 0.81


def test_both_curves_are_whole():
    ax = drawn()
    by_name = {line.get_label(): line for line in ax.get_lines()}
    np.testing.assert_allclose(by_name[r"norm $\|L\|_2$"].get_ydata(), [0.75, 0.825, 0.9])
    np.testing.assert_allclose(by_name[r"spectral radius $\rho(L)$"].get_ydata(), [0.7, 0.755, 0.81])
    assert ax.get_ylim()[0] < 0.7
    assert ax.get_ylim()[1] > 1.0


@pytest.mark.parametrize(("value", "marker"), [(0.8, "s"), (50.0, "^"), (0.0, "v")])
def test_other_features_are_marked_and_point_out_of_the_window(value, marker):
    ax = drawn(other=OtherFeatures("random", 2, 0.5, value))
    mark = next(line for line in ax.get_lines() if line.get_label() == f"norm of random features, {value:.4g}")
    assert mark.get_marker() == marker
    low, high = ax.get_ylim()
    assert low <= mark.get_ydata()[0] <= high


def test_many_features_get_a_logarithmic_axis():
    assert drawn(most=101).get_xscale() == "log"
    assert drawn(most=100).get_xscale() == "linear"
    assert drawn(other=OtherFeatures("random", 200, 0.5, 0.5)).get_xscale() == "log"


def test_every_line_is_named_beside_its_end_and_no_name_lies_on_another():
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    ax = drawn(other=OtherFeatures("random", 2, 0.5, 50.0))
    FigureCanvasAgg(ax.figure).draw()
    below = {text.get_text() for text in ax.get_legend().get_texts()}
    assert below == {"norm of random features, 50", "spectral radius of random features, 0.5"}
    assert {text.get_text() for text in ax.texts} == {line.get_label() for line in ax.get_lines()} - below
    assert drawn().get_legend() is None
    boxes = [Text.get_window_extent(text) for text in ax.texts]  # without the thin lines to the curves
    assert not any(one.overlaps(other) for k, one in enumerate(boxes) for other in boxes[:k])
