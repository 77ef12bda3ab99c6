from dataclasses import replace

from proofs_check.search.trials import run
from proofs_check.statements.registry import STATEMENTS
from proofs_check.statements.relation import Relation


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
