"""Which matrices may be put together, against numpy's own rules on arrays of five pairs and three features."""

import operator
from itertools import product

import numpy as np
import pytest

from proofs_check.conjectures.matrix_language import MATRICES
from proofs_check.conjectures.matrix_reading import MOST_MATRIX_POWER, shape_of
from proofs_check.conjectures.question import ask
from proofs_check.conjectures.reading import DEEPEST
from tabular_krope.errors import KropeError

SIZES = {"X": 5, "d": 3, "1": 1}
OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.matmul}


def entries(*shape):
    return np.arange(1.0, 1.0 + np.prod(shape)).reshape(shape)


#: Matrices of every shape; a number stands for a multiple of the identity, and takes the size of what is beside it.
PARTS = {
    "P": entries(5, 5), "K": entries(5, 5), "Phi": entries(5, 3), "Phi'": entries(3, 5), "B": entries(3, 3),
    "q": entries(5, 1), "q'": entries(1, 5), "b": entries(3, 1), "I": None, "2": None, "gamma": None,
}  # fmt: skip


def readable(text):
    try:
        ask(text, features="any")
    except KropeError:
        return False
    return True


def put_together(sign, a, b):
    """What numpy makes of two matrices; None where it, or a multiple of the identity that is no square, refuses."""
    if a is None or b is None:
        one = b if a is None else a
        if sign == "*" or one is None:
            return one
        return one if one.shape[0] == one.shape[1] else None
    if sign != "*" and a.shape != b.shape:
        return None
    try:
        return OPERATORS[sign](a, b)
    except ValueError:
        return None


def numbers_only(a, b):
    return a is None and b is None


@pytest.mark.parametrize("sign", OPERATORS)
def test_two_matrices_are_put_together_where_numpy_does_it(sign):
    for (left, a), (right, b) in product(PARTS.items(), repeat=2):
        if numbers_only(a, b):
            continue
        made = put_together(sign, a, b)
        assert readable(f"norm2({left} {sign} {right}) <= 1") == (made is not None), (left, sign, right)
        square = made is not None and made.shape[0] == made.shape[1]
        assert readable(f"psd({left} {sign} {right})") == square, (left, sign, right)
        assert readable(f"radius({left} {sign} {right}) <= 1") == square, (left, sign, right)
        assert readable(f"norm2(({left} {sign} {right})**2) <= 1") == square, (left, sign, right)


def test_matrices_of_one_shape_are_compared_and_only_squares_ordered():
    for (left, a), (right, b) in product(PARTS.items(), repeat=2):
        if numbers_only(a, b) or "2" in (left, right) or "gamma" in (left, right):
            continue
        one = b if a is None else a
        alike = one.shape[0] == one.shape[1] if a is None or b is None else a.shape == b.shape
        square = one.shape[0] == one.shape[1]
        if a is not None and b is not None and {"q", "q'", "b"} & {left, right}:
            continue  # columns without indices are another language's
        assert readable(f"{left} == {right}") == alike, (left, right)
        assert readable(f"{left} <= {right}") == (alike and square), (left, right)


def test_only_numbers_divide_and_are_told_with_the_shape():
    assert readable("psd(K/2)")
    with pytest.raises(KropeError, match=r"must divide by a number; got \[X, X\]"):
        ask("psd(K/P)")
    with pytest.raises(KropeError, match=r"must give psd a square matrix; got \[X, d\]"):
        ask("psd(Phi)", features="any")
    with pytest.raises(KropeError, match=r"must add numbers to square matrices only; got \[X, d\]"):
        ask("psd(Phi'*(Phi + 2*I))", features="any")


PHI, P = entries(5, 3), entries(5, 5)


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Phi'*Phi", PHI.T @ PHI), ("Phi*Phi'", PHI @ PHI.T), ("P*Phi", P @ PHI), ("2*Phi", 2 * PHI),
        ("Phi*2", PHI * 2),
        ("2*Phi'*P", 2 * PHI.T @ P), ("(Phi')'", PHI), ("-Phi'", -PHI.T), ("Phi - P*Phi", PHI - P @ PHI),
    ],
)  # fmt: skip
def test_the_shape_of_a_tree_is_that_of_the_product(text, made):
    (comparison,) = ask(f"norm2({text}) <= 1", features="any").claim.comparisons
    assert tuple(SIZES[side] for side in shape_of(comparison.left.parts[0])) == made.shape


def numbered():
    return [name for name, matrix in MATRICES.items() if matrix.numbered]


@pytest.mark.parametrize("name", numbered())
@pytest.mark.parametrize(("steps", "fits"), [("1", True), (str(MOST_MATRIX_POWER), True), ("0", False), ("-1", False),
                                             (str(MOST_MATRIX_POWER + 1), False), ("1.5", False), ("True", False),
                                             ("1, 2", False), ("n=1", False), ("", False)])  # fmt: skip
def test_numbers_of_steps(name, steps, fits):
    text = f"norm2({name}({steps})) <= 1"
    assert readable(text) == fits
    if not fits and steps and "n=" not in steps:
        with pytest.raises(KropeError, match=f"number of steps from 1 to {MOST_MATRIX_POWER}"):
            ask(text, features="any")


@pytest.mark.parametrize(
    ("exponent", "fits"), [(1, True), (MOST_MATRIX_POWER, True), (MOST_MATRIX_POWER + 1, False), (0, False)]
)
def test_powers(exponent, fits):
    assert readable(f"norm2(P**{exponent}) <= 1") == fits


def test_only_matrices_that_take_steps_are_given_them():
    for name, matrix in MATRICES.items():
        assert readable(f"norm2({name}(2)) <= 1") == matrix.numbered, name


@pytest.mark.parametrize("before", ["", "P + ", "P*K + P + ", "P' + (P + K) + "])
def test_operations_nest_as_deep_wherever_they_stand(before):
    """Each sign is an operation inside the one before it; what was read before does not count."""
    beside = before.count(" + ") - before.count("(P + K)")
    deepest = DEEPEST - 1 - (beside > 0)
    assert readable(f"norm2({before}{'-' * deepest}P) <= 1")
    with pytest.raises(KropeError, match=f"nest at most {DEEPEST}"):
        ask(f"norm2({before}{'-' * (deepest + 1)}P) <= 1")


def test_every_matrix_says_its_own_shape_and_whether_it_depends_on_features():
    for name, matrix in MATRICES.items():
        assert readable(f"radius({name}) <= 1") == (matrix.shape[0] == matrix.shape[1]), name
        featured = "d" in matrix.shape or "Phi" in matrix.meaning
        question = ask(f"norm2({name}) <= 1", features="any" if featured else None)
        assert question.given == ({"Phi"} if featured else {"D2"} & {name})
        assert question.weighted == (featured or name == "D")
        assert matrix.written.endswith("(2)") == (f"{name}(n)" in matrix.meaning), name
