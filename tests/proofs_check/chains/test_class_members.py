"""Members that a fixed stream of numbers stands for, on three pairs."""

from itertools import product

import numpy as np
import pytest
from flint import fmpq

from proofs_check.chains.class_members import DATA, LAWS, REWARDS, Recipe, stationary
from proofs_check.chains.stationary_data import stationary_law

#: Steps of 0.37 around the unit circle.
NUMBERS = [(k * 0.37) % 1 for k in range(1, 60)]
#: Kind of transitions: the rows of integers, rewards and data that follow in the stream.
MEMBERS = {
    "any": ("2010 1130 2010", [-3, 0, 4], [0, 3, 0]),
    "deterministic": ("0010 1000 0100", [3, -3, 1], [4, 0, 2]),
    "permutation": ("0010 1000 0100", [3, -3, 1], [4, 0, 2]),
    "in turn": ("0100 0020 2000", [0, 4, -2], [2, 0, 2]),
    "symmetric": ("2130 1410 3120", [-2, 2, -4], [1, 4, 0]),
    "balanced": ("3130 1010 3110", [4, -2, 2], [1, 1, 3]),
    "doubly stochastic": ("0220 2020 2200", [0, 4, -2], [2, 0, 2]),
    "absorbing": ("1000 2100 2110", [4, -2, 1], [1, 1, 2]),
    "keeping": ("1000 0100 0010", [2, -4, 0], [3, 0, 2]),
    "ending": ("0001 2301 2120", [-3, 0, 3], [0, 3, 3]),
}
ON_DATA = {"any": [0, 3, 0], "stationary": [2, 0, 1], "uniform": [1, 1, 1], "one-hot": [1, 0, 0]}
PAID = {"any": [-3, 0, 4], "two": [0, 1, 1], "one": [1, 0, 0], "constant": [-1, -1, -1]}


def made(*recipe):
    return Recipe(*recipe).make(NUMBERS, 3, [fmpq(1, 2), fmpq(3, 4)])


@pytest.mark.parametrize("law", LAWS)
def test_transitions(law):
    member = made(law, "any", "any", "own")
    rows = " ".join("".join(map(str, row)) for row in member.moves.tolist())
    assert (rows, list(member.r), list(member.data)) == MEMBERS[law]
    assert (member.gamma, member.limits) == (fmpq(1, 2), None)


def test_data_rewards_and_ranges():
    assert {name: list(made("any", name, "any", "own").data) for name in DATA} == ON_DATA
    assert {name: list(made("any", "uniform", name, "own").r) for name in REWARDS} == PAID
    assert made("any", "any", "any", "doubled").limits == (-3, 11)


@pytest.mark.parametrize("n", [1, 2, 3, 5])
@pytest.mark.parametrize("law", LAWS)
def test_every_member_is_what_its_recipe_says(law, n):
    for seed, (data, paid) in product(range(3), zip(DATA, REWARDS[::-1], strict=True)):
        numbers = {0: [0.0] * 99, 1: [0.999] * 99}.get(seed, np.random.default_rng(seed).random(99))
        plan = Recipe(law, data, paid, "own").make(numbers, n, [fmpq(1, 2)])
        chain = plan.case()
        chain.exact_mrp()  # validates
        P, end, r, D = chain.P, chain.end, chain.r, chain.weights
        assert has_law(law, P, end, n), (law, seed)
        assert data != "stationary" or any(end) or list(D @ P) == list(D)
        assert data != "uniform" or set(D) == {fmpq(1, n)}
        assert data != "one-hot" or sorted(D) == [0] * (n - 1) + [1]
        values = sorted(r)
        assert paid != "two" or (set(values) == {0, 1} if n > 1 else values[0] in (0, 1))
        assert paid != "one" or values == [0] * (n - 1) + [1]
        assert paid != "constant" or (len(set(values)) == 1 and values[0] in (-1, 0, 1))
        assert all(-4 <= value <= 4 and value.q == 1 for value in values)


def has_law(law, P, end, n):
    rows = range(n)
    if law == "in turn" and n == 1:
        return list(end) == [1]  # there is nobody whose turn it could be
    if law == "ending":
        ways = np.linalg.matrix_power((P != 0).astype(int) + np.eye(n, dtype=int), n)
        return all(any(ways[x, y] and end[y] != 0 for y in rows) for x in rows)
    one = all(sorted(P[x])[-1] == 1 for x in rows)
    columns = [sum(P[:, y]) for y in rows]
    said = {
        "any": True,
        "deterministic": one,
        "permutation": one and columns == [1] * n,
        "in turn": all(P[x, x] in (0, 1) for x in rows),
        "symmetric": np.array_equal(P, P.T),
        "balanced": all((P[x, y] != 0) == (P[y, x] != 0) for x in rows for y in rows),
        "doubly stochastic": columns == [1] * n,
        "absorbing": all(P[x, y] == 0 for x in rows for y in range(x + 1, n)) and P[0, 0] == 1,
        "keeping": np.array_equal(P, np.eye(n, dtype=int)),
    }
    return said[law] and not any(end)


def test_closed_sets_of_pairs_keep_their_shares_of_the_data():
    """A circle of two, a pair that stays and one that leads there; and three pairs that never end."""
    moves = np.array([[0, 1, 0, 0, 0], [1, 1, 0, 0, 0], [0, 0, 2, 0, 0], [0, 0, 1, 0, 0]])
    assert stationary(moves, (1, 2, 6, 5)) == [fmpq(1, 9), fmpq(2, 9), fmpq(2, 3), 0]
    assert stationary(moves, (0, 0, 0, 1)) == [fmpq(1, 6), fmpq(1, 3), fmpq(1, 2), 0]  # no closed set has any
    P = moves[:, :4] * fmpq(1) / moves.sum(axis=1)[:, None]
    for start, data in enumerate(np.eye(4, dtype=int)[:3].tolist()):
        assert [*stationary(moves, data)] == [*stationary_law(P, start)]
    for seed in range(20):
        drawn = np.random.default_rng(seed).integers(0, 3, size=(5, 6)) * np.array([1, 1, 1, 1, 1, 0])
        drawn[:, 0] += drawn.sum(axis=1) == 0
        D = np.array(stationary(drawn, range(5)), dtype=object)
        assert [*(D @ (drawn[:, :5] * fmpq(1) / drawn.sum(axis=1)[:, None]))] == [*D]
        assert sum(D) > 0
