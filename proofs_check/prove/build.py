"""Finds the certificates of the statements anew and stores them: ``python -m proofs_check.prove.build [slug ...]``."""

import sys
from pathlib import Path
from typing import Any

from proofs_check.prove.derivations import DERIVATIONS
from proofs_check.prove.proof import certificate_text, check_certificate
from proofs_check.prove.theorems import THEOREMS

FOLDER = Path(__file__).parent / "certificates"


def build_certificate(slug: str) -> dict[str, Any]:
    """The certificate of a statement, found anew.

    >>> check_certificate(build_certificate("remark-bad-pairs")).steps
    3
    """
    from proofs_check.statements.registry import STATEMENTS

    theorem = THEOREMS[slug]
    return {
        "krope": 1,
        "kind": "certificate",
        "slug": slug,
        "claim": STATEMENTS[slug].claim,
        "trusted": theorem.trusted,
        "parts": [DERIVATIONS[slug](part).certificate() for part in theorem.parts],
    }


def main(slugs: list[str]) -> None:
    """Writes the certificates of these statements, of all if none is named."""
    FOLDER.mkdir(exist_ok=True)
    for slug in slugs or THEOREMS:
        data = build_certificate(slug)
        proof = check_certificate(data)
        text = certificate_text(data)
        (FOLDER / f"{slug}.json").write_text(text, "utf-8")
        print(f"{slug}: {proof.steps} steps, {len(text)} characters, checked in {1000 * proof.seconds:.0f} ms")


if __name__ == "__main__":
    main(sys.argv[1:])
