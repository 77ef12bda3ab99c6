"""Run a sweep: what is missing, in this process, in several, or on a Dask cluster."""

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tabular_krope.arrays import require_count
from tabular_krope.errors import KropeError
from tabular_krope.runs.backends import in_processes, in_this_process, on_dask, require_scheduler
from tabular_krope.runs.shard import Shard
from tabular_krope.runs.store import Store, create_store
from tabular_krope.runs.sweep import Sweep


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come.

    Attributes:
        total: configurations of the shard.
        done: of these, those with a result.
        failed: of these, those that failed and have none.
        ran: configurations that this run itself has computed or seen fail.
    """

    total: int
    done: int
    failed: int
    ran: int = 0

    @property
    def left(self) -> int:
        """Configurations that nobody has tried."""
        return self.total - self.done - self.failed

    def after(self, result: bool | None) -> "Progress":
        """One configuration later: a result, a failure, or (None) one that another process did meanwhile."""
        good = result is not False
        return Progress(self.total, self.done + good, self.failed + (not good), self.ran + (result is not None))


def run_sweep(
    sweep: Sweep,
    folder: str | os.PathLike[str],
    jobs: int = 1,
    dask: str | None = None,
    shard: Shard = Shard(),  # noqa: B008 (frozen)
    retry_failed: bool = False,
    begin: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Compute every configuration that has no result yet; those of one shard only.

    Args:
        sweep: what to compute.
        folder: where results are kept; made if it is not there, refused if it is another sweep's.
        jobs: processes on this machine.
        dask: address of a Dask scheduler whose workers compute instead.
        shard: which share of the configurations.
        retry_failed: whether to try again what failed before.
        begin: told the progress at the start and after each configuration.

    Returns:
        The progress at the end. A failing configuration is recorded and the others go on.

    >>> from tabular_krope.runs.sweep import Task
    >>> sweep = Sweep(Task("lengths", "tabular_krope.runs.run:_example"), {}, ({"word": "a"}, {"word": "bcd"}))
    >>> run_sweep(sweep, "lengths"), run_sweep(sweep, "lengths").ran
    (Progress(total=2, done=2, failed=0, ran=2), 0)
    """
    require_count(jobs, "jobs")
    if dask is not None and jobs != 1:
        raise KropeError(f"jobs must not be given with dask, whose workers compute; got {jobs}")
    if dask is not None and not Path(folder).exists():
        require_scheduler(dask)
    store = create_store(folder, sweep)
    store.remove_abandoned()
    progress, todo = _missing(sweep, store, shard, retry_failed)
    begin(progress)
    for result in _results(sweep.task.function, todo, store, jobs, dask):
        progress = progress.after(result)
        begin(progress)
    return progress


def _missing(sweep: Sweep, store: Store, shard: Shard, retry: bool) -> tuple[Progress, list[dict[str, Any]]]:
    done, failed = store.done(), store.failed()
    mine = list(zip(sweep.hashes, sweep.configurations, strict=True))[shard.slice]
    skipped = done if retry else done | failed
    todo = [dict(configuration) for name, configuration in mine if name not in skipped]
    good = sum(name in done for name, _ in mine)
    # Two runs of one sweep in one folder start at different places, and meet only near the end.
    start = random.randrange(len(todo)) if todo else 0
    return Progress(len(mine), good, len(mine) - good - len(todo)), todo[start:] + todo[:start]


def _results(
    function: str, todo: list[dict[str, Any]], store: Store, jobs: int, dask: str | None
) -> Iterator[bool | None]:
    folder = os.fspath(store.folder.resolve())
    if dask is not None:
        return on_dask(function, todo, folder, dask)
    if jobs == 1 or len(todo) < 2:
        return in_this_process(function, todo, folder)
    return in_processes(function, todo, folder, jobs)


def _example(configuration: dict[str, Any], place: Any) -> dict[str, list[int]]:
    return {"length": [len(configuration["word"])]}
