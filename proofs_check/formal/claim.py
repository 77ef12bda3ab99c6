"""Put a file with a claim's proof to Coq, with the part of the library that it imports."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from proofs_check.formal.compiling import compile_all
from proofs_check.formal.ledger import read_sources
from proofs_check.formal.sources import holes, requires
from proofs_check.formal.toolchain import Coq
from tabular_krope.errors import KropeError

#: Name of the file in the folder where it is compiled.
NAME = "claim_of_the_user"


def needed(text: str, sources: Mapping[str, str]) -> dict[str, str]:
    """The sources that a file imports, and what those import.

    >>> sorted(needed("From Krope Require Import b.\\n", {"a": "", "b": "From Krope Require Import a.\\n", "c": ""}))
    ['a', 'b']
    """
    found: dict[str, str] = {}
    waiting = sorted(requires(text))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = sources[name]
            waiting += sorted(requires(sources[name]))
    return found


def check_claim(coq: Coq, text: str, jobs: int = 2) -> float:
    """Seconds that Coq took to accept a file; a `KropeError` if it rejects it or the file has a hole."""
    found = holes({NAME: text})
    if found:
        raise KropeError(f"the file must be a complete proof; got {', '.join(found)}")
    sources = {**needed(text, read_sources()), NAME: text}
    with tempfile.TemporaryDirectory(prefix="krope-claim-") as place:
        done = compile_all(coq, sources, Path(place), jobs)
    return sum(file.seconds for file in done if file.name == NAME)
