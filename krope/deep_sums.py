"""``krope deep sums``: which float32 makes LSPE on trained features diverge."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table

from krope import console, options, targets
from tabular_krope.control.policy_files import policies_for_reading
from tabular_krope.control.reading import read_data
from tabular_krope.report.digits import three


def sums(
    runs: Annotated[list[str], typer.Argument(metavar="RUN", help="Folders that krope deep train wrote.")],
    data: Annotated[str, typer.Option(help="The data set that the runs were trained on.", metavar="FILE.h5")],
    task: options.ActingTask = None,
    policies: options.Policies = None,
    json: options.JsonOfNumbers = None,
) -> None:
    """LSPE's spectral radius on trained features, for several ways of summing over the rows in float32.

    Sums run in one thread. With OMP_NUM_THREADS=1 numpy's do too, and the numbers are reproducible.
    """
    from deep.backend import torch
    from deep.control.sums import sums_of_runs

    if json is not None:
        targets.require_file_target(json, "json")
    acting = policies_for_reading(task, policies)
    torch.set_num_threads(1)
    found = sums_of_runs([Path(run) for run in runs], read_data(Path(data), acting))
    if json is not None:
        targets.write_json(json, found)
    if json != targets.STDOUT:
        console.output().print(_table(found))


def _table(found: dict[str, Any]) -> Any:
    look: Any = {"title_justify": "left", "title_style": "bold", "box": box.SIMPLE_HEAD, "show_edge": False}
    shown = Table(title=found["what"], **look)
    shown.add_column("sums")
    ways = [way for way in found if way != "what"]
    for name in found[ways[0]]:
        shown.add_column(name, justify="right", no_wrap=True)
    for way in ways:
        shown.add_row(way, *(three(radius) for radius in found[way].values()))
    return shown
