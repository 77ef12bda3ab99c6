r"""``scaling``: time against the number of pairs, with fitted exponents and the memory of the largest sizes.

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
from figures.parts.labels import ABOVE, name_above
from figures.studies.study import Data, Study
from tabular_krope.report.scaling import JOBS, exponent, job_of, machine, measured

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMBA")}
#: Less memory than this is not told from that of the loaded libraries.
LEAST_BYTES = 1e6
#: What is drawn: name, color, marker, and where the name stands from the last point, in points, and which side of it.
#: The other methods are in the data.
LOOKS: dict[str, tuple[str, str, str, tuple[float, float, str]]] = {
    "scipy bilinear": ("scipy, ", style.RED, "x", (0, 26, "center")),
    "QuantEcon doubling": ("QuantEcon, ", style.BLACK, "+", (0, 17, "center")),
    "reduced": ("ours on states,\n", style.GREEN, "^", (0, 19, "center")),
    "matrix-free": ("ours without a matrix,\n5 products, ", style.BLUE, "o", (8, 0, "left")),
    "top-32 features": ("32 features\nfrom products, ", style.PURPLE, "D", (8, 0, "left")),
}
#: Methods whose memory is told.
OURS = ("reduced", "matrix-free", "top-32 features")


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
    """CPU time on logarithmic scales, where a straight line is a power of the pairs; memory beside the last points."""
    ax, fits = axes["time"], dict(zip(data["jobs"].tolist(), data["time_exponent"].tolist(), strict=True))
    for job, (name, color, marker, (x, y, side)) in LOOKS.items():
        if job not in fits:
            continue
        pairs, seconds = _points(data, job, "seconds")
        ax.plot(pairs, seconds, marker=marker, color=color)
        power = "" if np.isnan(fits[job]) else f"$\\sim n^{{{fits[job]:.1f}}}$"
        told = f"{name}{power}{_memory(data, job) if job in OURS else ''}"
        aside: Any = {"xytext": (x, y), "textcoords": "offset points", "ha": side, "va": "center", "linespacing": 1.3}
        ax.annotate(told, (pairs[-1], seconds[-1]), color=style.ink(color), fontsize="small", **aside)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlim(40, 3e7)
    ax.set_xticks([1e2, 1e3, 1e4, 1e5, 1e6], ["100", "1,000", "10,000", "100,000", "1,000,000"])
    ax.set_ylim(1e-4, 200)
    ax.set_yticks([1e-3, 1e-2, 0.1, 1.0, 10.0, 60.0], ["1 ms", "10 ms", "0.1 s", "1 s", "10 s", "1 min"])
    ax.minorticks_off()
    ax.set_xlabel("state-action pairs $n$")
    name_above("CPU time, one thread", ax)
    ax.set_title(title(data), loc="left", pad=ABOVE)


def _memory(data: Data, name: str) -> str:
    """The memory of the largest size, where it is told from that of the libraries."""
    space = _points(data, name, "bytes")[1][-1]
    if space < LEAST_BYTES:
        return ""
    return f"; {space / 1e9:.1f} GB" if space >= 1e9 else f"; {space / 1e6:.0f} MB"


def title(data: Data) -> str:
    """How far features by products alone go, or the kernel where none were measured."""
    jobs = data["jobs"].tolist()
    job = next(job for job in ("top-32 features", "matrix-free", jobs[0]) if job in jobs)
    pairs, seconds = _points(data, job, "seconds")
    what = "32 features of" if job == "top-32 features" else "Kernels of"
    took = f"{seconds[-1]:.0f}" if seconds[-1] >= 10 else f"{seconds[-1]:.2g}"
    text = f"{what} {pairs[-1]:,.0f} pairs take {took} CPU seconds"
    if pairs[-1] < 1e5:
        return text
    space = _memory(data, job).replace(";", " and")
    return f"{text}{space}; the matrix would take {8 * pairs[-1] ** 2 / 1e12:.0f} TB"


STUDY = Study(
    name="scaling",
    about="time and memory of every method against the number of pairs",
    full=Settings(),
    quick=Settings(jobs=("reduced", "matrix-free", "exact"), most_states=60),
    pieces=pieces,
    compute=compute,
    finish=finish,
    panels=(("time",),),
    draw=draw,
    width=8.4,
    height=5.0,
)
