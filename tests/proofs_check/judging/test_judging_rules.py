"""What counts as a refutation, as vacuous and as bad input; how many instances are tried, and in which processes."""

import contextlib

import numpy as np
import pytest

import proofs_check as pc
from proofs_check.chains.generators import chains
from proofs_check.chains.witness import case_from_witness
from proofs_check.judging import check as judging
from proofs_check.judging.check import check, check_all, judge
from proofs_check.statements.relation import at_most, below, equal
from proofs_check.statements.statement import Control, Statement, Step
from tabular_krope.errors import KropeError


def false_statement(**changes):
    """'Values are at most 1', false on most chains."""
    parts = {
        "slug": "small-values",
        "claim": "Values are at most 1.",
        "formula": "q <= 1",
        "source": "here",
        "instances": chains(),
        "sides": lambda case: [at_most(case.q, 1)],
        "control": Control("values at most 0", sides=lambda case: [at_most(case.q, 0)]),
        "expected": "refuted",
        "steps": (
            Step("sure", "1 = 1", lambda case: [equal(1, 1)]),
            Step("so", "q <= 1", lambda case: [at_most(case.q, 1)]),
        ),
        "false_step": "so",
    }
    return Statement(**{**parts, **changes})


def test_a_false_statement_is_refuted_by_an_exact_instance_that_was_found():
    verdict = judge(false_statement(), examples=30)
    assert (verdict.outcome, verdict.evidence, verdict.first_false_step) == ("refuted", "witness", "so")
    assert max(case_from_witness(verdict.witness).q) > 1
    assert verdict.as_expected


def test_a_float_failure_is_put_before_the_rationals():
    def rounded(case):
        return [equal(case.q if case.exact else case.q * (1 + 1e-6), case.q)]

    verdict = judge(false_statement(sides=rounded, steps=()), examples=20)
    assert verdict.outcome == "holds"
    assert verdict.trials[0].failed > 0


def test_without_rationals_a_float_failure_counts():
    verdict = judge(false_statement(rational=False), examples=30)
    assert (verdict.outcome, verdict.evidence, verdict.witness) == ("refuted", "sampled", None)


def test_a_premise_never_met_is_vacuous_not_a_pass():
    verdict = judge(false_statement(premise=lambda case: False), examples=20)
    assert (verdict.outcome, verdict.tried, verdict.vacuous) == ("vacuous", 0, 22)


def test_a_nan_is_a_failure():
    verdict = judge(false_statement(rational=False, sides=lambda case: [at_most(float("nan"), 0)]), examples=5)
    assert verdict.outcome == "refuted"
    assert np.isnan(verdict.worst)


def test_an_existential_claim_without_a_witness_is_vacuous():
    verdict = judge(false_statement(form="some", sides=lambda case: [below(1, 0)]), examples=20)
    assert (verdict.outcome, verdict.witness) == ("vacuous", None)


def test_a_claim_of_failure_holds_when_an_instance_fails():
    assert judge(false_statement(form="some-fail"), examples=30).outcome == "holds"


def test_a_witness_that_is_none_is_not_believed():
    harmless = {"P_pi": [["1"]], "r": ["0"], "gamma": "1/2"}
    verdict = judge(false_statement(witnesses=(harmless,)), examples=30)
    assert verdict.witness != harmless


def test_exact_tries_as_many_rationals_as_floats():
    verdict = check("mico-identity", examples=12, exact=True)
    counts = {trial.level: trial.tried + trial.vacuous for trial in verdict.trials}
    assert (counts["sampled"], counts["exact"]) == (12, 12)


def test_the_same_seed_gives_the_same_verdict_in_two_processes():
    slugs = ["mico-identity", "remark-bad-pairs"]
    seen = []
    verdicts = check_all(slugs, examples=10, jobs=2, progress=lambda verdict: seen.append(verdict.slug))
    assert repr(verdicts) == repr(check_all(slugs, examples=10))
    assert sorted(seen) == sorted(slugs)


def test_as_many_processes_as_processors_unless_told(monkeypatch):
    asked = []
    monkeypatch.setattr(judging, "available_processors", lambda: 3)
    monkeypatch.setattr(judging, "_verdicts", lambda names, *settings: asked.append(settings[-1]) or [])
    for slugs in ([], ["mico-identity"], ["mico-identity", "remark-bad-pairs"]):
        with contextlib.suppress(KeyError):
            check_all(slugs, examples=1, jobs=None)
    assert asked == [0, 1, 2]
    assert check_all([]) == []


def test_a_statement_asked_for_twice_is_judged_once():
    seen = []
    verdicts = check_all(["remark-bad-pairs"] * 2, examples=3, progress=lambda verdict: seen.append(verdict.slug))
    assert len(verdicts) == 2
    assert seen == ["remark-bad-pairs"]


def test_a_failure_about_states_is_a_refutation_without_a_witness():
    about_states = false_statement(sides=lambda case: [at_most(len(case.r), len(case.Pi))], steps=())
    verdict = judge(about_states, examples=30)
    assert (verdict.outcome, verdict.evidence, verdict.witness) == ("refuted", "exact", None)


def test_a_control_that_holds_is_reported():
    assert not pc.control_fails(false_statement(control=Control("nothing", sides=lambda case: [at_most(0, 1)])), 5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: check("theorem-3"),
            r"slug must be one of \d+ names \(did you mean 'theorem-[12]'\?\): .*; got 'theorem-3'",
        ),
        (lambda: check_all(["theorem-3"]), r"got 'theorem-3'"),
        (lambda: check("theorem-1", examples=0), r"examples must be an integer of at least 1; got 0"),
        (lambda: check("theorem-1", seed=-1), r"seed must be a non-negative integer; got -1"),
        (lambda: check_all(["theorem-1"], jobs=0), r"jobs must be an integer of at least 1; got 0"),
    ],
)
def test_bad_settings_are_refused(call, message):
    with pytest.raises(KropeError, match=message):
        call()
