import pytest

import proofs_check as pc
from proofs_check.arithmetic import prime_field as identity
from proofs_check.arithmetic.prime_field import PRIME, Identity, check_identities, random_point
from proofs_check.statements import identities, lspe_identities


@pytest.mark.parametrize("slug", identities.IDENTITIES)
def test_identities_hold_at_random_points(slug):
    trial = check_identities(slug, points=5, seed=3)
    assert (trial.failed, trial.level) == (0, "identity")
    assert 0 < trial.error < 1e-60


def test_identities_belong_to_statements():
    assert set(identities.IDENTITIES) <= set(pc.STATEMENTS)


@pytest.mark.parametrize("slug", identities.IDENTITIES)
def test_no_identity_is_empty(slug):
    """The left side at one point is not the right side at another, so an identity says something of each point."""
    for claim in identities.IDENTITIES[slug]:
        points = [random_point(identity.np.random.default_rng(seed), claim.conservative) for seed in (1, 2)]
        assert claim.sides(points[0])[0] != claim.sides(points[1])[1], claim.claim


def test_a_statement_without_identities():
    assert check_identities("theorem-2") is None


def wrong(slug, claim, sides, **options):
    return {slug: (Identity(claim, sides, 1000, **options),)}


def as_printed(point):
    """The printed distance identity, without 2/R."""
    left, right = identities._distance(point)
    return left, right + point.apart - point.apart * (identities.nmod(2, PRIME) / point.R)


def unrepaired(point):
    """The last equality of the printed induction."""
    left, right = identities._repaired(point)
    k = point.K1 + point.push(point.K1) * point.gamma
    pushed = point.push(identity.squared_distance(k))
    return left, right + identities._mean_diagonal(pushed) * point.gamma


def without_what_is_lost(point):
    """The slack of a compression, had it nothing to lose."""
    left, right = lspe_identities._slack(point)
    T, g = lspe_identities._projector(point), point.gamma
    lost = T * point.P_pi * (lspe_identities.unit(identity.X) - T) * point.P_pi.transpose() * T
    return left, right - lost * (g * g)


def of_any_rewards(point):
    """The value of any rewards, not of those that the features realize."""
    return lspe_identities.fit(point)[0] * point.r, lspe_identities._limit_is_value(point)[1]


@pytest.mark.parametrize(
    "false",
    [
        wrong("truncation-stable", "without what is lost", without_what_is_lost),
        wrong("sharp-spectral", "of any rewards", of_any_rewards),
        wrong("value-bound-rkhs", "for ending chains", identities._means),
        wrong("prop-distance-identity", "as printed", as_printed),
        wrong("lemma-value-bound", "as printed", unrepaired, conservative=True),
        wrong("mico-identity", "for ending chains", identities._mico),
        wrong("cramer-identity", "for ending chains", identities._cramer),
    ],
    ids=lambda entry: next(iter(entry)),
)
def test_a_false_identity_is_caught(false, monkeypatch):
    monkeypatch.setattr(identities, "IDENTITIES", false)
    slug = next(iter(false))
    assert check_identities(slug, points=3).failed == 3


def test_points_differ():
    rng = identity.np.random.default_rng(0)
    assert random_point(rng, False).P != random_point(rng, False).P


def test_verdicts_carry_the_bound_on_the_error():
    verdict = pc.check("mico-identity", examples=10)
    assert [trial.error < 1e-40 for trial in verdict.trials if trial.level == "identity"] == [True]
