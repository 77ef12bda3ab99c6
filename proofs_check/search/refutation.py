"""Is a claim refuted? A failure among floats counts only if the same instance, read as rationals, fails exactly."""

from collections.abc import Iterable, Mapping
from typing import Any

from proofs_check.chains.case import Case
from proofs_check.chains.witness import case_from_witness, rational_case, witness_from_case
from proofs_check.judging.verdict import StepVerdict
from proofs_check.search.tally import Tally
from proofs_check.search.trials import judge_step, merge
from proofs_check.statements.statement import Statement


def find_refutation(
    statement: Statement, tallies: list[Tally], steps: dict[str, StepVerdict], shrink: bool
) -> tuple[tuple[Mapping[str, Any], ...], dict[str, StepVerdict]]:
    """Exact instances on which the relations fail: the one to show and perhaps a smaller one; none if none is known.

    A stored witness is shown, because it was made to be read, and the steps are judged on it too. Whatever is smallest
    among the stored and the found ones is shrunk.
    """
    stored = [witness for witness in statement.witnesses if refutes(statement, case_from_witness(witness))]
    known = [case_from_witness(witness) for witness in stored]
    for step in statement.steps if stored else ():
        steps[step.name] = merge(steps.get(step.name), judge_step(step, known[0], 0.0))
    if statement.rational and not known:
        known = list(_confirmed(statement, tallies))
    if not known:
        return (), steps
    if not shrink:
        return (stored[0] if stored else witness_from_case(known[0]),), steps
    from proofs_check.search.small_witness import size, small_witness, smaller

    shrunk = small_witness(statement, min(known, key=size))
    if not stored:
        return (shrunk,), steps
    return (stored[0], *([shrunk] if smaller(shrunk, stored[0]) else [])), steps


def _confirmed(statement: Statement, tallies: list[Tally]) -> Iterable[Case]:
    """The first instance among those found that fails over the rationals, and still does when it is read back."""
    for tally in reversed(tallies):
        for case in tally.failing:
            if case.X > statement.cost.most_exact:
                tally.final += 1
                continue
            exact = case if case.exact else rational_case(case)
            if refutes(statement, exact):
                from proofs_check.search.small_witness import fails

                again = case_from_witness(witness_from_case(exact))
                if fails(statement, again):
                    yield again
                    return
                tally.final += 1  # it speaks about states, which a witness does not know: a failure without a witness


def refutes(statement: Statement, case: Case) -> bool:
    """Whether an exact instance meets the premise and breaks a relation."""
    return statement.premise(case) and statement.fails_on(case)
