"""The page of the formal statements is that of the ledger, and says of each what its words mean."""

from pathlib import Path

import pytest

from proofs_check.formal.catalog import RULES
from proofs_check.formal.definitions import all_words_used, read_definitions, words_used
from proofs_check.formal.ledger import read_ledger, read_sources
from proofs_check.formal.meanings import MEANINGS, meaning
from proofs_check.formal.page import NOT_FORMALIZED, RULE_CLAIMS, formal_page
from proofs_check.formal.printed import PRINTED
from proofs_check.statements.registry import STATEMENTS

PAGE = Path(__file__).parents[3] / "docs" / "formal.md"


@pytest.fixture(scope="module")
def page():
    return formal_page(read_ledger(), read_sources())


def test_page_is_up_to_date(page):
    assert PAGE.read_text() == page, "run python -m proofs_check.formal.page"


def test_every_statement_is_there_with_claim_formula_and_theorem(page):
    theorems = read_ledger().theorems
    for slug in STATEMENTS.in_group("paper"):
        statement = STATEMENTS[slug]
        if slug in theorems:
            section = page.split(f"\n## {slug}\n")[1].split("\n## ")[0]
            assert statement.claim in section
            assert (slug in PRINTED) == ("*Printed.*" in section) == statement.source.startswith("paper")
            assert statement.formula in section
            assert theorems[slug].statement.splitlines()[0] in section
        else:
            assert f"- `{slug}`: {NOT_FORMALIZED[slug]}" in page


def test_every_rule_is_explained():
    assert set(RULE_CLAIMS) == set(RULES)


def test_every_word_of_a_theorem_has_its_definition_on_the_page(page):
    known = read_definitions(read_sources())
    for theorem in read_ledger().theorems.values():
        for word in words_used(theorem.statement, known):
            assert f"\n### {word}\n" in page
            assert meaning(known[word]), f"{word} of {theorem.slug} has no meaning"


def test_meanings_are_of_words_that_are_used():
    known = read_definitions(read_sources())
    used = {word for theorem in read_ledger().theorems.values() for word in words_used(theorem.statement, known)}
    assert set(MEANINGS) <= used


def test_definition_with_comment_over_two_lines_and_without():
    known = read_definitions({"a": "(* one\n   two *)\nDefinition f := 1.\nDefinition g :=\n  f.\n"})
    assert (known["f"].meaning, known["g"].meaning) == ("one two", "")
    assert known["g"].text == "Definition g :=\n  f."
    assert all_words_used(["g = 1"], known) == ["f", "g"]
