"""The arrays of a D4RL file as transitions: what is needed, and next observations where they are missing.

Older files have no ``next_observations``. The next row's observation then serves, within the episode: the last row of
an episode that was cut off (``timeouts``), and the last row of the file, have no successor and are left out; the row
before becomes the last of its episode. A terminal row needs none.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from tabular_krope.data.continuous import BY_START, BY_TRANSITION, ContinuousDataset
from tabular_krope.errors import GammaMissing, KropeError

NEEDED = ("observations", "actions", "rewards", "terminals")
Arrays = Mapping[str, Any]


def require_arrays(names: Iterable[str]) -> None:
    """The arrays without which there are no transitions."""
    there = set(names)
    for name in NEEDED:
        if name not in there:
            raise KropeError(
                f"the file must have the array {name!r} of D4RL's layout; got {', '.join(sorted(there)) or 'none'}"
            )


def datasets(blocks: Iterable[Arrays], gamma: Any, starts: Arrays) -> Iterator[ContinuousDataset]:
    """A data set for each block of rows of a file; whatever the blocks, the same transitions.

    Args:
        blocks: arrays of `BY_TRANSITION` by name, some rows each, in order.
        gamma: discount factor.
        starts: arrays of `BY_START`, where the file has them.
    """
    if gamma is None:
        raise GammaMissing("gamma must be given for a file that states none, load(path, gamma=0.99); got None")
    for block in _with_successors(blocks):
        if len(block["rewards"]):
            yield ContinuousDataset(**block, gamma=gamma, **starts)


def _with_successors(blocks: Iterable[Arrays]) -> Iterator[dict[str, Any]]:
    held: Arrays | None = None  # the last row seen: its successor is the first row of the next block
    for block in blocks:
        if "next_observations" in block:
            yield dict(block)
            continue
        rows = block if held is None else {name: np.concatenate([held[name], block[name]]) for name in block}
        yield _shifted(rows)
        held = {name: value[-1:] for name, value in rows.items()}
    if held is not None and bool(np.any(held["terminals"] == 1)):
        yield {**held, "next_observations": held["observations"]}


def _shifted(rows: Arrays) -> dict[str, Any]:
    """All rows but the last with the next one's observation; those that were cut off are left out."""
    for name in ("terminals", "timeouts"):
        if name in rows and rows[name].ndim != 1:
            raise KropeError(f"{name} must be a vector; got shape {rows[name].shape}")
    ended = rows["terminals"] == 1
    cut = (rows["timeouts"] == 1) & ~ended if "timeouts" in rows else np.zeros(len(ended), dtype=bool)
    keep = np.flatnonzero(~cut[:-1])
    out = {name: value[keep] for name, value in rows.items()}
    observations = rows["observations"]
    out["next_observations"] = np.where(
        ended[keep].reshape(-1, *[1] * (observations.ndim - 1)), observations[keep], observations[keep + 1]
    )
    if "timeouts" in rows:
        out["timeouts"] = (rows["timeouts"][keep] == 1) | (cut[keep + 1] & ~ended[keep])
    return out


def selected(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """Which of ``names`` have a row a transition, and which a row a start; others, D4RL has many, are left aside."""
    there = list(names)
    return [n for n in BY_TRANSITION if n in there], [n for n in BY_START if n in there]


def arrays_as_dataset(arrays: Arrays, gamma: float | None = None) -> ContinuousDataset:
    """The data set of D4RL's arrays, whole; ``gamma`` as given, else as it stands among them.

    >>> import numpy as np
    >>> arrays = {"observations": np.arange(3.0), "actions": np.zeros(3), "rewards": np.ones(3),
    ...           "terminals": np.array([False, False, True])}
    >>> arrays_as_dataset(arrays, gamma=0.9).next_observations[:, 0]
    array([1., 2., 2.])
    """
    by_transition, by_start = selected(arrays)
    require_arrays(by_transition)
    rows = {name: np.asarray(arrays[name]) for name in by_transition}
    require_equal_rows({name: value.shape for name, value in rows.items()})
    discount = arrays.get("gamma") if gamma is None else gamma
    return joined(list(datasets([rows], discount, {name: arrays[name] for name in by_start})))


def require_equal_rows(shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Arrays of transitions are as long as one another."""
    for name, shape in shapes.items():
        if len(shape) not in (1, 2):
            raise KropeError(f"{name} must be a vector or a matrix; got shape {shape}")
        if shape[0] != shapes["rewards"][0]:
            raise KropeError(f"{name} must have {shapes['rewards'][0]} rows like rewards; got {shape[0]}")


def joined(blocks: list[ContinuousDataset]) -> ContinuousDataset:
    """One data set of consecutive blocks."""
    if not blocks:
        raise KropeError("the file must hold at least one transition with its successor; got none")
    if len(blocks) == 1:
        return blocks[0]
    values = {name: [getattr(block, name) for block in blocks] for name in BY_TRANSITION}
    whole: dict[str, Any] = {
        name: None if parts[0] is None else np.concatenate(parts) for name, parts in values.items()
    }
    return ContinuousDataset(**whole, gamma=blocks[0].gamma, **{name: getattr(blocks[0], name) for name in BY_START})
