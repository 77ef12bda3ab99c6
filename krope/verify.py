"""``krope verify``: check a stored proof or refutation again."""

from json import JSONDecodeError
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from krope import console
from proofs_check.prove.verifying import read_document, verify_document
from tabular_krope.errors import KropeError

EXAMPLES = """
[bold]Examples[/]

krope conjecture "abs(q\\[x]-q\\[y]) <= U\\[x,y]" --conservative --json verdict.json

krope verify verdict.json              the certificates again, and what has to be trusted

krope verify proofs_check/prove/certificates/theorem-1.json

The file alone is read. A proof is checked in rational arithmetic, a refutation on its exact chain.

[bold]Exit codes[/]

0  the file establishes what it says

1  it does not: REFUSED, and why

2  the file cannot be read, or holds no proof, witness or certificate
"""
REFUSED = 1


def verify(
    file: Annotated[
        Path, typer.Argument(help="A file of krope conjecture --json or krope worst --json, or a certificate.")
    ],
) -> None:
    """Check a stored proof or refutation again from its file alone, and say what has to be trusted."""
    out = console.output()
    try:
        found = verify_document(read_document(file.read_text("utf-8")))
    except (OSError, UnicodeDecodeError, JSONDecodeError) as problem:
        raise KropeError(f"file must be readable JSON; got {file}: {problem}") from None
    except KropeError as reason:
        out.print(f"[bold red]REFUSED[/]  {escape(str(reason))}.")
        raise typer.Exit(REFUSED) from None
    out.print(f"[bold green]VERIFIED[/]  this {found.kind} stands.")
    for line in found.says:
        out.print(f"  {escape(line)}")
    out.print()
    out.print("[bold]Trusted[/]")
    for line in found.trusted:
        out.print(f"  {escape(line)}")
