"""The sentence and the table that end a sweep over models."""

import io

from rich.console import Console

from krope import sweep_summary
from krope.wide_tables import print_rows
from tabular_krope.runs.summary import Line


def lines(**changed):
    first = {
        "model": "zoo:c4-unweighted-truncation",
        "policy": "own",
        "gamma": 0.9,
        "features": "krope",
        "weights": "uniform",
        "d": 1,
        "rows": 1000,
        "stable": 1000,
        "largest_radius": 0.9999,
        "largest_ratio": 0.5,
        "beyond": 0,
    }
    return [Line(**first), Line(**(first | changed))]


def test_the_sentence_counts_rows_and_names_where_it_is_worst():
    worse = lines(features="random", d=3, stable=10, largest_radius=2.71828)
    told = "LSPE is stable on 1,010 of 2,000 rows; least with 3 random features: 10 of 1,000 "
    assert sweep_summary.answer(worse) == f"{told}(largest spectral radius 2.72)."


def test_a_radius_just_below_one_is_not_rounded_to_one():
    assert "0.9999)" in sweep_summary.answer(lines(d=2))
    assert sweep_summary.near_one(1.0000001) == "1.0000001"


def test_columns_that_do_not_vary_are_left_out():
    heads = [str(column.header) for column in sweep_summary.summary_table(lines(weights="own")).columns]
    assert heads[:3] == ["weights", "d", "rows"]


def test_on_a_narrow_screen_every_block_says_which_row_it_is():
    out = io.StringIO()
    found = lines(features="cholesky", gamma=0.5)
    print_rows(sweep_summary.summary_table(found), Console(file=out, width=52), 3)
    first, second = (block.split() for block in out.getvalue().split("\n\n"))
    for block, own in ((first, "1,000"), (second, "0")):
        assert {"gamma,", "features,", "0.9,", "krope,", "0.5,", "cholesky,", own} <= set(block)
    assert max(map(len, out.getvalue().splitlines())) <= 52


def test_other_formats_keep_the_columns_apart(krope, tmp_path):
    words = ["sweep", "--models", "zoo:c4-unweighted-truncation", "--features", "krope,cholesky", "--dims", "1"]
    krope(*words, "--out", tmp_path / "runs", "--csv", tmp_path / "a.csv")
    shown = (tmp_path / "a.csv").read_text()
    assert shown.splitlines()[0] == "features,d,rows,stable,max rho,max norm / sqrt(gamma),beyond rounding"
    krope("sweep", "table", tmp_path / "runs", "--csv", tmp_path / "b.csv")
    assert (tmp_path / "b.csv").read_text() == shown
