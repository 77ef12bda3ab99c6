"""Every step of every proof can go red; that each is tried and holds is in `test_judging`."""

from dataclasses import replace

import numpy as np
import pytest

import proofs_check as pc
from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.witness import case_from_witness
from proofs_check.statements.covariance import claims as full_rank
from proofs_check.statements.distance import hilbert_proof as hilbert
from proofs_check.statements.stability import proof as lspe
from proofs_check.statements.statement import Step
from proofs_check.statements.truncation import claims as unweighted
from proofs_check.statements.truncation import proof as truncation
from proofs_check.statements.value_bounds import proof as value_bounds
from tests.proofs_check.perturbing import FALSE, SMALL, amount, holds, instances, wrong_instances

STEPS = [(slug, step.name) for slug, statement in pc.STATEMENTS.items() for step in statement.steps]
#: Steps about a stored example, which no change of the instance reaches.
STORED = {(slug, step.name) for slug, s in pc.STATEMENTS.items() for step in s.steps if step.kind == "example"}
#: Steps that are true of any numbers; other algebra is noticed to be false of given numbers that are not of its kind.
UNIVERSAL = {
    ("lemma-contraction", "difference"),
    ("prop-min-kernel-pd", "induction"),
    ("lemma-kernel-embedding", "rearranged"),
    ("prop-lspe-stability", "linear"),
    ("prop-lspe-stability", "powers"),
    ("theorem-1", "eigenvalue"),
    ("remark-nonexpansive", "linear"),
    ("feature-space-krope", "same-regression"),
    ("prop-bisimulation-complete", "grouped-sum"),
    ("prop-bisimulation-complete", "midpoint"),
    ("theorem-ferns", "transport"),
    ("theorem-castro", "transport"),
    ("remark-bad-pairs", "difference"),
    ("remark-bad-pairs", "equality"),
    ("n-step-stable", "look-ahead"),
    ("n-step-monotone", "look-ahead"),
    ("relative-td-stable", "lyapunov"),
}


def test_universal_steps_are_called_algebra():
    assert {step_of(*place).kind for place in UNIVERSAL} == {"algebra"}


def step_of(slug, name):
    return next(step for step in pc.STATEMENTS[slug].steps if step.name == name)


def cases(slug, name, count):
    """Instances on which the step says something: rational ones where there are any."""
    statement, step = pc.STATEMENTS[slug], step_of(slug, name)
    if statement.form == "some":
        return [case_from_witness(statement.witnesses[0])]
    if statement.rational:
        found = instances(statement, step, True, count)
    else:
        found = [case_from_witness(witness) for witness in statement.witnesses]
    return found or instances(statement, step, False, count)


@pytest.mark.parametrize(("slug", "name"), STEPS)
def test_a_step_goes_red_beyond_its_slack(slug, name):
    """Each relation of it: an equation when a side moves by 1e-6, an inequality when it moves 1e-6 past its slack."""
    statement = pc.STATEMENTS[slug]
    case = cases(slug, name, 1)[0]
    tolerance = 0.0 if case.exact else statement.tolerance(case)
    for relation in step_of(slug, name).sides(case):
        beyond = amount(True, SMALL) if case.exact else 3 * tolerance * relation.scale
        gap = relation.gap()
        if isinstance(gap, float) and case.exact:
            beyond = 1e-6
        lhs = np.asarray(relation.lhs, dtype=object if case.exact and not isinstance(gap, float) else None)
        by = beyond - gap if relation.sign != "==" else beyond
        assert not replace(relation, lhs=lhs + by).holds(tolerance)


def notices(statement, step, case, sizes):
    for wrong in (wrong for size in sizes for wrong in wrong_instances(case, size)):
        try:
            if not holds(statement, step, wrong):
                return True
        except (ArithmeticError, ValueError, LookupError, StopIteration):  # so wrong that the step cannot be computed
            continue
    return False


