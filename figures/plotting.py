"""Figures on axes of your own: ``draw(name, ax)`` puts the published numbers, or yours, where you want them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from figures.studies.committed import committed
from figures.studies.registry import STUDIES
from figures.studies.study import Data, Study
from tabular_krope.errors import KropeError, unknown_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def panels(name: str) -> tuple[str, ...]:
    """The names of a figure's panels, each once, row by row.

    >>> panels("exact-spectral"), panels("value-bounds")
    (('all',), ('printed', 'rkhs', 'independent'))
    """
    return tuple(dict.fromkeys(panel for row in _study(name).panels for panel in row))


def draw(name: str, ax: "Axes | Mapping[str, Axes]", data: Data | None = None) -> Any:
    """Draw a figure on axes that you made.

    Args:
        name: as ``krope figures --list`` has it.
        ax: axes, or for a figure of several panels a mapping from the names of `panels` to axes.
        data: its numbers by name, as its data file has them; the published ones if None.

    Returns:
        What was given as ``ax``. Fonts and sizes are those of your own settings of matplotlib.

    >>> from matplotlib.figure import Figure
    >>> ax = draw("exact-spectral", Figure().add_subplot())
    >>> ax.get_title()
    'Weighted by the data, KROPE features never diverge; without the weights they do'
    >>> both = draw("tightness", Figure().subplot_mosaic([list(panels("tightness"))]))
    >>> sorted(both)
    ['norm', 'radius']
    """
    study, wanted = _study(name), panels(name)
    axes = ax if isinstance(ax, Mapping) else {wanted[0]: ax}
    missing = [panel for panel in wanted if panel not in axes]
    if missing:
        raise KropeError(
            f"ax must have axes for each panel of {name}, {', '.join(wanted)}; got none for {missing[0]!r}"
        )
    study.draw(committed(name) if data is None else data, {panel: axes[panel] for panel in wanted})
    return ax


def _study(name: str) -> Study:
    known = {study.name: study for study in STUDIES}
    if name not in known:
        raise unknown_name("name", name, known, "krope figures --list")
    return known[name]
