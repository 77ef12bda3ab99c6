"""What every statement says on a few fixed instances, in numbers: ``python -m tests.proofs_check.statements.saying``.

Judging tells whether a relation holds; a bound that is too weak holds as well. Here the two sides themselves are kept,
in ``said.json``, so that another constant, sign, generator, premise, tolerance or degree is seen even where every
verdict stays. Who changes a statement on purpose runs the command, and reads in the difference what it says now.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np

import proofs_check as pc
from proofs_check.arithmetic.linear_algebra import floats
from proofs_check.arithmetic.prime_field import random_point
from proofs_check.chains.case import Case
from proofs_check.chains.witness import case_from_witness
from proofs_check.search.trials import draw
from proofs_check.statements.relation import Relation
from proofs_check.statements.statement import Instances, Sides, Statement

SAID = Path(__file__).with_name("said.json")
#: Instances drawn, those of them on which the sides are written down, and Garnets judged at once.
DRAWN, WRITTEN, GARNETS = 12, 2, 3
#: Steps about matrices in coordinates of the features, and the instance whose kernel is singular: rounding, which
#: processors do differently, decides by which rotation its features are found. Of these the eigenvalues are kept.
ROTATED = {"definition-krope-representation": {"solved": 3}}


def main() -> None:
    """Write down what is said now."""
    said = {slug: saying(statement) for slug, statement in sorted(pc.STATEMENTS.items())}
    SAID.write_text("{\n" + ",\n".join(entry(*item) for item in said.items()) + "\n}\n", encoding="utf-8")


def entry(slug: str, rows: dict[str, Any]) -> str:
    """One statement in JSON, a line for each thing it says."""
    return f"{json.dumps(slug)}: {{\n" + ",\n".join(f" {json.dumps(k)}: {json.dumps(v)}" for k, v in rows.items()) + "}"


def saying(statement: Statement) -> dict[str, Any]:
    """All that is kept of one statement, by what it is about."""
    witnesses = [case_from_witness(witness) for witness in statement.witnesses[:WRITTEN]]
    some = statement.form == "some"  # shown by its witnesses: nothing is drawn
    cases = witnesses + ([] if some else list(written(statement, statement.instances, statement.premise)))
    rows: dict[str, Any] = {"is": facts(statement), "draws": list(drawn(statement))}
    rows["claim"] = said(statement.sides, cases)
    for step in statement.steps:
        rows[f"step {step.name}"] = said(step.sides, cases, ROTATED.get(statement.slug, {}).get(step.name))
    if statement.pressure is not None:
        rows["pressed"] = said(statement.pressure.sides, (case for case in cases if not case.exact))
    control = statement.control
    near = list(written(statement, control.instances or statement.instances, lambda case: True))
    near = witnesses + [case for case in near if case.exact == statement.rational] if some else near
    rows["control"] = said(control.sides or statement.sides, near)
    rows["tolerance"] = [f"{statement.tolerance(case):.6g}" for case in cases if not case.exact]
    allowed = control.tolerance or statement.tolerance
    rows["control's tolerance"] = [f"{allowed(case):.6g}" for case in near if not case.exact]
    if statement.many is not None:
        batch = statement.many(np.random.default_rng(0), GARNETS)
        rows["many"] = [summed(part) for part in (batch.lhs, batch.rhs)]
        rows["tolerance of many"] = f"{float(np.sum(batch.allowed)):.6g}"
    return rows


def facts(statement: Statement) -> list[Any]:
    """What it is: its form, what is expected, what judging it takes, the degrees of its identities."""
    constant = statement.pressure and statement.pressure.constant
    free = statement.pressure.free if statement.pressure else ()
    points = [random_point(np.random.default_rng(0), identity.conservative) for identity in statement.identities]
    sides = [identity.sides(point)[0] for identity, point in zip(statement.identities, points, strict=True)]
    degrees = [
        [identity.degree, identity.conservative, hex(sum(int(v) * (k + 1) for k, v in enumerate(left.entries())))]
        for identity, left in zip(statement.identities, sides, strict=True)
    ]
    about = [statement.form, statement.expected, statement.false_step, statement.rational, list(statement.uses)]
    return [*about, list(astuple(statement.cost)), constant and list(astuple(constant)), list(free), degrees]


def drawn(statement: Statement) -> Iterator[str]:
    """A line for each instance: pairs, discount factor, sums of its parts, and whether the premise is met."""
    for exact in (False, True) if statement.rational else (False,):
        for case in draw(statement.instances, statement.slug, DRAWN, 0, exact):
            given = [f"{name} {summed(value)}" for name, value in sorted(case.given.items())]
            parts = [case.gamma, case.r, case.P_pi, case.weights, case.R]
            met = "met" if statement.premise(case) else "not met"
            yield "; ".join([str(case.X), *(summed(part) for part in parts), *given, met])


def written(statement: Statement, instances: Instances, premise: Any) -> Iterator[Case]:
    """The first instances of each arithmetic on which the premise is met."""
    for exact in (True, False) if statement.rational else (False,):
        met = (case for case in draw(instances, statement.slug, DRAWN, 1, exact) if premise(case))
        yield from (case for case, _ in zip(met, range(WRITTEN), strict=False))


def said(sides: Sides, cases: Iterable[Case], rotated: int | None = None) -> list[list[str]]:
    """The relations on each instance."""
    return [[line(relation, k == rotated) for relation in sides(case)] for k, case in enumerate(cases)]


def line(relation: Relation, rotated: bool = False) -> str:
    """``lhs sign rhs``, and what is said of the relation besides."""
    marks = [word for word, there in (("floats only", not relation.arbitrated), ("open", relation.open)) if there]
    scale = [f"scale {short(relation.scale)}"] if short(relation.scale) != "1" else []
    lhs, rhs = (summed(turned(side) if rotated else side) for side in (relation.lhs, relation.rhs))
    return "; ".join([f"{lhs} {relation.sign} {rhs}", *scale, *marks])


def turned(side: Any) -> Any:
    """A number; of a symmetric matrix its eigenvalues in ascending order."""
    return side if np.ndim(side) == 0 else np.linalg.eigvalsh(side)


def summed(value: Any) -> str:
    """A number; of an array its shape and the sum of its entries, each times its place."""
    array = np.asarray(value)
    numbers = np.asarray(floats(array) if array.dtype == object else array, dtype=np.float64).reshape(-1)
    if array.ndim == 0:
        return short(numbers[0])
    return f"{list(array.shape)} {short(numbers @ np.arange(1, numbers.size + 1))}"


def short(number: float) -> str:
    """Nine digits of a number; rounding about zero is zero."""
    return "0" if abs(number) < 1e-12 else f"{float(number):.9g}"


if __name__ == "__main__":
    main()
