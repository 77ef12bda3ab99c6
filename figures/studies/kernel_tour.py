r"""``kernel-tour``: one small Garnet from its kernel to its values.

Four teaching pictures of one data file: the kernel; the two top KROPE features with the value of each pair; the path
of LSPE on these features from several starts; the KROPE distance beside the $\pi$-bisimulation metric and the MICo
distance.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.parts import style
from figures.parts.labels import end_labels, point_labels
from figures.studies.study import Data, Study
from tabular_krope.arrays import Array
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


def draw_kernel(data: Data, axes: "Mapping[str, Axes]") -> None:
    """The kernel as a heat map, pairs in the order of their values, which are written beside them."""
    ax, values = axes["only"], np.sort(data["q"])
    image = ax.imshow(data["K"], cmap=style.COLOR_MAP, origin="lower", interpolation="nearest")
    assert ax.figure is not None
    ax.figure.colorbar(image, ax=ax, label="kernel $k(x, y)$", fraction=0.046, pad=0.03)
    n = len(values)
    ax.set_xticks(range(n), data["labels"], rotation=90, fontsize="small")
    ax.set_yticks(range(n), [style.minus(f"{pair}: {q:.2f}") for pair, q in zip(data["labels"], values, strict=True)])
    ax.tick_params(axis="both", labelsize="small", length=0)
    ax.set_xlabel("pair (state, action) in the order of values")
    ax.set_ylabel("pair: its value $q$")
    ax.set_title("The kernel mostly calls pairs alike\nthat are worth about the same", x=-0.3)


def draw_features(data: Data, axes: "Mapping[str, Axes]") -> None:
    """Pairs in the plane of the two top features, each with its value beside it."""
    ax, phi = axes["only"], data["phi"]
    x, y, q = phi[:, 0], phi[:, 1], data["q"]
    ax.scatter(x, y, c=q, cmap=style.COLOR_MAP, s=90, edgecolors="black", linewidths=0.6, zorder=3)
    ax.margins(0.1, 0.12)
    ax.autoscale_view()
    point_labels(phi, [style.minus(f"{q:.2f}") for q in data["q"]], ax, fontsize=9)
    ax.set_xlabel(r"first feature $\phi_1$")
    ax.set_ylabel(r"second feature $\phi_2$")
    agreement = _rank_correlation(phi[:, 1], data["q"])
    rises = "rises" if agreement > 0 else "falls"
    finding = f"The second feature {rises} with the value beside each pair"
    ax.set_title(f"{finding}\n(rank correlation {abs(agreement):.2f})")


def _rank_correlation(a: Array, b: Array) -> float:
    """Of two sequences without ties.

    >>> _rank_correlation(np.array([1.0, 5.0, 9.0]), np.array([3.0, 2.0, 1.0]))
    -1.0
    """
    first, second = (np.argsort(np.argsort(part)) for part in (a, b))
    return float(np.corrcoef(first, second)[0, 1])


def draw_paths(data: Data, axes: "Mapping[str, Axes]") -> None:
    """The weights of the features, step by step, from every start to the limit."""
    ax = axes["only"]
    for path in data["paths"]:
        ax.plot(*path.T, ".-", color=style.SKY, linewidth=1.0, markersize=4)
        ax.plot(*path[0], "o", color=style.BLUE, markersize=6)
    ax.plot(*data["limit"], "*", color=style.RED, markersize=15, zorder=3)
    _beside("the limit", data["limit"], (0, 14), style.RED, ax)
    highest = data["paths"][np.argmax(data["paths"][:, 0, 1]), 0]
    _beside("a start", highest, (26, 0), style.BLUE, ax)
    ax.set_xlabel(r"weight $\theta_1$ of the first feature")
    ax.set_ylabel(r"weight $\theta_2$ of the second")
    root = float(np.sqrt(data["gamma"][0]))
    closer = rf"a step leaves at most $\sqrt{{\gamma}}$ = {root:.2f} of the error"
    ax.set_title(f"From every start, LSPE closes in on its limit:\n{closer}")


def _beside(word: str, point: Any, away: tuple[int, int], color: str, ax: "Axes") -> None:
    """A word near a point, ``away`` from it in points."""
    ax.annotate(word, point, away, textcoords="offset points", ha="center", va="center", color=style.ink(color))


def draw_distances(data: Data, axes: "Mapping[str, Axes]") -> None:
    """Three distances of each two pairs against the difference of their values."""
    ax, gaps = axes["only"], data["gaps"]
    most = float(max(data[name].max() for name in ("mico", "bisimulation", "krope")))
    largest, last = float(gaps.max()), np.argsort(gaps)[-2:]
    looks = (
        ("mico", style.GREEN, "^", "MICo $U$"),
        ("bisimulation", style.ORANGE, "s", r"$\pi$-bisimulation"),
        ("krope", style.BLUE, "o", r"KROPE, $\frac{R}{2} d$"),
    )
    ax.plot([0, largest], [0, largest], color=style.BLACK, linewidth=1.0, zorder=1)
    ends = [(largest, "distance = gap", style.BLACK)]
    for name, color, marker, label in looks:
        ax.plot(gaps, data[name], marker, color=color, markersize=4, alpha=0.85)
        ends.append((float(data[name][last].mean()), label, color))
    ax.set_ylim(0, 1.05 * most)
    ax.set_xlabel("gap of values $|q(x) - q(y)|$")
    ax.set_ylabel("distance of $x$ and $y$")
    ax.set_title("KROPE's distance is near the gap of values;\nMICo's is far from zero even for equal values")
    end_labels(ends, ax, fontsize=10, gap=0.075)


STUDY = Study(
    name="kernel-tour",
    about="teaching: the kernel of one small Garnet, pairs in the order of their values",
    full=Settings(),
    quick=Settings(steps=20),
    pieces=one_piece,
    compute=compute,
    panels=(("only",),),
    draw=draw_kernel,
    width=5.6,
    height=5.0,
)
FEATURES = replace(
    STUDY,
    name="kernel-tour-features",
    about="the same Garnet: its two top features, with the value of each pair",
    draw=draw_features,
    width=6.4,
    height=4.4,
    of=STUDY.name,
)
PATHS = replace(
    FEATURES,
    name="kernel-tour-paths",
    about="the same Garnet: the path of LSPE on these features from several starts",
    draw=draw_paths,
)
DISTANCES = replace(
    FEATURES,
    name="kernel-tour-distances",
    about="the same Garnet: KROPE's and other distances against differences of values",
    draw=draw_distances,
)
STUDIES = (STUDY, FEATURES, PATHS, DISTANCES)
