from dataclasses import replace

import numpy as np
import pytest
from flint import nmod

import proofs_check as pc
from proofs_check.arithmetic import prime_field
from proofs_check.arithmetic.prime_field import PRIME, SIZES, Identity, random_point, squared_distance
from proofs_check.search.trials import identity_trial, run
from proofs_check.statements.distance import identities as distance
from proofs_check.statements.printed_lemma import identities as printed_lemma
from proofs_check.statements.registry import STATEMENTS
from proofs_check.statements.relation import Relation
from proofs_check.statements.spectrum import identities as spectrum
from proofs_check.statements.truncation import identities as truncation
from proofs_check.statements.value_bounds import identities as value_bounds


def test_a_step_that_held_before_is_put_before_the_rationals_when_it_fails():
    """Floats break the step on every instance but the first; over the rationals it holds, and that counts."""
    statement = STATEMENTS["theorem-1"]
    seen = []

    def sides(case):
        seen.append(case.exact)
        rounded = not case.exact and len(seen) > 1
        return [Relation(1.0 if rounded else 0.0, "<=", 0.0)]

    step = replace(statement.steps[0], sides=sides)
    _, steps = run(replace(statement, steps=(step,)), 3, 0, exact=False)
    assert seen[0] is False
    assert True in seen
    assert steps[step.name].holds


def test_a_step_that_fails_over_the_rationals_too_is_false():
    statement = STATEMENTS["theorem-1"]
    step = replace(statement.steps[0], sides=lambda case: [Relation(1.0, "<=", 0.0)])
    _, steps = run(replace(statement, steps=(step,)), 2, 0, exact=False)
    assert not steps[step.name].holds


WITH_IDENTITIES = [statement for statement in pc.STATEMENTS.values() if statement.identities]
each = pytest.mark.parametrize("statement", WITH_IDENTITIES, ids=lambda statement: statement.slug)


@each
def test_identities_hold_at_random_points(statement):
    trial = identity_trial(statement, points=5, seed=3)
    assert (trial.failed, trial.level) == (0, "identity")
    assert 0 < trial.error < 1e-60


def test_many_statements_have_identities():
    assert len(WITH_IDENTITIES) >= 27


@each
def test_no_identity_is_empty(statement):
    """The left side at one point is not the right side at another, so an identity says something of each point."""
    for claim in statement.identities:
        points = [random_point(np.random.default_rng(seed), claim.conservative) for seed in (1, 2)]
        assert claim.sides(points[0])[0] != claim.sides(points[1])[1], claim.claim


def test_a_statement_without_identities():
    assert identity_trial(pc.STATEMENTS["theorem-2"]) is None


def wrong(slug, claim, sides, **options):
    return replace(pc.STATEMENTS[slug], identities=(Identity(claim, sides, 1000, **options),))


def as_printed(point):
    """The printed distance identity, without 2/R."""
    left, right = distance._distance(point)
    return left, right + point.apart - point.apart * (nmod(2, PRIME) / point.R)


def unrepaired(point):
    """The last equality of the printed induction."""
    left, right = printed_lemma._repaired(point)
    k = point.K1 + point.push(point.K1) * point.gamma
    pushed = point.push(squared_distance(k))
    return left, right + prime_field.mean_diagonal(pushed) * point.gamma


def without_what_is_lost(point):
    """The slack of a compression, had it nothing to lose."""
    left, right = truncation._slack(point)
    T, g = truncation._projector(point), point.gamma
    lost = T * point.P_pi * (prime_field.unit(point.X) - T) * point.P_pi.transpose() * T
    return left, right - lost * (g * g)


def of_any_rewards(point):
    """The value of any rewards, not of those that the features realize."""
    return prime_field.fit(point)[0] * point.r, spectrum._limit_is_value(point)[1]


@pytest.mark.parametrize(
    "false",
    [
        wrong("truncation-stable", "without what is lost", without_what_is_lost),
        wrong("sharp-spectral", "of any rewards", of_any_rewards),
        wrong("value-bound-rkhs", "for ending chains", value_bounds._means),
        wrong("prop-distance-identity", "as printed", as_printed),
        wrong("lemma-value-bound", "as printed", unrepaired, conservative=True),
        wrong("mico-identity", "for ending chains", distance._mico),
        wrong("cramer-identity", "for ending chains", distance._cramer),
    ],
    ids=lambda statement: statement.slug,
)
def test_a_false_identity_is_caught_and_refutes(false):
    assert identity_trial(false, points=3).failed == 3 * len(SIZES)
    verdict = pc.judge(false, examples=5)
    assert verdict.outcome == "refuted"
    assert verdict.evidence == ("witness" if false.expected == "refuted" else "identity")


def test_points_differ():
    rng = np.random.default_rng(0)
    assert random_point(rng, False).P != random_point(rng, False).P


def test_verdicts_carry_the_bound_on_the_error():
    verdict = pc.check("mico-identity", examples=10)
    assert [trial.error < 1e-40 for trial in verdict.trials if trial.level == "identity"] == [True]


@each
def test_identities_are_tried_at_every_size_and_none_is_vacuous(statement):
    for points in (1, 3):
        trial = identity_trial(statement, points)
        assert (trial.tried, trial.vacuous, trial.failed) == (points * len(SIZES) * len(statement.identities), 0, 0)
        worst = max(identity.degree for identity in statement.identities)
        assert trial.error == pytest.approx((worst / PRIME) ** points)
