"""A step that is about the chain fails when a quantity of the chain is wrong; the others say what they are about."""

import pytest

import proofs_check as pc
from proofs_check.statements.statement import KINDS
from tests.proofs_check.corrupting import main, never_fails


@pytest.mark.parametrize("slug", pc.STATEMENTS)
def test_a_step_about_the_chain_can_fail(slug):
    statement = pc.STATEMENTS[slug]
    assert never_fails(statement, {step.name for step in statement.steps if step.kind == "chain"}) == set()


def test_kinds():
    steps = [step for statement in pc.STATEMENTS.values() for step in statement.steps]
    assert {step.kind for step in steps} == set(KINDS)
    assert sum(step.kind == "chain" for step in steps) > 0.7 * len(steps)


def test_steps_that_cannot_fail_are_listed(capsys):
    main(["remark-bad-pairs", "sqrt-d-metric"])
    lines = capsys.readouterr().out.splitlines()
    bad = [f"remark-bad-pairs: {name} (algebra)" for name in ("difference", "sign", "equality")]
    assert lines == [*bad, "sqrt-d-metric: attained (example)", "4 of 9 steps fail under no corruption"]
