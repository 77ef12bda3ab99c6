import numpy as np
import pytest
from matplotlib.figure import Figure

from figures.plotting import draw, panels
from tabular_krope.errors import KropeError


def test_your_own_numbers_are_drawn_on_your_own_axes():
    data = {"iterates": np.zeros((2, 3, 3)), "K": np.eye(3), "gamma": np.array([0.5])}
    axes = Figure().subplot_mosaic([list(panels("kernel-filling"))])
    assert draw("kernel-filling", axes, data) is axes
    assert axes["kernel"].images[0].get_array().shape == (3, 3)


def test_every_panel_needs_axes():
    with pytest.raises(KropeError, match=r"ax must have axes for each panel of tightness, .*; got none for 'norm'"):
        draw("tightness", Figure().add_subplot())
    with pytest.raises(KropeError, match="did you mean 'tightness'"):
        panels("tightnes")
