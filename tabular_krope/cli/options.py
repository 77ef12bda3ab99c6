"""Options that several commands have, declared once."""

from typing import Annotated

import typer

Jobs = Annotated[int, typer.Option(help="Processes on this machine.")]
Dask = Annotated[str | None, typer.Option(help="Compute on the workers of this Dask scheduler.", metavar="ADDRESS")]
Shard = Annotated[str | None, typer.Option(help="Do the i-th of n shares only.", metavar="I/N")]
RetryFailed = Annotated[bool, typer.Option("--retry-failed", help="Try again what failed before.")]
JsonOfStatus = Annotated[
    str | None, typer.Option(help="Write the status to FILE; - for stdout, and nothing else there.", metavar="FILE")
]
JsonOfNumbers = Annotated[
    str | None, typer.Option(help="Write every number to FILE; - for stdout, and nothing else there.", metavar="FILE")
]