@pytest.mark.parametrize(("slug", "name"), [s for s in STEPS if s not in STORED | UNIVERSAL])
def test_a_step_notices_a_wrong_number(slug, name):
    """1e-6 is enough for a step made of equations; an inequality may need more than its slack."""
    statement, step = pc.STATEMENTS[slug], step_of(slug, name)
    found = cases(slug, name, 8)
    if name in FALSE.get(slug, []):
        found += [case_from_witness(witness) for witness in statement.witnesses]
        assert not all(holds(statement, step, case) for case in found)
        return
    assert all(holds(statement, step, case) for case in found)
    equations = all(relation.sign == "==" for relation in step.sides(found[0]))
    sizes = (SMALL, "-" + SMALL) if equations else (SMALL, "-" + SMALL, "1000", "-1000")
    assert any(notices(statement, step, case, sizes) for case in found)


UNIVERSAL_CLAIMS = {"prop-lspe-stability"}  # true of any matrix L


@pytest.mark.parametrize(
    "slug", [slug for slug, s in pc.STATEMENTS.items() if s.form == "all" and s.expected == "holds"]
)
def test_a_statement_notices_a_wrong_number(slug):
    """1e-6 in one of its quantities breaks every identity; an inequality breaks beyond its slack."""
    statement = pc.STATEMENTS[slug]
    claim = Step("claim", statement.claim, statement.sides)
    found = instances(statement, claim, True, 8)
    assert all(holds(statement, claim, case) for case in found)
    equations = all(relation.sign == "==" for relation in statement.sides(found[0]))
    sizes = (SMALL, "-" + SMALL) if equations else (SMALL, "-" + SMALL, "1000", "-1000")
    assert any(notices(statement, claim, case, sizes) for case in found) != (slug in UNIVERSAL_CLAIMS)


def stored(slug, name):
    """Whether a step about a stored example holds."""
    statement, step = pc.STATEMENTS[slug], step_of(slug, name)
    return holds(statement, step, cases(slug, name, 1)[0])


@pytest.mark.parametrize(
    ("slug", "name", "module", "example", "part", "value"),
    [
        ("sqrt-d-metric", "attained", hilbert, "SQUARED_LINE", "gamma", "89/100"),
        ("value-bound-rkhs", "attained", value_bounds, "TWO_ABSORBING", "gamma", "89/100"),
        ("value-bound-rkhs", "attained", value_bounds, "TWO_ABSORBING", "P_pi", [["1", "0"], ["1/100", "99/100"]]),
        ("definition-krope-representation", "sharp", lspe, "FREE_OFF_THE_DATA", "gamma", "26/100"),
        ("definition-krope-representation", "not-an-average", lspe, "ON_AVERAGE", "gamma", "76/100"),
        ("truncation-unweighted-stable", "ratio", unweighted, "UNWEIGHTED", "r", ["0", "-1", "99/100"]),
        ("figure-2-instability", "float-route", full_rank, "ILL_CONDITIONED", "phi", [["1", "0"], ["2", "1"]]),
        ("remark-singular-covariance", "lower-rank", full_rank, "RANK_ONE", "gamma", "89/100"),
    ],
)
def test_a_changed_example_is_noticed(slug, name, module, example, part, value, monkeypatch):
    assert stored(slug, name)
    monkeypatch.setattr(module, example, {**getattr(module, example), part: value})
    assert not stored(slug, name)


def test_changed_tight_families_are_noticed(monkeypatch):
    assert stored("truncation-stable", "norm-attained")
    assert stored("truncation-stable", "radius-approached")
    true_norm, true_radius = truncation.odd_features, truncation.tight_radius
    monkeypatch.setattr(truncation, "odd_features", lambda case: true_norm(case) * rationals([1, "99/100"]))
    assert not stored("truncation-stable", "norm-attained")
    other = {"b": rationals([1, 1, 5])}
    monkeypatch.setattr(truncation, "tight_radius", lambda rng: replace(true_radius(rng), given=other))
    assert not stored("truncation-stable", "radius-approached")
