import pytest

from proofs_check.formal.ledger import digest, read_sources
from proofs_check.formal.sources import dependencies, holes, without_comments
from tabular_krope.errors import KropeError


def test_shipped_sources_have_no_hole():
    sources = read_sources()
    assert len(sources) > 10
    assert holes(sources) == []


@pytest.mark.parametrize(
    ("planted", "word"),
    [
        ("Proof. Admitted.", "Admitted"),
        ("Proof. admit. Qed.", "admit"),
        ("Axiom a : False.", "Axiom"),
        ("Parameter a : False.", "Parameter"),
        ("Conjecture a : False.", "Conjecture"),
        ("Unset Guard Checking.", "Guard Checking"),
        ("#[bypass_check(guard)] Fixpoint f := f.", "bypass_check"),
    ],
)
def test_planted_hole_is_found_with_its_line(planted, word):
    assert holes({"file": f"Lemma b : True.\n(* fine *) {planted}\n"}) == [f"file.v:2: {word}"]


def test_words_in_comments_and_strings_are_no_holes():
    assert holes({"file": '(* Axiom (* Admitted *) Parameter *)\nGoal True. idtac "Admitted". Abort.\n'}) == []


def test_comment_inside_string_does_not_open():
    text = 'idtac "(*". Admitted. idtac "*)".'
    assert "Admitted" in without_comments(text)


def test_unknown_import_and_circle_are_errors():
    with pytest.raises(KropeError, match=r"a\.v must import files of the library; got 'b'"):
        dependencies({"a": "From Krope Require Import b.\n"})
    with pytest.raises(ValueError, match="cycle"):
        dependencies({"a": "From Krope Require Import b.\n", "b": "From Krope Require Import a.\n"})


def test_imports_over_several_lines_are_read():
    assert dependencies({"a": "From Krope Require Import b\n  c.\n", "b": "", "c": ""})["a"] == {"b", "c"}


def test_digest_sees_names_and_moved_text():
    assert digest({"a": "xy", "b": "z"}) != digest({"a": "x", "b": "yz"})
    assert digest({"a": "x"}) != digest({"b": "x"})
