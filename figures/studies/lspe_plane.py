r"""``lspe-plane``: LSPE in the plane of two weights, on three kinds of features of one chain and one data distribution.

A ring of starts around the fixed point. Each step is the affine map $\theta \mapsto L\theta + b$, so the ring is
carried by the powers of $L$: it shrinks onto the fixed point, or is torn away where the spectral radius exceeds 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from figures.parts import style
from figures.studies.kernel_tour import one_piece
from figures.studies.study import Data, Study
from tabular_krope.evaluation.lspe import lspe
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.models.garnet import garnet
from tabular_krope.models.induce import induce
from tabular_krope.models.random_policy import random_policy
from tabular_krope.report.digits import three
from tabular_krope.representations.comparators import comparator_features
from tabular_krope.representations.features import features

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Key, color and name of each kind of features.
KINDS = (
    ("weighted", style.BLUE, "KROPE, weighted by the data"),
    ("unweighted", style.RED, "KROPE, without the weights"),
    ("successor", style.GREEN, "successor features"),
)
#: The plane is shown to this distance from the fixed point; the ring starts at 1.
SHOWN = 3.0


@dataclass(frozen=True, slots=True)
class Settings:
    """The Garnet, four of whose eight pairs have data, and the number of steps."""

    seed: int = 0
    chain: int = 1299  # of the Garnets of this size one on which the weights matter
    gamma: float = 0.9
    starts: int = 24
    steps: int = 24


def compute(settings: Settings, piece: int, folder: Path) -> Data:
    """Errors of the weights [kinds, steps + 1, starts, 2] and the spectral radii [kinds]."""
    rng = np.random.default_rng(settings.chain + settings.seed)
    mdp = garnet(4, 2, 2, settings.gamma, seed=rng)
    mrp = induce(mdp, random_policy(mdp, seed=rng))
    D = np.zeros(mrp.n_pairs)
    D[rng.permutation(mrp.n_pairs)[:4]] = rng.dirichlet(np.ones(4))
    K = krope_kernel(mrp)
    phis = (features(K, 2, weights=D), features(K, 2), comparator_features(mrp, "successor", 2))
    angles = 2 * np.pi * np.arange(settings.starts) / settings.starts
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    paths, radii = [], []
    for phi in phis:
        out = lspe(mrp, phi, D, steps=0)
        powers = [np.linalg.matrix_power(out.L, k) for k in range(settings.steps + 1)]
        paths.append([ring @ power.T for power in powers])
        radii.append(out.spectral_radius)
    return {"paths": np.array(paths), "radius": np.array(radii)}


def draw_frame(data: Data, axes: "Mapping[str, Axes]", k: int) -> None:
    """The rings after ``k`` steps, with the way that each point came."""
    for row, (key, color, name) in enumerate(KINDS):
        ax, path, radius = axes[key], data["paths"][row], float(data["radius"][row])
        for start in range(path.shape[1]):
            ax.plot(*path[: k + 1, start].T, color=color, linewidth=0.7, alpha=0.45)
        ax.plot(*path[k].T, "o", color=color, markersize=4)
        ax.plot(0, 0, "*", color=style.BLACK, markersize=9)
        ax.set_xlim(-SHOWN, SHOWN)
        ax.set_ylim(-SHOWN, SHOWN)
        ax.set_aspect("equal")
        ax.set_xticks([])
        ax.set_yticks([])
        ax.spines[:].set_visible(True)
        ax.set_title(name)
        word = "converges" if radius < 1 else "blows up"
        far = float(np.linalg.norm(path[k], axis=1).max())
        ax.set_xlabel(f"{word}: radius {radius:.2f}\nstep {k}, error {three(far)}")


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """The last frame."""
    draw_frame(data, axes, frames(data) - 1)


def frames(data: Data) -> int:
    """One for each step, and the start."""
    return int(data["paths"].shape[1])


def title(data: Data) -> str:
    """On how many of the three kinds value learning blows up."""
    gone = int((data["radius"] >= 1).sum())
    return f"Same chain, same data: value learning blows up on {gone} of {len(KINDS)} kinds of features"


STUDY = Study(
    name="lspe-plane",
    about="animated: LSPE in the plane of two weights on three kinds of features, one of which blows up",
    full=Settings(),
    quick=Settings(starts=6, steps=5),
    pieces=one_piece,
    compute=compute,
    panels=(tuple(key for key, *_ in KINDS),),
    draw=draw,
    draw_frame=draw_frame,
    frames=frames,
    width=8.2,
    height=3.55,
    title=title,
)
