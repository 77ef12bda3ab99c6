from dataclasses import replace

import numpy as np
import pytest
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.blueprint import Blueprint
from proofs_check.chains.case import Case
from proofs_check.chains.scope import Scope
from proofs_check.chains.shapes import cycle
from proofs_check.chains.simpler import (
    GAMMAS,
    ROUGH,
    _moves,
    array_moves,
    complexity,
    reward_moves,
    row_moves,
    simpler,
    whole_moves,
    without_end,
    without_pair,
)
from proofs_check.search.shrink import shrink


def long_chain():
    """Thirteen states in a cycle with two actions each, distinct rewards."""
    moves = np.repeat(cycle(13), 2, axis=0)
    return Blueprint(moves, tuple(map(fmpq, range(26))), fmpq(4, 7), [1] * 26, actions=2).case()


def test_a_long_chain_with_states_keeps_them_while_it_becomes_simpler():
    scope = Scope(structured=True)
    case = long_chain()
    found = simpler(scope, case)
    assert found
    for near in found:
        near.exact_mrp()  # validates
        assert (near.X, len(near.Pi)) == (26, 13)
        assert complexity(scope, near) < complexity(scope, case)
    small = shrink(case, lambda near: near.X == 2 * len(near.Pi) and near.own_range > 0, scope, budget=200)
    assert (small.X, len(small.Pi)) == (26, 13)
    assert sorted(small.r) == [0] * 25 + [1]
    assert small.gamma == fmpq(1, 2)


@pytest.mark.parametrize(
    ("data", "kept"),
    [
        ({0: 1}, {0: 1}),  # on a pair that stays: all of it
        ({0: fmpq(1, 4), 2: fmpq(1, 4), 19: fmpq(1, 2)}, {0: fmpq(1, 2), 2: fmpq(1, 2)}),
        ({19: 1}, None),  # on a pair that goes: uniform on the others
    ],
)
def test_the_first_pairs_of_a_long_chain_keep_what_data_they_have(data, kept):
    weights = rationals([data.get(x, 0) for x in range(20)])
    case = Blueprint(cycle(20), tuple(map(fmpq, range(20))), fmpq(1, 2), [1] * 20).case()
    shorter = [near for near in whole_moves(Scope(), replace(case, weights=weights)) if near.X < 20]
    assert sorted(near.X for near in shorter) == [5, 10, 15, 19]
    for near in shorter:
        by_hand = kept if kept is not None else dict.fromkeys(range(near.X), fmpq(1, near.X))
        assert list(near.weights) == [by_hand.get(x, 0) for x in range(near.X)]
        near.exact_mrp()  # validates: what left the first pairs stays where it was
        assert list(near.r) == list(range(near.X))


def test_the_first_pairs_of_a_long_chain_keep_what_else_is_given():
    case = Blueprint(cycle(20), tuple(map(fmpq, range(20))), fmpq(1, 2), [1] * 20).case()
    given = {"D2": rationals([fmpq(1, 20)] * 20), "Phi": rationals(np.arange(40).reshape(20, 2)), "pair": np.array([3])}
    shorter = [near for near in whole_moves(Scope(), case.with_given(**given)) if near.X < 20]
    assert sorted(near.X for near in shorter) == [5, 10, 15, 19]
    for near in shorter:
        assert list(near.given["D2"]) == [fmpq(1, near.X)] * near.X
        assert near.given["Phi"].tolist() == np.arange(2 * near.X).reshape(-1, 2).tolist()
        assert list(near.given["pair"]) == [3]
    far = case.with_given(pair=np.array([12]))
    assert sorted(near.X for near in whole_moves(Scope(), far) if near.X < 20) == [15, 19]


@pytest.mark.parametrize(
    ("shape", "columns_left_out"), [((2,), 0), ((1,), 0), ((2, 2), 0), ((3, 1), 0), ((2, 3), 3), ((3, 2), 2)]
)
def test_columns_of_features_are_left_out_and_those_of_square_matrices_stay(shape, columns_left_out):
    value = rationals(np.full(shape, 2))
    found = list(array_moves(value))
    assert sum(array.shape != shape for array in found) == columns_left_out
    assert sum(array.shape == shape for array in found) == 3 * value.size
    assert all(np.sum(array != 2) == 1 for array in found if array.shape == shape)


