import re
from dataclasses import replace
from math import log10

import pytest

from figures.report.tightness_rows import LEVELS, axis, largest_ratios, place, tightness_rows
from proofs_check.judging.verdict import EVIDENCE, Trial, Verdict
from proofs_check.statements.registry import STATEMENTS


def verdict(slug, **ratios):
    trials = tuple(Trial(level, 5, 0, 0, 0.0, ratio) for level, ratio in ratios.items())
    return Verdict(slug, "", "holds", "sampled", 5, 0, 0.0, trials=trials)


FOUND = [
    verdict("theorem-1", sampled=0.5, adversarial=0.9),
    verdict("d-pseudometric", sampled=1.5, adversarial=1.99, exact=0.2),
    verdict("lemma-mmd-zero", exact=0.0, sampled=float("nan")),
]
CHART = tightness_rows(FOUND, STATEMENTS)


def test_a_row_for_each_inequality_the_tightest_first():
    assert re.findall(r'<div class="row[^"]*"><span><a href="#([\w-]+)"', CHART) == [
        "d-pseudometric",
        "theorem-1",
        "lemma-mmd-zero",
    ]
    assert CHART.count('class="row broken"') == 1
    assert CHART.count('class="dot ') == 3 + 6  # the key, and the ratios


def test_dots_stand_on_a_logarithmic_axis():
    for level, ratio in (("sampled", 0.5), ("adversarial", 1.99), ("exact", 0.2)):
        left = float(re.search(rf'class="dot {level}" style="left: ([\d.]+)%" title="[^"]*: {ratio}"', CHART)[1])
        assert left == pytest.approx(50 * (1 + log10(ratio)), abs=0.01)
    assert 'class="dot exact left" style="left: 0.00%"' in CHART
    assert [float(x) for x in re.findall(r'style="left: ([\d.]+)%">[\d.]+</span>', CHART)] == [0, 50, 100]


def test_the_axis_has_room_for_all_but_absurd_ratios():
    low, high = axis([0.03, 5e7])
    assert (low, high) == (0.01, 1e4)
    assert 'class="dot sampled right" style="left: 100.00%"' in tightness_rows(
        [verdict("theorem-1", sampled=5e7)], STATEMENTS
    )
    assert place(float("inf"), low, high) == 100


def test_nothing_where_nothing_is_an_inequality():
    assert tightness_rows([verdict("remark-self-similarity", sampled=0.5)], STATEMENTS) == ""


def test_only_inequalities_for_all_instances():
    some = STATEMENTS["remark-bad-pairs"]
    lab = {"a": some, "b": some, "c": replace(some, form="some"), "d": some}
    found = [verdict("a", sampled=0.5, exact=0.25), verdict("b", sampled=float("nan")), verdict("c", exact=3.0)]
    found.append(verdict("d", sampled=0.9, adversarial=2.0))
    assert largest_ratios(found, lab) == {
        "a": {"sampled": 0.5, "exact": 0.25},
        "d": {"sampled": 0.9, "adversarial": 2.0},
    }


@pytest.mark.parametrize("level", EVIDENCE)
def test_every_kind_of_evidence_has_its_words(level):
    assert level in LEVELS
