"""What rounding is measured against: the size of the numbers that are added up, and never less than 1."""

from types import SimpleNamespace

import numpy as np
import pytest

import proofs_check as pc
from proofs_check.arithmetic.regression import iteration, top_features
from proofs_check.search.trials import draw
from proofs_check.statements.spectrum import claims


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


@pytest.mark.parametrize("larger", [1.0, 1000.0])
def test_rounding_of_lspe_is_measured_against_its_largest_entry(monkeypatch, larger):
    """Or against 1; what is regressed on comes with the horizon, and the limit with both."""
    monkeypatch.setattr(
        claims, "iteration", lambda *of: SimpleNamespace(L=larger * iteration(*of).L, limit=iteration(*of).limit)
    )
    statement = pc.STATEMENTS["sharp-spectral"]
    found = [case for case in draw(statement.instances, statement.slug, 20, 0, False) if statement.premise(case)]
    assert found
    for case in found:
        entries = larger * np.abs(iteration(case, top_features(case)[0]).L)
        size = max(1.0, float(entries.max()))
        assert (size > 1) == (larger > 1)
        scales = [relation.scale for relation in statement.sides(case)]
        assert scales[:4] == pytest.approx([case.horizon, size, size, case.horizon * size])
