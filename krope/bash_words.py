"""Bash splits words at colons: ``zoo:c1`` comes in three. Here they are one again, and offers lose what is typed."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO


@contextmanager
def whole_words() -> Iterator[None]:
    """If bash asks for completions in the block, it asks about whole words, and is offered what comes after a colon."""
    if os.environ.get("_KROPE_COMPLETE") != "complete_bash":
        yield
        return
    text, at = os.environ.get("COMP_WORDS", ""), int(os.environ.get("COMP_CWORD", "0"))
    words, at, before = rejoined(text.split("\n" if "\n" in text else None), at)
    os.environ |= {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(at)}
    offered = StringIO()
    try:
        with redirect_stdout(offered):
            yield
    finally:
        sys.stdout.write("".join(line.removeprefix(before) for line in offered.getvalue().splitlines(keepends=True)))


def rejoined(words: list[str], at: int) -> tuple[list[str], int, str]:
    """The words with those that were split at colons in one, the place of the word ``at``, and what stands already.

    >>> rejoined(["krope", "analyze", "zoo", ":", "c1"], 4)
    (['krope', 'analyze', 'zoo:c1'], 2, 'zoo:')
    >>> rejoined(["krope", "an"], 1)
    (['krope', 'an'], 1, '')
    """
    whole: list[str] = []
    place, before, after_colon = None, "", False
    for k, word in enumerate(words):
        colon = bool(word) and set(word) == {":"}
        split = bool(whole) and bool(word) and (colon or after_colon)
        if split:
            whole[-1] += word
        else:
            whole.append(word)
        if k == at:
            place = len(whole) - 1
            before = whole[-1][: whole[-1].rindex(":") + 1] if split else ""
        after_colon = colon
    return whole, len(whole) if place is None else place, before
