"""``krope bench --scaling``: every method at every size, as one table."""

from collections.abc import Mapping
from math import isnan
from pathlib import Path
from typing import Any

from rich import box
from rich.markup import escape
from rich.table import Table

from krope import console

#: Where a measurement of our own is kept unless told otherwise, as that of ``krope figures``.
MEASURED = "figures"


def scaling_folder(quick: bool, out: str | None) -> Path:
    """The folder of the measurement: in ``out`` if given, else what is published, if it was installed, else ours."""
    from figures.studies.committed import FOLDER
    from figures.studies.running import data_path
    from figures.studies.scaling import STUDY

    part = "quick" if quick else ""
    published = data_path(FOLDER / part, STUDY.name).exists()
    return Path(out or (FOLDER if published else MEASURED)) / part


def measured_scaling(quick: bool, folder: Path) -> Mapping[str, Any]:
    """The measurement in ``folder``: read if it is there, else made, resuming where a run was interrupted."""
    from figures.studies.running import data_path, study_data
    from figures.studies.scaling import STUDY

    if not data_path(folder, STUDY.name).exists():
        lines, time = console.messages(), "some seconds" if quick else "about five minutes"
        lines.quiet = console.output().quiet
        told = f"krope: measuring on this machine, {time}: {folder} has no measurement yet, and will keep this one"
        lines.print(told, markup=False, soft_wrap=True)
    with console.progress("measuring", 1) as bar:

        def begin(done: int, of: int) -> None:
            bar.update(bar.task_ids[0], completed=done, total=of)

        return study_data(STUDY, STUDY.settings(quick), folder, 1, begin)


def scaling_answer(runs: Mapping[str, Any]) -> str:
    """The largest model whose features were made, and how the time of that grows."""
    jobs = runs["job"].tolist()
    k = max(range(len(jobs)), key=lambda i: (runs["pairs"][i], runs["seconds"][i]))
    power = _power(runs["time_exponent"][runs["jobs"].tolist().index(jobs[k])])
    grows = "" if power == "-" else f", and about as {power} in the number of pairs X"
    return f"{jobs[k]} of {int(runs['pairs'][k]):,} pairs: {_time(float(runs['seconds'][k]))} of CPU time{grows}."


def scaling_table(runs: Mapping[str, Any]) -> Table:
    """A row for each method and size: CPU time, peak memory, products, and the exponents with the last size."""
    look: Any = {"title_justify": "left", "title_style": "bold", "box": box.SIMPLE_HEAD, "show_edge": False}
    table = Table(
        title="Time and memory against size", caption=escape(str(runs["machine"])), caption_justify="left", **look
    )
    for column in ("method", "pairs", "CPU time", "memory", "products", "time ~", "memory ~"):
        table.add_column(column, justify="left" if column == "method" else "right", no_wrap=True)
    for k, name in enumerate(runs["jobs"].tolist()):
        own = sorted((i for i, job in enumerate(runs["job"].tolist()) if job == name), key=lambda i: runs["pairs"][i])
        for i in own:
            fits = [_power(runs[f"{what}_exponent"][k]) if i == own[-1] else "" for what in ("time", "memory")]
            pairs, products = f"{int(runs['pairs'][i]):,}", int(runs["products"][i])
            size = float(runs["bytes"][i])
            memory = f"{size / 1e6:.0f} MB" if size >= 1e6 else "< 1 MB"
            table.add_row(name, pairs, _time(float(runs["seconds"][i])), memory, str(products or "-"), *fits)
    return table


def _time(seconds: float) -> str:
    return f"{seconds:.3g} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


def _power(exponent: float) -> str:
    return "-" if isnan(exponent) else f"X^{exponent:.2f}"
