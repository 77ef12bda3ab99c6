import json
import os
import re

import pytest

import tabular_krope as tk
from proofs_check import STATEMENTS, Verdict
from proofs_check.prove import proof
from proofs_check.show.table import LEGEND
from proofs_check.statements.registry import SUBJECTS, Registry

SLUG = "remark-bad-pairs"


@pytest.fixture
def asked(monkeypatch):
    """Replaces the judging by verdicts at hand; records what was asked for."""
    calls = []

    def stand_in(slugs, examples, seed, exact, jobs, progress):
        calls.append((slugs, examples, seed, exact, jobs))
        expected = "refuted" if seed == 13 else "holds"
        verdicts = [Verdict(slug, "c", "holds", "exact", 3, 1, worst=0.5, expected=expected) for slug in slugs]
        for verdict in verdicts:
            progress(verdict)
        return verdicts

    monkeypatch.setattr("krope.check.check_all", stand_in)
    return calls


def test_a_statement_is_judged(krope):
    found = krope("check", SLUG, "--examples", "5")
    assert (found.code, found.err) == (0, "")
    assert SLUG in found.out
    assert "all as expected" in found.out
    assert "\x1b" not in found.out


def test_every_statement_is_the_default(krope, asked):
    assert krope("check").code == 0
    assert asked == [(list(STATEMENTS), 200, 0, False, None)]  # as many processes as processors


def test_every_option_is_passed_on_and_a_slug_is_judged_once(krope, asked):
    krope("check", SLUG, "theorem-1", SLUG, "--examples", 7, "--seed", 3, "--exact", "--jobs", 2)
    assert asked == [([SLUG, "theorem-1"], 7, 3, True, 2)]


def test_an_unexpected_verdict_is_exit_code_one(krope, asked):
    found = krope("check", SLUG, "--seed", "13")
    assert found.code == 1
    assert "NOT as expected" in found.out
    assert found.err == ""


def test_proofs_are_told_and_a_broken_one_is_exit_code_one(krope, tmp_path, monkeypatch):
    found = krope("check", SLUG, "--examples", "5", "--jobs", "1", "--json", tmp_path / "v.json", "-v")
    assert found.code == 0
    assert "1 holds (1 proved)" in found.out
    assert "The certificate, for chains of every size" in found.out
    written = json.loads((tmp_path / "v.json").read_text())["statements"][0]
    assert (written["evidence"], written["certificate"]["steps"]) == ("proved", 3)
    text = (proof.FOLDER / f"{SLUG}.json").read_text()
    forged = text.replace('"B": [["2", [], []], ["-3", ["p"], []]]', '"B": [["1", [], []], ["-3", ["p"], []]]', 1)
    assert forged != text
    (tmp_path / f"{SLUG}.json").write_text(forged)
    monkeypatch.setattr(proof, "FOLDER", tmp_path)
    broken = krope("check", SLUG, "--examples", "5", "--jobs", "1")
    assert broken.code == 1
    assert "certificate refused" in broken.out
    assert f"NOT as expected: {SLUG}" in broken.out


def test_json(krope, asked, tmp_path):
    found = krope("check", SLUG, "--json", tmp_path / "v.json", "--seed", "4")
    assert SLUG in found.out
    written = json.loads((tmp_path / "v.json").read_text())
    assert written["statements"][0]["slug"] == SLUG
    assert written["settings"] == {"examples": 200, "seed": 4, "exact": False, "version": tk.__version__}
    assert json.loads(krope("check", SLUG, "--json", "-", "--seed", "4").out) == written


def test_an_interrupt_shows_what_was_judged(krope, tmp_path, monkeypatch):
    def interrupted(slugs, examples, seed, exact, jobs, progress):
        progress(Verdict(SLUG, "c", "holds", "exact", 3, 1, worst=0.5))
        raise KeyboardInterrupt

    monkeypatch.setattr("krope.check.check_all", interrupted)
    told = f"krope: interrupted: 1 of {len(STATEMENTS)} judged\n"
    found = krope("check")
    assert (found.code, found.err) == (130, told)
    assert SLUG in found.out
    assert "all as expected" not in found.out
    found = krope("check", "--json", "-")
    assert (found.code, found.out, found.err) == (130, "", told)


