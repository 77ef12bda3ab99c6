"""What the certificates about data of the chain itself conclude is the statement's own matrix, number by number."""

import numpy as np
import pytest

from proofs_check.arithmetic.linear_algebra import indefiniteness
from proofs_check.chains.stationary_data import own_law
from proofs_check.prove.theorems import THEOREMS
from proofs_check.statements.neighbors.on_policy.proof import projector, relative
from proofs_check.statements.neighbors.temporal_differences import fit
from tests.proofs_check.corrupting import with_quantities
from tests.proofs_check.prove.readings import READINGS
from tests.proofs_check.prove.test_theorems import instances, value_of


def concluded(slug, case):
    (part,) = THEOREMS[slug].parts
    (claim,) = part.conclusions.values()
    return value_of(part, claim.text, claim.shape, READINGS[slug][part.name](case))


def with_wrong_law(case):
    """The same chain with a law that is not stationary, where the conclusion need not hold."""
    mu = own_law(case) + np.arange(case.X)
    return with_quantities(case, stationary=mu / mu.sum())


@pytest.mark.parametrize("wrong", [False, True])
@pytest.mark.parametrize("exact", [False, True])
def test_the_projection(exact, wrong):
    for case in instances("on-policy-projection", "contracts", exact, 6):
        case = with_wrong_law(case) if wrong else case
        D, M = np.diag(own_law(case)), case.gamma * (projector(case) @ case.P_pi)
        stated = case.gamma**2 * D - M.T @ D @ M
        assert np.all(np.abs(stated - concluded("on-policy-projection", case)) <= (0 if exact else 1e-9))


@pytest.mark.parametrize("wrong", [False, True])
def test_the_symmetric_part(wrong):
    """Exactly the matrix of the statement for the stationary law; a wrong law has another baseline as well."""
    for case in instances("relative-td-stable", "symmetric part", True, 6):
        case = with_wrong_law(case) if wrong else case
        S = relative(case, own_law(case))
        stated = S + S.T - 2 * (1 - case.gamma) * fit(case, own_law(case)).Sigma
        assert np.array_equal(stated, concluded("relative-td-stable", case))


def test_with_a_wrong_law_the_conclusion_can_fail():
    cases = instances("on-policy-projection", "contracts", True, 20)
    found = [indefiniteness(concluded("on-policy-projection", with_wrong_law(case))) for case in cases]
    assert 1 in found
