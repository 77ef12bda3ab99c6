r"""The distance as a sum over time: $d(x, y) = \frac{2}{R}\sum_n \gamma^n \int (F_n^x - F_n^y)^2\,dt$.

$F_n^x$ is the distribution function of the reward $n$ steps after $x$. KROPE compares the laws of the reward one step
at a time, so two pairs whose rewards agree step by step are at distance zero even when their futures are joined
differently.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from figures.app import shell
from figures.parts import model_graph, style, witness_graph
from tabular_krope.arrays import Array, dense
from tabular_krope.errors import KropeError
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.metrics.pi_bisimulation import pi_bisimulation_metric
from tabular_krope.models.garnet import garnet
from tabular_krope.models.mrp import MRP, induce
from tabular_krope.models.random_policy import random_policy
from tabular_krope.models.zoo import zoo

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: What the page offers, and what each is for.
MODELS = {
    "c3-no-injectivity": "same rewards step by step, different futures: x and y are at distance 0",
    "c1-value-bound": "x and y mix two futures differently",
    "c2-not-a-metric": "z lies half-way between x and y, at a quarter of their distance",
    "garnet": "a random model with 4 states and 2 actions",
}
STEPS = 40
#: Terms below this are the rounding of a zero.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Marginals:
    """Laws of the reward after two pairs, step by step.

    Attributes:
        names: how the pairs of the model are written, [X].
        levels: distinct rewards, increasing, [m].
        laws: probability of each level n steps after x and after y, [2, STEPS, m].
        terms: what each step adds to the distance, [STEPS].
        distance: ``d(x, y)`` from the kernel.
        bisimulation: the pi-bisimulation distance of the two pairs, which compares joint futures.
        gap: ``|q(x) - q(y)|``.
    """

    names: tuple[str, ...]
    levels: Array
    laws: Array
    terms: Array
    distance: float
    bisimulation: float
    gap: float


def process(name: str, gamma: float) -> tuple[MRP, tuple[str, ...]]:
    """The reward process and the names of its pairs."""
    if name == "garnet":
        mdp = garnet(4, 2, 2, gamma=gamma, seed=3)
        mrp = induce(mdp, random_policy(mdp, seed=4))
        return mrp, tuple(mrp.pair_label(x) for x in range(mrp.n_pairs))
    if name not in MODELS:
        raise KropeError(f"name must be one of {', '.join(MODELS)}; got {name!r}")
    entry = zoo(name)
    chain = entry.mrp()
    assert entry.labels is not None
    return MRP(chain.P, chain.Pi, chain.r, gamma, chain.end, chain.d0), entry.labels


def picture(name: str, gamma: float, x: int, y: int) -> str:
    """The model as HTML: a witness as a graph of its pairs in the order of time, x and y marked."""
    mrp, _ = process(name, gamma)
    if name == "garnet":
        return shell.picture(model_graph.draw, model_graph.compute(mrp), alt="the model", width=5.2, height=4.0)
    chain = zoo(name).exact()
    witness = {
        "P_pi": [[str(value) for value in row] for row in (chain.P * chain.Pi).table()],
        "r": [str(value) for value in chain.r],
        "gamma": str(chain.gamma),
        "pair": [x, y],
    }
    return witness_graph.witness_svg(witness, "chain")


def compute(name: str = "c3-no-injectivity", x: int = 0, y: int = 1, gamma: float = 0.9) -> Marginals:
    """Everything about two pairs of a model.

    >>> found = compute("c3-no-injectivity")
    >>> abs(found.distance) < 1e-12, found.bisimulation > 0.5
    (True, True)
    """
    mrp, names = process(name, gamma)
    levels, place = np.unique(mrp.r, return_inverse=True)
    indicator = np.eye(len(levels))[place]  # [X, m]
    P = dense(mrp.P_pi)
    laws = np.empty((2, STEPS, len(levels)))
    for n in range(STEPS):
        laws[:, n] = indicator[[x, y]]
        indicator = P @ indicator
    apart = np.cumsum(laws[0] - laws[1], axis=1)[:, :-1]  # F_n^x - F_n^y between the levels
    R = levels[-1] - levels[0]
    discount = gamma ** np.arange(STEPS)
    terms = 2 / R * discount * (apart**2 @ np.diff(levels)) if R > 0 else np.zeros(STEPS)
    distance = float(krope_kernel(mrp).distance(x, y))
    bisimulation = float(pi_bisimulation_metric(mrp).matrix[x, y])
    return Marginals(names, levels, laws, terms, distance, bisimulation, float(abs(mrp.q[x] - mrp.q[y])))


def draw_laws(found: Marginals, n: int, pair: tuple[int, int], ax: "Axes") -> "Axes":
    """The two distribution functions of the reward ``n`` steps later; the area between them is shaded."""
    room = 0.15 * max(float(np.ptp(found.levels)), 1.0)
    t = np.concatenate([[found.levels[0] - room], found.levels, [found.levels[-1] + room]])
    for law, colour, dashes, x in zip(found.laws[:, n], (style.BLUE, style.RED), ("-", "--"), pair, strict=True):
        F = np.concatenate([[0.0], np.cumsum(law), [1.0]])
        ax.step(t, F, dashes, where="post", color=colour, label=f"after {found.names[x]}", linewidth=2.2)
    low, high = (np.concatenate([[0.0], np.cumsum(law), [1.0]]) for law in found.laws[:, n])
    ax.fill_between(t, low, high, step="post", color=style.GREY, alpha=0.3, linewidth=0)
    ax.set_xlabel("reward $t$")
    ax.set_ylabel(rf"$F_{{{n}}}(t)$")
    ax.set_ylim(-0.03, 1.05)
    ax.set_title(f"Laws of the reward {n} step{'' if n == 1 else 's'} later")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2)
    return ax


def draw_terms(found: Marginals, n: int, ax: "Axes") -> "Axes":
    """What each step adds to the distance, and the running sum on its way to ``d(x, y)``."""
    steps = np.arange(STEPS)
    ax.bar(steps, found.terms, color=[style.ORANGE if k == n else style.SKY for k in steps], label="what a step adds")
    ax.plot(steps, np.cumsum(found.terms), ".-", color=style.BLUE, label="sum so far")
    ax.axhline(found.distance, color=style.BLACK, linestyle="--", linewidth=1.0, label="$d(x, y)$ from the kernel")
    ax.set_xlabel("steps later, $n$")
    ax.set_ylim(bottom=0, top=1.15 * max(found.distance, 0.05))
    ax.set_title("The distance is their sum")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=3, fontsize=8)
    if not found.terms.max() > ROUNDING:
        words = "every step adds 0:\nthe laws agree at each of them"
        ax.text(0.5, 0.5, words, ha="center", va="center", transform=ax.transAxes)
    return ax
