"""What rounding is measured against: the size of the numbers that are added up, and never less than 1."""

import numpy as np
import pytest

import proofs_check as pc
from proofs_check.search.trials import draw


@pytest.mark.parametrize("slug", [slug for slug, statement in pc.STATEMENTS.items() if statement.form != "some"])
def test_small_numbers_leave_the_allowance_for_rounding_as_it_is(slug):
    statement = pc.STATEMENTS[slug]
    found = []
    for case in draw(statement.instances, slug, 8, 3, False):
        if not statement.premise(case):
            continue
        assert statement.tolerance(case) >= np.finfo(float).eps
        for sides in (statement.sides, *(step.sides for step in statement.steps)):
            found += [relation.scale for relation in sides(case)]
    assert min(found, default=1.0) >= 1
