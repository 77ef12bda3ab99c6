"""Tables of transitions: the columns and the settings that ``.csv`` and ``.parquet`` files share.

A row is a transition ``(s, a, r, s_next, done)``. Sizes, discount and initial distribution are settings: a file of
`save` carries them, one from elsewhere is completed by the caller (``gamma``) and by the data (the sizes).
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tabular_krope.arrays import require_count
from tabular_krope.data.dataset import Dataset
from tabular_krope.errors import GammaMissing, KropeError, unknown_name

VERSION = 1
#: Each column with the other names it goes by.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "s": ("state", "observation"),
    "a": ("action",),
    "r": ("reward",),
    "s_next": ("s'", "next_state", "next_observation"),
    "done": ("terminal", "terminated"),
}
#: Columns that a table may have beside: where an episode was cut off, and which episode a row belongs to.
OPTIONAL: Mapping[str, tuple[str, ...]] = {
    "truncated": ("truncation", "timeout", "timeouts"),
    "episode": ("episodes", "episode_id", "trajectory", "trajectory_id"),
}
SETTINGS = ("krope", "kind", "gamma", "n_states", "n_actions", "d0")
#: Pairs that the indices of a file may reach: a slip in one index must not cost gigabytes.
MOST_PAIRS = 10_000_000


def columns_of(names: Sequence[str]) -> dict[str, str]:
    """For each of ``s, a, r, s_next, done`` (and `OPTIONAL`) what it is called among ``names``; no other is allowed.

    >>> columns_of(["state", "action", "reward", "next_state", "done"])["s"]
    'state'
    """
    every = {**COLUMNS, **OPTIONAL}
    meaning = {alias: column for column, aliases in every.items() for alias in (column, *aliases)}
    found: dict[str, str] = {}
    for name in names:
        column = meaning.get(name)
        if column is None:
            raise unknown_name("column", str(name), every)
        if column in found:
            raise KropeError(f"each column must stand once; got {found[column]!r} and {name!r} for {column!r}")
        found[column] = name
    for column in COLUMNS:
        if column not in found:
            raise KropeError(f"the table must have the column {column!r}; got {', '.join(names) or 'no columns'}")
    return found


def settings_of(data: Dataset) -> dict[str, Any]:
    """The settings of a data set as plain values.

    A uniform ``d0`` goes without saying; one that was taken from the data is None, and will be again.
    """
    settings = {"krope": VERSION, "kind": "dataset", "gamma": data.gamma}
    settings |= {"n_states": data.n_states, "n_actions": data.n_actions}
    if data.d0_assumed:
        return settings | {"d0": None}
    uniform = np.full(data.n_states, 1.0 / data.n_states)
    return settings if np.array_equal(data.d0, uniform) else settings | {"d0": data.d0.tolist()}


def settings_from(text: str) -> dict[str, Any]:
    """The settings that a file carries as JSON."""
    try:
        settings = json.loads(text)
    except RecursionError:
        raise KropeError("the settings must be JSON of a few levels; got some nested too deeply") from None
    except ValueError as error:
        raise KropeError(f"the settings must be a JSON object; got a damaged one ({error})") from None
    if not isinstance(settings, dict):
        raise KropeError(f"the settings must be a JSON object; got {type(settings).__name__}")
    for name in settings:
        if name not in SETTINGS:
            raise unknown_name("setting", name, SETTINGS)
    if settings.get("krope", VERSION) != VERSION or settings.get("kind", "dataset") != "dataset":
        got = f"{settings.get('krope')!r} and {settings.get('kind')!r}"
        raise KropeError(
            f"krope and kind must be {VERSION} and 'dataset', what this program reads in tables; got {got}"
        )
    return settings


def dataset_of(columns: Mapping[str, Any], settings: Mapping[str, Any], gamma: float | None = None) -> Dataset:
    """The data set of a table: ``gamma`` as given, else as set; sizes as set, else the least that the data allow."""
    discount = settings.get("gamma") if gamma is None else gamma
    if discount is None:
        raise GammaMissing("gamma must be given for a file that states none, load(path, gamma=0.99); got None")
    if len(columns["s"]) == 0:
        raise KropeError("the table must hold at least one transition; got none")
    S = _size(settings.get("n_states"), "n_states", columns["s"], columns["s_next"])
    A = _size(settings.get("n_actions"), "n_actions", columns["a"])
    if S * A > MOST_PAIRS:
        raise KropeError(f"the table must have at most {MOST_PAIRS} pairs of state and action; got {S} x {A}")
    d0: Any = settings.get("d0", np.ones(S) if "krope" in settings else None)
    table = {column: columns[column] for column in COLUMNS}
    return Dataset(**table, n_states=S, n_actions=A, gamma=discount, d0=d0, episodes=_episodes(columns))


def _episodes(columns: Mapping[str, Any]) -> Any:
    """Numbers of the episodes from the columns that tell them apart; None without such columns.

    An episode ends where its number changes, or after a row that ended it or was cut off.
    """
    told = [name for name in OPTIONAL if name in columns]
    if not told:
        return None
    new = np.asarray(columns["done"], dtype=bool)[:-1].copy()
    if "truncated" in columns:
        new |= np.asarray(columns["truncated"], dtype=bool)[:-1]
    if "episode" in columns:
        numbers = np.asarray(columns["episode"])
        new |= numbers[:-1] != numbers[1:]
    else:
        new |= columns["s_next"][:-1] != columns["s"][1:]
    return np.concatenate([[0], np.cumsum(new)])


def _size(stated: Any, name: str, *indices: Any) -> int:
    if stated is not None:
        return require_count(stated, name)
    least = max(int(np.max(index)) for index in indices) + 1
    if least < 1:
        raise KropeError(f"{name} must be at least 1; got only negative indices")
    return least
