"""numpy's generators for many seeds at once: the streams of ``np.random.default_rng``, made in an eighth of the time.

Nine tenths of making a generator goes into numpy's ``SeedSequence``, which turns a seed into a state by some fifty
operations on 32-bit words, in Python. It is promised to stay as it is, and is done here for all seeds together.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.random.bit_generator import ISeedSequence
from numpy.typing import NDArray

Words = NDArray[np.uint32]

#: Words of the pool; seeds of more words are left to numpy.
POOL = 4
#: First factor and multiplier when seeds go into the pool, and when the state comes out of it.
INTO, INTO_FACTOR, OUT, OUT_FACTOR = 0x43B0D7E5, 0x931E8875, 0x8B51F9DD, 0x58F38DED
#: Factors of the two words that are mixed.
MIXED, WITH = np.uint32(0xCA01F9DD), np.uint32(0x4973F715)


class _State(ISeedSequence):
    """A seed sequence whose state is known."""

    def __init__(self, state: NDArray[np.uint64]) -> None:
        self.state = state

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> Any:  # noqa: ARG002 (numpy asks so)
        return self.state


def generators(seeds: Sequence[int], *more: int) -> list[np.random.Generator]:
    """``np.random.default_rng([seed, *more])`` for each seed, or ``default_rng(seed)`` where there are no more.

    >>> bool(generators([5, 8], 1)[1].random() == np.random.default_rng([8, 1]).random())
    True
    """
    words = [[word for number in (seed, *more) for word in _words(number)] for seed in seeds]
    if not words or min(seeds) < 0 or max(map(len, words)) > POOL:
        return [np.random.default_rng([seed, *more] if more else seed) for seed in seeds]
    padded = np.array([row + [0] * (POOL - len(row)) for row in words], np.uint32)
    sequences: list[Any] = [_State(state) for state in _states(padded.T)]  # numpy's stubs know SeedSequence only
    return [np.random.Generator(np.random.PCG64(sequence)) for sequence in sequences]


def _words(number: int) -> list[int]:
    """The 32-bit words of a number, the lowest first; zero has one."""
    words = [number & 0xFFFFFFFF]
    while (number := number >> 32) > 0:
        words.append(number & 0xFFFFFFFF)
    return words


def _states(words: Words) -> NDArray[np.uint64]:
    """The 256 bits that a generator starts from, [n, 4], for seeds [4, n]."""
    into, out = _Hash(INTO, INTO_FACTOR), _Hash(OUT, OUT_FACTOR)
    pool = [into(word) for word in words]
    for source in range(POOL):
        for k in range(POOL):
            if k != source:
                pool[k] = _folded(MIXED * pool[k] - WITH * into(pool[source]))
    return np.stack([out(pool[k % POOL]) for k in range(2 * POOL)], axis=1).astype("<u4").view("<u8").astype(np.uint64)


class _Hash:
    """A hash of words whose constant changes from one use to the next."""

    def __init__(self, constant: int, factor: int) -> None:
        self.constant, self.factor = constant, factor

    def __call__(self, words: Words) -> Words:
        mixed = words ^ np.uint32(self.constant)
        self.constant = self.constant * self.factor & 0xFFFFFFFF
        return _folded(mixed * np.uint32(self.constant))


def _folded(words: Words) -> Words:
    return words ^ (words >> np.uint32(16))
