import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from scipy.optimize import minimize

from figures.parts.labels import end_labels, spread


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.floats(0.01, 0.2))
def test_heights_are_apart_in_order_and_centered(heights, gap):
    found = spread(heights, gap)
    order = np.argsort(heights, kind="stable")
    assert (np.diff(found[order]) >= gap - 1e-12).all()
    assert found.mean() == pytest.approx(np.mean(heights))


def test_they_are_the_nearest_such_heights():
    heights, gap = np.array([0.1, 0.12, 0.5, 0.52, 0.53]), 0.1
    apart = [{"type": "ineq", "fun": lambda h, k=k: h[k + 1] - h[k] - gap} for k in range(4)]
    best = minimize(lambda h: ((h - heights) ** 2).sum(), np.arange(5) / 4, constraints=apart, tol=1e-12)
    assert spread(heights, gap) == pytest.approx(best.x, abs=1e-5)


def test_words_stand_at_the_heights_of_their_curves():
    ax = Figure().add_subplot()
    ax.set_yscale("log")
    ax.set_ylim(1, 100)
    end_labels([(10.0, "middle", "black"), (100.0, "top", "black")], ax)
    assert [text.get_position()[1] for text in ax.texts] == pytest.approx([0.5, 1.0])
