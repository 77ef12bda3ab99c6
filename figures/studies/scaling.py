r"""``scaling``: time and peak memory of every method against the number of pairs, with fitted exponents.

Each point is measured in a process of its own with one BLAS thread, as CPU seconds: the machine may be shared. The
measurements are those of `tabular_krope.report.scaling`; what is published is one run on one machine, which the data
file describes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.parts import style
from figures.studies.study import Data, Study
from tabular_krope.report.scaling import JOBS, exponent, job_of, machine, measured

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMBA")}
LOOKS: dict[str, tuple[str, str]] = {
    "iterate": (style.GRAY, "v"),
    "doubling": (style.ORANGE, "s"),
    "reduced": (style.GREEN, "^"),
    "matrix-free": (style.BLUE, "o"),
    "top-32 features": (style.SKY, "D"),
    "exact": (style.PURPLE, "P"),
    "scipy bilinear": (style.RED, "x"),
    "QuantEcon doubling": (style.BLACK, "+"),
    "dense operator": (style.GRAY, "*"),
    "sparse P @ v": (style.BLACK, "."),
}

#: Less memory than this is not told from that of the loaded libraries.
LEAST_BYTES = 1e6
#: Where the name of a curve stands from its last point, in points, and which side of it; else right of it.
ASIDE: dict[tuple[str, str], tuple[float, float, str]] = {
    ("time", "exact"): (-8, -10, "right"),
    ("time", "dense operator"): (-8, 9, "right"),
    ("time", "iterate"): (0, 10, "center"),
    ("time", "scipy bilinear"): (6, 19, "left"),
    ("time", "QuantEcon doubling"): (6, 33, "left"),
    ("time", "doubling"): (-8, 0, "right"),
    ("memory", "exact"): (-6, 0, "right"),
    ("memory", "scipy bilinear"): (0, 10, "center"),
    ("memory", "QuantEcon doubling"): (-6, -5, "right"),
    ("memory", "doubling"): (6, -3, "left"),
    ("memory", "matrix-free"): (6, 2, "left"),
    ("memory", "sparse P @ v"): (6, -7, "left"),
    ("memory", "top-32 features"): (6, 6, "left"),
}
#: Curves that are named where they begin: their ends are crowded.
AT_START = (("time", "doubling"), ("memory", "QuantEcon doubling"))


@dataclass(frozen=True, slots=True)
class Settings:
    """Which methods are measured, and up to how many states."""

    seed: int = 0
    jobs: tuple[str, ...] = tuple(job.name for job in JOBS)
    most_states: int = 200_000


def pieces(settings: Settings) -> Sequence[tuple[str, int]]:
    """Every method with every number of states."""
    found = [(name, S) for name in settings.jobs for S in job_of(name).states if settings.most_states >= S]
    return sorted(found, key=lambda piece: piece[1])


def compute(settings: Settings, piece: tuple[str, int], folder: Path) -> Data:
    """One measurement, in a process of its own."""
    found = measured(*piece, ONE_THREAD)
    return {name: np.array([value]) for name, value in found.items()}


def finish(settings: Settings, data: Data) -> Data:
    """The measurements with the exponents of time and memory [jobs], and the machine."""
    names = [name for name in settings.jobs if (data["job"] == name).any()]
    fits = [[exponent(*_points(data, name, what)) for name in names] for what in ("seconds", "bytes")]
    fitted = {"jobs": np.array(names), "time_exponent": np.array(fits[0]), "memory_exponent": np.array(fits[1])}
    return {**data, **fitted, "machine": machine()}


def _points(data: Data, name: str, what: str) -> tuple[Any, Any]:
    own = np.flatnonzero(data["job"] == name)
    own = own[np.argsort(data["pairs"][own])]
    return data["pairs"][own].astype(float), data[what][own].astype(float)


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """Both panels on logarithmic scales; a straight line is a power of the number of pairs."""
    for panel, what in (("time", "seconds"), ("memory", "bytes")):
        ax, fits = axes[panel], dict(zip(data["jobs"].tolist(), data[f"{panel}_exponent"].tolist(), strict=True))
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_xlim(5, 1.2e7)
        for name, fit in fits.items():
            pairs, values = _points(data, name, what)
            color, marker = LOOKS[name]
            large = values > LEAST_BYTES  # below, the loaded libraries hide it
            if panel == "memory" and not large.any():
                continue
            shown = slice(None) if panel == "time" else large
            ax.plot(pairs[shown], values[shown], marker=marker, color=color)
            power = "" if np.isnan(fit) or panel == "memory" else f" $X^{{{fit:.1f}}}$"
            x, y, side = ASIDE.get((panel, name), (5, 0, "left"))
            aside: Any = {"xytext": (x, y), "textcoords": "offset points", "ha": side, "va": "center"}
            aside["bbox"] = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
            aside["zorder"] = 4
            k = 0 if (panel, name) in AT_START else -1
            ax.annotate(name + power, (pairs[shown][k], values[shown][k]), color=color, fontsize="small", **aside)
        ax.set_xlabel("state-action pairs $X$")
    axes["time"].set_ylim(1e-4, 1e3)
    axes["time"].set_title("CPU time")
    axes["memory"].set_title("Peak memory")
    axes["memory"].set_yticks([1e6, 1e8, 1e10, 1e12, 1e14], ["1 MB", "100 MB", "10 GB", "1 TB", "100 TB"])
    axes["memory"].minorticks_off()
    axes["time"].set_yticks([1e-3, 1.0, 60.0, 1000.0], ["1 ms", "1 s", "1 min", "1000 s"])
    axes["memory"].axhline(8e12, color="#595959", linestyle=":", linewidth=1)
    axes["memory"].text(6, 1.2e13, "dense kernel of a million pairs: 8 TB", fontsize="small", color="#595959")
    axes["memory"].set_ylim(LEAST_BYTES, 1e14)


def title(data: Data) -> str:
    """How far the matrix-free kernel goes."""
    pairs, seconds = _points(data, "matrix-free", "seconds")
    _, space = _points(data, "matrix-free", "bytes")
    most = f"{seconds[-1]:.0f} s and {space[-1] / 1e9:.1f} GB" if space[-1] >= 1e8 else f"{seconds[-1]:.2g} s"
    return f"A kernel of {pairs[-1]:,.0f} pairs takes {most}: its matrix is never formed"


STUDY = Study(
    name="scaling",
    about="time and memory of every method against the number of pairs",
    full=Settings(),
    quick=Settings(jobs=("reduced", "matrix-free", "exact"), most_states=60),
    pieces=pieces,
    compute=compute,
    finish=finish,
    panels=(("time",), ("time",), ("time",), ("memory",), ("memory",)),
    draw=draw,
    width=8.4,
    height=7.4,
    title=title,
)
