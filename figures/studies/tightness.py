r"""``tightness``: how near to its bound $\sqrt\gamma$ the matrix of LSPE on truncated KROPE features can be brought.

Two families of chains are known: F1 attains the norm with three features, F2 approaches the radius with two as its
chains grow. A random search over chains, rewards and data weights tries to do better, from random starts. It keeps a
change when the radius (or the norm) over $\sqrt\gamma$ grows. A value above 1 would refute the bound.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.parts import style
from figures.parts.labels import spread
from figures.studies.study import Data, Study
from tabular_krope.arrays import Array
from tabular_krope.evaluation.lspe import lspe
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.models.mrp import MRP
from tabular_krope.models.zoo import zoo
from tabular_krope.representations.features import features

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MEASURES = ("radius", "norm")
FAMILIES = "families"
#: What is nearer to the bound than this attains it.
ATTAINED = 1e-6


@dataclass(frozen=True, slots=True)
class Settings:
    """Sizes of the study."""

    seed: int = 0
    gammas: tuple[float, ...] = (0.1, 0.3, 0.5, 0.7, 0.9, 0.97)
    dimensions: tuple[int, ...] = (1, 2, 3, 4, 5)
    n_pairs: int = 7  # of the chains that the search changes
    starts: int = 40  # random chains, the best of which is changed
    changes: int = 500
    lengths: tuple[int, ...] = (2, 4, 8, 16)  # N of the family F2


def pieces(settings: Settings) -> Sequence[Any]:
    """One search for each gamma, dimension and measure; the families are one more."""
    grid = [(g, d, m) for g in range(len(settings.gammas)) for d in settings.dimensions for m in range(len(MEASURES))]
    return [*grid, FAMILIES]


def compute(settings: Settings, piece: Any, folder: Path) -> Data:
    """Rows (kind, gamma, d, measure, ratio); kind is 0 for the search, 1 for F1, N for a chain of F2."""
    if piece == FAMILIES:
        return {"rows": np.array([row for gamma in settings.gammas for row in _families(settings, gamma)])}
    g, d, m = piece
    ratio = search(settings, settings.gammas[g], d, MEASURES[m], np.random.default_rng([settings.seed, g, d, m]))
    return {"rows": np.array([[0.0, settings.gammas[g], d, m, ratio]])}


def tight_ratio(mrp: MRP, D: Array, d: int, measure: str) -> float:
    r"""Radius or norm on the top ``d`` features over $\sqrt\gamma$; 0 where the weighted kernel has a lower rank.

    >>> chain = zoo("f1-tight-norm")
    >>> round(tight_ratio(chain.mrp(), chain.weights, 3, "norm"), 9)
    1.0
    """
    phi = features(krope_kernel(mrp), weights=D).matrix
    if phi.shape[1] < d:
        return 0.0
    out = lspe(mrp, phi[:, :d], D, steps=0)
    return (out.spectral_radius if measure == "radius" else out.norm) / float(np.sqrt(mrp.gamma))


def search(settings: Settings, gamma: float, d: int, measure: str, rng: np.random.Generator) -> float:
    """The largest ratio that was found."""
    n, best, height, step = settings.n_pairs, None, -1.0, 0.5
    for k in range(settings.starts + settings.changes):
        fresh = best is None or k < settings.starts
        chain = _random_chain(n, rng) if fresh or best is None else _changed(best, rng, step)
        ratio = tight_ratio(MRP.from_matrix(chain[0], chain[1], gamma), chain[2], d, measure)
        if ratio > height:
            best, height, step = chain, ratio, min(0.5, 1.5 * step)
        elif not fresh:
            step = max(1e-3, 0.97 * step)
    return height


def _random_chain(n: int, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Transitions between sparse and deterministic, rewards from few values, weights between even and one point."""
    spread = 10.0 ** rng.uniform(-2, 0)
    P = rng.dirichlet(np.full(n, spread), size=n)
    r = rng.choice([-1.0, 0.0, 1.0], size=n)
    r[:2] = (-1.0, 1.0)
    return P / P.sum(axis=1, keepdims=True), r, rng.dirichlet(np.full(n, spread)) + 1e-12


def _changed(chain: tuple[Array, Array, Array], rng: np.random.Generator, step: float) -> tuple[Array, Array, Array]:
    P, r, D = chain
    n = len(r)
    if rng.random() < 0.6:
        rows = rng.random((n, 1)) < max(1.5 / n, step / 2)
        share = step * rng.random((n, 1)) * rows
        P = (1 - share) * P + share * np.eye(n)[rng.integers(0, n, size=n)]
    if rng.random() < 0.3:
        r = np.clip(r + step * rng.standard_normal(n) * (rng.random(n) < 0.3), -1.0, 1.0)
        r[:2] = (-1.0, 1.0)
    if rng.random() < 0.5:
        part = step * rng.random()
        D = (1 - part) * D + part * np.eye(n)[rng.integers(0, n)]
    return P, r, D


