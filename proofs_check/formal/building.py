"""Compile, audit and judge: what `make proofs` and `krope check --formal` do."""

import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from proofs_check.formal.audit import audit
from proofs_check.formal.catalog import find_theorems
from proofs_check.formal.compiling import Compiled, compile_all
from proofs_check.formal.ledger import FOLDER, Ledger, Theorem, read_sources
from proofs_check.formal.sources import holes
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


def build(coq: Coq, slugs: Iterable[str], folder: Path = FOLDER, jobs: int = 2, keep: Path | None = None) -> Build:
    """Compile all sources of a folder and audit the theorems of the slugs.

    Args:
        coq: the compiler.
        slugs: of the statements.
        folder: where the sources are.
        jobs: files at a time.
        keep: where compiled files stay for another time; a temporary folder, so that all is compiled, if None.

    Raises:
        KropeError: a source has a hole, or Coq rejects one.
    """
    start = time.perf_counter()
    sources = read_sources(folder)
    found = holes(sources)
    if found:
        raise KropeError(f"proofs must be complete; got {', '.join(found)}")
    theorems = find_theorems(sources, slugs)
    with tempfile.TemporaryDirectory(prefix="krope-proofs-") as temporary:
        place = keep or Path(temporary)
        place.mkdir(parents=True, exist_ok=True)
        files = compile_all(coq, sources, place, jobs)
        answers = audit(coq, theorems, sources, place)
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


def disagreements(build: Build, ledger: Ledger, slugs: Iterable[str]) -> list[str]:
    """How a build differs from the ledger, a line each; empty if every theorem is there, as recorded and without axiom.

    >>> ours = Theorem("theorem-1", "stability", "theorem_1", "True", "an axiom")
    >>> disagreements(Build((ours,), (), 1.0), Ledger("8.16.1", "", {}), ["theorem-1"])
    ['theorem_1 rests on an axiom', 'theorem_1 is not in the ledger']
    """
    here = {theorem.slug: theorem for theorem in build.theorems}
    found = [f"{t.name} rests on {' '.join(t.assumptions.split())}" for t in build.theorems if t.assumptions]
    for slug in slugs:
        ours, theirs = here.get(slug), ledger.theorems.get(slug)
        if ours is not None and theirs is None:
            found.append(f"{ours.name} is not in the ledger")
        elif theirs is not None and (ours is None or ours.statement != theirs.statement):
            found.append(f"{theirs.name} is not what the ledger says")
    return found
