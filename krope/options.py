"""Options that several commands have, declared once."""

from typing import Annotated

import typer

from krope.lazy import offer

Jobs = Annotated[int, typer.Option(help="Processes on this machine.")]
Dask = Annotated[str | None, typer.Option(help="Compute on the workers of this Dask scheduler.", metavar="ADDRESS")]
Shard = Annotated[str | None, typer.Option(help="Do only the i-th of n shares.", metavar="I/N")]
RetryFailed = Annotated[bool, typer.Option("--retry-failed", help="Retry what failed before.")]
JsonOfStatus = Annotated[
    str | None, typer.Option(help="Write the status to FILE; - prints it to stdout and nothing else.", metavar="FILE")
]
JsonOfNumbers = Annotated[
    str | None,
    typer.Option(help="Write every number to FILE; - prints it to stdout and nothing else.", metavar="FILE"),
]
Report = Annotated[
    str | None,
    typer.Option(help="Write one self-contained page to FILE.html: answer, pictures, numbers.", metavar="FILE.html"),
]
Batch = Annotated[int, typer.Option(help="Transitions per minibatch.")]
Device = Annotated[str, typer.Option(help="auto, cpu or cuda.", autocompletion=offer("devices"))]
RunSettings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        help="Another setting for the runs, such as standardize=off, optimizer=adam, pairings=4; repeatable.",
        metavar="NAME=VALUE",
    ),
]
ActingTask = Annotated[
    str | None,
    typer.Option(
        help="Task whose target policy chooses the next actions, for files without them.", autocompletion=offer("tasks")
    ),
]
Policies = Annotated[
    str | None, typer.Option(help="Folder of policies. Default: your own, then those that ship.", metavar="DIR")
]
