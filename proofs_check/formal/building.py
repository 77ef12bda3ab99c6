"""Compile, audit and judge: what `make proofs` and `krope check --formal` do."""

import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from proofs_check.formal.audit import Theorem, audit
from proofs_check.formal.catalog import find_theorems
from proofs_check.formal.compiling import Compiled, compile_all
from proofs_check.formal.sources import FOLDER, holes, read_sources
from proofs_check.formal.toolchain import Coq
from tabular_krope.errors import KropeError


@dataclass(frozen=True, slots=True)
class Build:
    """Everything compiled once, from nothing.

    Attributes:
        theorems: with what each rests on.
        files: with the time each took.
        seconds: of the whole.
    """

    theorems: tuple[Theorem, ...]
    files: tuple[Compiled, ...]
    seconds: float

    @property
    def clean(self) -> bool:
        """Whether no theorem rests on an assumption."""
        return not any(theorem.assumptions for theorem in self.theorems)


def build(coq: Coq, slugs: Iterable[str], folder: Path = FOLDER, jobs: int = 2) -> Build:
    """Compile all sources of a folder in a temporary one and audit the theorems of the slugs.

    Raises:
        KropeError: a source has a hole, or Coq rejects one.
    """
    start = time.perf_counter()
    sources = read_sources(folder)
    found = holes(sources)
    if found:
        raise KropeError(f"proofs must be complete; got {', '.join(found)}")
    theorems = find_theorems(sources, slugs)
    with tempfile.TemporaryDirectory(prefix="krope-proofs-") as place:
        files = compile_all(coq, sources, Path(place), jobs)
        answers = audit(coq, theorems, sources, Path(place))
    return Build(tuple(answers), tuple(files), time.perf_counter() - start)


def table(build: Build) -> str:
    """Slug, theorem and assumptions, one line each.

    >>> print(table(Build((Theorem("theorem-1", "stability", "theorem_1", "True"),), (), 1.0)))
    slug       theorem              assumptions
    theorem-1  stability.theorem_1  none
    """
    rows = [("slug", "theorem", "assumptions")]
    rows += [(t.slug, f"{t.file}.{t.name}", " ".join(t.assumptions.split()) or "none") for t in build.theorems]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    return "\n".join(f"{slug:<{widths[0]}}  {name:<{widths[1]}}  {rests}" for slug, name, rests in rows)
