"""``krope deep estimate-study``: closed-form estimates for many seeds beside LSTD, LSPE and linear FQE, resumable."""

from pathlib import Path
from typing import Annotated, Any

import typer

from krope import console, targets
from krope.errors import tell_how_to_resume
from tabular_krope.arrays import require_count
from tabular_krope.control.control_data import ControlData
from tabular_krope.control.estimate_study import run_study
from tabular_krope.control.reading import read_data
from tabular_krope.report.counted import counted


def estimate_study(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Data sets: HDF5.")],
    out: Annotated[str, typer.Option(help="Folder of the results; resumed if it exists.", metavar="DIR")],
    seeds: Annotated[int, typer.Option(help="Seeds for the base features, from 0 on.")] = 20,
) -> None:
    """Compare closed-form KROPE (16, 64 or all features, two ridges) with LSTD, LSPE and linear FQE, seed by seed.

    One JSON file per data set and seed; existing ones are kept.
    """
    require_count(seeds, "seeds")
    targets.require_folder_target(out, "out")
    sources: list[tuple[str, Any]] = []
    for file in files:

        def read(path: Path = Path(file)) -> ControlData:
            return read_data(path)

        sources.append((Path(file).stem, read))
    lines = console.output()

    def kept() -> str:
        return f"{len(list(Path(out).glob('*.json')))} cells are kept in {out}; the same command resumes"

    with tell_how_to_resume(kept) as check:

        def told(line: str) -> None:
            lines.print(line, markup=False)
            check()

        count = run_study(sources, range(seeds), Path(out), told)
    lines.print(f"{counted(count, 'cell')} run, {len(list(Path(out).glob('*.json'))):,} in {out}", markup=False)
