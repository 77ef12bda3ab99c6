"""``krope figures``: compute and draw the figures of the paper and ours."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from krope import console, targets
from krope.console import progress
from krope.errors import tell_how_to_resume
from krope.lazy import offer
from tabular_krope.arrays import require_count
from tabular_krope.errors import unknown_name
from tabular_krope.report.counted import counted

if TYPE_CHECKING:
    from figures.studies.sheet import Look
    from figures.studies.study import Study

EXAMPLES = """
[bold]Examples[/]

krope figures --list                  what there is

krope figures exact-spectral          compute if needed, draw into figures/

krope figures --quick --out /tmp/f    a one-minute version of each, in /tmp/f/quick

krope figures van-roy --seed 1 --out elsewhere

krope figures scaling --format pdf --style paper --width 5.5
    for print: 5.5 inches wide, fonts embedded; --style slides has large text, or give a matplotlib style file

krope figures kernel-filling          a moving picture, as GIF beside its last frame; --format mp4 needs ffmpeg

krope figures garnet-spectral --list  its settings

krope figures garnet-spectral --seed 3 --set sets=1 --set algorithms=krope,fqe --out elsewhere
    trains the learned study on a fourth set of seeds (sets 0, 1, 2 are committed) and draws it

An interrupted run resumes where it stopped; existing data are redrawn, not recomputed.
"""

#: Columns of the names in the list.
NAMES = 24


Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="NAME", help="Figures to make. Default: every one.", autocompletion=offer("figures")),
]
Quick = Annotated[
    bool, typer.Option("--quick", help="A one-minute version of each, in DIR/quick; full ones are never replaced.")
]
Seed = Annotated[
    int, typer.Option(help="Seed for everything random; for the learned study, number of its first set of seeds.")
]
Changes = Annotated[
    list[str] | None, typer.Option("--set", help="Change a setting; --list with a name shows them.", metavar="K=V")
]
Kinds = Annotated[
    str,
    typer.Option(
        "--format",
        help="Formats of the pictures: png, svg, pdf; gif and mp4 for those that move.",
        metavar="KIND,...",
    ),
]
Style = Annotated[str, typer.Option(help="paper, slides, or a matplotlib style file.", metavar="NAME|FILE.mplstyle")]
Width = Annotated[
    float | None, typer.Option(help="Width of each picture in inches; its height follows.", metavar="INCHES")
]
Json = Annotated[
    str | None,
    typer.Option(
        help="Write the files of each figure, or the list, to FILE; - prints it to stdout and nothing else.",
        metavar="FILE",
    ),
]


def figures(
    names: Names = None,
    show: Annotated[bool, typer.Option("--list", help="List the figures, or the settings of those named.")] = False,
    quick: Quick = False,
    out: Annotated[str, typer.Option(help="Folder for data/ and pictures/.", metavar="DIR")] = "figures",
    seed: Seed = 0,
    changes: Changes = None,
    kinds: Kinds = "png,svg,gif",
    style: Style = "",
    width: Width = None,
    jobs: Annotated[int, typer.Option(help="Processes.")] = 1,
    json: Json = None,
) -> None:
    """Compute and draw the figures: data and pictures of each."""
    from figures.studies.changed_settings import changed_study_settings
    from figures.studies.sheet import Look

    studies = _named_studies(names)
    require_count(seed, "seed", least=0)
    require_count(jobs, "jobs")
    chosen = [(study, changed_study_settings(study, quick, seed, changes or [])) for study in studies]
    look = Look(tuple(dict.fromkeys(kind.strip() for kind in kinds.split(","))), style, width)
    lines = console.output()
    targets.require_file_target(json, "json")
    if show:
        _list(chosen, json, lines, with_settings=bool(names))
        return
    targets.require_folder_target(out, "out")
    lines.quiet |= json == targets.STDOUT
    folder = Path(out) / "quick" if quick else Path(out)
    made: dict[str, list[str]] = {}
    with tell_how_to_resume(lambda: _kept(len(made), folder)) as check:
        for study, settings in chosen:
            check()
            made[study.name] = _make(study, settings, folder, jobs, lines, look)
    if json is not None:
        targets.write_json(json, made)


def _named_studies(names: list[str] | None) -> "list[Study]":
    from figures.studies.registry import STUDIES

    known = {study.name: study for study in STUDIES}
    wanted = list(dict.fromkeys(names or known))
    for name in wanted:
        if name not in known:
            raise unknown_name("name", name, known, "krope figures --list")
    return [known[name] for name in wanted]


def _list(chosen: "list[tuple[Study, Any]]", json: str | None, lines: Console, with_settings: bool) -> None:
    from figures.studies.changed_settings import setting_lines

    if json is not None:
        found = [{"name": one.name, "about": one.about, "settings": _changeable(settings)} for one, settings in chosen]
        targets.write_json(json, found)
    if json == targets.STDOUT:
        return
    for study, settings in chosen:
        console.print_beside(lines, study.name, escape(study.about), NAMES)
        for line in setting_lines(settings) if with_settings else []:
            lines.print(f"  {line}", markup=False, soft_wrap=True)


def _changeable(settings: Any) -> dict[str, str]:
    """The settings that ``--set`` changes, by name, each as it is given there."""
    from figures.studies.changed_settings import setting_lines

    return {name: value for name, _, value in (line.partition("=") for line in setting_lines(settings))}


def _kept(made: int, folder: Path) -> str:
    """What an interrupt leaves, and how to resume."""
    pieces = sum(1 for _ in folder.glob("data/*.parts/*.npz"))
    kept = f"{counted(made, 'figure')} and {counted(pieces, 'piece')} of the next"
    return f"{kept} are kept in {folder}; the same command resumes"


def _make(study: "Study", settings: Any, folder: Path, jobs: int, lines: Console, look: "Look") -> list[str]:
    """Compute and draw one figure behind a progress bar; the files that were written."""
    from figures.studies.running import run_study

    with progress(study.name, 1) as bar:

        def begin(done: int, of: int) -> None:
            bar.update(bar.task_ids[0], completed=done, total=of)

        files = run_study(study, settings, folder, jobs, begin, look)
    for path in files:
        lines.print(f"wrote {path}" if path.suffix != ".npz" else f"data {path}", markup=False, soft_wrap=True)
    return [str(path) for path in files]
