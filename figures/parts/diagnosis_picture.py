"""The picture of a diagnosis: how the iteration goes, what the features look like, the value before and after."""

from typing import TYPE_CHECKING, Any

import numpy as np

from figures.parts import style
from figures.parts.labels import end_labels
from tabular_krope.report.counted import counted
from tabular_krope.report.diagnosis import Diagnosis
from tabular_krope.report.digits import three

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Values that differ by less than this share stand at one place.
EQUAL = 1e-3
COLORS = (style.BLUE, style.SKY, style.ORANGE, style.RED)


def render_diagnosis(diagnosis: Diagnosis, truth: float | None = None) -> bytes:
    """A PNG of three panels; ``truth`` is the value of the starts where it is known."""

    def draw(ax: "Axes") -> None:
        figure = ax.figure
        ax.remove()
        panels = figure.subplots(1, 3, width_ratios=[1.15, 1.0, 1.15])
        draw_errors(diagnosis, panels[0])
        draw_spectrum(diagnosis, panels[1])
        draw_values(diagnosis, panels[2], truth)

    return style.render(draw, 14.0, 4.4)


def draw_errors(d: Diagnosis, ax: "Axes") -> "Axes":
    """What is left of an error after each step of LSPE, by each solver."""
    widths = (5.0, 3.4, 2.0, 1.1)  # lines that coincide all stay visible
    ends: dict[str, tuple[float, str, list[str]]] = {}  # by the factor of a step: height, color and names of its lines
    for route, color, width in zip(d.routes, COLORS, widths, strict=True):
        shown = np.where((route.errors < 1e30) & (route.errors > 1e-12), route.errors, np.nan)
        ax.semilogy(shown, color=color, linewidth=width, label=route.name)
        seen = shown[np.isfinite(shown)]
        factor = f"\u00d7{three(route.spectral_radius)}"
        ends.setdefault(factor, (float(seen[-1]) if len(seen) else 1.0, color, []))[2].append(route.name)
    ax.axhline(1.0, color=style.BLACK, linewidth=0.8)
    ax.set_ylim(ax.get_ylim())
    labels = [
        (height, "\n".join([f"{factor} a step:", *(names if len(ends) > 1 else ["every solver"])]), color)
        for factor, (height, color, names) in ends.items()
    ]
    end_labels(labels, ax, gap=0.07 * max(len(names) + 1 for _, _, names in ends.values()))
    ax.set_ylabel("error, relative to the start")
    ax.set_xlabel("steps of LSPE")
    growing = [route for route in d.routes if not route.stable]
    if not growing:
        found = f"LSPE converges by each of {len(d.routes)} solvers"
    elif len(growing) == len(d.routes):
        found = f"LSPE diverges: a step multiplies an error by {d.routes[0].spectral_radius:.3g}"
    else:
        found = f"LSPE diverges by {len(growing)} of {len(d.routes)} solvers: rounding"
    ax.set_title(found)
    return ax


def draw_spectrum(d: Diagnosis, ax: "Axes") -> "Axes":
    """Singular values of the features on the data, with the lines below which each covariance sees only rounding."""
    sigma = d.facts.singular_values / d.facts.singular_values[0]
    ax.semilogy(np.arange(1, len(sigma) + 1), sigma, "o-", color=style.BLUE)
    for kind, color in ((np.float32, style.RED), (np.float64, style.ORANGE)):
        line = float(np.sqrt(np.finfo(kind).eps))
        ax.axhline(line, color=color, linestyle="--", linewidth=1.1)
        words = f"below this a {kind.__name__} covariance sees only rounding"
        beside: Any = {"xytext": (0, 2), "textcoords": "offset points", "ha": "right", "va": "bottom", "fontsize": 9}
        ax.annotate(words, (0.99, line), xycoords=ax.get_yaxis_transform(), **beside)
    ax.set_ylim(min(1e-9, sigma[-1] / 3), 3.0)
    style.count_axis(ax, max(d.facts.d, 2))
    ax.set_xlabel("direction of the features, the largest first")
    ax.set_ylabel("size on the data")
    clear = int((sigma > np.sqrt(np.finfo(np.float32).eps)).sum())
    many = f"All {d.facts.d}" if clear == d.facts.d > 1 else f"{clear} of {d.facts.d}"
    ax.set_title(f"{many} direction{'s' * (d.facts.d > 1)} {'is' if clear == 1 else 'are'} above float32's rounding")
    return ax


def draw_values(d: Diagnosis, ax: "Axes", truth: float | None = None) -> "Axes":
    """The value with its interval, as it is and with each cure that was tried; the true one, if known, as a line."""
    first = d.routes[0]
    rows = [("as it is", d.estimate if first.stable else None), *((cure.name, cure.estimate) for cure in d.cures)]
    for y, (_, estimate) in enumerate(rows):
        if estimate is None:
            ax.text(0.02, y, "no limit" if y == 0 else "not stable", transform=ax.get_yaxis_transform(), ha="left",
                    va="center", color=style.RED)  # fmt: skip
            continue
        color = style.BLACK if y == 0 else style.GREEN
        ax.plot([estimate.low, estimate.high], [y, y], color=color, linewidth=2)
        ax.plot([estimate.value], [y], "o", color=color, markersize=6)
    if truth is not None:
        ax.axvline(truth, color=style.ORANGE, linestyle="--", linewidth=1.1)
        words, color = f"true value {truth:.4g}", style.ink(style.ORANGE)
        ax.annotate(words, (truth, -0.5), (4, -1), textcoords="offset points", va="top", color=color)
    ax.set_yticks(range(len(rows)), [name for name, _ in rows])
    ax.set_ylim(len(rows) - 0.5, -0.5)
    _widen(ax, d.estimate.value)
    interval = f", {100 * d.estimate.level:.3g}% interval" if d.estimate.replicates else ""
    ax.set_xlabel(f"value from the start{interval}")
    found = sum(cure.estimate is not None for cure in d.cures)
    if first.stable:
        ax.set_title(f"The value is {d.estimate.value:.3g} on these features as they are")
    else:
        cures = f"{found or 'none'} of {counted(len(d.cures), 'cure')} give{'s' * (found < 2)} one"
        ax.set_title(f"These features give no value; {cures}")
    return ax


def _widen(ax: "Axes", value: float) -> None:
    """Show values that differ by rounding only as one."""
    low, high = ax.get_xlim()
    least = EQUAL * max(abs(value), EQUAL)
    if np.isfinite(value) and high - low < least:
        ax.set_xlim(value - 50 * least, value + 50 * least)
