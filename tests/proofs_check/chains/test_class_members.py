"""Members that a fixed stream of numbers stands for, on three pairs."""

import pytest
from flint import fmpq

from proofs_check.chains.class_members import DATA, LAWS, REWARDS, Recipe

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
