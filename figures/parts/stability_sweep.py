"""Spectral radius and norm of LSPE's matrix against the number of KROPE features."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from figures.parts import style
from figures.parts.labels import end_labels
from tabular_krope.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True)
class OtherFeatures:
    """Features to be marked beside the curves: their name, number, spectral radius and norm."""

    name: str
    d: int
    spectral_radius: float
    norm: float


@dataclass(frozen=True, slots=True, eq=False)
class StabilitySweep:
    """Numbers of the picture.

    Attributes:
        d: numbers of features, [m].
        spectral_radius, norm: of LSPE's matrix on the top d KROPE features, [m].
        gamma: discount factor.
        other: other features on the same model; None if there are none.
    """

    d: NDArray[np.int64]
    spectral_radius: Array
    norm: Array
    gamma: float
    other: OtherFeatures | None = None


def draw(data: StabilitySweep, ax: "Axes") -> "Axes":
    r"""Both curves with lines at $\gamma$, $\sqrt\gamma$ (the bound on the norm) and 1 (the limit of stability)."""
    ax.plot(data.d, data.norm, "s-", color=style.ORANGE, label=r"norm $\|L\|_2$")
    ax.plot(data.d, data.spectral_radius, "o-", color=style.BLUE, label=r"spectral radius $\rho(L)$")
    root = float(np.sqrt(data.gamma))
    values = [*data.norm, *data.spectral_radius, data.gamma, 1.0]
    room = max(max(values) - min(values), 1e-3)
    low, high = min(values) - 0.08 * room, max(values) + 0.08 * room
    ax.set_ylim(low, high)
    ax.axhline(1.0, color=style.BLACK, linewidth=1.1, label="1: stable below")
    ax.axhline(root, color=style.GREEN, linestyle="--", linewidth=1.1, label=rf"$\sqrt{{\gamma}}$ = {root:.4g}")
    ax.axhline(data.gamma, color=style.GRAY, linestyle=":", linewidth=1.1, label=rf"$\gamma$ = {data.gamma:.4g}")
    lines = ax.get_lines()
    ends = [(float(np.asarray(line.get_ydata())[-1]), str(line.get_label()), str(line.get_color())) for line in lines]
    most = int(data.d[-1])
    if data.other is not None:
        most = max(most, data.other.d)
        _mark(ax, data.other, low, high)
        ax.legend(handles=ax.get_lines()[len(lines) :], loc="upper left", bbox_to_anchor=(0.0, -0.16))
    if most > 100:
        ax.set_xscale("log")
        ax.set_xlim(0.9, most * 1.12)
    else:
        style.count_axis(ax, most)
    ax.set_xlabel("number of KROPE features $d$")
    ax.set_title(finding(data), pad=14)  # room for a mark that points out
    end_labels(ends, ax, gap=0.07)
    return ax


def finding(data: StabilitySweep) -> str:
    """For which numbers of KROPE features LSPE is stable.

    >>> finding(StabilitySweep(np.array([1, 2, 3]), np.array([0.9, 1.2, 1.1]), np.array([0.9, 1.5, 1.4]), 0.9))
    'LSPE diverges on 2 of 3 numbers of KROPE features'
    """
    gone = int((data.spectral_radius >= 1).sum())
    if gone:
        return f"LSPE diverges on {gone} of {len(data.d)} numbers of KROPE features"
    return "LSPE is stable on every number of KROPE features"


def _mark(ax: "Axes", other: OtherFeatures, low: float, high: float) -> None:
    """Marks with their numbers; one outside the window, which belongs to the curves, points out of it."""
    marks: Any = (
        ("norm", other.norm, style.RED, "s", {"markersize": 12, "fillstyle": "none", "markeredgewidth": 1.6}),
        ("spectral radius", other.spectral_radius, style.PURPLE, "o", {"markersize": 7}),
    )
    for what, value, color, shape, look in marks:
        outside = "^" if value > high else "v" if value < low else shape
        label = f"{what} of {other.name} features, {value:.4g}"
        place = float(np.clip(value, low, high))
        ax.plot([other.d], [place], outside, color=color, clip_on=False, label=label, zorder=5, **look)
