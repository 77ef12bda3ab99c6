"""Patterns of rewards, data and reward ranges, written out for five pairs."""

import pytest
from flint import fmpq

from proofs_check.chains.trait_values import DATA, RANGES, REWARDS, reward_range, rewards

#: Rewards and numbers in proportion to the data of five pairs, with the words under which they are counted.
BY_HAND = {
    "counting": ("distinct", [0, 1, 2, 3, 4]),
    "first": ("two-valued", [1, 0, 0, 0, 0]),
    "alternating": ("two-valued", [0, 1, 0, 1, 0]),
    "last": ("two-valued", [0, 0, 0, 0, 1]),
    "in twos": ("tied", [0, 0, 1, 1, 2]),
    "all": ("tied", [1, 1, 1, 1, 1]),
    "all but last": ("two-valued", [1, 1, 1, 1, 0]),
    "signs": ("tied", [1, -1, 0, 0, 0]),
}
SEEN = {
    "uniform": ("uniform", [1, 1, 1, 1, 1]),
    "last": ("one-hot", [0, 0, 0, 0, 1]),
    "rising": ("skewed", [1, 2, 3, 4, 5]),
    "first": ("one-hot", [1, 0, 0, 0, 0]),
    "first two": ("skewed", [1, 1, 0, 0, 0]),
    "heavy": ("skewed", [25, 1, 1, 1, 1]),
}


def test_rewards_by_hand():
    assert {name: (word, list(rewards(name, 5))) for name, (word, _) in REWARDS.items()} == BY_HAND


def test_data_by_hand():
    assert {name: (word, make(5).tolist()) for name, (word, make) in DATA.items()} == SEEN


@pytest.mark.parametrize(
    ("pattern", "r", "limits"),
    [
        ("own", (0, 3), None),
        ("doubled", (1, 3), (1, 5)),
        ("hundredfold", (1, 3), (-99, 101)),
        ("barely wider", (-2, 3), (-2, fmpq(601, 200))),
        ("doubled", (4, 4), (4, 5)),  # constant rewards are widened by ones
        ("hundredfold", (4, 4), (-46, 53)),
        (fmpq(5, 2), (1, 3), (1, 6)),  # so many times their own range
        (fmpq(1), (1, 3), (1, 3)),
    ],
)
def test_reward_ranges_by_hand(pattern, r, limits):
    assert reward_range(pattern, tuple(map(fmpq, r))) == limits
    assert set(RANGES) == {"own", "doubled", "hundredfold", "barely wider"}
