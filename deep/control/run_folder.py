"""The folder of one run: ``run.json`` (settings, data, state), ``metrics.csv`` and ``checkpoint.safetensors``.

The checkpoint alone says where a run stands: parameters, Adam's moments, epochs done and all metrics so far, in one
file written in one step. The other two are made from it.
"""

import csv
import io
import json
from dataclasses import dataclass
from math import nan
from pathlib import Path
from typing import Any

from deep.backend import torch
from deep.control.config import ControlConfig
from deep.control.evaluation import COLUMNS, LIMIT_COLUMNS, Row
from deep.control.network import Networks
from deep.losses.regression import Tensor, fixed
from tabular_krope import __version__
from tabular_krope.data.atomic import atomic_write
from tabular_krope.errors import KropeError

ABOUT, METRICS, CHECKPOINT = "run.json", "metrics.csv", "checkpoint.safetensors"
MOMENTS = ("exp_avg", "exp_avg_sq", "step")


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run stands."""

    epochs: int
    diverged: bool
    rows: tuple[Row, ...]


def settings_of(config: ControlConfig, data_name: str, fingerprint: str) -> dict[str, Any]:
    """What a folder is bound to: the settings (but for how far to go) and the data."""
    settings = config.settings()
    settings.pop("epochs")
    return {"settings": settings, "data": data_name, "fingerprint": fingerprint}


def open_folder(folder: Path, bound: dict[str, Any]) -> None:
    """Make the folder, or make sure that it belongs to the same settings and data."""
    about = folder / ABOUT
    if not about.exists():
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise KropeError(f"out must be a folder that can be written; got {folder} ({error.strerror})") from None
        return
    theirs = read_about(folder)
    for name in ("data", "fingerprint"):
        if theirs.get(name) != bound[name]:
            raise KropeError(f"{folder} must hold a run on {name} {bound[name]}; got {theirs.get(name)}")
    for name, ours in json.loads(json.dumps(bound["settings"])).items():
        if theirs["settings"].get(name) != ours:
            got = theirs["settings"].get(name)
            raise KropeError(f"{folder} must hold a run with {name} = {ours!r}; got {got!r} (choose another folder)")


def read_about(folder: Path) -> dict[str, Any]:
    """What ``run.json`` says: at least ``data``, ``epochs`` and ``settings`` with an ``algorithm``."""
    path = folder / ABOUT
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(about["settings"], dict):
            raise TypeError("settings are not a table")
        about |= {"data": str(about["data"]), "epochs": int(about["epochs"])}
        if not isinstance(about["settings"]["algorithm"], str):
            raise TypeError("algorithm is not a name")
    except FileNotFoundError:
        raise KropeError(f"{path} must describe a run; got no such file (krope deep train writes it)") from None
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise KropeError(f"{path} must describe a run; got {type(error).__name__} ({error})") from None
    return dict(about)


def save_progress(
    folder: Path, bound: dict[str, Any], networks: Networks | None, adam: torch.optim.Adam | None, at: Progress
) -> None:
    """Write the checkpoint (where something was trained), then what is made from it."""
    if networks is not None and adam is not None:
        from safetensors.torch import save

        tensors: dict[str, Tensor] = {}
        for name, tensor in networks.named_parameters():
            tensors[name] = fixed(tensor).cpu().contiguous()
            for moment in MOMENTS:
                if tensor in adam.state:
                    tensors[f"{name}/{moment}"] = adam.state[tensor][moment].cpu().contiguous()
        state = {"epochs": at.epochs, "diverged": at.diverged, "rows": list(at.rows)}
        content = save(tensors, metadata={"bound": json.dumps(bound), "state": json.dumps(state)})
        atomic_write(folder / CHECKPOINT, lambda stream: stream.write(content))
    write_tables(folder, bound, at)


def write_tables(folder: Path, bound: dict[str, Any], at: Progress) -> None:
    """Write ``metrics.csv``, then ``run.json``, as the progress ``at`` says."""
    table = metrics_text(at.rows)
    atomic_write(folder / METRICS, lambda stream: stream.write(table.encode()))
    status = "diverged" if at.diverged else "trained"
    about = bound | {"epochs": at.epochs, "status": status, "version": __version__, "torch": torch.__version__}
    text = json.dumps(about, indent=1) + "\n"
    atomic_write(folder / ABOUT, lambda stream: stream.write(text.encode()))


def load_progress(folder: Path, bound: dict[str, Any], networks: Networks, adam: torch.optim.Adam) -> Progress:
    """Put the saved state into ``networks`` and ``adam``; a run that never was saved stands at epoch 0."""
    path = folder / CHECKPOINT
    if not path.exists():
        return Progress(0, False, ())
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "pt") as file:
            meta = file.metadata() or {}
            state, theirs = json.loads(meta["state"]), json.loads(meta["bound"])
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
        at = Progress(int(state["epochs"]), bool(state["diverged"]), tuple(_row(one) for one in state["rows"]))
    except (SafetensorError, OSError, ValueError, TypeError, KeyError) as error:
        raise KropeError(f"{path} must be a complete checkpoint; got {type(error).__name__} ({error})") from None
    if theirs != json.loads(json.dumps(bound)):
        raise KropeError(f"{path} must be of the settings and data asked for; got others (choose another folder)")
    for name, tensor in networks.named_parameters():
        _require_tensor(path, tensors, name, tensor.shape)
        for moment in MOMENTS if at.epochs else ():
            _require_tensor(path, tensors, f"{name}/{moment}", () if moment == "step" else tensor.shape)
    with torch.no_grad():
        for name, tensor in networks.named_parameters():
            tensor.copy_(tensors[name])
            if at.epochs:
                moments = {moment: tensors[f"{name}/{moment}"] for moment in MOMENTS}
                # Adam keeps its count on the CPU, the moments beside the parameters.
                adam.state[tensor] = {
                    moment: value if moment == "step" else value.to(tensor.device) for moment, value in moments.items()
                }
    return at


def _row(stored: dict[str, Any]) -> Row:
    return {name: float(stored[name]) for name in COLUMNS}


def _require_tensor(path: Path, tensors: dict[str, Tensor], name: str, shape: tuple[int, ...]) -> None:
    got = tuple(tensors[name].shape) if name in tensors else "none"
    if got != tuple(shape):
        raise KropeError(f"{path} must be a complete checkpoint, {name} of shape {tuple(shape)}; got {got}")


def metrics_text(rows: tuple[Row, ...]) -> str:
    """The rows as CSV; numbers that read back as themselves."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([repr(float(row[name])) for name in COLUMNS] for row in rows)
    return out.getvalue()


def read_metrics(folder: Path) -> list[Row]:
    """The rows of ``metrics.csv``; all of `COLUMNS` must be there, but for limits, which older tables lack (NaN)."""
    path = folder / METRICS
    try:
        with open(path, encoding="utf-8", newline="") as stream:
            table = csv.DictReader(stream)
            given = set(table.fieldnames or ())
            later = [name for name in LIMIT_COLUMNS if name not in given]
            missing = [name for name in COLUMNS if name not in given and name not in later]
            if missing:
                raise ValueError(f"no column {missing[0]}")
            rows = [{name: float(value) for name, value in row.items()} for row in table]
            return [row | dict.fromkeys(later, nan) for row in rows]
    except (OSError, ValueError, TypeError, csv.Error) as error:
        raise KropeError(f"{path} must be a table of metrics; got {type(error).__name__} ({error})") from None
