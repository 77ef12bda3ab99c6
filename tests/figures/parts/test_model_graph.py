import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch

from figures.parts import model_graph
from figures.parts.vector import INK, PAPER
from tabular_krope.arrays import dense
from tabular_krope.models.mrp import MRP
from tabular_krope.models.zoo import zoo
from tests.cases import all_mrps, random_mrp

MRPS = all_mrps()


def texts(ax):
    return [text.get_text() for text in ax.texts]


@pytest.mark.parametrize("name", MRPS)
def test_every_chain_can_be_drawn(name):
    mrp = MRPS[name]
    data = model_graph.compute(mrp)
    np.testing.assert_array_equal(data.Q, dense(mrp.Q))
    np.testing.assert_allclose(data.Q.sum(axis=1) + data.end, 1.0)
    ax = model_graph.draw(data, Figure().add_subplot())
    assert {str(s) for s in range(mrp.n_states)} <= set(texts(ax))
    assert ("end" in texts(ax)) == (not mrp.conservative)


def test_transitions_carry_their_probabilities_when_there_are_few():
    data = model_graph.compute(MRPS["absorbing"], names=("x", "y"))
    assert sorted(texts(model_graph.draw(data, Figure().add_subplot()))) == ["0.5", "0.5", "1", "x", "y"]


def test_a_state_that_is_named_by_a_sign_is_quoted():
    data = model_graph.compute(MRPS["absorbing"], names=("+", "-"))
    assert all(f'state "{name}"' in model_graph.finding(data).lower() for name in "+-")


def shapes(ax, kind):
    return [patch for patch in ax.patches if isinstance(patch, kind)]


@pytest.fixture
def lines(monkeypatch):
    """Every line that is drawn, with its probability; that they are drawn is seen from the patches."""
    drawn, arrow = [], model_graph._arrow

    def record(line, p, *rest):
        drawn.append((np.array(line), p))
        arrow(line, p, *rest)

    monkeypatch.setattr(model_graph, "_arrow", record)
    return drawn


def test_loops_are_seen_outside_their_states(lines):
    data = model_graph.compute(MRP.from_matrix([[0.5, 0.5], [0.0, 1.0]], [1.0, 0.0], 0.5))
    ax = model_graph.draw(data, Figure().add_subplot())
    discs = shapes(ax, Circle)
    assert (len(discs), len(shapes(ax, FancyArrowPatch)), len(lines)) == (2, 3, 3)
    (first, p), _, (second, q) = lines
    assert (p, q) == (0.5, 1.0)
    for disc, loop in zip(discs, (first, second), strict=True):
        apart = np.hypot(*(loop - disc.center).T)
        assert apart.min() >= model_graph.RADIUS
        assert 1.5 * model_graph.RADIUS < apart.max() < 3 * model_graph.RADIUS
        assert (np.abs(loop) < ax.get_xlim()[1]).all()
    assert sorted(texts(ax)) == ["0", "0.5", "0.5", "1", "1"]


def test_no_arrow_runs_through_the_word_of_a_loop(lines):
    ax = model_graph.draw(model_graph.compute(zoo("c1-value-bound").mrp()), Figure().add_subplot())
    arrows = np.concatenate([line for line, _ in lines if np.ptp(line, axis=0).max() > 3 * model_graph.RADIUS])
    words = [text.get_position() for text in ax.texts if text.get_text() == "1" and np.hypot(*text.get_position()) > 1]
    assert len(words) == 2
    for word in words:
        assert np.hypot(*(arrows - word).T).min() > model_graph.RADIUS


def test_a_single_state_stands_in_the_middle():
    ax = model_graph.draw(model_graph.compute(MRP.from_matrix([[1.0]], [1.0], 0.5)), Figure().add_subplot())
    assert shapes(ax, Circle)[0].center == (0.0, 0.0)
    assert len(shapes(ax, FancyArrowPatch)) == 1


def test_many_transitions_carry_none():
    data = model_graph.compute(random_mrp(0, S=8, A=2))
    assert len(texts(model_graph.draw(data, Figure().add_subplot()))) == 8


def test_many_states_become_a_matrix_in_the_order_of_values(monkeypatch):
    monkeypatch.setattr(model_graph, "MOST_STATES", 15)
    mrp = random_mrp(0, S=20, A=2)
    data = model_graph.compute(mrp)
    assert data.Q.shape == (15, 15)
    assert (np.diff(data.v) >= 0).all()
    np.testing.assert_array_equal(data.Q, dense(mrp.Q)[np.ix_(data.states, data.states)])
    ax = model_graph.draw(data, Figure().add_subplot())
    assert "15 of 20 states" in ax.get_xlabel()
    assert len(ax.images) == 1


def test_a_matrix_of_all_states_says_so():
    assert (
        "all states" in model_graph.draw(model_graph.compute(random_mrp(0, S=13)), Figure().add_subplot()).get_xlabel()
    )


def test_words_are_seen_on_a_dark_page():
    """On an inline picture black is the page's ink: words on boxes need the page's paper, on light discs black."""
    data = model_graph.compute(zoo("c1-value-bound").mrp())
    ax = model_graph.draw(data, Figure().add_subplot())
    boxes = [text.get_bbox_patch() for text in ax.texts if text.get_bbox_patch() is not None]
    assert boxes
    assert {to_hex(box.get_facecolor()) for box in boxes} == {PAPER}
    names = [text for text in ax.texts if text.get_bbox_patch() is None]
    assert {text.get_color() for text in names} == {"white", INK}
