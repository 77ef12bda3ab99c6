"""Pictures of `figures.parts` on a page: drawn once large and once small, in the page's own ink."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from figures.parts.vector import inline_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Inches: the type is ten points in both, so the small one has larger letters on the same page.
LARGE, SMALL = (8.4, 4.5), (5.2, 4.0)
#: Of pictures whose axes are square.
SQUARE = (6.0, 4.5)


def picture(draw: Callable[["Axes"], Any], alt: str, square: bool = False) -> str:
    """What ``draw`` puts on axes, in two sizes of which the page shows the one that fits.

    >>> picture(lambda ax: ax.plot([0, 1]), "a line").count("<svg")
    2
    """
    both = (
        f'<div class="{name}">{inline_svg(draw, *size, name, alt, framed=True)}</div>'
        for name, size in (("large", SQUARE if square else LARGE), ("small", SMALL))
    )
    return f'<div class="picture">{"".join(both)}</div>'