def test_an_interrupt_leaves_files_that_say_they_are_incomplete(krope, tmp_path, monkeypatch):
    def interrupted(slugs, examples, seed, exact, jobs, progress):
        for slug in (SLUG, "theorem-1"):
            progress(Verdict(slug, "c", "holds", "exact", 3, 1, worst=0.5))
        raise KeyboardInterrupt

    monkeypatch.setattr("krope.check.check_all", interrupted)
    monkeypatch.chdir(tmp_path)
    asked = ("theorem-1", SLUG, "lemma-k1-psd")
    found = krope("check", *asked, "--report", "r.html", "--graph", "g.svg", "--json", "c.json", "--seed", 4)
    assert found.code == 130
    held = "r.html, g.svg, c.json: these only, marked as incomplete"
    assert found.err == f"krope: interrupted: 2 of 3 judged; {held}\n"
    written = json.loads((tmp_path / "c.json").read_text())
    assert (written["complete"], written["not_judged"], written["settings"]["seed"]) == (False, ["lemma-k1-psd"], 4)
    assert [verdict["slug"] for verdict in written["statements"]] == ["theorem-1", SLUG]  # in the order asked for
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    warning = "INCOMPLETE: the run was interrupted after 2 of 3 statements."
    assert page.index(warning) < page.index("<h1>")
    assert "Not judged: lemma-k1-psd." in page
    assert (tmp_path / "g.svg").read_bytes().startswith(b"<?xml")


def test_an_interrupt_before_the_first_verdict_writes_nothing(krope, tmp_path, monkeypatch):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("krope.check.check_all", interrupted)
    found = krope("check", SLUG, "--report", tmp_path / "r.html", "--json", tmp_path / "c.json")
    assert (found.code, found.out, found.err) == (130, "", "krope: interrupted: 0 of 1 judged\n")
    assert list(tmp_path.iterdir()) == []


def test_a_whole_run_is_called_complete(krope, asked, tmp_path):
    krope("check", SLUG, "--json", tmp_path / "c.json", "--report", tmp_path / "r.html")
    written = json.loads((tmp_path / "c.json").read_text())
    assert (written["complete"], written["not_judged"]) == (True, [])
    assert "INCOMPLETE" not in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_the_help_explains_the_exit_codes(krope):
    for command, codes in (("check", (0, 1, 2, 130)), ("verify", (0, 1, 2, 130)), ("worst", (0, 2, 130))):
        shown = krope(command, "--help").out.partition("Exit codes")[2]
        assert re.findall(r"^\W*(\d+)  ", shown, flags=re.M) == [str(code) for code in codes]


def test_the_table_is_kept(krope, asked):
    assert "statement and claim" in krope("check", SLUG, "--table").out
    assert "statement and claim" not in krope("check", SLUG).out


def test_the_help_says_what_the_columns_mean(krope):
    shown = " ".join(krope("check", "--help").out.split())
    assert all(line in shown for line in LEGEND)


def test_the_list_judges_nothing(krope, asked):
    found = krope("check", "--list")
    assert found.code == 0
    assert all(slug in found.out for slug in STATEMENTS)
    assert asked == []
    assert "theorem-1" not in krope("check", SLUG, "--list").out


def test_the_list_as_json(krope, asked, tmp_path):
    found = json.loads(krope("check", "--list", "--json", "-").out)
    assert [one["slug"] for one in found] == list(STATEMENTS)
    assert all(one["claim"] and one["source"] and one["expected"] in ("holds", "refuted") for one in found)
    assert SLUG in krope("check", SLUG, "--list", "--json", tmp_path / "l.json").out
    assert [one["slug"] for one in json.loads((tmp_path / "l.json").read_text())] == [SLUG]
    assert asked == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["theorem-one"], "slug must be one of"),
        (["theorem-9"], "did you mean 'theorem-"),
        (["nope"], "got 'nope' (krope check --list shows all)"),
        ([SLUG, "--examples", "0"], "examples must be an integer of at least 1; got 0"),
        ([SLUG, "--seed", "-1"], "seed must be a non-negative integer; got -1"),
        ([SLUG, "--jobs", "0"], "jobs must be an integer of at least 1; got 0"),
        ([SLUG, "--json", "/nowhere/v.json"], "json must lie in an existing folder; got /nowhere/v.json"),
    ],
)
def test_bad_input_gets_one_line(krope, words, message):
    assert message in krope("check", *words).refused


def test_nothing_is_written_when_judging_fails(krope, tmp_path):
    assert krope("check", SLUG, "--examples", "0", "--json", tmp_path / "v.json").refused
    assert os.listdir(tmp_path) == []


def test_verbose_explains_each_statement(krope):
    found = krope("check", "lemma-value-bound", "remark-bad-pairs", "-v", "--examples", "5")
    assert (found.code, found.err) == (0, "")
    assert "fails at (0, 1): 81/10 <= 81/20" in found.out
    assert re.search(r"first false +last-equality", found.out)
    assert found.out.index("remark-bad-pairs  holds") < found.out.index("all as expected")
    assert "fails at" not in krope("check", "lemma-value-bound", "--examples", "5").out


