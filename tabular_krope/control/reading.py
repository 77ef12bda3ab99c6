"""Data sets from HDF5 files: ours, D4RL's and Minari's layouts, read by the guarded reader of `tabular_krope.data`.

What a file lacks is made up for where that is possible: next observations from the following row, next actions and
start actions from the target policy, starts from the first rows of the episodes, values from the policy's own file.
"""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.control.control_data import ControlData
from tabular_krope.control.policy_files import Policies, missing_policy
from tabular_krope.control.rollouts import MonteCarloValue, read_values
from tabular_krope.control.tasks import RANDOM, TARGET, TIME_LIMIT
from tabular_krope.control.time_limit import longest_cut, reward_beyond
from tabular_krope.data.continuous import ContinuousDataset
from tabular_krope.data.hdf5_files import checked_array, opened_hdf5, read_hdf5
from tabular_krope.data.minari import minari_episodes
from tabular_krope.errors import KropeError

INFOS = ("behaviour", "return", "remaining", "ends")
#: Discounted reward that may be missing after a row whose return stands for q.
MISSING_SHARE = 0.05


def read_data(path: Path, policies: Policies | None = None, seed: int = 0) -> ControlData:
    """The data set in ``path``.

    Args:
        path: HDF5 file.
        policies: of the file's task, for files that carry no next actions or values.
        seed: of the next actions that are drawn here.
    """
    if not path.is_file():
        got = "a folder" if path.is_dir() else "no such file"
        raise KropeError(f"{path} must be a data file; got {got} (krope deep data makes one)")
    try:
        with opened_hdf5(str(path)) as file:
            about = {str(name): file.attrs[name] for name in file.attrs}
            infos, gamma = _infos(file, os.path.getsize(path)), _gamma(about, policies)
            rows = minari_episodes(file, os.path.getsize(path), gamma)
        rows = read_hdf5(str(path), gamma) if rows is None else rows
        return _data(path.stem, rows, infos, about, policies, seed)
    except KropeError as error:
        raise KropeError(f"{path}: {error}") from None


def _gamma(about: dict[str, Any], policies: Policies | None) -> float:
    """The file's own discount, else the task's, else the paper's."""
    stated = about.get("gamma", 0.99 if policies is None else policies.task.gamma)
    try:
        return float(stated)
    except (TypeError, ValueError):
        raise KropeError(f"attribute gamma must be a number; got {stated!r}") from None


def _infos(file: Any, size: int) -> dict[str, np.ndarray]:
    """Who acted in each row and what came of it, where the file says so."""
    if not all(f"infos/{name}" in file for name in INFOS):
        return {}
    return {name: np.asarray(checked_array(file, f"infos/{name}", size)) for name in INFOS}


def _data(
    name: str,
    rows: ContinuousDataset,
    infos: dict[str, np.ndarray],
    about: dict[str, Any],
    policies: Policies | None,
    seed: int,
) -> ControlData:
    first = rows.initial_observations
    if first is None:
        first = rows.observations[np.unique(rows.episodes, return_index=True)[1]]
    next_actions, initial_actions = _actions(rows, first, policies, seed)
    values = _values(about, policies)
    roles = _roles(about)
    infos = infos if all(array.shape == (len(rows),) for array in infos.values()) else {}
    which, returns = _target_rows(infos, roles, rows.gamma)
    task = None if policies is None or TARGET in _stored(about) else policies.task
    limit = longest_cut(infos) if infos else None if task is None else TIME_LIMIT // task.action_repeat
    return ControlData(
        str(about.get("name", name)),
        rows.observations,
        rows.actions,
        rows.rewards,
        rows.next_observations,
        next_actions,
        1.0 - rows.terminals.astype(np.float64),
        first,
        initial_actions,
        rows.gamma,
        values.get(TARGET),
        values.get(RANDOM),
        which,
        returns,
        {key: str(value) for key, value in about.items()},
        0.0 if limit is None or TARGET not in values else reward_beyond(rows, infos, roles, limit),
        (rows.timeouts & ~rows.terminals).astype(np.float64),
    )


def _actions(rows: ContinuousDataset, first: Array, policies: Policies | None, seed: int) -> tuple[Array, Array]:
    """Next actions and start actions: the file's own, drawn from the target policy where it has none."""
    if rows.next_actions is not None and rows.initial_actions is not None:
        return rows.next_actions, rows.initial_actions
    if policies is None:
        name = "next_actions" if rows.next_actions is None else "initial_actions"
        raise KropeError(f"{name} must be in the file or come from a target policy (--task); got neither")
    actor = policies.actors.get(TARGET)
    if actor is None:
        raise KropeError(missing_policy(policies.task, TARGET))
    a, o = rows.actions.shape[1], rows.observations.shape[1]
    for kind, have, want in (("action", a, actor.n_actions), ("observation", o, actor.n_observations)):
        if have != want:
            raise KropeError(f"{kind}s must have {want} columns like the target policy's; got {have}")
    rng = np.random.default_rng(seed)
    noise = [rng.standard_normal((len(rows), a)), rng.standard_normal((len(first), a))]  # whichever is needed
    after = actor.act(rows.next_observations, noise[0]) if rows.next_actions is None else rows.next_actions
    return after, actor.act(first, noise[1]) if rows.initial_actions is None else rows.initial_actions


def _values(about: dict[str, Any], policies: Policies | None) -> dict[str, MonteCarloValue]:
    return {**({} if policies is None else policies.values), **_stored(about)}


def _stored(about: dict[str, Any]) -> dict[str, MonteCarloValue]:
    """The values that the file itself has."""
    try:
        return read_values(json.loads(about.get("values", "{}")))
    except (ValueError, TypeError, AttributeError) as error:
        raise KropeError(f"attribute values must be Monte Carlo values as JSON; got {error}") from None


def _roles(about: dict[str, Any]) -> list[Any]:
    """Who acted, in the order in which ``infos/behaviour`` counts them."""
    try:
        return list(json.loads(about.get("behaviours", "[]")))
    except (ValueError, TypeError) as error:
        raise KropeError(f"attribute behaviours must be a list of roles as JSON; got {error}") from None


def _target_rows(infos: dict[str, np.ndarray], roles: list[Any], gamma: float) -> tuple[np.ndarray, Array]:
    """Rows of the target policy whose return is on file but for a small share, and those returns."""
    if TARGET not in roles or not infos:
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    with np.errstate(over="ignore"):  # a count below zero is nobody's
        missing = gamma ** infos["remaining"].astype(np.float64)
    whole = (missing <= MISSING_SHARE) | infos["ends"].astype(bool)
    rows = np.flatnonzero((infos["behaviour"] == roles.index(TARGET)) & whole)
    return rows, infos["return"][rows]
