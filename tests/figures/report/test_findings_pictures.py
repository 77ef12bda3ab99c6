import re

import numpy as np
from matplotlib.figure import Figure

from figures.report import findings_pictures
from figures.report.findings_pictures import MANY_MARKS, OF_ANALYSIS, _svg, analysis_figures, diagnosis_figures
from tabular_krope.data.dataset import Dataset
from tabular_krope.data.offline import offline_problem
from tabular_krope.models.mrp import MRP
from tabular_krope.report.analysis import analyze_model
from tabular_krope.report.diagnosis import diagnose

CHAIN = MRP.from_matrix([[0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.2, 0.3, 0.5]], [1.0, 0.0, 2.0], gamma=0.9)


def ids(pictures):
    return [name for one in pictures for name in re.findall(r'\bid="([^"]*)"', one.svg + one.narrow)]


def test_each_picture_of_an_analysis_once_with_its_words():
    found = analysis_figures(analyze_model(CHAIN), ("x", "y", "z"))
    assert [one.words for one in found] == list(OF_ANALYSIS.values())
    assert all(one.svg.startswith("<svg") for one in found)
    assert len(ids(found)) == len(set(ids(found)))
    for one in found:
        assert not re.search(r'href="(?!#|data:)', one.svg)


def test_pictures_of_a_diagnosis():
    data = Dataset(
        s=[0] * 30, a=[0] * 30, r=[0.0] * 30, s_next=[1] * 30, done=[False] * 30, n_states=2, n_actions=1, gamma=0.9
    )
    found = diagnosis_figures(diagnose(offline_problem(data, "uniform", [[1.0], [2.0]]), replicates=0), truth=0.5)
    assert len(found) == 3
    assert len(ids(found)) == len(set(ids(found)))


def test_a_phone_has_a_drawing_of_its_own_with_words_of_seven_points():
    for one in analysis_figures(analyze_model(CHAIN)):
        width = float(re.search(r'viewBox="0 0 ([0-9.]+)', one.narrow)[1])
        assert 9 * (350 * 0.75) / width >= 7  # the smallest words are 9 pt, a phone has 350 pixels beside its margins
        assert one.words in one.narrow


def test_very_many_marks_become_pixels():
    few = _svg(lambda ax: ax.plot(np.arange(9.0), "o"), 3, 2, "few", "few")
    many = _svg(lambda ax: ax.plot(np.arange(MANY_MARKS + 1.0), "o"), 3, 2, "many", "many")
    line = _svg(lambda ax: ax.plot(np.arange(MANY_MARKS + 1.0)), 3, 2, "line", "line")
    assert "<image" in many
    assert "<image" not in few + line
    assert len(many) < 60_000


def test_a_title_on_a_phone_stays_inside_beside_rows_with_long_names(monkeypatch):
    seen = []

    def titles(draw, width, height, name, words):
        figure = Figure(figsize=(width, height), layout="constrained")
        draw(figure.add_subplot())
        figure.draw_without_rendering()
        above = [figure._suptitle] if figure._suptitle else [figure.axes[0]._left_title, figure.axes[0].title]
        seen.append(max(one.get_window_extent().x1 for one in above if one.get_text()) / figure.bbox.x1)
        return ""

    def draw(ax):
        ax.set_yticks([0, 1], ["a cure with a long name", "another such cure"])
        ax.set_title("These features give no value; 3 of 4 cures give one")

    monkeypatch.setattr(findings_pictures, "_svg", titles)
    findings_pictures._picture(draw, 7.2, 4.2, "values", "words")
    assert all(right <= 1 for right in seen)
    assert len(seen) == 2
