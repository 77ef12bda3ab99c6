"""Every letter of claims about matrices against matrices of fractions; what functions may be called with."""

import numpy as np
import pytest
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.case import Case
from proofs_check.chains.stacked import Batch
from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.float_judge import judge_batch
from proofs_check.conjectures.language import FUNCTIONS, INDICES
from proofs_check.conjectures.matrix_language import MATRICES
from proofs_check.conjectures.question import ask
from proofs_check.conjectures.small_counterexample import as_floats
from tabular_krope.errors import KropeError

LAW = rationals([["1/2", "1/2", 0], [0, "1/3", "1/3"], ["1/4", "1/4", "1/2"]])
CASE = Case.from_matrix(
    LAW, rationals([0, 1, "5/2"]), fmpq(2, 3), end=rationals([0, "1/3", 0]), weights=rationals(["1/6", "1/3", "1/2"])
).with_given(D2=rationals(["1/2", "1/2", 0]))


def by_hand():
    """Letters without features, from the equations that define them, solved entry by entry."""
    X, gamma, r = 3, CASE.gamma, CASE.r
    pairs = [(x, y) for x in range(X) for y in range(X)]

    def solved(right):
        system = rationals([[int(a == b) - gamma * LAW[a[0], b[0]] * LAW[a[1], b[1]] for b in pairs] for a in pairs])
        return _solve(system, rationals([right(*a) for a in pairs])).reshape(X, X)

    K1 = rationals([[1 - abs(r[x] - r[y]) / fmpq(5, 2) for y in range(X)] for x in range(X)])
    K = solved(lambda x, y: K1[x, y])
    d = rationals([[K[x, x] + K[y, y] - 2 * K[x, y] for y in range(X)] for x in range(X)])
    identity = rationals([[int(x == y) for y in range(X)] for x in range(X)])
    return {
        "P": LAW, "K1": K1, "K": K, "d": d, "U": solved(lambda x, y: abs(r[x] - r[y])),
        "D": identity * CASE.weights, "D2": identity * CASE.given["D2"],
        "q": _solve(identity - gamma * LAW, r)[:, None], "r": r[:, None], "one": rationals([[1]] * X),
    }  # fmt: skip


def _solve(A, b):
    """Gauss and Jordan, in fractions."""
    rows = [[*map(fmpq, row), fmpq(value)] for row, value in zip(A, b, strict=True)]
    for k in range(len(rows)):
        at = next(i for i in range(k, len(rows)) if rows[i][k] != 0)
        rows[k], rows[at] = rows[at], rows[k]
        rows[k] = [value / rows[k][k] for value in rows[k]]
        rows = [
            row if i == k else [a - row[k] * b for a, b in zip(row, rows[k], strict=True)] for i, row in enumerate(rows)
        ]
    return rationals([row[-1] for row in rows])


LETTERS = by_hand()


def test_every_letter_without_features_is_looked_at():
    assert set(LETTERS) == {name for name, matrix in MATRICES.items() if not matrix.featured}


@pytest.mark.parametrize("name", LETTERS)
def test_a_letter_is_the_matrix_that_it_stands_for(name):
    """Its square sum, and its sum with the rewards in its rows and in its columns: exactly, and in floats."""
    M, r = LETTERS[name], CASE.r
    sums = {f"trace({name}*{name}')": np.sum(M * M), f"trace({name}'*r*one')": None, f"trace({name}*r*one')": None}
    if M.shape[1] == 3:
        sums[f"trace({name}'*r*one')"] = np.sum(M.T @ r)
        sums[f"trace({name}*r*one')"] = np.sum(M @ r)
    else:
        sums = {
            f"trace({name}*{name}')": np.sum(M * M),
            f"trace({name}'*r)": M[:, 0] @ r,
            f"trace({name}*r')": M[:, 0] @ r,
        }
    batch = Batch.of_cases([as_floats(CASE)])
    for text, value in sums.items():
        for claim, true in ((f"{text} == {value}", True), (f"{text} <= {value} - 1/1000", False)):
            question = ask(claim)
            found = judge_case(question, CASE)
            assert (found.refutes, found.open) == (not true, 0), claim
            if name != "D2" and not true:
                assert judge_batch(question, batch).suspect.tolist() == [True], claim
        if name != "D2":
            assert judge_batch(ask(f"{text} <= {value} + 1/1000"), batch).suspect.tolist() == [False], text


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("number", range(5))
def test_how_many_arguments_a_function_takes(name, number):
    function = FUNCTIONS[name]
    plain, bound = ["gamma", "R", "1", "2", "X"][:number], ["z", "r[z]", "1", "2", "3"][:number]
    said = [readable(f"{name}({', '.join(arguments)}) <= 1") for arguments in (plain, bound)]
    fits = function.least <= number <= function.most
    assert any(said) == fits, (name, number)
    for wrong in (f"{name}(*r) <= 1", f"{name}({', '.join([*plain, 'a=1'])}) <= 1", f"{name}(**r) <= 1"):
        with pytest.raises(KropeError, match="must"):
            ask(wrong)


def readable(text):
    try:
        ask(text)
    except KropeError:
        return False
    return True


@pytest.mark.parametrize("name", ["sum", "max", "min"])
def test_an_index_is_bound_once_and_counts(name):
    for index in INDICES:
        assert readable(f"{name}({index}, r[{index}]) <= 1")
    with pytest.raises(KropeError, match="another index inside the one over z"):
        ask(f"{name}(z, {name}(z, r[z])) <= 1")
    assert readable(f"{name}(z, {name}(w, K[z,w])) <= 1")


MEMBERS = {"1": True, "64": True} | dict.fromkeys(["65", "0", "-1", "1.0", "True", "X", "1, 2", ""], False)


@pytest.mark.parametrize(("number", "fits"), MEMBERS.items())
def test_members_of_a_family(number, fits):
    assert readable(f"lam({number}) <= 1") == fits
    if not fits:
        with pytest.raises(KropeError, match="must give lam one whole number from 1 to"):
            ask(f"lam({number}) <= 1")
