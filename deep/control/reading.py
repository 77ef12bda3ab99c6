"""Data sets from HDF5 files: ours, D4RL's and Minari's layouts.

What a file lacks is made up for where that is possible: next observations from the following row, next actions and
start actions from the target policy, starts from the first rows of the episodes, values from the policy's own file.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from deep.control.control_data import ControlData
from deep.control.policy_files import Policies
from deep.control.rollouts import MonteCarloValue
from deep.control.tasks import RANDOM, TARGET
from tabular_krope.arrays import Array
from tabular_krope.errors import KropeError

Fields = dict[str, np.ndarray]
REQUIRED = ("observations", "actions", "rewards", "terminals")
INFOS = ("infos/behaviour", "infos/return", "infos/remaining", "infos/ends")
OPTIONAL = ("timeouts", "next_observations", "next_actions", "initial_observations", "initial_actions", *INFOS)
#: Discounted reward that may be missing after a row whose return stands for q.
MISSING_SHARE = 0.05


def read_data(path: Path, policies: Policies | None = None, seed: int = 0) -> ControlData:
    """The data set in ``path``.

    Args:
        path: HDF5 file.
        policies: of the file's task, for files that carry no next actions or values.
        seed: of the next actions that are drawn here.
    """
    fields, about = _open(path)
    try:
        return _data(path, fields, about, policies, seed)
    except KropeError as error:
        raise KropeError(f"{path}: {error}") from None


def _open(path: Path) -> tuple[Fields, dict[str, Any]]:
    import h5py

    try:
        with h5py.File(path, "r") as file:
            return _fields(file), dict(file.attrs)
    except FileNotFoundError:
        raise KropeError(f"{path} must be a data file; got no such file (krope deep data makes one)") from None
    except (OSError, RuntimeError, KeyError, ValueError) as error:
        raise KropeError(f"{path} must be a complete HDF5 file; got {error}") from None


def _fields(file: Any) -> Fields:
    if "episode_0" in file:
        return _minari(file)
    return {name: np.asarray(file[name]) for name in (*REQUIRED, *OPTIONAL) if name in file}


def _minari(file: Any) -> Fields:
    """Minari's episodes one after another; their observations have one row more than their actions."""
    count = sum(name.startswith("episode_") for name in file)
    parts: dict[str, list[np.ndarray]] = {name: [] for name in (*REQUIRED, "timeouts", "next_observations")}
    for k in range(count):
        group = file[f"episode_{k}"]
        observations = np.asarray(group["observations"])
        parts["observations"].append(observations[:-1])
        parts["next_observations"].append(observations[1:])
        for ours, theirs in (
            ("actions", "actions"),
            ("rewards", "rewards"),
            ("terminals", "terminations"),
            ("timeouts", "truncations"),
        ):
            parts[ours].append(np.asarray(group[theirs]))
    return {name: np.concatenate(pieces) for name, pieces in parts.items()}


def _data(path: Path, fields: Fields, about: dict[str, Any], policies: Policies | None, seed: int) -> ControlData:
    for name in REQUIRED:
        if name not in fields:
            raise KropeError(f"{name} must be in the file (D4RL's or Minari's layout); got none")
    n = len(fields["rewards"])
    for name in (*REQUIRED, "timeouts", "next_observations", "next_actions"):
        if name in fields and (fields[name].ndim == 0 or len(fields[name]) != n):
            raise KropeError(f"{name} must have {n} rows like rewards; got shape {fields[name].shape}")
    over = fields["terminals"].astype(bool) | fields.get("timeouts", np.zeros(n)).astype(bool)
    starts = np.flatnonzero(np.concatenate([[True], over[:-1]]))
    first = fields.get("initial_observations", fields["observations"][starts])
    if "next_observations" not in fields:
        fields = _shifted(fields)
    actor = None if policies is None else policies.actors.get(TARGET)
    if "next_actions" not in fields or "initial_actions" not in fields:
        if actor is None:
            raise KropeError("next_actions must be in the file or come from a target policy (--policies); got neither")
        a = fields["actions"].shape[-1]
        for kind, have, want in (
            ("action", a, actor.n_actions),
            ("observation", first.shape[-1], actor.n_observations),
        ):
            if have != want:
                raise KropeError(f"{kind}s must have {want} columns like the target policy's; got {have}")
        rng = np.random.default_rng(seed)
        next_observations = fields["next_observations"]
        fields["next_actions"] = actor.act(next_observations, rng.standard_normal((len(next_observations), a)))
        fields["initial_actions"] = actor.act(first, rng.standard_normal((len(first), a)))
    values = _values(about, policies)
    gamma = float(about.get("gamma", policies.task.gamma if policies is not None else 0.99))
    rows, returns = _target_rows(fields, about, gamma)
    return ControlData(
        str(about.get("name", path.stem)),
        fields["observations"],
        fields["actions"],
        fields["rewards"],
        fields["next_observations"],
        fields["next_actions"],
        1.0 - fields["terminals"].astype(np.float64),
        first,
        fields["initial_actions"],
        gamma,
        values.get(TARGET),
        values.get(RANDOM),
        rows,
        returns,
        {key: str(value) for key, value in about.items()},
    )


def _shifted(fields: Fields) -> Fields:
    """With the next row's observation as the next one; rows that have none (time up, end of file) are left out."""
    terminals = fields["terminals"].astype(bool)
    timeouts = fields.get("timeouts", np.zeros(len(terminals))).astype(bool)
    kept = terminals | ~timeouts
    kept[-1] = terminals[-1]
    following = np.roll(fields["observations"], -1, axis=0)
    per_row = [name for name in (*REQUIRED, "timeouts", "next_actions") if name in fields]
    rest = {name: array for name, array in fields.items() if name not in per_row}
    return rest | {name: fields[name][kept] for name in per_row} | {"next_observations": following[kept]}


def _values(about: dict[str, Any], policies: Policies | None) -> dict[str, MonteCarloValue]:
    try:
        stored = json.loads(about.get("values", "{}"))
        found = {role: MonteCarloValue(**value) for role, value in stored.items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise KropeError(f"attribute values must be Monte Carlo values as JSON; got {error}") from None
    return {**({} if policies is None else policies.values), **found}


def _target_rows(fields: Fields, about: dict[str, Any], gamma: float) -> tuple[np.ndarray, Array]:
    """Rows of the target policy whose return is on file but for a small share, and those returns."""
    roles = json.loads(about.get("behaviours", "[]"))
    if TARGET not in roles or "infos/return" not in fields:
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    whole = (gamma ** fields["infos/remaining"].astype(np.float64) <= MISSING_SHARE) | fields["infos/ends"].astype(bool)
    rows = np.flatnonzero((fields["infos/behaviour"] == roles.index(TARGET)) & whole)
    return rows, fields["infos/return"][rows]
