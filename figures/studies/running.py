"""From a study to its files: pieces in parallel, kept when interrupted, joined, drawn."""

import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from figures.studies.data_file import read_data, write_data
from figures.studies.sheet import PLAIN, Look, render_study
from figures.studies.study import Data, Study
from tabular_krope.data.atomic import atomic_write, remove_abandoned
from tabular_krope.parallel import in_parallel


def data_path(folder: Path, name: str) -> Path:
    """Where the numbers of a figure are."""
    return folder / "data" / f"{name}.npz"


def picture_path(folder: Path, name: str, kind: str) -> Path:
    """Where the picture of a figure is; ``kind`` is the ending of its name, png for instance."""
    return folder / "pictures" / f"{name}.{kind}"


def run_study(
    study: Study,
    settings: Any,
    folder: Path,
    jobs: int = 1,
    begin: Callable[[int, int], None] = lambda done, of: None,
    look: Look = PLAIN,
) -> list[Path]:
    """Compute what is missing of a figure, save it and draw it.

    Args:
        study: the figure.
        settings: of this run; a data file of other settings is refused.
        folder: gets ``data/`` and ``pictures/``.
        jobs: processes.
        begin: told how many pieces are done, and of how many, each time one is.
        look: kinds of files, style and width of the picture.

    Returns:
        The files of the figure: data, and the picture of each kind.
    """
    for place in ("data", "pictures"):
        remove_abandoned(folder / place)
    data = study_data(study, settings, folder, jobs, begin)
    files = [data_path(folder, study.source)]
    for kind, content in render_study(study, data, look).items():
        path = picture_path(folder, study.name, kind)
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(path, partial(_write, content))
        files.append(path)
    return files


def study_data(
    study: Study, settings: Any, folder: Path, jobs: int = 1, begin: Callable[[int, int], None] = lambda done, of: None
) -> Data:
    """The numbers of a figure: read if they are there, else computed and saved."""
    path = data_path(folder, study.source)
    if path.exists():
        return read_data(path, study.source, settings)
    parts = path.with_name(f"{study.source}.parts")
    parts.mkdir(parents=True, exist_ok=True)
    pieces = list(study.pieces(settings))
    places = [parts / f"{k}.npz" for k in range(len(pieces))]
    missing = [k for k, place in enumerate(places) if not place.exists()]
    for k in set(range(len(pieces))) - set(missing):
        read_data(places[k], study.source, settings)  # refused now if it is of other settings, not after all the work
    done = len(pieces) - len(missing)
    begin(done, len(pieces))
    for _ in _computed(study, settings, [(pieces[k], places[k]) for k in missing], jobs):
        done += 1
        begin(done, len(pieces))
    each = [read_data(place, study.source, settings) for place in places]
    joined = {name: np.concatenate([np.atleast_1d(part[name]) for part in each]) for name in each[0]}
    write_data(path, study.source, settings, study.finish(settings, joined))
    shutil.rmtree(parts)
    # Read back, so that what is drawn is what was saved.
    return read_data(path, study.source, settings)


def _computed(study: Study, settings: Any, work: list[tuple[Any, Path]], jobs: int) -> Iterator[Path]:
    if jobs == 1 or len(work) < 2:
        yield from (_piece(study, settings, piece, place) for piece, place in work)
        return
    yield from in_parallel(_piece_by_name, ((study.name, settings, piece, place) for piece, place in work), jobs)


def _piece(study: Study, settings: Any, piece: Any, place: Path) -> Path:
    write_data(place, study.source, settings, study.compute(settings, piece, place.parent.parent))
    return place


def _piece_by_name(name: str, settings: Any, piece: Any, place: Path) -> Path:
    # A worker looks the study up itself: functions of a module travel as names, and only settings as values.
    from figures.studies.registry import STUDIES

    return _piece(next(study for study in STUDIES if study.name == name), settings, piece, place)


def _write(content: bytes, stream: Any) -> None:
    stream.write(content)
