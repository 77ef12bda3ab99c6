"""Tables of transitions: the columns and the settings that ``.csv`` and ``.parquet`` files share.

A row is a transition ``(s, a, r, s_next, done)``. States and actions are numbers or names, other columns are left
aside. Sizes, discount and initial distribution are settings: a file of
`save` carries them, one from elsewhere is completed by the caller (``gamma``) and by the data (the sizes).
"""

import json
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
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
SETTINGS = ("krope", "kind", "gamma", "n_states", "n_actions", "d0", "state_names", "action_names")
#: Columns that hold numbers or names, by the code book that they share.
IDS: Mapping[str, tuple[str, ...]] = {"state_names": ("s", "s_next"), "action_names": ("a",)}
#: What a file calls the number of each.
SIZES = {"state_names": "n_states", "action_names": "n_actions"}
#: Pairs that the indices of a file may reach: a slip in one index must not cost gigabytes.
MOST_PAIRS = 10_000_000


def columns_of(names: Sequence[str], chosen: Mapping[str, str] | None = None) -> dict[str, str]:
    """For each of ``s, a, r, s_next, done`` (and `OPTIONAL`) what it is called among ``names``; the others are extra.

    Args:
        names: of the columns of a table.
        chosen: names for some of them, in the place of those that are known.

    >>> columns_of(["state", "action", "reward", "next_state", "done", "info"])["s"]
    'state'
    >>> columns_of(["obs", "a", "r", "s_next", "done"], {"s": "obs"})["s"]
    'obs'
    """
    every, chosen = {**COLUMNS, **OPTIONAL}, chosen or {}
    for column, name in chosen.items():
        if column not in every:
            raise unknown_name("columns", str(column), every)
        if name not in names:
            raise KropeError(f"columns[{column}] must be a column of the table, {', '.join(names)}; got {name!r}")
    meaning = {alias: column for column, aliases in every.items() for alias in (column, *aliases)}
    found: dict[str, str] = dict(chosen)
    for name in names:
        column = meaning.get(name, "")
        if not column or column in chosen or name in chosen.values():
            continue
        if column in found:
            raise KropeError(f"each column must be given once; got {found[column]!r} and {name!r} for {column!r}")
        found[column] = name
    for column in COLUMNS:
        if column not in found:
            raise KropeError(
                f"the table must have the column {column!r}, or one that columns names (s=NAME,...); got "
                f"{', '.join(names) or 'no columns'}"
            )
    extra = [name for name in names if name not in found.values()]
    missing = [alias for alias, column in meaning.items() if column not in found and len(alias) > 3]
    for name in extra:
        if get_close_matches(name, missing, 1, 0.8):
            raise unknown_name("column", str(name), every)
    return found


def coded(columns: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Columns with numbers in the place of names, and the code books: the names in the order of their numbers.

    >>> table, books = coded({"s": np.array(["b", "a"]), "s_next": np.array(["a", "c"]), "a": np.array([0, 1])}, {})
    >>> table["s"], table["s_next"], books
    (array([1, 0]), array([0, 2]), {'state_names': ('a', 'b', 'c')})
    >>> coded({"s": np.array([10**12]), "s_next": np.array([7]), "a": np.array([0])}, {})[1]
    {'state_names': ('7', '1000000000000')}
    """
    out, books = dict(columns), {}
    for book, named in IDS.items():
        if all(np.asarray(columns[column]).dtype.kind in "iu" for column in named):
            if settings.get(book) is not None:
                books[book] = settings[book]  # numbers that a file of ours explains
            elif settings.get(SIZES[book]) is None and _largest(columns, named) >= MOST_PAIRS:
                distinct = np.unique(np.concatenate([columns[column] for column in named]))
                out |= {column: np.searchsorted(distinct, columns[column]) for column in named}
                books[book] = tuple(map(str, distinct.tolist()))  # too large to count up to: customers, cells of a map
            continue
        texts = [np.asarray(columns[column]).astype(str) for column in named]
        for column, text in zip(named, texts, strict=True):
            if (empty := text == "").any():
                raise KropeError(f"{column}[{int(np.argmax(empty))}] must be a number or a name; got an empty text")
        stated = settings.get(book)
        if stated is not None and not (isinstance(stated, list) and all(isinstance(name, str) for name in stated)):
            raise KropeError(f"{book} must be a list of texts; got {stated!r}")
        names = np.unique(np.concatenate(texts)) if stated is None else np.asarray(stated)
        number = {name: i for i, name in enumerate(names.tolist())}
        for column, text in zip(named, texts, strict=True):
            kinds, at = np.unique(text, return_inverse=True)
            if unknown := [name for name in kinds.tolist() if name not in number]:
                raise unknown_name(column, unknown[0], number)
            out[column] = np.array([number[name] for name in kinds.tolist()], dtype=np.int64)[at.reshape(-1)]
        books[book] = tuple(names.tolist())
    return out, books


def _largest(columns: Mapping[str, Any], named: Sequence[str]) -> int:
    return max(int(np.max(columns[column], initial=0)) for column in named)


def settings_of(data: Dataset) -> dict[str, Any]:
    """The settings of a data set as plain values.

    A uniform ``d0`` goes without saying; one that was taken from the data is None, and will be again.
    """
    settings = {"krope": VERSION, "kind": "dataset", "gamma": data.gamma}
    settings |= {"n_states": data.n_states, "n_actions": data.n_actions}
    settings |= {book: list(names) for book in IDS if (names := getattr(data, book)) is not None}
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


def dataset_of(
    columns: Mapping[str, Any], settings: Mapping[str, Any], gamma: float | None = None, ignored: Sequence[str] = ()
) -> Dataset:
    """The data set of a table: ``gamma`` as given, else as set; sizes as set, else the least that the data allow.

    States and actions may have names; ``ignored`` are columns that were left aside.
    """
    discount = settings.get("gamma") if gamma is None else gamma
    if discount is None:
        raise GammaMissing("gamma must be given for a file that states none, load(path, gamma=0.99); got None")
    if len(columns["s"]) == 0:
        raise KropeError("the table must hold at least one transition; got none")
    columns, books = coded(columns, settings)
    S = _size(settings.get("n_states"), "n_states", columns["s"], columns["s_next"])
    A = _size(settings.get("n_actions"), "n_actions", columns["a"])
    if S * A > MOST_PAIRS:
        raise KropeError(f"the table must have at most {MOST_PAIRS} pairs of state and action; got {S} x {A}")
    d0: Any = settings.get("d0", np.ones(S) if "krope" in settings else None)
    table = {column: columns[column] for column in COLUMNS}
    known = {"n_states": S, "n_actions": A, "gamma": discount, "d0": d0, "episodes": _episodes(columns)}
    return Dataset(**table, **known, **books, ignored=tuple(ignored))


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
