r"""``kernel-filling``: the operator $F(K) = K_1 + \gamma P_\pi K P_\pi^\top$ from zero to its fixed point.

A walk on a path of cells, two of which, at its right end, pay. The first iterate knows only rewards; each further one
looks a step further ahead, until cells resemble each other by how far they are from the pay.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from figures.parts import style
from figures.studies.kernel_tour import one_piece
from figures.studies.study import Data, Study
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.kernels.operator import krope_operator
from tabular_krope.models.mrp import MRP

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True)
class Settings:
    """The walk."""

    seed: int = 0
    cells: int = 14
    right: float = 0.7  # probability of a step to the right; else to the left, and at an end it stays
    gamma: float = 0.9
    steps: int = 36


def walk(settings: Settings) -> MRP:
    """The chain: its last two cells pay 1.

    >>> walk(Settings(cells=3)).P_pi.tolist()
    [[0.30000000000000004, 0.7, 0.0], [0.30000000000000004, 0.0, 0.7], [0.0, 0.30000000000000004, 0.7]]
    """
    n = settings.cells
    P = np.zeros((n, n))
    for x in range(n):
        P[x, min(x + 1, n - 1)] += settings.right
        P[x, max(x - 1, 0)] += 1 - settings.right
    return MRP.from_matrix(P, (np.arange(n) >= n - 2).astype(float), settings.gamma)


def compute(settings: Settings, piece: int, folder: Path) -> Data:
    """Iterates [steps + 1, cells, cells] from zero, and the fixed point."""
    mrp = walk(settings)
    iterates = [np.zeros((mrp.n_pairs, mrp.n_pairs))]
    for _ in range(settings.steps):
        iterates.append(krope_operator(mrp, iterates[-1]))
    limit = krope_kernel(mrp).matrix()
    return {"iterates": np.array(iterates), "K": limit, "gamma": np.array([settings.gamma])}


def gaps(data: Data) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """Largest entry of the distance from the fixed point, for each iterate."""
    return np.asarray(np.abs(data["iterates"] - data["K"]).max(axis=(1, 2)))


def draw_frame(data: Data, axes: "Mapping[str, Axes]", k: int) -> None:
    """The iterate after ``k`` steps, and how far all up to it are from the fixed point."""
    left, right, far, gamma = axes["kernel"], axes["gap"], gaps(data), float(data["gamma"][0])
    left.imshow(data["iterates"][k], cmap=style.COLOR_MAP, vmin=0, vmax=float(data["K"].max()), origin="lower")
    left.set_xlabel("cell $y$")
    left.set_ylabel("cell $x$")
    left.set_title(f"after {k} steps; yellow: alike")
    steps = np.arange(len(far))
    right.plot(steps, far[0] * gamma**steps, "--", color=style.GRAY)
    right.annotate(r"$\gamma^n$", (steps[-1], far[0] * gamma ** steps[-1]), xytext=(-4, 8), textcoords="offset points")
    right.plot(steps[: k + 1], far[: k + 1], color=style.BLUE, linewidth=2.5)
    right.plot(k, far[k], "o", color=style.BLUE, markersize=8)
    right.set_yscale("log")
    right.set_xlim(-1, len(far))
    right.set_ylim(0.5 * far[-1], 2 * far[0])
    style.plain_powers(right.yaxis)
    right.set_xlabel("step $n$")
    right.set_title("distance from the fixed point")


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """The last frame."""
    draw_frame(data, axes, frames(data) - 1)


def frames(data: Data) -> int:
    """One for each iterate."""
    return len(data["iterates"])


STUDY = Study(
    name="kernel-filling",
    about="animated: the operator fills the kernel of a walk, iterate by iterate",
    full=Settings(),
    quick=Settings(cells=6, steps=5),
    pieces=one_piece,
    compute=compute,
    panels=(("kernel", "gap"),),
    draw=draw,
    draw_frame=draw_frame,
    frames=frames,
    width=6.6,
    height=3.4,
    title=lambda data: r"The KROPE operator fills the kernel; each step leaves at most $\gamma$ of the gap",
)
