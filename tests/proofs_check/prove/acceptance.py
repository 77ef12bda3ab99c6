"""Whether the independent reader accepts a certificate."""

import json
from pathlib import Path

from tests.proofs_check.prove import reader

#: What damaged certificates raise in the reader: a failed assertion, or shapes, names and numbers that do not fit.
REFUSALS = (AssertionError, LookupError, ValueError, TypeError, AttributeError, ArithmeticError)

LEMMAS = json.loads(Path("proofs_check/prove/lemmas.json").read_text(encoding="utf-8"))


def accepts(data):
    """Whether every part of a certificate follows from its hypotheses."""
    try:
        reader.check(data, LEMMAS)
    except REFUSALS:
        return False
    return True
