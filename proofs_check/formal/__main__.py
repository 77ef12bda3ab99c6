"""``python -m proofs_check.formal``: compile all proofs, show what each rests on, write the ledger."""

import argparse
import sys
from pathlib import Path

from proofs_check.formal.building import build, table
from proofs_check.formal.catalog import RULES
from proofs_check.formal.ledger import read_sources, write_ledger
from proofs_check.formal.toolchain import find_coq
from proofs_check.statements.registry import STATEMENTS
from tabular_krope.errors import KropeError


def main(arguments: list[str] | None = None) -> int:
    """Exit status 0 if every theorem is proved without an assumption."""
    parser = argparse.ArgumentParser(prog="make proofs", description=__doc__)
    parser.add_argument("--jobs", type=int, default=2, help="files at a time")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep compiled files; compile only what changed")
    options = parser.parse_args(arguments)
    try:
        coq = find_coq()
        done = build(coq, (*STATEMENTS.in_group("paper"), *RULES), jobs=options.jobs, keep=options.keep)
    except KropeError as error:
        print(f"make proofs: {error}", file=sys.stderr)
        return 1
    print(table(done))
    missing = [slug for slug in STATEMENTS.in_group("paper") if slug not in {theorem.slug for theorem in done.theorems}]
    print(
        f"{len(done.theorems)} theorems in {len(done.files)} files, Coq {coq.version}, {done.seconds:.0f} s; "
        f"not formalized: {', '.join(missing) or 'none'}"
    )
    if not done.clean:
        print("make proofs: some theorem rests on an assumption", file=sys.stderr)
        return 1
    write_ledger(coq.version, read_sources(), done.theorems)
    return 0


if __name__ == "__main__":
    sys.exit(main())
