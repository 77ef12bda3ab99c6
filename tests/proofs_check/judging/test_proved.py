"""A certificate counts as the strongest evidence, and turns the verdict when it is broken; a theorem of Coq is named
while the ledger is that of the sources, and only then.
"""

import json
import shutil
from dataclasses import replace

import pytest

from proofs_check import STATEMENTS
from proofs_check.formal import ledger as ledgers
from proofs_check.formal.audit import Theorem
from proofs_check.formal.ledger import read_sources
from proofs_check.judging import assembling as behind
from proofs_check.judging.assembling import certificate_verdict, with_certificate, with_theorem
from proofs_check.judging.check import check, judge
from proofs_check.judging.verdict import EVIDENCE, Verdict
from proofs_check.prove import proof
from proofs_check.prove.theorems import THEOREMS
from proofs_check.show.table import evidence_words

SLUG = "remark-bad-pairs"
#: Statements whose proof is asked for.
NAMED = (
    "residual-identity",
    "theorem-1",
    "rkhs-contraction",
    "remark-nonexpansive",
    "definition-krope-representation",
    "truncation-stable",
    "feature-space-krope",
    "truncated-lspe-error",
    "value-bound-rkhs",
    "value-bound-independent",
    "mico-identity",
    "cramer-identity",
    "state-reduction",
    "sqrt-d-metric",
    "lemma-contraction",
    "lemma-kernel-embedding",
    "lemma-mmd-zero",
    "prop-distance-identity",
    "remark-deterministic",
    "remark-bad-pairs",
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A copy of the stored certificates, to be damaged."""
    shutil.copytree(str(proof.FOLDER), tmp_path / "certificates")
    monkeypatch.setattr(proof, "FOLDER", tmp_path / "certificates")
    return tmp_path / "certificates"


def test_every_named_statement_is_proved():
    assert set(NAMED) <= set(THEOREMS)
    for slug in THEOREMS:
        assert certificate_verdict(slug).holds
        assert STATEMENTS[slug].expected == "holds"


def test_proved_is_the_strongest_evidence():
    assert EVIDENCE[-1] == "proved"
    verdict = check(SLUG, examples=5)
    assert (verdict.outcome, verdict.evidence, verdict.as_expected) == ("holds", "proved", True)
    assert verdict.certificate.hypotheses
    assert check("lemma-complete", examples=5).certificate is None


def damaged(folder):
    path = folder / f"{SLUG}.json"
    data = json.loads(path.read_text())
    next(s for s in data["parts"][0]["steps"] if "of" in s)["of"][0]["times"] = "2"
    path.write_text(json.dumps(data))


@pytest.mark.parametrize("damage", ["coefficient", "no file", "no JSON", "another statement"])
def test_a_broken_certificate_turns_the_verdict(folder, damage):
    path = folder / f"{SLUG}.json"
    if damage == "coefficient":
        damaged(folder)
    elif damage == "no file":
        path.unlink()
    elif damage == "no JSON":
        path.write_text("{")
    else:
        shutil.copy(folder / "mico-identity.json", path)
    verdict = check(SLUG, examples=5)
    assert (verdict.outcome, verdict.evidence, verdict.as_expected) == ("unproved", "exact", False)
    assert verdict.certificate.problem


def test_a_counterexample_counts_more_than_a_certificate():
    refuted = Verdict(SLUG, "", "refuted", "witness", 1, 0, 1.0)
    found = with_certificate(refuted, STATEMENTS[SLUG])
    assert (found.outcome, found.evidence, found.certificate.holds) == ("refuted", "witness", True)


def test_a_changed_statement_is_not_what_was_proved():
    changed = replace(STATEMENTS[SLUG], claim="Another claim.")
    assert judge(changed, examples=5).certificate is None
    assert judge(changed, examples=5).evidence != "proved"


@pytest.fixture
def coq_folder(tmp_path, monkeypatch):
    """One source and its ledger, in place of those that ship."""
    (tmp_path / "pairs.v").write_text("Lemma remark_bad_pairs : True.\n")
    theorem = Theorem(SLUG, "pairs", "remark_bad_pairs", "True")
    path = tmp_path / "ledger.json"
    ledgers.write_ledger("9.9.9", read_sources(tmp_path), [theorem], path)
    monkeypatch.setattr(behind, "proved", lambda: ledgers.proved(path, tmp_path))
    monkeypatch.setattr(behind, "read_ledger", lambda: ledgers.read_ledger(path))
    behind.theorems.cache_clear()
    yield tmp_path
    behind.theorems.cache_clear()


def test_current_ledger_names_the_theorem(coq_folder):
    verdict = check(SLUG, examples=5)
    assert verdict.formal == "pairs.remark_bad_pairs"
    assert evidence_words(verdict).endswith("\nproved (Coq)")


def test_changed_source_voids_it(coq_folder):
    (coq_folder / "pairs.v").write_text("Lemma remark_bad_pairs : True. (* changed *)\n")
    verdict = check(SLUG, examples=5)
    assert verdict.formal is None
    assert "Coq" not in evidence_words(verdict)


def test_missing_ledger_voids_it(coq_folder):
    (coq_folder / "ledger.json").unlink()
    assert check(SLUG, examples=5).formal is None


def test_changed_statement_is_not_what_was_proved(coq_folder):
    assert judge(replace(STATEMENTS[SLUG], claim="another"), examples=5).formal is None


@pytest.mark.parametrize("outcome", ["refuted", "vacuous", "unproved"])
def test_unexpected_verdict_has_no_theorem(coq_folder, outcome):
    verdict = Verdict(SLUG, "c", outcome, "exact", tried=1, vacuous=0, worst=0.0)
    assert with_theorem(verdict, STATEMENTS[SLUG]).formal is None
