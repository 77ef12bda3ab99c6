from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from proofs_check.show.witness_rows import Arrow, short, view_sides, view_witness
from proofs_check.statements.registry import STATEMENTS
from proofs_check.statements.relation import at_most, below, equal

ENDING = {
    "P_pi": [["0", "1/3", "1/6"], ["0", "1", "0"], ["0", "0", "0"]],
    "end": ["1/2", "0", "1"],
    "r": ["0", "1", "-1"],
    "gamma": "9/10",
    "weights": ["1/2", "1/2", "0"],
    "phi": [["1", "0"], ["2", "1/1000000000"], ["0", "0"]],
    "reward_range": ["-1", "1"],
    "pair": [0, 2],
}
STORED = [(slug, witness) for slug, s in STATEMENTS.items() for witness in s.witnesses]


def test_arrows_are_the_transitions_and_the_ends():
    view = view_witness(ENDING)
    assert view.arrows_from(0) == (Arrow(0, 1, "1/3"), Arrow(0, 2, "1/6"), Arrow(0, None, "1/2"))
    assert view.arrows_from(1) == (Arrow(1, 1, "1"),)
    assert view.arrows_from(2) == (Arrow(2, None, "1"),)


def test_the_rest_is_told_apart_by_its_length():
    view = view_witness(ENDING)
    assert view.gamma == "9/10"
    assert view.columns == {"weights": ("1/2", "1/2", "0"), "phi": ("(1, 0)", "(2, ~1e-09)", "(0, 0)")}
    assert view.others == {"reward_range": "(-1, 1)", "pair": "(0, 2)"}
    assert view.marked == (0, 2)


@pytest.mark.parametrize(("slug", "witness"), STORED)
def test_probabilities_from_each_pair_sum_to_one(slug, witness):
    view = view_witness(witness)
    for x in range(len(view.rewards)):
        assert sum(Fraction(arrow.probability) for arrow in view.arrows_from(x)) == 1


@pytest.mark.parametrize(("slug", "witness"), STORED)
def test_a_witness_settles_its_statement(slug, witness):
    statement = STATEMENTS[slug]
    sides = view_sides(statement, witness)
    if statement.form == "some":
        assert all(side.holds for side in sides)
    elif statement.form == "all":
        assert not all(side.holds for side in sides)


def test_the_worst_entry_of_each_relation_is_shown():
    def sides(case):
        matrix = np.array([[1.0, 2.0], [7.0, 3.0]])
        return [at_most(matrix, 4.0), equal(-matrix, 0.0), below(1.0, 2.0), at_most(np.zeros(0), np.zeros(0))]

    statement = replace(STATEMENTS["remark-bad-pairs"], sides=sides)
    first, second, third = view_sides(statement, {"P_pi": [["1"]], "r": ["0"], "gamma": "1/2"})
    assert (first.lhs, first.sign, first.rhs, first.index, first.holds) == ("7", "<=", "4", (1, 0), False)
    assert (second.lhs, second.index, second.holds) == ("-7", (1, 0), False)
    assert (third.index, third.holds) == ((), True)


def test_long_fractions_are_rounded():
    assert short("-13/16") == "-13/16"
    assert short(f"{2**60 + 1}/{2**61}") == "~0.5"
