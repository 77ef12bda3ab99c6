import io

import numpy as np
import pytest
from rich.console import Console

from krope.analysis_tables import print_analysis, verdict, yes
from krope.console import output
from tabular_krope.models.gymnasium_tables import from_gymnasium
from tabular_krope.models.induce import induce
from tabular_krope.models.mrp import MRP
from tabular_krope.models.policy import Policy
from tabular_krope.report import analysis
from tabular_krope.report.analysis import analyze_model
from tabular_krope.report.digits import three
from tests.cases import degenerate_mrps, random_mrp

SETTINGS = {"model": "[a].npz", "policy": "uniform", "weights": "uniform"}


def printed(capsys, analysed):
    print_analysis(analysed, SETTINGS, output())
    return capsys.readouterr().out


def row(text, start):
    return next(line.split() for line in text.splitlines() if line.strip().startswith(start))


@pytest.mark.parametrize("name", degenerate_mrps())
def test_every_chain_can_be_shown(name, capsys):
    text = printed(capsys, analyze_model(degenerate_mrps()[name]))
    for heading in ("Model", "KROPE kernel", "LSPE on", "Top d KROPE", "features can represent", "Bounds on", "Values"):
        assert heading in text
    assert "\x1b" not in text
    assert max(len(line) for line in text.splitlines()[1:]) <= 120


def test_what_is_rounding_is_shown_as_zero(capsys):
    """All KROPE features of the kernel's rank are complete: what is left grows with their condition number alone."""
    lake = induce(from_gymnasium("FrozenLake-v1", gamma=0.99), Policy.uniform(16, 4))
    found = analyze_model(lake)
    assert 0 < found.features.completeness_linear < 1e-9
    assert row(printed(capsys, found), "Bellman-completeness error of the linear class")[-1] == "0"


def test_the_answer_comes_first(capsys):
    found = analyze_model(random_mrp(0))
    assert printed(capsys, found).startswith(verdict(found).split(" (")[0])


def test_bounds_that_say_nothing_are_named_and_not_shown(capsys):
    text = printed(capsys, analyze_model(degenerate_mrps()["absorbing"]))
    silent = "Bounds that say nothing about this chain: " in text
    assert silent == ("independent copies" not in text.partition("Bounds on")[2].partition("Values")[0])


@pytest.mark.parametrize("value", [0.5, 0.9996, 1.0004, 1 - 1e-9, 1 + 1e-9, 123456.0, 7e-9, -0.04321])
def test_three_digits_are_near_and_on_the_right_side_of_one(value):
    shown = float(three(value).replace(",", ""))
    assert abs(shown - value) <= 0.005 * abs(value)
    assert (shown < 1, shown > 1) == (value < 1, value > 1)


def test_numbers_by_hand(capsys):
    mrp = MRP.from_matrix([[1.0, 0.0], [0.0, 1.0]], [0.0, 1.0], gamma=0.5, d0=[0.25, 0.75])
    text = printed(capsys, analyze_model(mrp))
    assert row(text, "model")[-1] == "[a].npz"
    assert row(text, "spectral radius")[2:] == ["0.5"] * 3
    assert row(text, "stable") == ["stable"] + ["yes"] * 3
    assert row(text, "pi-bisimulation")[2:] == ["2", "of", "2", "pairs"]
    assert row(text, "from the initial")[-2:] == ["1.5", "1.5"]
    assert row(text, "pair 1")[2:] == ["2", "2"]
    assert row(text, "RKHS")[3:6] == ["yes", "1", "0,"]
    assert "sqrt(gamma) = 0.707" in text


def test_eighty_columns_are_enough():
    out = io.StringIO()
    print_analysis(analyze_model(random_mrp(0, S=40, A=3), "successor"), SETTINGS, Console(file=out, width=80))
    assert "\N{HORIZONTAL ELLIPSIS}" not in out.getvalue()
    assert max(len(line) for line in out.getvalue().splitlines()[1:]) <= 80


def test_large_models_lose_what_was_not_computed(capsys, monkeypatch):
    monkeypatch.setattr(analysis, "DENSE_PAIRS", 10)
    monkeypatch.setattr(analysis, "LARGE_DIMENSION", 3)
    text = printed(capsys, analyze_model(random_mrp(0)))
    assert " rank" not in text.partition("KROPE kernel")[2].partition("LSPE on")[0]
    assert "pairs drawn at random" in text
    assert "Not computed for a model of this size" in text
    assert "certified" not in text


def test_many_pairs_are_not_listed(capsys):
    text = printed(capsys, analyze_model(random_mrp(0, S=6, A=3)))
    assert "pair (0,0)" not in text
    assert "pair (0,0)" in printed(capsys, analyze_model(random_mrp(0, S=5, A=3)))


def test_verdicts():
    mrp = MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [0.0, 0.0], gamma=0.9)
    unstable = verdict(analyze_model(mrp, [[1.0], [2.0]], weights=[1.0, 0.0]))
    assert unstable == "LSPE on 1 given feature is NOT stable: the spectral radius 1.8 is not below 1."
    assert "2 KROPE features is stable" in verdict(analyze_model(degenerate_mrps()["absorbing"]))


def test_words_and_numbers():
    assert [yes(True), yes(None)] == ["yes", "-"]
    assert "no" in yes(False)
    assert three(float(np.float64(1) / 3)) == "0.333"
