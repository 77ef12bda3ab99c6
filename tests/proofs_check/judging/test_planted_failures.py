"""Every kind of evidence can overturn its statement: a failure is planted in each, and verdict and exit code turn."""

import shutil
from dataclasses import replace

import pytest

import proofs_check as pc
from proofs_check.chains.generators import fixed
from proofs_check.chains.witness import case_from_witness
from proofs_check.prove import proof
from proofs_check.statements import registry
from proofs_check.statements.relation import at_most, equal, float_only
from proofs_check.statements.statement import Pressure
from tests.krope.conftest import krope

__all__ = ["krope"]

TRUE = pc.STATEMENTS["mico-identity"]
PRESSED = pc.STATEMENTS["value-bound-rkhs"]
LEMMA = pc.STATEMENTS["lemma-value-bound"]
PLANTED_IN = (TRUE.slug, PRESSED.slug, LEMMA.slug, "remark-bad-pairs")
STEP = TRUE.steps[0]
FALSE_STEP = replace(STEP, sides=lambda case: [equal(case.K, case.K + 1)])
FALSE_IDENTITY = replace(TRUE.identities[0], sides=lambda point: (point.K1, point.P_pi))
GOOD = case_from_witness({"P_pi": [["1"]], "r": ["1"], "gamma": "1/2"})


def breaks_floats(case):
    return [float_only(at_most(2.0, 1.0))] if not case.exact else [at_most(0, 1)]


def beyond(case):
    """Sampled chains have a discount of at most 0.99; the adversary goes further."""
    return [at_most(case.gamma * 10_000, 9901)]


PLANTED = {
    "sampled": (replace(TRUE, sides=breaks_floats, pressure=None, rational=False, identities=()), "refuted"),
    "exact": (replace(TRUE, sides=lambda case: [at_most(int(case.exact), 0)], identities=()), "refuted"),
    "adversarial": (
        replace(
            PRESSED, sides=beyond, pressure=Pressure(beyond), tolerance=lambda case: 1e-12, identities=(), many=None
        ),
        "refuted",
    ),
    "identity": (replace(TRUE, identities=(FALSE_IDENTITY,)), "refuted"),
    "witness": (replace(LEMMA, witnesses=(), instances=fixed(lambda: GOOD), pressure=None), "holds"),
}


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_failure_turns_the_verdict(kind):
    statement, outcome = PLANTED[kind]
    verdict = pc.judge(statement, examples=40, shrink=False)
    assert verdict.outcome == outcome != statement.expected
    assert not verdict.as_expected


def test_a_false_step_is_named_and_is_not_expected():
    verdict = pc.judge(replace(TRUE, steps=(FALSE_STEP, *TRUE.steps[1:])), examples=10)
    assert (verdict.outcome, verdict.first_false_step) == ("holds", STEP.name)
    assert not verdict.as_expected


def test_a_control_that_holds_is_not_expected():
    harmless = replace(TRUE.control, sides=lambda case: [at_most(0, 1)], instances=TRUE.instances)
    verdict = pc.judge(replace(TRUE, control=harmless), examples=10)
    assert (verdict.outcome, verdict.control_fails, verdict.as_expected) == ("holds", False, False)
    assert pc.judge(TRUE, examples=10).control_fails is True


#: What is put in the place of a statement for the command: a failure of each kind, a false step, a control that holds.
CHANGED = {kind: statement for kind, (statement, _) in PLANTED.items()} | {
    "step": replace(TRUE, steps=(FALSE_STEP,)),
    "control": replace(TRUE, control=replace(TRUE.control, sides=lambda case: [at_most(0, 1)])),
}


def leaves_with_code_1(krope, monkeypatch, statement):
    """Put a statement in the place of its namesake and ask the command about it."""
    monkeypatch.setattr(registry.STATEMENTS, "_loaded", {**registry.STATEMENTS._loaded, statement.slug: statement})
    found = krope("check", statement.slug, "--examples", "40", "--jobs", "1")
    return found.code == 1 and f"NOT as expected: {statement.slug}" in found.out


@pytest.mark.parametrize("kind", CHANGED)
def test_the_command_leaves_with_code_1(krope, monkeypatch, kind):
    assert leaves_with_code_1(krope, monkeypatch, CHANGED[kind])


def test_the_command_leaves_with_code_1_where_a_certificate_is_refused(krope, monkeypatch, tmp_path):
    shutil.copytree(str(proof.FOLDER), tmp_path / "certificates")
    path = tmp_path / "certificates" / "remark-bad-pairs.json"
    path.write_text(path.read_text().replace('"times": "1"', '"times": "2"', 1))
    monkeypatch.setattr(proof, "FOLDER", tmp_path / "certificates")
    assert leaves_with_code_1(krope, monkeypatch, pc.STATEMENTS["remark-bad-pairs"])


def test_the_command_leaves_with_code_0_where_nothing_is_planted(krope):
    assert [krope("check", slug, "--examples", "10", "--jobs", "1").code for slug in PLANTED_IN] == [0] * 4
