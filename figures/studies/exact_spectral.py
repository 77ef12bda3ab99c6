r"""``exact-spectral``: spectral radius and norm of LSPE's matrix against ``d`` for the exact kernel of random Garnets.

The exact kernel needs no training, so whatever instability shows here is a property of the features, not of a learner.
Each Garnet has its own policy and its own random data weights: flat Dirichlet on a random set of pairs, which is all
of them or half of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.parts import style
from figures.studies.study import Data, Study
from tabular_krope.arrays import Array
from tabular_krope.evaluation.lspe import lspe
from tabular_krope.kernels.kernel import Kernel
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.models.garnet import garnet
from tabular_krope.models.mrp import induce
from tabular_krope.models.random_policy import random_policy
from tabular_krope.representations.comparators import COMPARATORS, comparator_features
from tabular_krope.representations.features import features

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WEIGHTED, UNWEIGHTED = "weighted", "unweighted"
KINDS = (WEIGHTED, UNWEIGHTED, *COMPARATORS)
#: What is kept of the values over the Garnets.
LEVELS = (0.0, 0.05, 0.5, 0.95, 1.0)
LOOKS: dict[str, tuple[str, str, str]] = {
    WEIGHTED: (style.BLUE, "o", "data-weighted truncation"),
    UNWEIGHTED: (style.ORANGE, "s", "unweighted truncation"),
    "one-hot": (style.GREY, "v", "one-hot, grouped"),
    "random": (style.RED, "D", "random"),
    "successor": (style.GREEN, "^", "successor"),
    "eigen": (style.PURPLE, "s", r"eigenvectors of $P_\pi$"),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """Sizes of the study."""

    seed: int = 0
    garnets: int = 1000
    with_others: int = 250  # the first so many Garnets are tried with the other features too
    n_states: int = 8
    n_actions: int = 5
    branching: int = 4
    gamma: float = 0.99
    covered: tuple[int, ...] = (40, 20)  # pairs that have data
    dimensions: tuple[int, ...] = (1, 2, 3, 4, 6, 8, 10, 12, 15, 18, 20, 22, 25, 30, 35, 40)
    in_a_piece: int = 20


def pieces(settings: Settings) -> Sequence[int]:
    """The first Garnet of each piece."""
    return range(0, settings.garnets, settings.in_a_piece)


def compute(settings: Settings, first: int, folder: Path) -> Data:
    """Radius and norm of the Garnets of one piece, each [n, covered, kinds, dimensions]; NaN where not tried."""
    last = min(first + settings.in_a_piece, settings.garnets)
    shape = (last - first, len(settings.covered), len(KINDS), len(settings.dimensions))
    radius, norm = np.full(shape, np.nan), np.full(shape, np.nan)
    for k in range(first, last):
        kinds = KINDS if k < settings.with_others else (WEIGHTED, UNWEIGHTED)
        for c, covered in enumerate(settings.covered):
            rng = np.random.default_rng([settings.seed, k])  # the same chain for every coverage
            mdp = garnet(settings.n_states, settings.n_actions, settings.branching, settings.gamma, seed=rng)
            mrp = induce(mdp, random_policy(mdp, seed=rng))
            D = np.zeros(mrp.n_pairs)
            D[rng.permutation(mrp.n_pairs)[:covered]] = rng.dirichlet(np.ones(covered))
            K = krope_kernel(mrp)
            for a, kind in enumerate(kinds):
                for b, phi in enumerate(nested_features(K, kind, D, settings.dimensions, rng)):
                    out = lspe(mrp, phi, D, steps=0)
                    radius[k - first, c, a, b], norm[k - first, c, a, b] = out.spectral_radius, out.norm
    return {"radius": radius, "norm": norm}


def nested_features(
    K: Kernel, kind: str, D: Array, dimensions: Sequence[int], rng: np.random.Generator
) -> Sequence[Array]:
    """Features of a kind for each dimension; under the data's weights only up to the number of pairs with data."""
    if kind == WEIGHTED:
        full, most = features(K, weights=D).matrix, int((D > 0).sum())
        return [full[:, :d] for d in dimensions if d <= most]
    if kind == UNWEIGHTED:
        full = features(K).matrix
        return [full[:, :d] for d in dimensions]
    if kind == "random":
        full = comparator_features(K.mrp, kind, max(dimensions), rng)
        return [full[:, :d] for d in dimensions]
    return [comparator_features(K.mrp, kind, d) for d in dimensions]


