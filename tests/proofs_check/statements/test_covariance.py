"""The universals about covariances: their identities can fail, and their rational features are of many kinds."""

import numpy as np
import pytest
import sympy

from proofs_check.arithmetic.linear_algebra import rank
from proofs_check.arithmetic.prime_field import SIZES, random_point
from proofs_check.statements.covariance import identities
from proofs_check.statements.covariance.claims import FIGURE_2, SINGULAR

WIDE = {identity.claim: identity for identity in (*FIGURE_2.identities, *SINGULAR.identities)}


def point(seed, size=SIZES[2]):
    return random_point(np.random.default_rng(seed), False, size)


@pytest.mark.parametrize("claim", WIDE)
@pytest.mark.parametrize("size", SIZES)
def test_identities_hold_at_every_size(claim, size):
    left, right = WIDE[claim].sides(point(0, size))
    assert left == right
    assert any(int(value) for value in left.entries())


def test_the_inverse_without_the_weights_is_not_penroses():
    here = point(1)
    Phi = identities._many_columns(here)
    gram = (Phi * Phi.transpose()).inv()
    B, wrong = Phi.transpose() * here.D * Phi, Phi.transpose() * gram * gram * Phi
    assert B * wrong * B != B
    right = identities._inverse_covariance(here, Phi)[1]
    assert B * right * B == B
    assert right.rank() == here.X < Phi.ncols()


def test_a_wrong_discount_factor_is_noticed(monkeypatch):
    def wrong(here, Phi):
        B, G = here_before(here, Phi)
        return B, G * 2

    here_before = identities._inverse_covariance
    monkeypatch.setattr(identities, "_inverse_covariance", wrong)
    for sides in (identities._penrose, identities._many_intertwined, identities._characteristic):
        left, right = sides(point(2))
        assert left != right


def test_the_formula_for_the_inverse_against_sympy():
    Phi, D = sympy.Matrix([[1, 2, 0, 1], [0, 1, 3, 1]]), sympy.diag(sympy.Rational(1, 3), sympy.Rational(2, 3))
    gram = (Phi * Phi.T).inv()
    assert (Phi.T * D * Phi).pinv() == Phi.T * gram * D.inv() * gram * Phi


@pytest.mark.parametrize("statement", [FIGURE_2, SINGULAR], ids=lambda one: one.slug)
def test_rational_features_are_of_many_kinds_and_of_full_rank(statement):
    seen = set()
    for seed in range(40):
        case = statement.instances(np.random.default_rng(seed), True)
        Phi = case.given["phi"]
        assert rank(Phi) == case.X
        assert statement.premise(case)
        largest = np.abs(Phi).max(axis=1)
        near = case.X > 1 and np.abs(Phi[1] - Phi[0]).max() * 1000 < largest[0]
        twice = Phi.shape[1] > case.X and (Phi[:, -1] == Phi[:, 0]).all()
        seen |= (
            {"near"}
            if near
            else {"scaled"}
            if min(largest) * 1000 < max(largest)
            else {"twice"}
            if twice
            else {"plain"}
        )
    assert {"near", "scaled", "plain"} <= seen
    assert ("twice" in seen) == (statement is SINGULAR)
