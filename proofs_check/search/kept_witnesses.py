"""Small witnesses that are kept: what the search of `small_witness` made of the stored witnesses of the statements.

The search takes a second or two for each refuted statement and always ends with the same chain, so its results ship in
``kept_witnesses.json``. A kept witness is evidence only after it was verified: it has to meet the premise and to fail
over the rationals, with every verdict anew. ``python -m proofs_check.search.kept_witnesses`` searches again, writes the
file and names what changed.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from tabular_krope.errors import KropeError

KEPT = Path(__file__).with_name("kept_witnesses.json")


def kept_witness(slug: str, start: dict[str, Any]) -> dict[str, Any] | None:
    """The kept result of the search that starts from a serialized witness of a statement; None if there is none.

    >>> kept_witness("lemma-value-bound", {"P_pi": [["1"]], "r": ["0"], "gamma": "1/2"}) is None
    True
    """
    entry = _kept().get(slug)
    return dict(entry["small"]) if entry is not None and entry["start"] == start else None


@cache
def _kept() -> dict[str, dict[str, Any]]:
    try:
        found: dict[str, dict[str, Any]] = json.loads(KEPT.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise KropeError(f"{KEPT.name} must be a file of JSON beside the search; got {problem}") from None
    return found


def searched() -> dict[str, dict[str, Any]]:
    """What belongs into the file: for each refuted statement its smallest stored witness and what the search finds."""
    from proofs_check.chains.witness import case_from_witness, witness_from_case
    from proofs_check.search.refutation import refutes
    from proofs_check.search.small_witness import searched_witness, size
    from proofs_check.statements.registry import STATEMENTS

    out = {}
    for slug, statement in STATEMENTS.items():
        if statement.form == "some":
            continue
        cases = [case for case in map(case_from_witness, statement.witnesses) if refutes(statement, case)]
        if cases:
            case = min(cases, key=size)
            out[slug] = {"start": witness_from_case(case), "small": searched_witness(statement, case)}
    return out


def main() -> None:
    """Search again and write the file."""
    from tabular_krope.data.atomic import atomic_write

    found, before = searched(), _kept() if KEPT.exists() else {}
    lines = ",\n".join(f"{json.dumps(slug)}: {json.dumps(entry)}" for slug, entry in found.items())
    atomic_write(KEPT, lambda out: out.write(f"{{\n{lines}\n}}\n".encode()))
    changed = [slug for slug in {**before, **found} if before.get(slug) != found.get(slug)]
    print(f"{len(found)} small witnesses in {KEPT.name}; changed: {', '.join(changed) or 'none'}")


if __name__ == "__main__":
    main()
