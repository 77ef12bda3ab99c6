"""The ledger: which theorems were proved, of which sources, by which Coq. It ships; a changed source voids it."""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from tabular_krope.errors import KropeError

#: Where the theorems are.
FOLDER = Path(__file__).parent
PATH = FOLDER / "ledger.json"


@dataclass(frozen=True, slots=True)
class Theorem:
    """A theorem that was compiled and asked for.

    Attributes:
        slug: of the statement.
        file: without the suffix.
        name: in Coq.
        statement: as Coq prints it.
        assumptions: what it rests on; empty if it needs no axiom.
    """

    slug: str
    file: str
    name: str
    statement: str
    assumptions: str = ""


@dataclass(frozen=True, slots=True)
class Ledger:
    """What was proved.

    Attributes:
        coq: version of the compiler.
        sources: digest of the ``.v`` files.
        theorems: by slug, in the order of the statements.
    """

    coq: str
    sources: str
    theorems: Mapping[str, Theorem]

    def current(self, folder: Path = FOLDER) -> bool:
        """Whether the sources in a folder are those that were compiled."""
        return self.sources == digest(read_sources(folder))


def write_ledger(coq: str, sources: Mapping[str, str], theorems: Iterable[Theorem], path: Path = PATH) -> None:
    """Replace the ledger at once; theorems that rest on anything are an error."""
    kept = list(theorems)
    for theorem in kept:
        if theorem.assumptions:
            raise KropeError(f"{theorem.name} must rest on nothing; got {theorem.assumptions}")
    entries = [{key: value for key, value in asdict(t).items() if key != "assumptions"} for t in kept]
    text = json.dumps({"coq": coq, "sources": digest(sources), "theorems": entries}, indent=1) + "\n"
    fresh = path.with_suffix(f".{os.getpid()}.tmp")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)


def read_ledger(path: Path = PATH) -> Ledger:
    """The ledger as a value.

    >>> read_ledger().theorems["theorem-1"].name
    'theorem_1'
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        theorems = {entry["slug"]: Theorem(**entry) for entry in data["theorems"]}
        return Ledger(data["coq"], data["sources"], theorems)
    except (OSError, json.JSONDecodeError, KeyError, TypeError) as error:
        raise KropeError(f"{path} must be a ledger written by make proofs; got {error}") from None


def proved(path: Path = PATH, folder: Path = FOLDER) -> frozenset[str]:
    """Slugs whose theorem is in a ledger of exactly these sources; none if a source has changed since.

    >>> proved(PATH.with_name("no-ledger.json"))
    frozenset()
    """
    if not path.exists():
        return frozenset()
    ledger = read_ledger(path)
    return frozenset(ledger.theorems) if ledger.current(folder) else frozenset()


def read_sources(folder: Path = FOLDER) -> dict[str, str]:
    """Texts of the ``.v`` files by name, without the suffix and sorted.

    >>> "stein" in read_sources()
    True
    """
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.v"))}


def digest(sources: Mapping[str, str]) -> str:
    """SHA-256 of all names and texts.

    >>> digest({"a": "x"}) == digest({"a": "x"}), digest({"a": "x"}) == digest({"a": "y"})
    (True, False)
    """
    state = hashlib.sha256()
    for name in sorted(sources):
        for part in (name, sources[name]):
            data = part.encode()
            state.update(len(data).to_bytes(8, "big") + data)
    return state.hexdigest()
