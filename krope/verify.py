"""``krope verify``: check a stored proof or refutation again."""

from collections.abc import Iterable
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

krope verify verdict.json              recheck the certificates; say what has to be trusted

krope verify proofs_check/prove/certificates/theorem-1.json

The file alone is read. A proof is checked in rational arithmetic, a refutation on its exact chain.

[bold]Exit codes[/]

0  the file establishes what it says

1  it does not, or holds no proof, witness or certificate: REFUSED, and why

2  the file cannot be read as JSON

130  interrupted
"""
REFUSED = 1
#: How a line about what need not be trusted begins.
NOT_TRUSTED = "not trusted: "


def verify(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A file of krope conjecture --json or krope worst --json, or a certificate."
        ),
    ],
) -> None:
    """Check a stored proof or refutation again from its file alone, and say what has to be trusted."""
    out = console.output()
    try:
        found = verify_document(read_document(file.read_text("utf-8")))
    except OSError as problem:
        raise KropeError(f"file must be readable JSON; got {file}: {(problem.strerror or '').lower()}") from None
    except UnicodeDecodeError:
        raise KropeError(f"file must be readable JSON; got {file}: bytes that are no text") from None
    except JSONDecodeError as problem:
        got = f"{problem.msg.lower()} in line {problem.lineno}" if file.stat().st_size else "an empty file"
        raise KropeError(f"file must be readable JSON; got {file}: {got}") from None
    except KropeError as reason:
        console.print_beside(out, "[bold red]REFUSED[/]", f"{escape(str(reason))}.", 9)
        raise typer.Exit(REFUSED) from None
    out.print(f"[bold green]VERIFIED[/]  this {found.kind} stands.")
    for line in found.says:
        console.print_beside(out, "  ", escape(line))
    for heading, lines in _headed(found.trusted).items():
        out.print(f"\n[bold]{heading}[/]")
        for line in lines:
            console.print_beside(out, "  -", escape(line), 4)


def _headed(lines: Iterable[str]) -> dict[str, list[str]]:
    """What has to be trusted, and what has not.

    >>> _headed(["a theorem", "not trusted: a solver"])
    {'Trusted': ['a theorem'], 'Not trusted': ['a solver']}
    """
    found: dict[str, list[str]] = {}
    for line in lines:
        heading = "Not trusted" if line.startswith(NOT_TRUSTED) else "Trusted"
        found.setdefault(heading, []).append(line.removeprefix(NOT_TRUSTED))
    return found
