"""What a figure is: its settings, how its numbers are computed piece by piece, and how they are drawn."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabular_krope.arrays import require_count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Arrays and numbers by name.
Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Study:
    """One figure.

    Attributes:
        name: how it is asked for, and the stem of its files.
        about: one line for the list.
        full, quick: settings (a frozen dataclass with a ``seed``) of the published figure and of a minute's version.
        pieces: what the work is cut into; each piece is kept when a run is interrupted.
        compute: arrays of one piece, those of all pieces being joined along their first axis. It is also told the
            folder of the data files, where figures of the same training runs share them.
        check: refuses settings that cannot be computed, before anything is.
        finish: what is saved, from the joined arrays: summaries where the arrays would be large.
        panels: names of the axes, row by row; a repeated name spans its places.
        draw: puts the saved numbers on the axes.
        width, height: of the picture, in inches.
        title: one sentence above all panels, from the saved numbers; a single panel has its own.
        draw_frame, frames: of a moving picture, what is on the axes in a frame, and how many there are.
        of: the study whose data file is drawn, if that is another one.
    """

    name: str
    about: str
    full: Any
    quick: Any
    pieces: Callable[[Any], Sequence[Any]]
    compute: Callable[[Any, Any, Path], Data]
    panels: tuple[tuple[str, ...], ...]
    draw: Callable[[Data, "Mapping[str, Axes]"], None]
    width: float = 6.4
    height: float = 4.4
    finish: Callable[[Any, Data], Data] = lambda settings, data: data
    check: Callable[[Any], None] = lambda settings: None
    title: Callable[[Data], str] = lambda data: ""
    of: str = ""
    draw_frame: "Callable[[Data, Mapping[str, Axes], int], None] | None" = None
    frames: Callable[[Data], int] = lambda data: 0

    @property
    def source(self) -> str:
        """The name of its data file."""
        return self.of or self.name

    def settings(self, quick: bool = False, seed: int = 0) -> Any:
        """The settings of the full or the quick version with another seed."""
        return replace(self.quick if quick else self.full, seed=require_count(seed, "seed", least=0))


def adjustable(default: Any, least: float = 1) -> Any:
    """A field of settings that the command line may change; numbers in it must be at least ``least``."""
    return field(default=default, metadata={"least": least})


def plain_settings(settings: Any) -> dict[str, Any]:
    """The fields of settings as values that JSON keeps: tuples become lists.

    >>> @dataclass
    ... class Settings:
    ...     seed: int = 0
    ...     sizes: tuple[int, ...] = (1, 2)
    >>> plain_settings(Settings())
    {'seed': 0, 'sizes': [1, 2]}
    """
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(settings).items()}
