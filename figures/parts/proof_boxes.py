"""Boxes for statements: what was decided shows in the color, in the shape and in a sign, so that any one suffices."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from figures.parts import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Height of a box in inches, which are the units of the axes, and the size of its letters in points.
BOX, FONT = 0.29, 8.5
#: Sign of a statement that is proved for chains of every size.
PROVED = "\u220e"
#: Room for one letter, in inches.
LETTER = 0.082


@dataclass(frozen=True, slots=True)
class Look:
    """How statements of one kind are drawn: color, shape, line, sign before the name, and words of the legend."""

    color: str
    shape: str
    line: str
    sign: str
    words: str


KINDS = {
    "holds": Look(style.BLUE, "round", "-", "\u2713", "holds"),
    "flawed": Look(style.GREEN, "double", "-", "\u2713", "holds, but a step of the printed proof is false"),
    "shaken": Look(style.ORANGE, "hexagon", "-", "!", "holds, but its proof uses a refuted statement"),
    "refuted": Look(style.RED, "octagon", "-", "\u2717", "refuted"),
    "unproved": Look(style.RED, "octagon", "--", "?", "its certificate was refused"),
    "vacuous": Look(style.GRAY, "square", "--", "\u2205", "vacuous: nothing could be tried"),
    "unjudged": Look(style.GRAY, "square", ":", "", "not judged in this run"),
}


def box_width(words: str) -> float:
    """Width of the box around ``words`` and a sign, in inches."""
    return LETTER * (len(words) + 2) + 0.2


def draw_box(
    words: str,
    look: Look,
    x: float,
    y: float,
    ax: "Axes",
    width: float | None = None,
    proved: bool = False,
    url: str | None = None,
) -> None:
    """A box whose left side is at ``x`` and whose middle is at height ``y``, as wide as the words need if None.

    In an SVG file it is a link where ``url`` is given.
    """
    from matplotlib.colors import to_rgba

    w = box_width(words) if width is None else width
    paint: dict[str, Any] = {"facecolor": to_rgba(look.color, 0.16), "edgecolor": look.color, "url": url}
    ax.add_patch(_outline(look.shape, x, y, w, linewidth=1.4, linestyle=look.line, **paint))
    if look.shape == "double":
        paint["facecolor"] = "none"
        ax.add_patch(_outline("round", x, y, w, inset=0.035, linewidth=0.8, **paint))
    bold = "bold" if look.shape in ("octagon", "hexagon") else "normal"
    text = f"{PROVED if proved else look.sign} {words}".strip()
    ax.text(
        x + w / 2, y, text, ha="center", va="center_baseline", fontsize=FONT, weight=bold, parse_math=False, url=url
    )


def _outline(shape: str, x: float, y: float, w: float, inset: float = 0.0, **paint: Any) -> Any:
    from matplotlib.patches import FancyBboxPatch, Polygon

    low, high, left, right, cut = y - BOX / 2 + inset, y + BOX / 2 - inset, x + inset, x + w - inset, BOX / 3
    if shape == "octagon":
        lower = [(left, low + cut), (left + cut, low), (right - cut, low), (right, low + cut)]
        return Polygon(
            [*lower, (right, high - cut), (right - cut, high), (left + cut, high), (left, high - cut)], **paint
        )
    if shape == "hexagon":
        lower = [(left, y), (left + cut, low), (right - cut, low)]
        return Polygon([*lower, (right, y), (right - cut, high), (left + cut, high)], **paint)
    corner = "square,pad=0" if shape == "square" else f"round,pad=0,rounding_size={BOX / 2.4 - inset}"
    return FancyBboxPatch((left, low), right - left, high - low, boxstyle=corner, **paint)
