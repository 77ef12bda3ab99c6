import io
from dataclasses import replace

import pytest
from rich.console import Console

from proofs_check.judging.check import check
from proofs_check.judging.verdict import BestConstant, StepVerdict, Trial
from proofs_check.show.evidence_numbers import number, worst
from proofs_check.show.explain import draw_transitions, explain, settled_by, witness_title
from proofs_check.show.witness_rows import view_witness
from proofs_check.statements.registry import STATEMENTS

VERDICTS = {slug: check(slug, examples=5) for slug in ("lemma-value-bound", "theorem-1", "remark-self-similarity")}


def told(verdict, statement=None, width=140, colors=False):
    console = Console(
        file=io.StringIO(), width=width, force_terminal=colors, color_system="standard" if colors else None
    )
    explain(verdict, statement or STATEMENTS[verdict.slug], console)
    return console.file.getvalue()


def line_with(text, words):
    found = [line for line in text.splitlines() if words in line]
    assert len(found) == 1, found
    return " ".join(found[0].split())


def test_a_refuted_statement():
    text = told(VERDICTS["lemma-value-bound"])
    assert text.splitlines()[0] == "lemma-value-bound  refuted (witness)"
    assert line_with(text, "formula ").startswith("formula |q(x) - q(y)| ≤ d(x,y) + 1/2 ∑_n γⁿ")
    assert line_with(text, "assumes ") == f"assumes {STATEMENTS['lemma-value-bound'].assumes}"
    assert line_with(text, "source ") == f"source {STATEMENTS['lemma-value-bound'].source}"
    assert line_with(text, "|dr| + gamma E d_m(X',Y') =").startswith("first false last-equality")
    assert line_with(text, "q_{m+1} = r + gamma P q_m").startswith("holds bellman")
    assert "The witness, gamma = 9/10" in text
    assert line_with(text, "sampled ").split()[5] == "tol"
    assert line_with(text, "exact ").split()[:4] == ["exact", "1", "0", "0"]
    assert "No random rational instance breaks it (1 tried); the witness below is a rational chain that does" in text
    assert "worst, here and in the proof: the largest violation. For floats it is in units of the rounding" in text
    assert "0 [r = 0]   --3/4--> 2  --1/4--> 3" in text
    assert "fails at (0, 1): 81/10 <= 81/20" in text


def test_a_statement_that_holds_has_no_witness():
    text = told(VERDICTS["theorem-1"])
    assert text.startswith("theorem-1  holds (proved)")
    assert line_with(text, "the eigenvalues of L L'").startswith("first false printed-eigenvalues")
    assert text.count("first false") == 2  # in the table of facts and in the proof
    assert "The witness" not in text
    assert "No random rational instance" not in text
    assert "expected" not in text
    assert line_with(text, "sampled").split()[:4] == ["sampled", "55", "0", "0"]


def test_an_existential_statement_marks_its_pair():
    text = told(VERDICTS["remark-self-similarity"])
    assert line_with(text, "evidence ").split()[3:5] == ["not", "examples"]
    assert line_with(text, "exact ").endswith("- -")
    assert "1 *" in text
    assert "pair = (1, 2)" in text
    assert "holds: 53/8 < 31/4" in text


def test_an_unexpected_verdict_says_what_was_expected():
    surprise = replace(VERDICTS["theorem-1"], expected="refuted", expected_false_step="norm")
    assert told(surprise).startswith("theorem-1  holds (proved)  expected: refuted, first false step norm")
    plain = replace(VERDICTS["theorem-1"], expected="refuted", expected_false_step=None)
    assert told(plain).splitlines()[0].endswith("expected: refuted")


def test_steps_that_fail_later_and_steps_not_tried():
    steps = tuple(
        StepVerdict(name, f"claim {name}", name == "a", 1.0, tried)
        for name, tried in zip("abc", (0, 3, 3), strict=True)
    )
    text = told(replace(VERDICTS["theorem-1"], steps=steps, first_false_step="b"))
    assert line_with(text, "claim a").startswith("not tried a")
    assert line_with(text, "claim b").startswith("first false b")
    assert line_with(text, "claim c").startswith("false c")


def test_a_chance_of_error_is_shown_where_there_is_one():
    trials = (Trial("sampled", 5, 0, 0, 0.5), Trial("identity", 9, 0, 0, 0.0, error=2.5e-17))
    assert "chance of error" not in told(replace(VERDICTS["theorem-1"], trials=trials[:1]))
    text = told(replace(VERDICTS["theorem-1"], trials=trials))
    assert line_with(text, "evidence ").endswith("chance of error")
    assert line_with(text, "identity ").endswith("< 2.5e-17")


def test_no_proof_no_table_of_steps():
    assert "step by step" not in told(replace(VERDICTS["theorem-1"], steps=()))


