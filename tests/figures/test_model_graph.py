import numpy as np
import pytest
from matplotlib.figure import Figure

from figures import model_graph
from tabular_krope.arrays import dense
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
