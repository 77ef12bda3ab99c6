"""The claim about closed-form features on matrices that are written down."""

import pytest

from proofs_check.arithmetic.linear_algebra import identity, rationals
from proofs_check.chains.case import Case
from proofs_check.statements.feature_space.claims import _top_features


@pytest.mark.parametrize(("c", "holds"), [("2/5", True), ("3/5", False), ("-3/5", False)])
def test_the_top_feature_contracts_by_the_square_root_of_gamma(c, holds):
    """L = c I has norm c on every feature: c^2 against gamma = 1/4."""
    unit = identity(2, True)
    case = Case.from_matrix(unit, rationals([0, 1]), rationals("1/4")[()]).with_given(psi=unit, psi_next=unit)
    M = rationals([[4, 0], [0, 1]])
    (found,) = _top_features(case, M, rationals(c)[()] * unit)
    assert found.holds(0.0) == holds
