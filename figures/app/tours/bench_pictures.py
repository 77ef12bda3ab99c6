"""Pictures of the laboratory that no other page has: the plane of the features, the path of LSPE, the sweep over d."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.app.drawing.axis import Axis
from figures.app.drawing.chart import Chart, Size
from figures.app.drawing.figure import Figure
from figures.app.tours.label_places import label_places
from figures.app.tours.laboratory_tour import FEATURES, STEPS, Bench
from figures.parts import stability_sweep, style
from figures.parts.kernel_heatmap import pair_names
from tabular_krope.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Pairs up to which each is named in the plane.
NAMED_PAIRS = 24
#: Pairs at one place that are named.
HEAP = 3
#: Rough size of the plane on the page, in points: names are placed so that they do not cover one another.
PLANE = np.array([300.0, 250.0])
#: Distances beyond these are cut off.
WITHIN = (1e-12, 1e100)


def draw_plane(found: Bench, ax: "Axes") -> "Axes":
    """The pairs in the plane of the first two features, colored by value."""
    low, high = found.plane.min(axis=0), found.plane.max(axis=0)
    # Pairs that differ by rounding only are one dot.
    room = np.where(high - low > 1e-9 * (1 + np.abs(high)), high - low, 1 + np.abs(high))
    u, v = found.plane.T
    dots = ax.scatter(u, v, c=found.analysis.q, cmap=style.COLOR_MAP, s=60, edgecolors="black", linewidths=0.6)
    assert ax.figure is not None
    ax.figure.colorbar(dots, ax=ax, label="value $q(x)$", fraction=0.046, pad=0.03)
    ax.set_xlim(low[0] - 0.15 * room[0], high[0] + 0.15 * room[0])
    ax.set_ylim(low[1] - 0.15 * room[1], high[1] + 0.15 * room[1])
    if len(u) <= NAMED_PAIRS:
        heaps = _heaps((found.plane - low) / room, pair_names(found.analysis.mrp, found.names))
        middles = np.array([middle for middle, _ in heaps])
        places = label_places(middles / 1.3 * PLANE, [word for _, word in heaps])
        for (middle, word), place in zip(heaps, places, strict=True):
            line = {"arrowstyle": "-", "linewidth": 0.5, "color": style.GRAY} if abs(place[1]) > 10 else None
            look: Any = {"textcoords": "offset points", "fontsize": 7.5, "ha": "center", "va": "center"}
            ax.annotate(word, tuple(low + middle * room), xytext=place, arrowprops=line, **look)
    ax.set_xlabel(r"first feature $\phi_1$")
    ax.set_ylabel(r"second feature $\phi_2$" if found.analysis.features.d > 1 else "(there is no second feature)")
    ax.set_title("Pairs in the plane of the first two features")
    return ax


def _heaps(dots: Array, names: Sequence[str]) -> list[tuple[Array, str]]:
    """Dots that coincide on the page as one, with the names of the first few.

    >>> [word for _, word in _heaps(np.array([[0.0, 0.0], [0.5, 1.0], [0.0, 1e-9]]), "xyz")]
    ['x, z', 'y']
    """
    heaps: dict[tuple[int, ...], list[int]] = {}
    for k, place in enumerate(np.rint(dots * 1000).astype(int).tolist()):
        heaps.setdefault(tuple(place), []).append(k)
    out = []
    for members in heaps.values():
        word = ", ".join(names[k] for k in members[:HEAP])
        out.append((dots[members[0]], word if len(members) <= HEAP else f"{word} and {len(members) - HEAP} more"))
    return out


def path_figure(found: Bench) -> Figure:
    """Distance of LSPE's weights from their fixed point, step by step; for KROPE features under the guarantee."""
    stable = found.analysis.stability.stable
    start = " from weights 1 (zero is the fixed point)" if found.from_ones else ""
    key = [("blue thick" if stable else "red thick", "LSPE" if found.path.any() else "LSPE: starts at its limit")]
    if found.kind == "krope":
        key.append(("ink dashed", "guarantee, \u03b3 to the power t/2"))
    title = f"LSPE {'converges' if stable else 'blows up'}{start}"
    return Figure("Learning", title, partial(draw_path, found), "the path of LSPE", key, ends=True)


def draw_path(found: Bench, size: Size) -> Chart:
    """The path on logarithmic axes, cut off where it leaves them."""
    shown = np.clip(np.nan_to_num(found.path, posinf=WITHIN[1]), *WITHIN)
    low = 10.0 ** min(-2.0, np.floor(np.log10(shown.min())) if found.path.any() else -2.0)
    high = 10.0 ** max(1.0, np.ceil(np.log10(shown.max())))
    chart = Chart(size, Axis("steps t of LSPE", 0, STEPS), Axis("error, relative to the start", low, high, log=True))
    steps = np.arange(STEPS + 1)
    chart.across(1.0, "grey thin")
    if found.path.any():
        chart.line(steps, shown, "blue thick" if found.analysis.stability.stable else "red thick")
    if found.kind == "krope":
        chart.line(steps, found.analysis.model.gamma ** (steps / 2), "ink dashed")
    return chart


def sweep_of(found: Bench) -> stability_sweep.StabilitySweep:
    """Stability of KROPE features for every d, with the chosen features beside it if they are others."""
    sweep, main = found.analysis.sweep, found.analysis.stability
    other = None
    if found.kind != "krope":
        name = next(name for name, kind in FEATURES.items() if kind == found.kind)
        other = stability_sweep.OtherFeatures(name, found.analysis.features.d, main.spectral_radius, main.norm)
    return stability_sweep.StabilitySweep(sweep.d, sweep.spectral_radius, sweep.norm, found.analysis.model.gamma, other)
