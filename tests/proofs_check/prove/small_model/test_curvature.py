"""The rules of curvature against cvxpy's."""

import random

import cvxpy as cp
import pytest

from proofs_check.conjectures.parse import parse
from proofs_check.conjectures.tree import Named, Number, Operation
from proofs_check.prove.small_model.curvature import Outside, require_covered, shape_of
from tabular_krope.errors import KropeError

ATOMS = ("q[x]", "q[y]", "U[x,y]", "d[x,y]", "K[x,x]", "life[x]")


def grown(rng, depth):
    if depth == 0 or rng.random() < 0.2:
        return rng.choice([*ATOMS, "2", "3"])
    a, b = grown(rng, depth - 1), grown(rng, depth - 1)
    kind = rng.choice(["+", "-", "*", "abs", "square", "sqrt", "max", "min", "neg"])
    if kind == "*":
        return f"{rng.choice(['2', '1/2', '-3'])}*({a})"
    return {"+": f"({a}) + ({b})", "-": f"({a}) - ({b})", "abs": f"abs({a})", "square": f"({a})**2",
            "sqrt": f"sqrt({a})", "max": f"max({a}, {b})", "min": f"min({a}, {b})", "neg": f"-({a})"}[kind]  # fmt: skip


def in_cvxpy(node, variables):
    if isinstance(node, Number):
        return cp.Constant(float(node.value))
    if isinstance(node, Named):
        key = (node.name, node.indices)
        return variables.setdefault(key, cp.Variable(nonneg=node.name != "q"))
    parts = [in_cvxpy(part, variables) for part in node.parts]
    assert isinstance(node, Operation)
    actions = {
        "+": lambda: parts[0] + parts[1], "-": lambda: parts[0] - parts[1], "*": lambda: parts[0] * parts[1],
        "neg": lambda: -parts[0], "abs": lambda: cp.abs(parts[0]), "sqrt": lambda: cp.sqrt(parts[0]),
        "power": lambda: cp.square(parts[0]), "max": lambda: cp.maximum(*parts), "min": lambda: cp.minimum(*parts),
        "/": lambda: parts[0] / parts[1],
    }  # fmt: skip
    return actions[node.name]()


def number(node):
    """The sign of an expression without quantities."""
    value = in_cvxpy(node, {}).value
    return None if value is None else int(value > 0) - int(value < 0)


@pytest.mark.parametrize("seed", range(6))
def test_the_rules_agree_with_cvxpy(seed):
    rng, seen = random.Random(seed), set()
    for _ in range(60):
        try:
            node = parse(f"{grown(rng, 3)} <= q[z]").comparisons[0].left
        except KropeError:  # the root of a negative number
            continue
        theirs = in_cvxpy(node, {})
        try:
            ours = shape_of(node, number)
        except Outside:
            assert not theirs.is_convex() or not theirs.is_dcp()
            assert not theirs.is_concave()
            seen.add("outside")
            continue
        # What we call convex or concave, cvxpy does too; the reverse is the other branch.
        assert theirs.is_dcp()
        assert ours.convex == theirs.is_convex() or ours.curvature == "constant"
        assert ours.concave == theirs.is_concave() or ours.curvature == "constant"
        seen.add(ours.curvature)
    assert {"affine", "convex", "concave", "outside"} <= seen


def test_an_equation_must_be_affine():
    (comparison,) = parse("abs(q[x]) == 1").comparisons
    with pytest.raises(Outside, match="abs on one side of an equation is not affine"):
        require_covered(comparison, lambda node: None)


@pytest.mark.parametrize("claim", ["abs(q[x]) <= max(z, abs(r[z]))*horizon", "q[x] <= 5 + sqrt(max(z, r[z]**2))"])
def test_reductions_within_a_side_are_outside_wherever_they_stand(claim):
    with pytest.raises(Outside, match="max over all pairs needs more than the pairs of the claim"):
        require_covered(parse(claim).comparisons[0], lambda node: 1)
