"""What is taken where the caller says nothing: the numbers and words that users rely on."""

import proofs_check as package
from tests.signatures import public_defaults

#: Public names, and those of their defaults that are numbers or words.
DEFAULTS = {
    "ConjectureVerdict": {"acquitted": 0, "before": 0},
    "Statement": {"assumes": "nothing", "expected": "holds", "form": "all", "rational": True},
    "Step": {"kind": "chain"},
    "Verdict": {"expected": "holds"},
    "check": {"examples": 200, "seed": 0, "exact": False},
    "check_all": {"examples": 200, "seed": 0, "exact": False, "jobs": 1},
    "conjecture": {"conservative": False, "examples": 400, "seed": 0, "prove": True},
    "control_fails": {"examples": 200, "seed": 0},
    "judge": {"examples": 200, "seed": 0, "exact": False, "shrink": True},
    "register": {"replace": False},
}


def test_public_defaults_are_those_that_are_written_here():
    found = public_defaults(package)
    assert found == DEFAULTS
    pairs = [(found[name][key], value) for name, values in DEFAULTS.items() for key, value in values.items()]
    assert [type(one) for one, _ in pairs] == [type(other) for _, other in pairs]  # 1 is not True
