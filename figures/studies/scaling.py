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
    "iterate": (style.GREY, "v"),
    "doubling": (style.ORANGE, "s"),
    "reduced": (style.GREEN, "^"),
    "matrix-free": (style.BLUE, "o"),
    "top-32 features": (style.SKY, "D"),
    "exact": (style.PURPLE, "P"),
    "scipy bilinear": (style.RED, "x"),
    "QuantEcon doubling": (style.BLACK, "+"),
    "dense operator": (style.GREY, "*"),
    "sparse P @ v": (style.BLACK, "."),
}


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
    titles = (("time", "seconds", "CPU seconds"), ("memory", "bytes", "peak memory, bytes"))
    for panel, what, label in titles:
        ax, fits = axes[panel], dict(zip(data["jobs"].tolist(), data[f"{panel}_exponent"].tolist(), strict=True))
        for name, fit in fits.items():
            pairs, values = _points(data, name, what)
            colour, marker = LOOKS[name]
            shown = np.maximum(values, 1e6) if panel == "memory" else values
            power = "" if np.isnan(fit) else f"  $X^{{{fit:.2f}}}$"  # of time: the legend stands with it
            ax.loglog(pairs, shown, marker=marker, color=colour, label=f"{name}{power}")
        ax.set_xlabel("state-action pairs $X$")
        ax.set_title(label)
        if panel == "time":
            ax.set_ylim(1e-4, 3e2)
            ax.legend(fontsize=7.5, loc="center left", bbox_to_anchor=(1.0, 0.5))
    axes["memory"].axhline(8e12, color=style.GREY, linestyle=":", linewidth=1)
    axes["memory"].text(6, 9e12, "dense kernel of a million pairs: 8 TB", fontsize=8, color=style.GREY, va="bottom")
    axes["memory"].text(6, 7e5, "1 MB or less", fontsize=8, color=style.GREY, va="top")
    axes["memory"].set_ylim(3e5, 5e13)


STUDY = Study(
    name="scaling",
    about="time and memory of every method against the number of pairs",
    full=Settings(),
    quick=Settings(jobs=("reduced", "matrix-free", "exact"), most_states=60),
    pieces=pieces,
    compute=compute,
    finish=finish,
    panels=(("time", "memory"),),
    draw=draw,
    width=12.5,
    height=5.2,
)
