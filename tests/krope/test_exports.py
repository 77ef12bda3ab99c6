"""``--csv``, ``--latex`` and ``--markdown`` wherever a table is printed."""

import csv
import io
import json
import re

import pytest
from rich.table import Table

from krope import console
from krope.console import as_one
from krope.sheets import Sheet, sheet_of, to_csv, to_latex, to_markdown
from krope.wide_tables import new_table

MODEL = "zoo:c1-value-bound"
FORMATS = ("csv", "latex", "markdown")


def test_csv_has_the_numbers_of_the_json(krope, tmp_path):
    found = krope("check", "remark-bad-pairs", "--examples", "4", "--csv", "-", "--json", tmp_path / "v.json")
    (row,) = csv.DictReader(io.StringIO(found.out))
    (one,) = json.loads((tmp_path / "v.json").read_text())["statements"]
    assert (row["slug"], row["verdict"], row["evidence"]) == (one["slug"], one["outcome"], one["evidence"])
    names = ("tried", "vacuous", "tightness")
    assert [float(row[name]) for name in names] == [one[name] for name in names]


def test_every_table_is_in_the_file_and_on_the_screen(krope, tmp_path):
    shown = krope("analyze", MODEL, *(word for form in FORMATS for word in (f"--{form}", tmp_path / form)))
    assert shown.code == 0
    titles = re.findall(r"^\"?# (.*?)\"?$", (tmp_path / "csv").read_text(), flags=re.M)
    assert len(titles) >= 5
    latex, markdown = ((tmp_path / form).read_text() for form in FORMATS[1:])
    assert latex.count(r"\begin{table}") == latex.count(r"\end{table}") == len(titles)
    assert re.findall(r"^\*\*(.*)\*\*$", markdown, flags=re.M) == titles
    assert all(title in shown.out for title in titles)
    written = [line for line in shown.out.splitlines() if line.startswith("wrote ")]
    assert written == [f"wrote {tmp_path / form}" for form in FORMATS]


def test_on_stdout_it_is_alone_and_quiet_does_not_hush_it(krope):
    found = krope("analyze", MODEL, "--csv", "-").out
    assert "KROPE features is stable" not in found
    assert found == krope("analyze", MODEL, "--csv", "-", "--quiet").out != ""


def test_a_narrow_screen_does_not_cut_the_file(krope, monkeypatch):
    wide = krope("analyze", MODEL, "--csv", "-").out
    monkeypatch.setenv("COLUMNS", "30")
    assert krope("analyze", MODEL, "--csv", "-").out == wide


@pytest.mark.parametrize(
    "words",
    ["check", "conjecture", "worst", "analyze", "diagnose", "bench", "deep table", "deep sums", "sweep table"],
)
def test_commands_with_tables_take_the_options(krope, words):
    assert all(f"--{form}" in krope(*words.split(), "--help").out for form in FORMATS)


def test_others_do_not(krope):
    assert "--csv" not in krope("verify", "--help").out
    assert krope("verify", "x.json", "--csv", "-").code == 2


def test_bad_targets_are_refused_before_the_work(krope, tmp_path):
    assert krope("analyze", MODEL, "--csv", "/nowhere/a.csv").refused.startswith("csv must lie in an existing folder")
    told = "latex must be a file, as another format goes to stdout; got -"
    assert krope("analyze", MODEL, "--csv", "-", "--latex", "-").refused == told
    assert krope("analyze", "zoo:nothing", "--csv", tmp_path / "a.csv").code == 2
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_kept_from_one_run_to_the_next(krope, tmp_path):
    krope("analyze", MODEL, "--csv", tmp_path / "a.csv")
    (tmp_path / "a.csv").unlink()
    assert "LSPE" in krope("analyze", MODEL).out
    assert not (tmp_path / "a.csv").exists()


def test_parts_count_as_one_table():
    table = new_table("T", "a", "b")
    table.add_row("[bold]x[/]", "1\n2")
    heard = []
    console.listen(heard.append)
    with as_one(table):
        console.output().print(Table(title="a part"))
    assert heard == [table]
    assert sheet_of(table) == Sheet("T", ("a", "b"), (("x", "1 2"),), (False, True))
    with as_one(lambda: Sheet("U", (), (), ())), as_one(table):
        assert heard[1:] == [Sheet("U", (), (), ())]
    console.output().print(table)
    console.listen(None)
    console.output().print(table)
    assert heard[2:] == [table]


def test_letters_that_mean_something_are_escaped():
    sheet = Sheet("", ("a|b", "c"), (("5%_\\x", "<\u00b1>"),), (False, False))
    assert r"5\%\_\textbackslash{}x & $<$$\pm$$>$ \\" in to_latex([sheet])
    assert r"a\|b" in to_markdown([sheet])
    assert to_csv([sheet]).splitlines() == ["a|b,c", "5%_\\x,<\u00b1>"]


@pytest.mark.parametrize("words", [("analyze", "zoo:two-state"), ("check", "theorem-1", "--examples", "1")])
def test_tables_beside_json_on_stdout_are_refused_and_not_written_empty(krope, tmp_path, words):
    for target in (tmp_path / "t.csv", "-"):
        refused = krope(*words, "--csv", target, "--json", "-").refused
        assert refused == "json must be a file beside --csv, --latex or --markdown; got -"
    assert not any(tmp_path.iterdir())
    assert krope(*words, "--csv", tmp_path / "t.csv", "--json", tmp_path / "t.json").code == 0
    assert (tmp_path / "t.csv").stat().st_size > 0
