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
from figures.parts.labels import ABOVE, name_above
from figures.studies.study import Data, Study
from tabular_krope.arrays import Array
from tabular_krope.evaluation.lspe import lspe
from tabular_krope.kernels.kernel import Kernel
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.models.garnet import garnet
from tabular_krope.models.induce import induce
from tabular_krope.models.random_policy import random_policy
from tabular_krope.representations.comparators import COMPARATORS, comparator_features
from tabular_krope.representations.features import features

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WEIGHTED, UNWEIGHTED = "weighted", "unweighted"
KINDS = (WEIGHTED, UNWEIGHTED, *COMPARATORS)
#: What is kept of the values over the Garnets.
LEVELS = (0.0, 0.05, 0.5, 0.95, 1.0)


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
    """Share of Garnets whose LSPE diverges against d, with and without the data's weights, at the least coverage."""
    ax, d, c = axes["all"], data["dimensions"], int(np.argmin(data["covered"]))
    names, covered = data["kinds"].tolist(), int(data["covered"][c])
    tried = int(data["tried"][names.index(WEIGHTED)])
    without = 100 * data["unstable"][c, names.index(UNWEIGHTED)]
    shown = d <= covered  # there are no more weighted features than pairs with data
    weighted = 100 * data["unstable"][c, names.index(WEIGHTED), shown]
    ax.fill_between(d, without, color=style.RED, alpha=0.2, linewidth=0)
    ax.plot(d, without, "s-", color=style.RED, clip_on=False)
    ax.plot(d[shown], weighted, "o-", color=style.BLUE, linewidth=3, markersize=6, clip_on=False, zorder=3)
    peak = int(np.argmax(without))
    aside: Any = {"xytext": (-16, 6), "textcoords": "offset points", "va": "top", "ha": "right"}
    word = f"without the\ndata's weights:\n{without[peak]:.0f}% diverge"
    ax.annotate(word, (d[peak], without[peak]), color=style.ink(style.RED), **aside)
    count = round(tried * weighted.max() / 100)
    ax.text(0.6, 4.0, f"with the\ndata's weights:\n{count or 'none'} of {tried}", color=style.BLUE, va="bottom")
    ax.set_xlim(0, float(d[-1]))
    ax.set_ylim(0, max(10.0, 1.15 * float(without[peak])))
    ax.set_xticks([1, *range(5, int(d[-1]) + 1, 5)])
    ax.set_xlabel(f"number of KROPE features $d$ ({covered} of {data['n_pairs']} pairs have data)")
    name_above("models on which value learning diverges", ax)
    ax.yaxis.set_major_formatter(lambda value, _: f"{value:.0f}%")
    finding = "never" if count == 0 else "rarely"
    title = f"Weighted by the data, KROPE features {finding} diverge; without the weights they do"
    ax.set_title(title, pad=ABOVE)


STUDY = Study(
    name="exact-spectral",
    about="share of random models on which LSPE diverges against d, with and without the data's weights",
    full=Settings(),
    quick=Settings(garnets=60, with_others=20, in_a_piece=5, dimensions=(1, 2, 4, 8, 15, 20, 25, 30, 40)),
    pieces=pieces,
    compute=compute,
    finish=finish,
    panels=(("all",),),
    draw=draw,
    width=7.2,
    height=3.8,
)
