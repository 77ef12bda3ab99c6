"""Every statement gets its expected verdict, every control fails, and a changed statement gets another verdict."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import proofs_check as pc
from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.generators import chains
from proofs_check.judging.check import check, check_all, judge
from proofs_check.search.trials import draw, judge_relations
from tests.proofs_check.corrupting import with_quantities
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
NEIGHBORS = [
    "lstd-solvable",
    "n-step-stable",
    "on-policy-projection",
    "relative-td-stable",
    "discounted-td-any-weights",
    "differential-td-unstable",
    "occupancy-couplings",
    "metric-between-models",
    "closed-independent-data",
]
REFUTED_NEIGHBORS = [
    "independent-features-unique",
    "td-implies-fitted",
    "n-step-monotone",
    "closed-data-suffices",
    "independent-rows-suffice",
]
IDENTITIES = ["prop-fixed-point", "state-reduction", "prop-distance-identity", "cramer-identity", "mico-identity"]


def test_every_statement_of_the_theory_is_there():
    assert set(pc.STATEMENTS.in_group("paper")) == {*PAPER, *SHARPER, *REFUTED}
    assert set(pc.STATEMENTS.in_group("neighbors")) == {*NEIGHBORS, *REFUTED_NEIGHBORS}
    refuted = {slug for slug, statement in pc.STATEMENTS.items() if statement.expected == "refuted"}
    assert refuted == {*REFUTED, *REFUTED_NEIGHBORS}


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


@pytest.mark.parametrize("seed", range(1, 10))
def test_other_seeds_give_the_same_verdicts(seed):
    """A third of the statements with each, so that every one is judged with three besides seed 0."""
    verdicts = check_all(list(pc.STATEMENTS)[seed % 3 :: 3], examples=4, seed=seed)
    assert [verdict.slug for verdict in verdicts if not verdict.as_expected] == []
    assert [verdict.slug for verdict in verdicts if verdict.vacuous_share >= 0.2 and verdict.tried > 5] == []


def flipped(statement):
    def sides(case):
        return [
            relation if relation.sign == "==" else replace(relation, lhs=relation.rhs, rhs=relation.lhs)
            for relation in statement.sides(case)
        ]

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
        wrong = with_quantities(case, K=case.K + bump)
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


def test_steps_are_judged_in_their_order():
    verdict = check("lemma-value-bound", examples=20)
    names = [step.name for step in verdict.steps]
    assert names.index("hypothesis") < names.index("last-equality") < names.index("repaired-equality")
    assert [step.name for step in verdict.steps if not step.holds] == ["last-equality"]


def test_rational_instances_are_rational():
    for case in draw(chains(), "any", 5, 0, True):
        assert case.K.dtype == object
        assert case.K[0, 0] == rationals(case.K1)[0, 0] + case.gamma * case.after[0, 0]


def test_a_judgment_without_a_seed_is_that_of_seed_zero():
    statement = pc.STATEMENTS["value-bound-rkhs"]
    plain, zero, one = (judge(statement, 5, **how).trials for how in ({}, {"seed": 0}, {"seed": 1}))
    assert str(plain) == str(zero) != str(one)


@pytest.mark.parametrize(("jobs", "slugs", "used"), [(1, 3, 1), (2, 3, 2), (8, 3, 3), (8, 1, 1)])
def test_no_more_processes_than_statements(monkeypatch, jobs, slugs, used):
    """Each statement once, whatever the number of processes, and told as it is ready."""
    names, asked, told = ["mico-identity", "lemma-k1-psd", "remark-bad-pairs"][:slugs], [], []

    def verdicts(names, examples, seed, exact, many):
        asked.append(many)
        return [SimpleNamespace(slug=name) for name in reversed(dict.fromkeys(names))]

    monkeypatch.setattr("proofs_check.judging.check._verdicts", verdicts)
    found = check_all([*names, names[0]], jobs=jobs, progress=told.append)
    assert asked == [used]
    assert [verdict.slug for verdict in found] == [*names, names[0]]
    assert sorted(verdict.slug for verdict in told) == sorted(names)
    assert [verdict.slug for verdict in check_all(names, jobs=jobs)] == names
