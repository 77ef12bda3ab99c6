from fractions import Fraction
from math import hypot
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from figures.parts import witness_graph
from figures.parts.arrows import SMOOTH, bent, loop
from figures.parts.witness_graph import RADIUS
from proofs_check.statements.registry import STATEMENTS

CHAIN = {"P_pi": [["0", "1/2", "1/2"], ["0", "1", "0"], ["0", "0", "1"]], "r": ["0", "1", "-1"], "gamma": "9/10"}
ENDING = {
    "P_pi": [["0", "1/4", "0"], ["0", "0", "1"], ["0", "0", "0"]],
    "end": ["3/4", "0", "1"],
    "r": ["0", "1/3", "-1"],
    "gamma": "1/2",
    "weights": ["1", "0", "0"],
    "pair": [1, 2],
}
RING = {"P_pi": [["0", "1", "0"], ["0", "0", "1"], ["1", "0", "0"]], "r": ["0", "1", "2"], "gamma": "1/2"}
SWAP = {"P_pi": [["1/3", "2/3"], ["1", "0"]], "r": ["0", "1"], "gamma": "1/2"}
LONG = {"P_pi": [[str(Fraction(2**60 + 1, 2**61)), str(1 - Fraction(2**60 + 1, 2**61))], ["0", "1"]]}
LONG |= {"r": ["0", str(Fraction(2**60 + 1, 2**61))], "gamma": "1/2"}


def dense(X):
    rows = [[str(Fraction(1, X))] * X for _ in range(X)]
    return {"P_pi": rows, "r": [str(x) for x in range(X)], "gamma": "1/2"}


WITNESSES = {slug: s.witnesses[0] for slug, s in STATEMENTS.items() if s.witnesses}
WITNESSES |= {"chain": CHAIN, "ending": ENDING, "ring": RING, "swap": SWAP, "long": LONG, "dense": dense(5)}
WITNESSES |= {"one": dense(1), "largest": dense(witness_graph.MOST_PAIRS)}


@pytest.fixture
def ax():
    return Figure().add_subplot()


def words(ax):
    return [text.get_text() for text in ax.texts]


@pytest.mark.parametrize("name", WITNESSES)
def test_every_witness_fits_on_its_sheet_without_touching(name, ax):
    data = witness_graph.compute(WITNESSES[name])
    witness_graph.draw(data, ax)
    places = list(data.at.values())
    for i, (x, y) in enumerate(places):
        assert RADIUS < x < data.width - RADIUS
        assert RADIUS < y < data.height - RADIUS
        assert all(hypot(x - u, y - v) > 2 * RADIUS for u, v in places[:i])
    for line in ax.lines:
        xs, ys = line.get_data()
        assert 0 < min(xs)
        assert max(xs) < data.width
        assert 0 < min(ys)
        assert max(ys) < data.height


def test_a_line_over_a_column_goes_around_its_pairs(ax):
    chain = {"P_pi": [["0", "1/2", "1/2"], ["0", "0", "1"], ["0", "0", "1"]], "r": ["0", "1", "2"], "gamma": "1/2"}
    data = witness_graph.compute(chain)
    assert data.at[0][0] < data.at[1][0] < data.at[2][0]
    line = bent(data.at[0], data.bends[0, 2], data.at[2], RADIUS)
    x, y = data.at[1]
    assert min(hypot(u - x, v - y) for u, v in line) > 2 * RADIUS


@pytest.mark.parametrize("name", WITNESSES)
def test_an_arrow_for_each_transition(name, ax):
    data = witness_graph.compute(WITNESSES[name])
    witness_graph.draw(data, ax)
    assert len(ax.lines) == len(data.view.arrows)


def test_time_runs_from_left_to_right():
    at = witness_graph.compute(CHAIN).at
    assert at[0][0] < at[1][0] == at[2][0]


def test_recurrent_pairs_stand_on_a_circle():
    data = witness_graph.compute(RING)
    middle = data.width / 2
    distances = [hypot(x - middle, y - middle) for x, y in data.at.values()]
    assert np.ptp(distances) < 1e-12


def test_probabilities_and_rewards_are_written(ax):
    witness_graph.draw(witness_graph.compute(ENDING), ax)
    found = words(ax)
    assert sorted(found) == sorted(["1/4", "3/4", "1", "1", "0", "1", "2", "r = 0", "r = 1/3", "r = -1", "end"])


def test_the_end_is_a_square_and_unseen_pairs_are_dashed(ax):
    witness_graph.draw(witness_graph.compute(ENDING), ax)
    assert sum(isinstance(patch, Rectangle) for patch in ax.patches) == 1
    discs = [patch for patch in ax.patches if isinstance(patch, Circle)]
    assert sum(disc.get_linestyle() == "--" for disc in discs) == 2
    assert sum(disc.get_radius() > RADIUS for disc in discs) == 2  # the marked ones


def test_long_fractions_are_rounded(ax):
    witness_graph.draw(witness_graph.compute(LONG), ax)
    assert "~0.5" in words(ax)
    assert "r = ~0.5" in words(ax)


def test_long_rewards_stay_inside_their_discs():
    data = witness_graph.compute({**SWAP, "r": ["1999999", "-1999999"]})
    figure = Figure(figsize=(data.width, data.height))
    ax = witness_graph.draw(data, figure.add_axes((0, 0, 1, 1)))
    figure.draw_without_rendering()
    told = [text for text in ax.texts if "r =" in text.get_text()]
    assert [text.get_text() for text in told] == ["r =\n1999999", "r =\n-1999999"]
    for text, (x, y) in zip(told, data.at.values(), strict=True):
        box = text.get_window_extent()
        corners = [(u / figure.dpi - x, v / figure.dpi - y) for u in (box.x0, box.x1) for v in (box.y0 + 4, box.y1)]
        assert max(hypot(u, v) for u, v in corners) < RADIUS * 1.06


def test_many_arrows_carry_no_words(ax):
    witness_graph.draw(witness_graph.compute(dense(5)), ax)
    assert "1/5" not in words(ax)


def test_two_ways_between_the_same_pairs_are_apart():
    data = witness_graph.compute(SWAP)
    there = bent(data.at[0], data.bends[0, 1], data.at[1], RADIUS)
    back = bent(data.at[1], data.bends[1, 0], data.at[0], RADIUS)
    assert min(hypot(a - c, b - d) for a, b in there for c, d in back) > 0.2


def test_lines_stay_outside_the_discs():
    line = bent((0.0, 0.0), (1.0, 1.0), (2.0, 0.0), 0.5)
    assert all(hypot(x, y) >= 0.5 and hypot(x - 2, y) >= 0.5 for x, y in line)
    assert max(y for _, y in line) == pytest.approx(0.5)
    around = loop((0.0, 0.0), (0.0, 1.0), 0.5)
    assert all(hypot(x, y) >= 0.5 for x, y in around)
    assert max(y for _, y in around) > 0.5
    assert len(around) > SMOOTH / 2


def test_inline():
    root = ElementTree.fromstring(witness_graph.witness_svg(ENDING, "w"))
    assert root[0].text.endswith("0 to 1 (1/4), 0 to end (3/4), 1 to 2 (1), 2 to end (1)")


def test_a_witness_too_large_to_draw():
    assert witness_graph.witness_svg(dense(witness_graph.MOST_PAIRS + 1), "w") == ""
