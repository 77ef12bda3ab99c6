"""How a sweep stands: read from its folder, while it runs or after it was killed."""

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tabular_krope.runs.configuration import configuration_hash
from tabular_krope.runs.store import Store, open_store
from tabular_krope.runs.table import table_path


@dataclass(frozen=True, slots=True)
class Failure:
    """A configuration that failed.

    Attributes:
        hash: its name; ``failures/<hash>.json`` has the traceback.
        configuration: what was asked for.
        error: the error in one line.
    """

    hash: str
    configuration: dict[str, Any]
    error: str


@dataclass(frozen=True, slots=True)
class Status:
    """How a sweep stands.

    Attributes:
        task: name of the task.
        settings: what the user asked for.
        total, done, failed, left: configurations; left are those that nobody has tried.
        failures: those that failed.
        last_result: when the newest result was written, UTC; None if there is none.
        table: path of the table; None if it has not been written.
    """

    task: str
    settings: dict[str, Any]
    total: int
    done: int
    failed: int
    left: int
    failures: tuple[Failure, ...]
    last_result: str | None
    table: str | None


def sweep_status(folder: str | os.PathLike[str]) -> Status:
    """The status of the sweep in ``folder``.

    >>> from tabular_krope.runs.run import run_sweep
    >>> from tabular_krope.runs.sweep import Sweep, Task
    >>> sweep = Sweep(Task("lengths", "tabular_krope.runs.run:_example"), {}, ({"word": "a"}, {"word": 3}))
    >>> ran = run_sweep(sweep, "lengths")
    >>> status = sweep_status("lengths")
    >>> status.done, status.failed, status.failures[0].error
    (1, 1, "TypeError: object of type 'int' has no len()")
    """
    store = open_store(folder)
    about, wanted = store.about(), store.configurations()
    names = [configuration_hash(configuration) for configuration in wanted]
    done, failed = store.done().intersection(names), store.failed().intersection(names)
    errors = ((name, store.failure(name)) for name in names if name in failed)
    failures = tuple(Failure(name, found["configuration"], found["error"]) for name, found in errors)
    left = len(names) - len(done) - len(failed)
    table = table_path(store)
    return Status(
        task=about["task"],
        settings=about["settings"],
        total=len(names),
        done=len(done),
        failed=len(failed),
        left=left,
        failures=failures,
        last_result=_newest(store, done),
        table=os.fspath(table) if table.exists() else None,
    )


def _newest(store: Store, done: set[str]) -> str | None:
    if not done:
        return None
    newest = max(store.result_path(name).stat().st_mtime for name in done)
    return datetime.fromtimestamp(newest, UTC).isoformat(timespec="seconds")