def test_brackets_in_a_claim_are_not_markup():
    statement = replace(STATEMENTS["theorem-1"], claim="[bold]E[d_m][/bold] [/]")
    assert "[bold]E[d_m][/bold] [/]" in told(VERDICTS["theorem-1"], statement)


def test_colors_only_for_a_terminal():
    assert "\x1b[" in told(VERDICTS["lemma-value-bound"], colors=True)
    assert "\x1b[" not in told(VERDICTS["lemma-value-bound"])


def test_lines_do_not_end_in_spaces_wider_than_the_text():
    assert max(len(line) for line in told(VERDICTS["theorem-1"], width=300).splitlines()) < 300


def test_transitions_in_plain_text():
    witness = {"P_pi": [["0", "1/2"], ["0", "1"]], "end": ["1/2", "0"], "r": ["-1/2", "0"], "gamma": "1/2"}
    assert draw_transitions(view_witness(witness)) == [
        "0 [r = -1/2]  --1/2--> 1  --1/2--> end",
        "1 [r = 0]     --1--> 1 (itself)",
    ]


@pytest.mark.parametrize("slug", [slug for slug, statement in STATEMENTS.items() if statement.witnesses])
def test_every_stored_witness_can_be_explained(slug):
    verdict = replace(VERDICTS["theorem-1"], slug=slug, witness=STATEMENTS[slug].witnesses[0])
    assert settled_by(STATEMENTS[slug], verdict.witness)
    assert witness_title(STATEMENTS[slug]) in told(verdict, width=80)


def test_an_instance_beside_a_refuted_existence_is_not_said_to_break_anything():
    verdict = check("figure-2-instability", examples=20)
    text = " ".join(told(verdict).split())
    assert "They fail on no instance tried, nor on the one below, without rounding." in text
    assert "An instance on which nothing fails, gamma = 9/10" in text
    assert "The witness" not in text
    assert "that does, without rounding" not in text


def test_what_a_step_is_about_and_the_sizes_of_identities_are_shown():
    text = " ".join(told(check("sqrt-d-metric", examples=10)).split())
    assert "about: an algebra step is true of any numbers, an example step is about one stored chain" in text
    assert "identity: equations of the proof at random points with 3, 4 or 5 pairs, 2 or 3 states" in text


def test_relations_that_balls_cannot_decide_are_counted():
    verdict = check("truncation-stable", examples=30)
    exact = next(trial for trial in verdict.trials if trial.level == "exact")
    assert exact.undecided > 0
    assert f"exact: {exact.undecided} relations were too close for balls to decide" in " ".join(told(verdict).split())


def test_numbers():
    assert (number(float("nan")), number(float("-inf")), number(1 / 3)) == ("-", "-", "0.333")
    assert (worst(-1e8), worst(float("nan")), worst(2.0)) == ("slack", "nan", "2")


def test_a_smaller_witness_is_shown_beside_the_stored_one():
    text = told(VERDICTS["lemma-value-bound"])
    stored, small = (
        text.index("The witness, gamma = 9/10"),
        text.index("A smaller one, found by shrinking, gamma = 9/10"),
    )
    assert "fails at (0, 1): 81/10 <= 81/20" in text[stored:small]
    assert "fails at (0, 1): 40/11 <= 1190/341" in text[small:]


def test_the_best_constant_and_the_vacuous_share_are_told():
    best = BestConstant("c in a <= c b", proven=2.0, found=1.75)
    text = told(replace(VERDICTS["theorem-1"], constant=best, tried=30, vacuous=10))
    assert "c in a <= c b: 2 proven, at least 1.75 by the adversary" in " ".join(text.split())
    assert "10 of 40 instances (25.0%)" in text


def test_a_narrow_terminal_leaves_the_room_to_the_claims():
    verdict = VERDICTS["lemma-value-bound"]
    for width, beside in ((80, False), (100, True)):
        told_steps = told(verdict, width=width).partition("step by step")[2].partition("The witness")[0]
        assert all(step.name in told_steps for step in verdict.steps)
        assert ("tried" in told_steps) == beside
        assert max(len(line.rstrip()) for line in told_steps.splitlines()) <= width


@pytest.mark.parametrize("width", [80, 100])
def test_columns_are_explained_where_they_are_shown(width):
    out = io.StringIO()
    slug = "lemma-value-bound"
    explain(VERDICTS[slug], STATEMENTS[slug], Console(width=width, file=out, color_system=None))
    text = out.getvalue()
    wide = width >= 100
    heading = next(line for line in text.splitlines() if line.split()[:2] == ["step", "claim"])
    assert ("about" in heading.split()) == wide
    assert ("about: an algebra step" in text) == wide
    assert ("worst, here and in the proof:" in text) == wide
    assert ("worst: the largest violation" in text) != wide
