import numpy as np
import pytest

from tabular_krope.batched.generators import generators

SEEDS = [0, 1, 7, 2**31, 2**32 - 1, 2**32, 2**32 + 5, 123456789012345678, 2**64 - 1]


def default(seed, more):
    return np.random.default_rng([seed, *more] if more else seed)


@pytest.mark.parametrize("more", [(), (1,), (2,), (1, 2), (0,), (2**32,)])
def test_streams_are_those_of_numpy(more):
    for seed, rng in zip(SEEDS, generators(SEEDS, *more), strict=True):
        wanted = default(seed, more)
        assert rng.bit_generator.state == wanted.bit_generator.state
        assert rng.standard_exponential(3).tolist() == wanted.standard_exponential(3).tolist()
    assert generators([9], *more)[0].random() == default(9, more).random()


def test_a_thousand_seeds_that_follow_each_other():
    found = [rng.random() for rng in generators(range(4_999_500, 5_000_500), 1)]
    assert found == [default(seed, (1,)).random() for seed in range(4_999_500, 5_000_500)]


@pytest.mark.parametrize("seed", [2**96 + 1, 2**128, 2**200 + 3])
def test_seeds_of_many_words_are_left_to_numpy(seed):
    assert [rng.random() for rng in generators([3, seed], 1)] == [default(k, (1,)).random() for k in (3, seed)]
    assert generators([seed])[0].random() == default(seed, ()).random()


def test_no_seeds_and_negative_ones():
    assert generators([]) == []
    with pytest.raises(ValueError, match="non-negative"):
        generators([-1])
