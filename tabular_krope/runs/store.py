"""The folder of a sweep: what was asked for, and one file for each configuration that was done.

    sweep.json              task, settings, fingerprint, number of configurations
    configurations.jsonl    every configuration, one to a line
    results/ab/abcd....json done: the configuration and its columns
    failures/abcd....json   failed: the configuration and the error; gone once a retry succeeds
    work/abcd.../           what a task keeps for itself while it runs, such as checkpoints
    table.parquet           all rows, when every configuration was done or has failed

Every file appears whole or not at all, under a name that depends on its content's configuration only. So any number of
processes, on any number of machines that share the folder, can work on it, and can be killed, at any time.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tabular_krope.data.atomic import atomic_write, remove_abandoned
from tabular_krope.data.json_files import read_json
from tabular_krope.errors import KropeError
from tabular_krope.runs.columns import decoded
from tabular_krope.runs.configuration import canonical, configuration_hash
from tabular_krope.runs.sweep import Sweep

FORMAT = "krope sweep 1"


@dataclass(frozen=True, slots=True)
class Store:
    """The folder of a sweep; `create_store` and `open_store` make one."""

    folder: Path

    def about(self) -> dict[str, Any]:
        """Task, settings, fingerprint and number of configurations."""
        return _read(self.folder / "sweep.json")

    def configurations(self) -> list[dict[str, Any]]:
        """Every configuration, in order."""
        path = self.folder / "configurations.jsonl"
        try:
            return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        except OSError as error:
            raise KropeError(f"{path} must exist, start the sweep again to make it; got {error.strerror}") from None

    def result_path(self, name: str) -> Path:
        """Where the result of the configuration with that hash is, or will be."""
        return self.folder / "results" / name[:2] / f"{name}.json"

    def failure_path(self, name: str) -> Path:
        """Where the error of a configuration that failed is."""
        return self.folder / "failures" / f"{name}.json"

    def work_path(self, name: str) -> Path:
        """A folder for a task's own files; the task makes it if it wants it."""
        return self.folder / "work" / name

    def done(self) -> set[str]:
        """Hashes of the configurations with a result: one look at each subfolder, no file is opened."""
        return {name for sub in _names(self.folder / "results") for name in _stems(self.folder / "results" / sub)}

    def failed(self) -> set[str]:
        """Hashes of the configurations that failed and have no result."""
        failures = _stems(self.folder / "failures")
        return {name for name in failures if not self.result_path(name).exists()}

    def remove_abandoned(self) -> None:
        """Remove half-written files that killed processes left, once they are old."""
        results = self.folder / "results"
        for place in (self.folder, self.folder / "failures", *(results / sub for sub in _names(results))):
            remove_abandoned(place)

    def write_result(self, configuration: Mapping[str, Any], columns: Mapping[str, list[Any]], seconds: float) -> None:
        """Keep a result (encoded columns) for good; an earlier failure of the same configuration is forgotten."""
        from tabular_krope import __version__

        name = configuration_hash(configuration)
        kept = {"configuration": dict(configuration), "krope_version": __version__, "seconds": round(seconds, 6)}
        _write(self.result_path(name), kept | {"columns": dict(columns)})
        self.failure_path(name).unlink(missing_ok=True)

    def write_failure(self, configuration: Mapping[str, Any], error: str, traceback: str) -> None:
        """Keep an error, in one line and in full."""
        from tabular_krope import __version__

        kept = {"configuration": dict(configuration), "krope_version": __version__}
        _write(self.failure_path(configuration_hash(configuration)), kept | {"error": error, "traceback": traceback})

    def result(self, name: str) -> dict[str, Any]:
        """A result as it was written: configuration, columns, seconds of processor time, version."""
        found = _read(self.result_path(name))
        return found | {"columns": decoded(found["columns"])}

    def failure(self, name: str) -> dict[str, Any]:
        """A failure as it was written: configuration, error, traceback, version."""
        return _read(self.failure_path(name))


def create_store(folder: str | os.PathLike[str], sweep: Sweep) -> Store:
    """The store of ``sweep`` in ``folder``: made, or found as an earlier run or another shard left it.

    Raises:
        KropeError: if the folder holds something else, or another sweep.
    """
    from tabular_krope import __version__

    place = Path(folder)
    about = place / "sweep.json"
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise KropeError(f"out must be a folder that can be written; got {folder} ({error.strerror})") from None
    if about.exists():
        _require_same(open_store(place).about(), sweep, place)
    else:
        if any(not name.startswith(".") for name in _names(place)) and not about.exists():
            raise KropeError(
                f"out must be an empty folder or one of this sweep; got {str(folder)!r}, which holds other files"
            )
        parts: dict[str, Any] = {"format": FORMAT, "krope_version": __version__, "task": sweep.task.name}
        parts |= {"configurations": len(sweep.configurations), "fingerprint": sweep.fingerprint}
        _write(about, parts | {"settings": dict(sweep.settings)})
    lines = place / "configurations.jsonl"
    if not lines.exists():
        text = "".join(canonical(configuration) + "\n" for configuration in sweep.configurations)
        atomic_write(lines, lambda stream: stream.write(text.encode()))
    return Store(place)


def open_store(folder: str | os.PathLike[str]) -> Store:
    """The store of a sweep that was started before."""
    about = Path(folder) / "sweep.json"
    if not about.exists():
        raise KropeError(f"FOLDER must be the --out folder of a sweep; got {folder}, which has no sweep.json")
    if (found := _read(about).get("format")) != FORMAT:
        raise KropeError(f"{about} must have the format {FORMAT!r}; got {found!r}")
    return Store(Path(folder))


def _require_same(about: Mapping[str, Any], sweep: Sweep, folder: Path) -> None:
    if about["fingerprint"] == sweep.fingerprint:
        return
    theirs, ours = about["settings"] | {"task": about["task"]}, dict(sweep.settings) | {"task": sweep.task.name}
    other = next((name for name in sorted(theirs.keys() | ours.keys()) if theirs.get(name) != ours.get(name)), None)
    what = f"{other} = {theirs.get(other)!r} where now {ours.get(other)!r} is asked for" if other else "another one"
    raise KropeError(f"out must be a folder of this sweep, choose another; got {folder} with {what}")


def _read(path: Path) -> dict[str, Any]:
    try:
        found = read_json(str(path))
    except KropeError as error:
        raise KropeError(f"{path}: {error}") from None
    if not isinstance(found, dict):
        raise KropeError(f"{path} must hold a JSON object; got {type(found).__name__}")
    return found


def _write(path: Path, value: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(value, allow_nan=False) + "\n"
    atomic_write(path, lambda stream: stream.write(text.encode()))


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        return []


def _stems(folder: Path) -> list[str]:
    return [name[:-5] for name in _names(folder) if name.endswith(".json") and not name.startswith(".")]
