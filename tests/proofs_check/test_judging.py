"""Every statement gets its expected verdict, every control fails, and a changed statement gets another verdict."""

import contextlib
from dataclasses import replace

import numpy as np
import pytest

import proofs_check as pc
from proofs_check import judging
from proofs_check.field import rationals
from proofs_check.instances import chains
from proofs_check.judging import check, check_all, judge
from proofs_check.relation import at_most, below, equal
from proofs_check.statement import Control, Statement, Step
from proofs_check.trials import draw, judge_relations
from proofs_check.witness import case_from_witness
from tabular_krope.errors import KropeError
from tests.proofs_check.perturbing import FALSE

PAPER = [
    "lemma-contraction",
    "lemma-complete",
    "prop-fixed-point",
    "lemma-k1-psd",
    "prop-min-kernel-pd",
    "lemma-mmd-zero",
    "lemma-kernel-embedding",
    "prop-distance-identity",
    "lemma-value-bound",
    "remark-deterministic",
    "remark-self-similarity",
    "prop-lspe-stability",
    "definition-krope-representation",
    "theorem-1",
    "remark-nonexpansive",
    "prop-bisimulation-complete",
    "theorem-2",
    "theorem-ferns",
    "theorem-castro",
    "remark-realizable-not-enough",
    "remark-singular-covariance",
    "remark-bad-pairs",
]
SHARPER = [
    "sharp-spectral",
    "rkhs-contraction",
    "truncation-stable",
    "residual-identity",
    "value-bound-rkhs",
    "k1-pd-distinct",
    "cramer-identity",
    "mico-identity",
    "value-bound-independent",
    "linear-completeness",
    "state-reduction",
    "sqrt-d-metric",
    "feature-space-krope",
    "truncated-lspe-error",
]
REFUTED = [
    "lemma-value-bound",
    "d-pseudometric",
    "theorem-2-without-injectivity",
    "truncation-unweighted-stable",
    "figure-2-instability",
    "remark-singular-covariance",
]
IDENTITIES = ["prop-fixed-point", "state-reduction", "prop-distance-identity", "cramer-identity", "mico-identity"]


def test_every_statement_of_the_theory_is_there():
    assert set(pc.STATEMENTS) == {*PAPER, *SHARPER, *REFUTED}
    assert {slug for slug, statement in pc.STATEMENTS.items() if statement.expected == "refuted"} == set(REFUTED)


@pytest.mark.parametrize("slug", pc.STATEMENTS)
def test_the_verdict_is_the_expected_one(slug):
    verdict = check(slug, examples=30, seed=11)
    assert verdict.outcome == pc.STATEMENTS[slug].expected
    assert verdict.first_false_step == pc.STATEMENTS[slug].false_step
    assert verdict.tried >= 5
    for trial in verdict.trials:
        assert trial.tried > 0
        assert trial.vacuous <= 0.2 * (trial.tried + trial.vacuous)
    assert len(verdict.steps) == len(pc.STATEMENTS[slug].steps) >= 1
    assert [step.name for step in verdict.steps if not step.tried] == []
    assert [step.name for step in verdict.steps if not step.holds] == FALSE.get(slug, [])
    if verdict.outcome == "holds" and verdict.evidence != "witness":
        assert verdict.worst <= 1
        assert not any(trial.failed for trial in verdict.trials)


@pytest.mark.parametrize("slug", pc.STATEMENTS)
def test_the_control_fails(slug):
    assert pc.control_fails(pc.STATEMENTS[slug], examples=100)


@pytest.mark.parametrize("slug", pc.STATEMENTS)
def test_statements_are_complete(slug):
    statement = pc.STATEMENTS[slug]
    assert statement.claim.endswith(".")
    assert statement.source
    assert statement.formula
    assert set(statement.uses) <= set(pc.STATEMENTS)
    assert statement.false_step is None or statement.false_step in {step.name for step in statement.steps}
    assert len({step.name for step in statement.steps}) == len(statement.steps)


@pytest.mark.parametrize("seed", range(10))
def test_other_seeds_give_the_same_verdicts(seed):
    verdicts = check_all(examples=4, seed=seed)
    assert [verdict.slug for verdict in verdicts if not verdict.as_expected] == []
    assert [verdict.slug for verdict in verdicts if verdict.vacuous_share >= 0.2 and verdict.tried > 5] == []


def flipped(statement):
    def sides(case):
        return [relation if relation.sign == "==" else relation.flipped() for relation in statement.sides(case)]

    return replace(statement, sides=sides, steps=(), witnesses=())


def has_inequality(statement):
    cases = draw(statement.instances, statement.slug, 3, 0, False)
    return any(relation.sign != "==" for case in cases for relation in statement.sides(case))


INEQUALITIES = [s for s in pc.STATEMENTS.values() if s.form == "all" and s.expected == "holds" and has_inequality(s)]


@pytest.mark.parametrize("statement", INEQUALITIES, ids=lambda statement: statement.slug)
def test_a_flipped_inequality_is_refuted(statement):
    assert judge(flipped(statement), examples=20, shrink=False).outcome == "refuted"


@pytest.mark.parametrize("slug", IDENTITIES)
def test_a_perturbed_kernel_breaks_an_identity(slug):
    statement = pc.STATEMENTS[slug]
    for case in draw(statement.instances, slug, 20, 0, False):
        bump = np.zeros_like(case.K)
        bump[0, 0] = 1e-6
        wrong = case.with_quantities(K=case.K + bump)
        assert judge_relations(list(statement.sides(case)), statement.tolerance(case))[1]
        assert not judge_relations(list(statement.sides(wrong)), statement.tolerance(case))[1]


@pytest.mark.parametrize("slug", ["value-bound-rkhs", "value-bound-independent", "sqrt-d-metric", "lemma-contraction"])
def test_an_inequality_breaks_beyond_its_slack(slug):
    statement = pc.STATEMENTS[slug]
    for case in draw(statement.instances, slug, 10, 0, False):
        relation = statement.sides(case)[0]
        slack, tolerance = -relation.gap(), statement.tolerance(case) * relation.scale
        assert slack >= -tolerance
        assert not replace(relation, rhs=relation.rhs - slack - 3 * tolerance).holds(statement.tolerance(case))


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


def test_steps_are_judged_in_their_order():
    verdict = check("lemma-value-bound", examples=20)
    names = [step.name for step in verdict.steps]
    assert names.index("hypothesis") < names.index("last-equality") < names.index("repaired-equality")
    assert [step.name for step in verdict.steps if not step.holds] == ["last-equality"]


def test_rational_instances_are_rational():
    for case in draw(chains(), "any", 5, 0, True):
        assert case.K.dtype == object
        assert case.K[0, 0] == rationals(case.K1)[0, 0] + case.gamma * case.after[0, 0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: check("theorem-3"), r"slug must be one of .*; got 'theorem-3' \(did you mean 'theorem-[12]'\?\)"),
        (lambda: check_all(["theorem-3"]), r"got 'theorem-3'"),
        (lambda: check("theorem-1", examples=0), r"examples must be an integer of at least 1; got 0"),
        (lambda: check("theorem-1", seed=-1), r"seed must be a non-negative integer; got -1"),
        (lambda: check_all(["theorem-1"], jobs=0), r"jobs must be an integer of at least 1; got 0"),
    ],
)
def test_bad_settings_are_refused(call, message):
    with pytest.raises(KropeError, match=message):
        call()
