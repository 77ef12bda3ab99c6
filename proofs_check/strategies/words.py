"""Words: short sequences of small numbers that Hypothesis draws as one choice, and shrinks number by number.

A model has hundreds of numbers. Drawn one by one, each would be a choice to draw, to keep and to try again; a word of a
dozen costs as much as a single number. Words are alike wherever they can be, for pairs, features and weights, as
Hypothesis puts one in the place of another: a number beyond what is wanted counts from zero again, and what a short
word leaves out is filled in, so a word keeps its meaning whatever the number of pairs.
"""

from collections.abc import Sequence
from functools import cache

from hypothesis import strategies as st

#: Numbers in a word, at least and (unless more are wanted) at most.
LEAST, MOST = 2, 12


@cache
def words(values: int, most: int = MOST) -> st.SearchStrategy[list[int]]:
    """Two numbers or more of 0, .., values - 1, and at most ``most`` (or twelve); two zeros are the simplest.

    >>> from hypothesis import find
    >>> find(words(5), lambda word: word[1] > 2)
    [0, 3]
    """
    width = max(1, ((values - 1).bit_length() + 7) // 8)
    letters = st.binary(min_size=LEAST * width, max_size=max(most, MOST) * width)
    return letters.map(lambda word: [_number(word[k : k + width]) % values for k in range(0, len(word), width)])


def _number(letters: bytes) -> int:
    return int.from_bytes(letters, "big")


@st.composite
def sequences(draw: st.DrawFn, choices: Sequence[int], n: int, *, repeats: bool = False) -> list[int]:
    """``n`` of the ``choices``, simplest first, a word for each twelve of them.

    Args:
        repeats: the last number of a short word is repeated to its end; the first of the choices is if False.

    >>> from hypothesis import find
    >>> find(sequences([0, 1, -1], 4), lambda drawn: -1 in drawn)
    [0, -1, 0, 0]
    >>> find(sequences([0, 1, -1], 4, repeats=True), lambda drawn: -1 in drawn)
    [0, -1, -1, -1]
    """
    word, drawn = words(len(choices)), []
    for _ in range(0, n, MOST):
        numbers = draw(word)
        drawn += numbers + [numbers[-1] if repeats else 0] * (MOST - len(numbers))
    return [choices[k] for k in drawn[:n]]
