r"""``bisimulation-intuition``: the paper's first figure on a real MDP.

Six cells in a ring, two actions: step left or right. Landing on an odd cell pays about 1, on an even one about 0 (each
pair has a little noise of its own). So what a pair is worth depends on the parity of its cell only, while its
neighbors on the ring, the natural coordinates, all have the other parity: pairs of both colors lie side by side
until a behavioral distance shapes the representation.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.parts import style
from figures.studies.kernel_tour import one_piece
from figures.studies.study import Data, Study
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.metrics.pi_bisimulation import pi_bisimulation_metric
from tabular_krope.models.induce import induce
from tabular_krope.models.mdp import MDP
from tabular_krope.models.random_policy import random_policy
from tabular_krope.representations.features import features

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GROUPS = ((style.BLUE, "o", "even cells"), (style.ORANGE, "s", "odd cells"))
ACTIONS = "LR"


@dataclass(frozen=True, slots=True)
class Settings:
    """The ring."""

    seed: int = 0
    cells: int = 6  # even
    gamma: float = 0.9
    noise: float = 0.1  # of each pair's reward, uniform


def ring(settings: Settings, rng: np.random.Generator) -> MDP:
    """The MDP: deterministic steps to the left (action 0) or right (action 1).

    >>> ring(Settings(noise=0.0), np.random.default_rng(0)).r.tolist()[:2]
    [[1.0, 1.0], [0.0, 0.0]]
    """
    S = settings.cells
    P = np.zeros((S, 2, S))
    for s in range(S):
        P[s, 0, (s - 1) % S] = P[s, 1, (s + 1) % S] = 1.0
    r = np.where(np.arange(S)[:, None] % 2 == 0, 1.0, 0.0) + settings.noise * rng.uniform(-1, 1, (S, 2))
    return MDP(P, r, settings.gamma)


def compute(settings: Settings, piece: int, folder: Path) -> Data:
    """Natural places, KROPE features, values and distances of the pairs."""
    rng = np.random.default_rng(settings.seed)
    mdp = ring(settings, rng)
    mrp = induce(mdp, random_policy(mdp, seed=rng))
    K = krope_kernel(mrp)
    S = settings.cells
    angle = np.pi / 2 - 2 * np.pi * np.repeat(np.arange(S), 2) / S
    radius = np.tile([0.8, 1.2], S)
    # Centered, so that the direction all pairs share does not hide how they differ.
    phi = features(K).matrix
    U, sigma, _ = np.linalg.svd(phi - phi.mean(axis=0), full_matrices=False)
    return {
        "native": np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1),
        "shaped": U[:, :2] * sigma[:2],
        "q": mrp.q,
        "group": np.repeat(np.arange(S) % 2, 2),
        "bisimulation": pi_bisimulation_metric(mrp).matrix,
        "krope": K.distance(),
        "kept": np.array([float((sigma[:2] ** 2).sum() / (sigma**2).sum())]),
    }


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """Natural coordinates, and the representation that the behavioral distance makes."""
    _native(data, axes["native"])
    _shaped(data, axes["shaped"])


def draw_distances(data: Data, axes: "Mapping[str, Axes]") -> None:
    """The behavioral distance of each two pairs, those of even cells before those of odd ones."""
    ax, order = axes["only"], np.argsort(data["group"], kind="stable")
    n, names = len(order), [_name(int(x)) for x in order]
    D = data["bisimulation"][np.ix_(order, order)]
    image = ax.imshow(D, cmap=style.COLOR_MAP, interpolation="nearest")
    assert ax.figure is not None
    ax.figure.colorbar(image, ax=ax, fraction=0.046, pad=0.03, label=r"$\pi$-bisimulation distance")
    ax.set_xticks(range(n), names, fontsize="small")
    ax.set_yticks(range(n), names, fontsize="small")
    ax.tick_params(length=0)
    same = data["group"][order][:, None] == data["group"][order][None, :]
    # Rounded away from each other, so that the sentence is true as printed.
    within, between = np.ceil(100 * D[same].max()) / 100, np.floor(10 * D[~same].min()) / 10
    for k, (_, _, label) in enumerate(GROUPS):
        ax.text(n * (2 * k + 1) / 4 - 0.5, n * (2 * k + 1) / 4 - 0.5, label, ha="center", va="center", color="white")
    ax.set_title(
        f"Pairs of the same parity are at most {within:.2f} apart,\nothers at least {between:.1f}", x=-0.12, pad=10
    )


def _name(x: int) -> str:
    return f"{x // 2}{ACTIONS[x % 2]}"


def _native(data: Data, ax: "Axes") -> None:
    turn = np.linspace(0, 2 * np.pi, 200)
    ax.plot(np.cos(turn), np.sin(turn), color="#CCCCCC", linewidth=1.0, zorder=0)
    for g, (color, marker, _) in enumerate(GROUPS):
        ax.plot(*data["native"][data["group"] == g].T, marker, color=color, markersize=style.points(14))
    for x, (place, q) in enumerate(zip(data["native"], data["q"], strict=True)):
        ink = "white" if data["group"][x] == 0 else "black"
        ax.text(place[0], place[1], _name(x), ha="center", va="center", fontsize="small", color=ink)
        out = place * (1.3 if x % 2 else 0.52)
        ax.text(out[0], out[1], f"{q:.1f}", ha="center", va="center", fontsize="small", color=style.BLACK)
    ax.set_aspect("equal", anchor="N")
    ax.set_xlim(-1.6, 1.6)
    ax.set_ylim(-1.95, 1.6)
    key = "0R: in cell 0, a step right; beside it its value"
    ax.text(0.0, -1.92, key, ha="center", va="bottom", fontsize="small")
    ax.set_axis_off()
    ax.set_title("On the ring, neighbors differ", pad=12)


def _shaped(data: Data, ax: "Axes") -> None:
    look: Any = {"markersize": 11, "alpha": 0.75, "markeredgecolor": "black", "markeredgewidth": 0.5}
    for g, (color, marker, label) in enumerate(GROUPS):
        chosen = data["group"] == g
        places, q = data["shaped"][chosen], data["q"][chosen]
        ax.plot(*places.T, marker, color=color, **look)
        words = f"{label}: {chosen.sum()} pairs\nworth {q.min():.1f} to {q.max():.1f}"
        x, y = places.mean(axis=0)
        ax.annotate(words, (x, y), xytext=(0, 28), textcoords="offset points", ha="center", linespacing=1.4)
    ax.set_aspect("equal", adjustable="datalim")
    ax.margins(0.35)
    ax.spines["left"].set_visible(False)
    ax.set_yticks([])
    ax.set_xlabel(
        f"main direction of its features (with the second: {100 * float(data['kept'][0]):.0f}% of the spread)"
    )
    ax.set_title("In KROPE's representation, like is with like", pad=12)


STUDY = Study(
    name="bisimulation-intuition",
    about="the paper's figure 1 on a real MDP: two groups of pairs, mixed on the ring, separated by the representation",
    full=Settings(),
    quick=Settings(),
    pieces=one_piece,
    compute=compute,
    panels=(("native", "native", "shaped", "shaped", "shaped"),),
    draw=draw,
    width=8.4,
    height=3.3,
    title=lambda data: "A behavioral distance puts pairs of the same value together",
)
DISTANCES = replace(
    STUDY,
    name="bisimulation-distances",
    about="the same MDP: the behavioral distance of each two pairs",
    panels=(("only",),),
    draw=draw_distances,
    width=5.4,
    height=4.8,
    title=lambda data: "",
    of=STUDY.name,
)
STUDIES = (STUDY, DISTANCES)
