import numpy as np
from matplotlib.figure import Figure

from figures.parts.eigenvalue_decay import EigenvalueDecay, draw


def lines(data):
    return {line.get_label(): line for line in draw(data, Figure().add_subplot()).get_lines()}


def test_eigenvalues_and_what_is_left_out():
    found = lines(EigenvalueDecay(np.array([4.0, 2.0, 1.0]), chosen=2))
    values, rest, chosen = found.values()
    assert values.get_ydata().tolist() == [4.0, 2.0, 1.0]
    np.testing.assert_allclose(rest.get_ydata(), [3.0, 1.0])
    assert chosen.get_label() == "chosen: 2"
    assert set(chosen.get_xdata()) == {2}


def test_nothing_is_left_out_of_one_eigenvalue():
    assert len(lines(EigenvalueDecay(np.array([4.0])))) == 1
