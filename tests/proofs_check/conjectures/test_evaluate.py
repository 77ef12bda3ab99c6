from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.arithmetic.reals import UNDEFINED, decimal
from proofs_check.chains.case import Case
from proofs_check.chains.stacked import Batch
from proofs_check.conjectures.evaluate import Exacts, Floats, evaluate, place
from proofs_check.conjectures.exact_quantities import ExactQuantities
from proofs_check.conjectures.parse import parse
from proofs_check.conjectures.small_counterexample import as_floats
from tests.proofs_check.conjectures.fraction_oracle import Oracle

WITNESS = {"P_pi": [["1/2", "1/2", "0"], ["0", "1/3", "2/3"], ["1", "0", "0"]], "r": ["0", "1", "-2"], "gamma": "1/2"}
CASE = Case.from_matrix(rationals(WITNESS["P_pi"]), rationals(WITNESS["r"]), fmpq(1, 2))
N = range(3)


def both(text):
    """The left side of a claim for all indices, exactly and in floats."""
    claim = parse(f"{text} >= 0")
    axes = {index: axis for axis, index in enumerate((*claim.indices, *claim.bound))}
    node = claim.comparisons[0].left
    exact = evaluate(node, Exacts(ExactQuantities(CASE), 3, axes))
    floats = evaluate(node, Floats(Batch.of_cases([as_floats(CASE)]), 3, axes))
    return exact, floats


ORACLE = Oracle(WITNESS)
q, K, d, U, P, r = ORACLE.q, ORACLE.K, ORACLE.d, ORACLE.U, ORACLE.P, ORACLE.r
FORMULAS = {
    "q[x] - 2*q[y]": [[q[x] - 2 * q[y] for y in N] for x in N],
    "K[x,y] * r[y] / 3": [[K[x][y] * r[y] / 3 for y in N] for x in N],
    "P[y,x] + q[x]": [[P[y][x] + q[x] for y in N] for x in N],
    "K[x,x] - d[x,y]**2": [[K[x][x] - d[x][y] ** 2 for y in N] for x in N],
    "abs(-q[x])": [abs(q[x]) for x in N],
    "sum(z, P[x,z]*q[z])": [sum(P[x][z] * q[z] for z in N) for x in N],
    "sum(z, 1) * q[x]": [3 * q[x] for x in N],
    "max(z, U[x,z])": [max(U[x]) for x in N],
    "min(z, U[x,z])": [min(U[x]) for x in N],
    "max(q[x], q[y], 0)": [[max(q[x], q[y], 0) for y in N] for x in N],
    "min(q[x], q[y])": [[min(q[x], q[y]) for y in N] for x in N],
    "gamma * R - rho0": [Fraction(1, 2) * 3 - 3][0],
    "X**3 / (1 - gamma)": Fraction(54),
    "I[x,y]": [[int(x == y) for y in N] for x in N],
}


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_against_fractions(text):
    exact, floats = both(text)
    truth = np.asarray(FORMULAS[text], dtype=object)
    shape = truth.shape
    assert [Fraction(int(v.p), int(v.q)) for v in exact.reshape(-1)] == [Fraction(v) for v in truth.reshape(-1)]
    assert floats.value.reshape(-1) == pytest.approx(truth.astype(float).reshape(-1))
    assert exact.reshape(shape).shape == shape


@pytest.mark.parametrize(
    ("text", "function"), [("sqrt(d[x,y])", np.sqrt), ("exp(d[x,y])", np.exp), ("log(1 + d[x,y])", np.log1p)]
)
def test_functions_against_numpy(text, function):
    exact, floats = both(text)
    truth = function(np.array(d, dtype=float))
    assert floats.value[0] == pytest.approx(truth)
    assert [float(decimal(v, 15)) for v in exact.reshape(-1)] == pytest.approx(truth.reshape(-1))


def test_undefined_entries_are_marked_one_by_one():
    exact, floats = both("1 / d[x,y]")
    with np.errstate(all="ignore"):
        assert [[v is UNDEFINED for v in row] for row in exact] == np.eye(3, dtype=bool).tolist()
    assert np.array_equal(np.isnan(floats.value[0]), np.eye(3, dtype=bool))


def test_place_on_four_axes():
    table = np.arange(9).reshape(3, 3)
    axes = {"x": 0, "y": 1, "z": 2, "w": 3}
    placed = place(table, ("w", "y"), axes, 0)
    assert placed.shape == (1, 3, 1, 3)
    assert placed[0, 2, 0, 1] == table[1, 2]
    batched = place(table[None], ("y", "w"), axes, 1)
    assert batched.shape == (1, 1, 3, 1, 3)
    assert batched[0, 0, 1, 0, 2] == table[1, 2]
    assert place(np.array(5), (), axes, 0).shape == (1, 1, 1, 1)
