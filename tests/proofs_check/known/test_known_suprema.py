"""Suprema that are known by hand: attained, approached, infinite."""

import json

import pytest

from proofs_check.prove.best_constant.constant import best_constant
from proofs_check.prove.verifying import verify_document

C = {"conservative": True}
#: Expression, options, the supremum, and whether a chain attains it.
KNOWN = [
    ("K[x,y]-K[x,x]", C, "gamma * rho0 / (8 * (1 - gamma) * R)", True),  # f = 3/4, 1: f(1-f) and (1-f) differ by 1/16
    ("U[x,x]/U[x,y]", C, "2", False),  # 2 f (1-f) / f with f to 0
    ("U[x,x]/(U[x,y]+U[x,x])", C, "2 / 3", False),
]


@pytest.mark.parametrize(("expression", "options", "value", "attained"), KNOWN, ids=str)
def test_known_suprema_are_found_proved_and_verified(expression, options, value, attained):
    found = best_constant(expression, **options)
    assert (found.status, found.upper, found.lower, found.attained) == ("best", value, value, attained)
    document = json.loads(json.dumps(found.as_json()))
    assert document["chains"]
    assert verify_document(document).kind == "proof"


@pytest.mark.parametrize("expression", ["U[x,z]/(U[x,y]+U[y,z])", "abs(q[x]-q[y])/d[x,y]"])
def test_where_episodes_end_these_have_none(expression):
    assert best_constant(expression).status == "unbounded"
