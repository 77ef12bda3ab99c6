"""A verdict names its theorem while the ledger is that of the sources, and only then."""

from dataclasses import replace

import pytest

from proofs_check import STATEMENTS
from proofs_check.formal import ledger as ledgers
from proofs_check.formal.audit import Theorem
from proofs_check.formal.sources import read_sources
from proofs_check.judging import formal_proof
from proofs_check.judging.check import check, judge
from proofs_check.judging.formal_proof import with_theorem
from proofs_check.judging.verdict import Verdict
from proofs_check.show.table import evidence_words

SLUG = "remark-bad-pairs"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """One source and its ledger, in place of those that ship."""
    (tmp_path / "pairs.v").write_text("Lemma remark_bad_pairs : True.\n")
    theorem = Theorem(SLUG, "pairs", "remark_bad_pairs", "True")
    path = tmp_path / "ledger.json"
    ledgers.write_ledger("9.9.9", read_sources(tmp_path), [theorem], path)
    monkeypatch.setattr(formal_proof, "proved", lambda: ledgers.proved(path, tmp_path))
    monkeypatch.setattr(formal_proof, "read_ledger", lambda: ledgers.read_ledger(path))
    formal_proof.theorems.cache_clear()
    yield tmp_path
    formal_proof.theorems.cache_clear()


def test_current_ledger_names_the_theorem(folder):
    verdict = check(SLUG, examples=5)
    assert verdict.formal == "pairs.remark_bad_pairs"
    assert evidence_words(verdict).endswith("\nproved (Coq)")


def test_changed_source_voids_it(folder):
    (folder / "pairs.v").write_text("Lemma remark_bad_pairs : True. (* changed *)\n")
    verdict = check(SLUG, examples=5)
    assert verdict.formal is None
    assert "Coq" not in evidence_words(verdict)


def test_missing_ledger_voids_it(folder):
    (folder / "ledger.json").unlink()
    assert check(SLUG, examples=5).formal is None


def test_changed_statement_is_not_what_was_proved(folder):
    assert judge(replace(STATEMENTS[SLUG], claim="another"), examples=5).formal is None


@pytest.mark.parametrize("outcome", ["refuted", "vacuous", "unproved"])
def test_unexpected_verdict_has_no_theorem(folder, outcome):
    verdict = Verdict(SLUG, "c", outcome, "exact", tried=1, vacuous=0, worst=0.0)
    assert with_theorem(verdict, STATEMENTS[SLUG]).formal is None
