import numpy as np
import pytest
from matplotlib.figure import Figure

from figures.parts import kernel_heatmap
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.models.zoo import zoo
from tests.cases import all_mrps, random_mrp

MRPS = all_mrps()


@pytest.mark.parametrize("name", MRPS)
def test_pairs_come_in_the_order_of_their_values(name):
    K = krope_kernel(MRPS[name])
    data = kernel_heatmap.compute(K)
    order = np.argsort(K.mrp.q, kind="stable")
    np.testing.assert_allclose(data.K, K.matrix()[np.ix_(order, order)], rtol=1e-12)
    assert (np.diff(data.q) >= 0).all()
    assert data.labels == tuple(K.mrp.pair_label(int(x)) for x in order)


def test_few_pairs_are_named_with_their_values():
    ax = kernel_heatmap.draw(kernel_heatmap.compute(krope_kernel(MRPS["absorbing"])), Figure().add_subplot())
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "0"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["1: 0", "0: 1.82"]
    assert ax.get_xticklabels()[0].get_rotation() == 0


def test_pairs_carry_the_names_of_their_states():
    chain = zoo("c1-value-bound")
    data = kernel_heatmap.compute(krope_kernel(chain.mrp()), chain.labels)
    assert data.labels == ("-", "b", "y", "x", "a", "+")
    assert kernel_heatmap.pair_names(random_mrp(0, S=2, A=2), ("u", "v")) == ("(u,0)", "(u,1)", "(v,0)", "(v,1)")


def test_long_names_stand_upright():
    ax = kernel_heatmap.draw(kernel_heatmap.compute(krope_kernel(random_mrp(0))), Figure().add_subplot())
    assert ax.get_xticklabels()[0].get_rotation() == 90


def test_many_pairs_are_thinned_and_said_to_be(monkeypatch):
    monkeypatch.setattr(kernel_heatmap, "MOST_PAIRS", 30)
    K = krope_kernel(random_mrp(0, S=20, A=3))
    data = kernel_heatmap.compute(K)
    assert data.K.shape == (30, 30)
    assert (data.q[0], data.q[-1]) == (K.mrp.q.min(), K.mrp.q.max())
    assert "30 of 60 pairs" in kernel_heatmap.draw(data, Figure().add_subplot()).get_xlabel()


def test_all_pairs_are_said_to_be_all():
    data = kernel_heatmap.compute(krope_kernel(random_mrp(0, S=20, A=3)))
    assert "all pairs" in kernel_heatmap.draw(data, Figure().add_subplot()).get_xlabel()
