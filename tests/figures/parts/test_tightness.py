from dataclasses import replace

import pytest
from matplotlib.figure import Figure

from figures.parts import tightness
from proofs_check.judging.verdict import EVIDENCE, Trial, Verdict
from proofs_check.statements.registry import STATEMENTS

NAN = float("nan")
ANY = STATEMENTS["remark-bad-pairs"]


def verdict(slug, **ratios):
    trials = tuple(Trial(level, 1, 0, 0, 0.0, ratio) for level, ratio in ratios.items())
    return Verdict(slug, "", "holds", "sampled", 1, 0, 0.0, trials=trials)


LAB = {"a": ANY, "b": ANY, "c": replace(ANY, form="some"), "d": ANY}
FOUND = [verdict("a", sampled=0.5, exact=0.25), verdict("b", sampled=NAN), verdict("c", exact=3.0)]
FOUND.append(verdict("d", sampled=0.9, adversarial=2.0))


def test_only_inequalities_for_all_instances():
    data = tightness.compute(FOUND, LAB)
    assert data.slugs == ("a", "d")
    assert data.ratios == ({"sampled": 0.5, "exact": 0.25}, {"sampled": 0.9, "adversarial": 2.0})


def test_bars_marks_and_the_edge():
    data = tightness.compute(FOUND, LAB)
    ax = tightness.draw(data, Figure().add_subplot())
    assert [bar.get_width() for bar in ax.patches] == [0.5, tightness.EDGE]
    assert [text.get_text() for text in ax.texts] == ["0.5", "2 \u2192"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "d"]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]
    words = [text.get_text() for text in ax.get_legend().get_texts()]
    assert words == ["random floats", "random rationals", "an optimiser", "equality"]


def test_size_grows_with_the_rows():
    one, two = (tightness.Tightness(("a",) * n, ({"exact": 1.0},) * n) for n in (1, 2))
    assert tightness.size(one)[1] < tightness.size(two)[1]


@pytest.mark.parametrize("level", EVIDENCE[: EVIDENCE.index("witness")])
def test_every_kind_of_evidence_has_a_mark(level):
    assert level in tightness.LEVELS