@pytest.mark.parametrize("simple", [0, 1, -1])
def test_one_reward_becomes_simple_while_the_others_stay(simple):
    case = Blueprint(cycle(3), (fmpq(-7, 3), fmpq(9, 4), fmpq(5)), fmpq(1, 2), [1] * 3).case()
    found = [list(near.r) for near in simpler(Scope(), case) if near.X == 3]
    for x in range(3):
        assert [*case.r[:x], simple, *case.r[x + 1 :]] in found


def test_numbers_of_a_claim_are_kept_from_becoming_simpler_than_they_may():
    """The discount factor that is asked for stays; data that do not matter become uniform."""
    case = Blueprint(cycle(3), (fmpq(7, 3), fmpq(1, 4), fmpq(5)), fmpq(4, 7), [1, 2, 4]).case()
    fixed = shrink(case, lambda near: near.own_range > 1, Scope(gamma=fmpq(4, 7)), budget=300)
    assert fixed.gamma == fmpq(4, 7)
    free = shrink(case, lambda near: near.own_range > 1, Scope(), budget=300)
    assert free.gamma == fmpq(1, 2)
    for small in (fixed, free):
        assert small.X <= 2
        assert set(small.weights) == {fmpq(1, small.X)}


@pytest.mark.parametrize("X", [5, 13, 20])
def test_data_on_one_pair_alone_are_tried(X):
    """Of a long chain on the first pair, of a short one on each."""
    case = Blueprint(cycle(X), tuple(map(fmpq, range(X))), fmpq(1, 2), list(range(1, X + 1))).case()
    found = [list(near.weights) for near in simpler(Scope(weighted=True), case) if near.X == X]
    alone = {weights.index(1) for weights in found if max(weights) == 1}
    assert alone == (set(range(X)) if X < 13 else {0})
    assert [fmpq(1, X)] * X in found


@pytest.mark.parametrize("X", [4, 14])
@pytest.mark.parametrize("ends", [False, True])
def test_whatever_is_proposed_is_a_chain_with_laws_and_data_that_sum_to_one(X, ends):
    """Of a short and of a long chain, whose episodes may end, with a wider reward range: rows of (P, end) by hand."""
    moves = cycle(X)
    moves[::3, -1] = 2 if ends else 0
    rewards = tuple(fmpq(x, 3) for x in range(X))
    case = Blueprint(moves, rewards, fmpq(4, 7), [1 + x for x in range(X)], (fmpq(-1), fmpq(X))).case()
    for scope in (Scope(), Scope(structured=True)):
        proposed = [*whole_moves(scope, case), *simpler(scope, case)]
        assert len(proposed) > 5
        for near in proposed:
            assert list(near.P.sum(axis=1) + near.end) == [1] * near.X
            assert min(near.P.min(), near.end.min(), near.weights.min()) >= 0
            assert near.weights.sum() == 1
            low, high = near.reward_range or (min(near.r), max(near.r))
            assert low <= min(near.r) <= max(near.r) <= high
            near.exact_mrp()  # validates


