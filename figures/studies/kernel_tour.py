r"""``kernel-tour``: one small Garnet from its kernel to its values.

Four teaching pictures: the kernel; the two top KROPE features with each pair colored by its value; the path of LSPE on
these features from several starts; the KROPE distance beside the $\pi$-bisimulation metric and the MICo distance.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.parts import style
from figures.parts.labels import point_labels
from figures.studies.study import Data, Study
from tabular_krope.evaluation.lspe import lspe
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.metrics.mico import mico
from tabular_krope.metrics.pi_bisimulation import pi_bisimulation_metric
from tabular_krope.models.garnet import garnet
from tabular_krope.models.induce import induce
from tabular_krope.models.random_policy import random_policy
from tabular_krope.representations.features import features

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True)
class Settings:
    """The Garnet."""

    seed: int = 0
    n_states: int = 4
    n_actions: int = 3
    branching: int = 2
    gamma: float = 0.9
    steps: int = 60  # of LSPE
    starts: int = 6  # of LSPE, on a circle around its limit


def compute(settings: Settings, piece: int, folder: Path) -> Data:
    """Kernel, features, values, paths of LSPE and distances of the Garnet."""
    rng = np.random.default_rng(settings.seed)
    mdp = garnet(settings.n_states, settings.n_actions, settings.branching, settings.gamma, seed=rng)
    mrp = induce(mdp, random_policy(mdp, seed=rng))
    K = krope_kernel(mrp)
    order = np.argsort(mrp.q, kind="stable")
    phi = features(K, 2)
    limit = lspe(mrp, phi, steps=0).theta
    angles = 2 * np.pi * np.arange(settings.starts) / settings.starts
    starts = limit + np.linalg.norm(limit) * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    paths = [lspe(mrp, phi, steps=settings.steps, theta0=start).trace for start in starts]
    x, y = np.triu_indices(mrp.n_pairs, k=1)
    return {
        "K": K.matrix()[np.ix_(order, order)],
        "labels": np.array([mrp.pair_label(int(i)) for i in order]),
        "q": mrp.q,
        "phi": phi.matrix,
        "names": np.array([mrp.pair_label(i) for i in range(mrp.n_pairs)]),
        "q_hat": lspe(mrp, phi, steps=0).q_hat,
        "paths": np.array(paths),
        "limit": limit,
        "gaps": np.abs(mrp.q[x] - mrp.q[y]),
        "krope": K.reward.divisor / 2 * K.distance(x, y),
        "bisimulation": pi_bisimulation_metric(mrp).matrix[x, y],
        "mico": mico(mrp)[x, y],
        "gamma": np.array([settings.gamma]),
    }


def one_piece(settings: Any) -> Sequence[int]:
    """The work is not cut."""
    return (0,)


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """The four pictures."""
    _kernel(data, axes["kernel"])
    _features(data, axes["features"])
    _paths(data, axes["paths"])
    _distances(data, axes["distances"])


def _kernel(data: Data, ax: "Axes") -> None:
    image = ax.imshow(data["K"], cmap=style.COLOR_MAP, origin="lower", interpolation="nearest", aspect="auto")
    assert ax.figure is not None
    ax.figure.colorbar(image, ax=ax, label="$k(x, y)$", fraction=0.046, pad=0.03)
    n = len(data["labels"])
    ax.set_xticks(range(n), data["labels"], rotation=90, fontsize="small")
    ax.set_yticks(range(n), data["labels"], fontsize="small")
    ax.set_xlabel("pair (state, action), in the order of values")
    ax.set_title("1. The kernel says who behaves like whom")


def _features(data: Data, ax: "Axes") -> None:
    dots = ax.scatter(
        data["phi"][:, 0],
        data["phi"][:, 1],
        c=data["q"],
        cmap=style.COLOR_MAP,
        s=70,
        edgecolors="black",
        linewidths=0.6,
    )
    assert ax.figure is not None
    ax.figure.colorbar(dots, ax=ax, label="value $q(x)$", fraction=0.046, pad=0.03)
    ax.margins(0.25, 0.15)
    ax.autoscale_view()
    point_labels(data["phi"], data["names"].tolist(), ax)
    ax.set_xlabel(r"first feature $\phi_1$")
    ax.set_ylabel(r"second feature $\phi_2$")
    ax.set_title("2. Its top two features sort the values")


def _paths(data: Data, ax: "Axes") -> None:
    for path in data["paths"]:
        ax.plot(*path.T, ".-", color=style.SKY, linewidth=1.0, markersize=4)
        ax.plot(*path[0], "o", color=style.BLUE, markersize=6)
    ax.plot(*data["limit"], "*", color=style.RED, markersize=14)
    _beside("the limit", data["limit"], (0, 14), style.RED, ax)
    highest = data["paths"][np.argmax(data["paths"][:, 0, 1]), 0]
    _beside("a start", highest, (26, 0), style.BLUE, ax)
    ax.set_xlabel(r"weight $\theta_1$")
    ax.set_ylabel(r"weight $\theta_2$")
    root = float(np.sqrt(data["gamma"][0]))
    ax.set_title(rf"3. LSPE keeps at most $\sqrt{{\gamma}}$ = {root:.2f} of an error")
    ax.locator_params(axis="x", nbins=5)


def _beside(word: str, point: Any, away: tuple[int, int], color: str, ax: "Axes") -> None:
    """A word near a point, ``away`` from it in points."""
    ax.annotate(word, point, away, textcoords="offset points", ha="center", va="center", fontsize="small", color=color)


def _distances(data: Data, ax: "Axes") -> None:
    gaps = data["gaps"]
    most = float(max(data[name].max() for name in ("mico", "bisimulation", "krope")))
    largest, last = float(gaps.max()), np.argsort(gaps)[-2:]
    looks = (
        ("mico", style.GREEN, "^", "MICo $U$", -14),
        ("bisimulation", style.ORANGE, "s", r"$\pi$-bisimulation", 12),
        ("krope", style.BLUE, "o", r"KROPE, $\frac{R}{2} d$", -16),
    )
    for name, color, marker, label, up in looks:
        ax.plot(gaps, data[name], marker, color=color, markersize=4, alpha=0.85)
        _beside(label, (float(gaps[last].mean()), float(data[name][last].mean())), (-6, up), color, ax)
    ax.plot([0, largest], [0, largest], color=style.BLACK, linewidth=1.0)
    ax.text(0.98, 0.03, "line: distance = gap", transform=ax.transAxes, ha="right", fontsize="small")
    ax.set_ylim(0, 1.05 * most)
    ax.set_xlabel("$|q(x) - q(y)|$")
    ax.set_ylabel("distance of $x$ and $y$")
    ax.set_title("4. MICo is far from zero, KROPE is near the gap")


STUDY = Study(
    name="kernel-tour",
    about="teaching: kernel, features colored by value, path of LSPE, and distances of one small Garnet",
    full=Settings(),
    quick=Settings(steps=20),
    pieces=one_piece,
    compute=compute,
    panels=(("kernel", "features"), ("paths", "distances")),
    draw=draw,
    width=8.4,
    height=7.4,
    title=lambda data: "One kernel of a small model gives features, a stable fit and a distance near the gap of values",
)
