from fractions import Fraction as F
from io import StringIO

import pytest
from rich.console import Console

import proofs_check as pc
from proofs_check.chains.witness import case_from_witness
from proofs_check.show.broken import SIDES, SPECTRA, failure, sides_on
from proofs_check.show.summary import print_summary, refutation_words, sentence
from proofs_check.statements.registry import STATEMENTS
from proofs_check.statements.statement import LONGEST, title_of

REFUTED = [slug for slug in STATEMENTS if STATEMENTS[slug].expected == "refuted"]


def as_expected(statement):
    """The verdict that is expected, without judging."""
    found = {"expected": statement.expected, "first_false_step": statement.false_step, "tightness": 0.97}
    found |= {"expected_false_step": statement.false_step, "witness": next(iter(statement.witnesses), None)}
    return pc.Verdict(statement.slug, "c", statement.expected, "proved", 1234, 5, worst=0.5, **found)


@pytest.fixture(scope="module")
def verdicts():
    return [as_expected(statement) for statement in STATEMENTS.values()]


def printed(verdicts, width=100, **options):
    out = StringIO()
    print_summary(verdicts, Console(width=width, file=out, color_system=None, highlight=False), **options)
    return out.getvalue()


def test_all_of_them_are_one_page(verdicts):
    lines = printed(verdicts).splitlines()
    assert len(lines) <= 70
    assert max(map(len, lines)) <= 100
    assert lines[0] == "40 statements: 34 hold (34 proved), 6 refuted; 49,360 instances; all as expected"
    assert [line.split(" (")[0] for line in lines if line and line[0] != " "][1:4] == [
        "Refuted",
        "Hold, but a printed step is false",
        "Hold",
    ]
    assert any("9 hold (9 proved), 5 refuted" in line for line in lines[-24:])
    assert lines[-1].startswith("Refuted: 6 of 40 and 5 of 14 of the neighbors.")
    for slug in STATEMENTS:
        assert sum(line.split()[:1] == [slug] for line in lines) == 1


def test_headings_name_the_columns_that_are_shown(verdicts):
    wide, narrow = printed(verdicts, 100), printed(verdicts, 80)
    assert "the strongest evidence, instances, tight or not" in wide
    held = [line for line in narrow.splitlines() if line.startswith("Hold (")]
    assert held
    assert ("tight or not" in held[0]) == any(line.endswith("tight") for line in narrow.splitlines())


@pytest.mark.parametrize("width", [100, 80, 60])
def test_which_neighbors_are_refuted_is_seen_at_every_width(verdicts, width):
    lines = printed(verdicts, width).splitlines()
    below = lines[next(i for i, line in enumerate(lines) if line.startswith("Neighboring papers")) :]
    refuted = [one.slug for one in verdicts if STATEMENTS.group(one.slug) == "neighbors" and one.outcome == "refuted"]
    heads = [i for i, line in enumerate(below) if line in (" refuted (5)", " not refuted (9)")]
    part = below[heads[0] : heads[1]] if heads else [line for line in below if " refuted " in f"{line} "]
    assert len(refuted) == 5
    assert all(any(line.split()[:1] == [slug] for line in part) for slug in refuted)
    assert bool(heads) == (width < 100)


@pytest.mark.parametrize("width", [200, 100, 80, 60, 40])
def test_nothing_is_cut_however_narrow(verdicts, width):
    text = printed(verdicts, width)
    assert "\u2026" not in text
    assert max(map(len, text.splitlines())) <= width
    words = " ".join(text.split())
    assert all(title_of(statement) in words for statement in STATEMENTS.values())


def test_a_group_alone_has_the_numbers_too(verdicts):
    text = printed([verdict for verdict in verdicts if STATEMENTS.group(verdict.slug) == "neighbors"])
    assert text.startswith("14 statements: 9 hold (9 proved), 5 refuted;")
    assert "rho(L) = 9/5 > 9/10 = gamma" in text


def test_surprises_come_first_and_say_what_was_expected(verdicts):
    wrong = pc.Verdict("theorem-2", "c", "vacuous", "sampled", 0, 9, worst=0.0, control_fails=False)
    text = printed([verdicts[0], wrong])
    assert text.index("Not as expected (1)") < text.index("Hold (1)")
    assert "vacuous; expected: holds; its negative control does not fail" in text
    assert sentence([wrong]).endswith("0 hold, 0 refuted, 1 vacuous; 0 instances; NOT as expected: theorem-2")


def test_an_interrupted_run_does_not_say_that_all_is_well(verdicts):
    assert "1 statement so far" in printed(verdicts[:1], missing=3)
    assert "as expected" not in printed(verdicts[:1], missing=3)


def test_every_statement_has_a_title_of_its_own():
    titles = [STATEMENTS[slug].title for slug in STATEMENTS.in_group("paper") + STATEMENTS.in_group("neighbors")]
    assert all(titles)
    assert len(set(titles)) == len(titles) == 54
    assert max(map(len, titles)) <= LONGEST


def test_what_is_true_instead_holds():
    instead = {slug: one.true_instead for slug, one in STATEMENTS.items() if one.true_instead}
    assert len(instead) == 8
    assert set(instead) <= set(REFUTED)
    assert {STATEMENTS[slug].expected for slug in instead.values()} == {"holds"}


@pytest.mark.parametrize("slug", REFUTED)
def test_each_refutation_shows_the_numbers_that_fail(slug):
    statement = STATEMENTS[slug]
    words = refutation_words(as_expected(statement), statement)
    if statement.form == "some-fail":
        assert words == "no example among 1,234 instances, and none exists: proved"
        return
    assert " pairs, gamma = " in words
    for witness in statement.witnesses:
        broken = failure(statement, witness)
        assert broken.left
        assert broken.in_line() != broken.sentence()
        assert len([one for one in statement.sides(case_from_witness(witness)) if not one.holds(0.0)]) >= 1


@pytest.mark.parametrize("slug", sorted({*SIDES, *SPECTRA}))
def test_the_words_agree_with_the_statement_on_what_fails(slug):
    statement = STATEMENTS[slug]
    for witness in statement.witnesses:
        holds = all(one.holds(0.0) for one in statement.sides(case_from_witness(witness)))
        assert all(one.holds for one in sides_on(statement, witness)) == holds


def test_the_radius_is_that_of_the_chain():
    statement = STATEMENTS["truncation-unweighted-stable"]
    (witness,) = statement.witnesses
    D = witness["weights"]
    column = [F(row[0]) for row in witness["phi"]]
    ahead = [sum(F(p) * v for p, v in zip(row, column, strict=True)) for row in witness["P_pi"]]
    top = sum(F(w) * u * v for w, u, v in zip(D, column, ahead, strict=True))
    bottom = sum(F(w) * u * u for w, u in zip(D, column, strict=True))
    assert sides_on(statement, witness)[0].value == str(abs(F(witness["gamma"]) * top / bottom))