@pytest.mark.parametrize(("X", "named"), [(14, 1), (20, 7)])
def test_a_long_chain_as_a_whole_by_hand(X, named):
    """Its first pairs; each pair in its place, or all on their way to the first; and one reward of 1, the last."""
    case = (
        Blueprint(cycle(X), tuple(map(fmpq, range(X))), fmpq(1, 2), [1] * X).case().with_given(pair=np.array([named]))
    )
    *shorter, stay, absorbed, two = whole_moves(Scope(), case)
    assert {near.X for near in shorter} == {n for n in (X // 4, X // 2, 3 * X // 4, X - 1) if n > named}
    assert stay.P.tolist() == np.eye(X, dtype=int).tolist()
    assert absorbed.P.tolist() == [[1] + [0] * (X - 1)] * X
    assert list(two.r) == [0] * (X - 1) + [1]
    assert (two.P == case.P).all()
    assert len(list(whole_moves(Scope(structured=True), case))) == 3


def test_rewards_that_are_tried_by_hand():
    """Each one alone 0, 1, -1, another's, or rounded to wholes, halves and quarters; all of them moved and rounded."""
    r = rationals(["9/7", "-30/7"])
    case = Case.from_matrix(rationals([[1, 0], [0, 1]]), r, fmpq(1, 2))
    found = {tuple(near.r) for near in reward_moves(case)}
    other, one = fmpq(-30, 7), fmpq(9, 7)
    first = {(fmpq(v), other) for v in (0, 1, -1, one, other, fmpq(3, 2), fmpq(5, 4))}
    last = {(one, fmpq(v)) for v in (0, 1, -1, one, other, -4, fmpq(-9, 2), fmpq(-17, 4))}
    spread = fmpq(39, 7)
    whole = {
        (-one, -other), (one - other, fmpq(0)), (fmpq(0), other - one), (one / spread, other / spread),
        (fmpq(1), fmpq(0)), (fmpq(1), other / one), (one / -other, fmpq(-1)),
        (one / 10, other / 10), (one / 2, other / 2),
    }  # fmt: skip
    rounded = {(fmpq(round(9 * n / 7), n), fmpq(round(-30 * n / 7), n)) for n in (1, 2, 3, 4, 10)}
    assert found == first | last | whole | rounded


def two_pairs():
    """From each pair to both, the second ends with 1/7."""
    return Case.from_matrix(
        rationals([["2/7", "5/7"], ["3/7", "3/7"]]), rationals([0, 1]), fmpq(4, 7), end=rationals([0, "1/7"]),
        weights=rationals(["1/5", "4/5"]),
    )  # fmt: skip


def laws(cases):
    return {tuple((*case.P[x], case.end[x]) for x in range(case.X)) for case in cases}


def test_laws_that_are_tried_by_hand():
    """One row alone: to one place, to two with a half each, or rounded to so many parts."""
    case, half = two_pairs(), fmpq(1, 2)
    places = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (half, half, 0), (half, 0, half), (0, half, half)]
    own = [(fmpq(2, 7), fmpq(5, 7), fmpq(0)), (fmpq(3, 7), fmpq(3, 7), fmpq(1, 7))]
    found = laws(row_moves(case))
    for place in places:
        row = tuple(map(fmpq, place))
        assert {(row, own[1]), (own[0], row)} <= found
    for first, second in found:
        assert (first == own[0]) or (second == own[1])
        for row, true in ((first, own[0]), (second, own[1])):
            assert sum(row) == 1
            if row != true and row not in places:  # rounded: no entry is off by a whole part
                parts = int(np.lcm.reduce([int(v.q) for v in row]))
                sizes = [n for n in ROUGH if n % parts == 0]
                assert any(all(abs(a - b) * n < 1 for a, b in zip(row, true, strict=True)) for n in sizes)
    for n in (100, 1000):
        assert any(max(int(v.q) for v in first) in (n, n // 2, n // 4, n // 5) for first, _ in found if first != own[0])


def test_a_pair_is_left_out_by_hand():
    """What went to the second pair goes to the first, stays (which is the same here), or ends; data sum to 1 again."""
    found = list(without_pair(two_pairs(), 1))
    assert laws(found) == {((fmpq(1), fmpq(0)),), ((fmpq(2, 7), fmpq(5, 7)),)}
    assert len(found) == 3
    assert all(list(near.weights) == [1] and list(near.r) == [0] for near in found)
    three = Case.from_matrix(
        rationals([["1/2", "1/4", "1/4"], [0, "1/3", "2/3"], [1, 0, 0]]), rationals([0, 1, 2]), fmpq(1, 2),
        weights=rationals(["1/2", "1/6", "1/3"]),
    )  # fmt: skip
    found = list(without_pair(three, 2))
    v = {name: fmpq(*map(int, name.split("/"))) for name in ("1/2", "1/4", "3/4", "1/3", "2/3")}
    assert laws(found) == {
        ((v["3/4"], v["1/4"], 0), (v["2/3"], v["1/3"], 0)),  # to the first
        ((v["1/2"], v["1/2"], 0), (0, 1, 0)),  # to the second
        ((v["3/4"], v["1/4"], 0), (0, 1, 0)),  # stays
        ((v["1/2"], v["1/4"], v["1/4"]), (0, v["1/3"], v["2/3"])),  # ends
    }
    assert all(list(near.weights) == [v["3/4"], v["1/4"]] for near in found)


def test_ends_go_by_hand():
    """What ended stays where it is, or goes to one pair."""
    first = (fmpq(2, 7), fmpq(5, 7), fmpq(0))
    to_first, to_second = (fmpq(4, 7), fmpq(3, 7), fmpq(0)), (fmpq(3, 7), fmpq(4, 7), fmpq(0))
    found = list(without_end(two_pairs()))
    assert [laws([near]) for near in found] == [{(first, to_second)}, {(first, to_first)}, {(first, to_second)}]


def test_data_and_discount_factors_that_are_tried_by_hand():
    """Uniform data, one pair alone, rounded; simple discount factors; the rewards' own range, of wider rewards too."""
    case = replace(two_pairs(), reward_range=(fmpq(-1), fmpq(3)))
    found = list(_moves(Scope(), case))
    gammas = {near.gamma for near in found} - {case.gamma}
    assert gammas == {fmpq(*map(int, (*name.split("/"), 1)[:2])) for name in GAMMAS}
    data = {tuple(near.weights) for near in found if near.X == 2}
    assert {(fmpq(1, 2), fmpq(1, 2)), (1, 0), (0, 1), (fmpq(1, 5), fmpq(4, 5)), (fmpq(1, 4), fmpq(3, 4))} <= data
    assert all(sum(weights) == 1 for weights in data)
    own = {tuple(near.r) for near in found if near.X == 2 and near.reward_range is None}
    assert own == {(0, fmpq(scale)) for scale in (1, 2, 3, 5, 10)}
    assert {near.gamma for near in _moves(Scope(gamma=case.gamma), case)} == {case.gamma}


def test_data_are_rounded_to_so_many_parts_by_hand():
    case = replace(two_pairs(), weights=rationals(["1/7", "6/7"]))
    found = {near.weights[0] for near in _moves(Scope(), case) if near.X == 2}
    rounded = {fmpq(round(n / 7), n) for n in (2, 3, 4, 5, 6, 8, 10, 20, 50, 100, 1000)}
    assert found == {fmpq(1, 7), fmpq(1, 2), fmpq(0), fmpq(1)} | rounded


def test_pairs_that_are_singled_out_stay_and_move_up():
    case = two_pairs().with_given(pair=np.array([1]))
    assert list(without_pair(case, 1)) == []
    assert {tuple(near.given["pair"]) for near in without_pair(case, 0)} == {(0,)}


@pytest.mark.parametrize(("X", "rows"), [(12, True), (13, False)])
def test_from_thirteen_pairs_on_a_chain_is_changed_as_a_whole(X, rows):
    """Shorter ones lose pairs, ends and single rows one by one; of longer ones the law stays, or is replaced."""
    moves = cycle(X)
    moves[0, -1] = 1
    case = Blueprint(moves, tuple(map(fmpq, range(X))), fmpq(1, 2), [1] * X).case()
    found = [near for near in _moves(Scope(), case) if near.X == X]
    single = [near for near in found if sum((near.P[x] != case.P[x]).any() for x in range(X)) == 1]
    assert bool(single) == rows
    assert any(sum(near.r[x] != case.r[x] for x in range(X)) == 1 for near in found) == rows
    assert {near.X for near in _moves(Scope(), case)} == ({11, 12} if rows else {3, 6, 9, 12, 13})
