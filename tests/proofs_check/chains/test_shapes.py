"""The shapes and patterns that are crossed, drawn on five pairs: a row a pair, the last column is the end."""

import pytest

from proofs_check.chains.shapes import ENDING, SHAPES
from proofs_check.chains.trait_values import DATA, REWARDS

#: Integers in proportion to probabilities.
ON_FIVE = {
    "cycle": "010000 001000 000100 000010 100000",
    "swaps": "010000 100000 000100 001000 000100",
    "path": "100000 100000 010000 001000 000100",
    "ending path": "000001 100000 010000 001000 000100",
    "star": "100000 100000 100000 100000 100000",
    "absorbing": "100000 010000 001000 000100 000010",
    "fan": "011110 010000 001000 000100 000010",
    "tree": "100000 100000 100000 010000 010000",
    "legs": "100000 100000 100000 010000 001000",
    "layered": "100000 010000 001000 111000 111000",
    "hub": "011110 100000 100000 100000 100000",
    "walk": "110000 101000 010100 001010 000110",
    "lazy cycle": "110000 011000 001100 000110 100010",
    "lazy path": "200000 110000 011000 001100 000110",
    "ending star": "000001 100000 100000 100000 100000",
    "ending fan": "011110 000001 000001 000001 000001",
    "fork": "100000 100000 010000 001000 001000",
    "ending fork": "000001 100000 010000 001000 001000",
    "twins": "100000 010000 100000 010000 001100",
    "ending twins": "000001 000001 100000 010000 001100",
    "blends": "100000 010000 120000 210000 001000",
    "ending blends": "000005 100004 200003 300002 400001",
    "mixing": "111110 111110 111110 111110 111110",
    "F1": "110000 110000 100000 010000 001000",
}
PATTERNS = {
    "counting": ("distinct", [0, 1, 2, 3, 4]),
    "first": ("two-valued", [1, 0, 0, 0, 0]),
    "alternating": ("two-valued", [0, 1, 0, 1, 0]),
    "last": ("two-valued", [0, 0, 0, 0, 1]),
    "in twos": ("tied", [0, 0, 1, 1, 2]),
    "all": ("tied", [1, 1, 1, 1, 1]),
    "all but last": ("two-valued", [1, 1, 1, 1, 0]),
    "signs": ("tied", [1, -1, 0, 0, 0]),
}
ON_DATA = {
    "uniform": ("uniform", [1, 1, 1, 1, 1]),
    "last": ("one-hot", [0, 0, 0, 0, 1]),
    "rising": ("skewed", [1, 2, 3, 4, 5]),
    "first": ("one-hot", [1, 0, 0, 0, 0]),
    "first two": ("skewed", [1, 1, 0, 0, 0]),
    "heavy": ("skewed", [25, 1, 1, 1, 1]),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_on_five_pairs(name):
    assert " ".join("".join(map(str, row)) for row in SHAPES[name](5).tolist()) == ON_FIVE[name]


@pytest.mark.parametrize(("patterns", "drawn"), [(REWARDS, PATTERNS), (DATA, ON_DATA)])
def test_patterns_on_five_pairs(patterns, drawn):
    assert {name: (word, [int(v) for v in made(5)]) for name, (word, made) in patterns.items()} == drawn


@pytest.mark.parametrize("n", range(1, 8))
@pytest.mark.parametrize("name", SHAPES)
def test_every_pair_leads_somewhere_and_ends_only_where_the_name_says_so(name, n):
    moves = SHAPES[name](n)
    assert moves.shape == (n, n + 1)
    assert (moves >= 0).all()
    assert (moves.sum(axis=1) > 0).all()
    assert (moves[:, -1].sum() > 0) == (name in ENDING)