def _families(settings: Settings, gamma: float) -> list[list[float]]:
    rows = []
    tight = zoo("f1-tight-norm", gamma=gamma)
    for m, measure in enumerate(MEASURES):
        D = np.full(4, 0.25)
        rows.append([1.0, gamma, 3, m, tight_ratio(tight.mrp(), D, 3, measure)])
        for N in settings.lengths:
            long = zoo("f2-tight-radius", gamma=gamma, N=N)
            assert long.weights is not None
            rows.append([float(N), gamma, 2, m, tight_ratio(long.mrp(), long.weights, 2, measure)])
    return rows


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """Radius and norm over the bound against gamma: the search for each d, and the family that attains it."""
    rows = data["rows"]
    colors = (style.GRAY, style.SKY, style.BLUE, style.GREEN, style.PURPLE)
    for m, words in ((0, r"radius $\rho(L_d)$"), (1, r"norm $\|L_d\|_2$")):
        ax, of = axes[MEASURES[m]], rows[rows[:, 3] == m]
        ax.plot([0.08, 1.0], [1.0, 1.0], color=style.BLACK, linewidth=1.0)
        ax.set_xlim(-0.22, 1.0)
        ax.set_xticks([0.1, 0.3, 0.5, 0.7, 0.9])
        ax.set_ylim(0.2, 1.06)
        labels = []
        for color, d in zip(colors, np.unique(of[of[:, 0] == 0, 2]), strict=False):
            found = of[(of[:, 0] == 0) & (of[:, 2] == d)]
            ax.plot(found[:, 1], found[:, 4], "o-", color=color, clip_on=False)
            labels.append((float(found[0, 4]), float(found[0, 1]), f"$d$ = {d:g}", color))
        _start_labels(labels, ax)
        _family(of, m, ax)
        ax.set_xlabel(r"discount factor $\gamma$")
        ax.set_ylabel(rf"largest {words} / $\sqrt{{\gamma}}$")


def _start_labels(labels: list[tuple[float, float, str, str]], ax: "Axes") -> None:
    """The name of each curve (height and place of its first point, word, color) left of it; equal ones share a line."""
    joined: dict[float, tuple[str, str]] = {}
    for height, _, word, color in labels:
        before = joined.get(round(height, 2))
        joined[round(height, 2)] = (f"{before[0]}, {word.split()[-1]}", before[1]) if before else (word, color)
    low, high = ax.get_ylim()
    places = spread(list(joined), 0.06 * (high - low))
    for place, (word, color) in zip(places, joined.values(), strict=True):
        ax.text(0.07, float(place), word, color=style.ink(color), ha="right", va="center")


def _family(of: Any, m: int, ax: "Axes") -> None:
    known = of[of[:, 0] == 1] if m else of[of[:, 0] > 1]
    name = "a chain of four pairs" if m else "a family of chains"
    best = {gamma: known[known[:, 1] == gamma, 4].max() for gamma in np.unique(known[:, 1])}
    ax.plot(list(best), list(best.values()), "*", color=style.RED, markersize=12, clip_on=False, zorder=5)
    attained = [gamma for gamma, ratio in best.items() if ratio > 1 - ATTAINED]
    reached = f"reaches {100 * min(best.values()):.0f}% of the bound"
    if attained:
        reached = rf"reaches the bound from $\gamma$ = {min(attained):g}"
    ax.set_title(f"{MEASURES[m].capitalize()}: {name} ($\\bigstar$)\n{reached}; lines: a search")


def title(data: Data) -> str:
    """Whether the bound is kept, and how nearly it is attained."""
    rows = data["rows"]
    kept, radius = rows[:, 4].max() <= 1 + 1e-6, rows[rows[:, 3] == 0, 4].max()
    return r"The bound $\sqrt{\gamma}$ cannot be improved: " + (
        f"the norm attains it, the radius comes within {np.ceil(100 * (1 - radius)):.0f}%" if kept else "it is exceeded"
    )


STUDY = Study(
    name="tightness",
    about="largest radius and norm on truncated features that a search and two families reach, over sqrt(gamma)",
    full=Settings(),
    quick=Settings(gammas=(0.3, 0.9), dimensions=(1, 2, 3), starts=20, changes=100, lengths=(2, 8)),
    pieces=pieces,
    compute=compute,
    panels=(MEASURES,),
    draw=draw,
    width=8.4,
    height=4.0,
    title=title,
)