def test_report_and_graph_are_written(krope, asked, tmp_path):
    page, picture = tmp_path / "run.html", tmp_path / "proofs.svg"
    found = krope("check", SLUG, "--report", page, "--graph", picture, "--seed", "4")
    assert found.code == 0
    assert f"wrote {page}\nwrote {picture}\n" in found.out
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert "<dt>seed</dt><dd>4</dd>" in text
    assert picture.read_bytes().startswith(b"<?xml")
    assert sorted(os.listdir(tmp_path)) == ["proofs.svg", "run.html"]


def test_a_surprise_is_reported_too(krope, asked, tmp_path):
    assert krope("check", SLUG, "--report", tmp_path / "run.htm", "--seed", "13").code == 1
    assert "not the expected one" in (tmp_path / "run.htm").read_text(encoding="utf-8")


def test_json_on_stdout_is_alone_there(krope, asked, tmp_path):
    found = krope("check", SLUG, "--json", "-", "-v", "--graph", tmp_path / "g.png")
    assert json.loads(found.out)["statements"][0]["slug"] == SLUG
    assert (tmp_path / "g.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("option", "path", "message"),
    [
        ("--report", "missing/r.html", "report must lie in an existing folder; got missing/r.html"),
        ("--report", "r.pdf", "report must be a file that ends in .html or .htm; got r.pdf"),
        ("--report", "-", "report must be a file that ends in .html or .htm; got -"),
        ("--graph", "missing/g.svg", "graph must lie in an existing folder; got missing/g.svg"),
        ("--graph", "g.pdf", "graph must be a file that ends in .svg or .png; got g.pdf"),
    ],
)
def test_bad_targets_are_refused_before_the_work(krope, asked, tmp_path, monkeypatch, option, path, message):
    monkeypatch.chdir(tmp_path)
    assert krope("check", SLUG, option, path).refused == message
    assert asked == []
    assert os.listdir(tmp_path) == []


def test_a_folder_is_no_report(krope, asked, tmp_path):
    (tmp_path / "r.html").mkdir()
    assert "report must be a file; got the folder" in krope("check", SLUG, "--report", tmp_path / "r.html").refused
    assert asked == []


def test_a_group_is_chosen(krope, asked):
    assert krope("check", "--group", "neighbors").code == 0
    assert asked[0][0] == STATEMENTS.in_group("neighbors")
    assert krope("check", "--group", "paper", "--list").out.count("holds") >= 30
    assert len(asked) == 1


def test_groups_stand_under_their_headings(krope, asked):
    for words in (["check", "--list"], ["check", "--table"]):
        out = krope(*words).out
        places = [
            out.index(text) for text in ("statements of the paper", "theorem-1", "neighboring papers", "n-step-stable")
        ]
        assert places == sorted(places)
    assert "54 statements (paper 40, neighbors 14)" in out
    assert "Neighboring papers: 14 statements: 14 hold" in krope("check").out
    assert "neighboring papers" not in krope("check", "--list", "--group", "neighbors").out


def test_the_list_as_json_names_the_groups(krope):
    found = json.loads(krope("check", "theorem-1", "n-step-stable", "--list", "--json", "-").out)
    assert [one["group"] for one in found] == ["paper", "neighbors"]


def test_a_module_of_ones_own(krope, tmp_path, monkeypatch):
    text = "from dataclasses import replace\nimport proofs_check as pc\n"
    text += f"STATEMENTS = [replace(pc.STATEMENTS[{SLUG!r}], slug='of-a-module', claim='Mine.')]\n"
    (tmp_path / "statements_of_mine.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    fresh = Registry(SUBJECTS)
    for place in ("proofs_check.statements.registry", "krope.check", "krope.check_output"):
        monkeypatch.setattr(f"{place}.STATEMENTS", fresh)
    found = krope("check", "--module", "statements_of_mine", "--examples", "4")
    assert (found.code, found.err) == (0, "")
    assert "of-a-module" in found.out
    assert "1 statement: " in found.out
    both = krope("check", "of-a-module", SLUG, "--module", "statements_of_mine", "--examples", "4")
    assert "2 statements (paper 1, own 1)" in both.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--group", "nobody"], "group must be one of"),
        (["--group", "own"], "group must have statements; got 'own', which has none"),
        (["--group", "paper", SLUG], f"group must not be given with slugs; got paper and {SLUG}"),
        (["--module", "no_such_module_here"], "module no_such_module_here must be importable; got ModuleNotFoundError"),
    ],
)
def test_groups_and_modules_that_are_refused(krope, asked, words, message):
    found = krope("check", *words)
    assert (found.code, asked) == (2, [])
    assert message in found.err
