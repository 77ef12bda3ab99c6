"""A certificate counts as the strongest evidence, and turns the verdict when it is broken."""

import json
import shutil
from dataclasses import replace

import pytest

from proofs_check import STATEMENTS, check
from proofs_check.judging.check import judge
from proofs_check.judging.proved import certificate_verdict, with_certificate
from proofs_check.judging.verdict import EVIDENCE, Verdict
from proofs_check.prove import proof
from proofs_check.prove.theorems import THEOREMS

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