def finish(settings: Settings, data: Data) -> Data:
    """Quantiles [levels, covered, kinds, dimensions] and the share of Garnets with a radius of 1 or more."""
    tried = {kind: settings.garnets if kind in (WEIGHTED, UNWEIGHTED) else settings.with_others for kind in KINDS}
    parts = {name: [data[name][: tried[kind], :, a] for a, kind in enumerate(KINDS)] for name in ("radius", "norm")}
    quantiles = {name: [np.quantile(part, LEVELS, axis=0) for part in each] for name, each in parts.items()}
    return {
        **{name: np.stack(each, axis=2) for name, each in quantiles.items()},
        "unstable": np.stack([(part >= 1).mean(axis=0) for part in parts["radius"]], axis=1),
        "tried": np.array(list(tried.values())),
        "levels": np.array(LEVELS),
        "kinds": np.array(KINDS),
        "gamma": settings.gamma,
        "covered": np.array(settings.covered),
        "n_pairs": settings.n_states * settings.n_actions,
        "dimensions": np.array(settings.dimensions),
    }


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """One row for each coverage: radius and norm of the kernel's features, radius of the others."""
    kernel, X = (WEIGHTED, UNWEIGHTED), data["n_pairs"]
    for c, covered in enumerate(data["covered"].tolist()):
        where = "data on every pair" if covered == X else f"data on {covered} of {X} pairs"
        titles = (
            ("radius", "radius", kernel, r"KROPE features: $\rho(L)$"),
            ("norm", "norm", kernel, r"KROPE features: $\|L\|_2$"),
            ("others", "radius", COMPARATORS, r"other features: $\rho(L)$"),
        )
        for panel, measure, kinds, title in titles:
            ax = axes[f"{panel} {c}"]
            _bands(data, c, measure, kinds, ax)
            _scale(float(data["gamma"]), ax, lowest=-0.95 if panel == "others" else -0.03)
            ax.set_title(f"{title}, {where}")
            ax.set_xlabel("number of features $d$")
            if c == 0 and panel != "norm":  # the colors of the norms are those of the radii
                ax.legend(loc="upper left", fontsize=8, title="median, 5-95% band, dotted: largest", title_fontsize=8)


def _bands(data: Data, c: int, measure: str, kinds: Sequence[str], ax: "Axes") -> None:
    names, d = data["kinds"].tolist(), data["dimensions"]
    for kind in kinds:
        colour, marker, label = LOOKS[kind]
        _, low, middle, high, most = data[measure][:, c, names.index(kind)] - 1
        ax.fill_between(d, low, high, color=colour, alpha=0.2, linewidth=0)
        ax.plot(d, middle, marker=marker, color=colour, label=f"{label}, {data['tried'][names.index(kind)]} Garnets")
        ax.plot(d, most, ":", color=colour, linewidth=1.1)


def _scale(gamma: float, ax: "Axes", lowest: float) -> None:
    r"""Distance from 1, linear near it: $\gamma$, $\sqrt\gamma$ and 1 are apart, and a radius of 10 is still seen."""
    ax.set_yscale("symlog", linthresh=1 - gamma, linscale=1.2)
    highest = max((2.5 if ax.dataLim.y1 > 10 else 30.0) * ax.dataLim.y1, 5.0)
    ticks = [t for t in (-0.9, -0.1, 0.1, 1.0, 10.0, 100.0, 1000.0) if lowest <= t <= highest]
    ax.set_yticks(ticks, [f"{1 + t:g}" for t in ticks])
    ax.yaxis.set_minor_locator(_no_ticks())
    ax.set_ylim(lowest, highest)
    lines: Any = ((1.0, "-", style.BLACK, "1"), (gamma**0.5, "--", style.GREEN, r"$\sqrt{\gamma}$"))
    for height, dashes, colour, word in (*lines, (gamma, ":", style.BLACK, r"$\gamma$")):
        ax.axhline(float(height) - 1, linestyle=dashes, color=colour, linewidth=1.0, zorder=0)
        ax.text(1.01, float(height) - 1, word, transform=ax.get_yaxis_transform(), va="center", fontsize=9)


def _no_ticks() -> Any:
    from matplotlib.ticker import NullLocator

    return NullLocator()


STUDY = Study(
    name="exact-spectral",
    about="radius and norm of LSPE against d for the exact kernel, and for other features",
    full=Settings(),
    quick=Settings(garnets=60, with_others=20, in_a_piece=5, dimensions=(1, 2, 4, 8, 15, 20, 25, 30, 40)),
    pieces=pieces,
    compute=compute,
    finish=finish,
    panels=(("radius 0", "norm 0", "others 0"), ("radius 1", "norm 1", "others 1")),
    draw=draw,
    width=13.5,
    height=7.6,
)
