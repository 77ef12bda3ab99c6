import pytest

import proofs_check as pc
from proofs_check import identities, identity
from proofs_check.identity import PRIME, Identity, check_identities, random_point


@pytest.mark.parametrize("slug", identities.IDENTITIES)
def test_identities_hold_at_random_points(slug):
    trial = check_identities(slug, points=5, seed=3)
    assert (trial.failed, trial.level) == (0, "identity")
    assert 0 < trial.error < 1e-60


def test_identities_belong_to_statements():
    assert set(identities.IDENTITIES) <= set(pc.STATEMENTS)


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


@pytest.mark.parametrize(
    "false",
    [
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
