import json
import os

import pytest

import proofs_check
from proofs_check import STATEMENTS, Verdict

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

    monkeypatch.setattr(proofs_check, "check_all", stand_in)
    return calls


def test_a_statement_is_judged(krope):
    found = krope("check", SLUG, "--examples", "5")
    assert (found.code, found.err) == (0, "")
    assert SLUG in found.out
    assert "every verdict as expected" in found.out
    assert "\x1b" not in found.out


def test_every_statement_is_the_default(krope, asked):
    assert krope("check").code == 0
    assert asked == [(list(STATEMENTS), 200, 0, False, 1)]


def test_every_option_is_passed_on_and_a_slug_is_judged_once(krope, asked):
    krope("check", SLUG, "theorem-1", SLUG, "--examples", 7, "--seed", 3, "--exact", "--jobs", 2)
    assert asked == [([SLUG, "theorem-1"], 7, 3, True, 2)]


def test_an_unexpected_verdict_is_exit_code_one(krope, asked):
    found = krope("check", SLUG, "--seed", "13")
    assert found.code == 1
    assert "not as expected" in found.out
    assert found.err == ""


def test_json(krope, asked, tmp_path):
    found = krope("check", SLUG, "--json", tmp_path / "v.json", "--seed", "4")
    assert SLUG in found.out
    written = json.loads((tmp_path / "v.json").read_text())
    assert written["statements"][0]["slug"] == SLUG
    assert written["settings"] == {"examples": 200, "seed": 4, "exact": False}
    assert json.loads(krope("check", SLUG, "--json", "-", "--seed", "4").out) == written


def test_the_list_judges_nothing(krope, asked):
    found = krope("check", "--list")
    assert found.code == 0
    assert all(slug in found.out for slug in STATEMENTS)
    assert asked == []
    assert "theorem-1" not in krope("check", SLUG, "--list").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["theorem-one"], "slug must be one of"),
        (["theorem-9"], "did you mean 'theorem-"),
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
