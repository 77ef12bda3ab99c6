r"""The distance as a sum over time: $d(x, y) = \frac{2}{R}\sum_n \gamma^n \int (F_n^x - F_n^y)^2\,dt$.

$F_n^x$ is the distribution function of the reward $n$ steps after $x$. KROPE compares the laws of the reward one step
at a time, so two pairs whose rewards agree step by step are at distance zero even when their futures are joined
differently.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from figures.app.drawing.axis import Axis
from figures.app.drawing.chart import Chart, Size
from figures.app.drawing.figure import Drawn, Figure
from figures.app.drawing.picture import picture as drawn
from figures.app.tours.six_pairs import serialized
from figures.parts import model_graph, witness_graph
from tabular_krope.arrays import Array, dense
from tabular_krope.errors import KropeError
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.metrics.pi_bisimulation import pi_bisimulation_metric
from tabular_krope.models.garnet import garnet
from tabular_krope.models.induce import induce
from tabular_krope.models.mrp import MRP
from tabular_krope.models.random_policy import random_policy
from tabular_krope.models.zoo import zoo

#: What the page offers, and what each is for.
MODELS: Mapping[str, str] = {
    "c1-value-bound": "six-pair chain: opposite odds",
    "c3-no-injectivity": "decided early, or decided late",
    "c2-not-a-metric": "z half-way between x and y",
    "garnet": "random model, 4 x 2",
}
STEPS = 40
#: Terms below this are the rounding of a zero.
ROUNDING = 1e-12
#: Distances below this are zero.
ZERO = 1e-9


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


def graph(name: str, gamma: float, x: int, y: int) -> str:
    """The model as HTML: a witness as a graph of its pairs in the order of time, x and y marked."""
    if name == "garnet":
        mrp, _ = process(name, gamma)
        return drawn(partial(model_graph.draw, model_graph.compute(mrp)), "the model")
    chain = serialized(zoo(name).exact(), (x, y))
    return f'<div class="graph">{witness_graph.witness_svg(chain, "chain", process(name, gamma)[1])}</div>'


@lru_cache(maxsize=256)
def compute(name: str = "c1-value-bound", x: int = 0, y: int = 1, gamma: float = 0.9) -> Marginals:
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


def words(found: Marginals, pair: tuple[int, int]) -> tuple[str, bool | None]:
    """What the distances say (HTML), and whether it is good news.

    >>> words(compute("c3-no-injectivity"), (0, 1))[1]
    False
    """
    x, y = (found.names[one] for one in pair)
    if pair[0] == pair[1]:
        return "These are the same pair.", None
    if found.distance < ZERO < found.bisimulation:
        return (
            f"KROPE sees <b>no difference</b> between {x} and {y}, though the bisimulation distance is "
            f"{found.bisimulation:.3g}: their rewards have the same law at every step, and different futures.",
            False,
        )
    if found.distance < ZERO:
        return f"Nothing tells {x} and {y} apart.", True
    first = int(np.argmax(found.terms > ROUNDING))
    since = "at once" if first == 0 else f"after {first} step{'' if first == 1 else 's'}"
    return (
        f"{x} and {y} begin to differ {since}; all steps together make the distance <b>{found.distance:.3g}</b>.",
        True,
    )


def figures(found: Marginals, name: str, gamma: float, pair: tuple[int, int], n: int) -> list[Figure | Drawn]:
    """The laws of the reward at step ``n``, the terms of the distance, and the model."""
    x, y = (found.names[one] for one in pair)
    share = 100 * found.terms[n] / found.distance if found.distance > ROUNDING else 0.0
    added = (
        f"it adds {found.terms[n]:.3g} to the distance, {share:.0f}%"
        if found.terms[n] > ROUNDING
        else "it adds nothing"
    )
    later = "Now" if n == 0 else f"{n} step{'' if n == 1 else 's'} later"
    key = [("blue", f"after {x}"), ("red dashed", f"after {y}")]
    return [
        Figure(
            "Step by step",
            f"{later}, the shaded gap between the two distributions of the reward counts: {added}",
            partial(draw_laws, found, n),
            f"distribution functions of the reward {n} steps after {x} and {y}",
            [*key, ("grey block faint", "the gap, squared and added up")],
        ),
        Figure(
            "The sum",
            "The distance is the sum over all steps"
            if found.distance > ROUNDING
            else "Every step adds 0: the laws agree",
            partial(draw_terms, found, n),
            "what each step adds to the distance, and the sum so far",
            [("sky block", "what a step adds"), ("blue", "sum so far"), ("ink dashed", "d(x, y) from the kernel")],
        ),
        Drawn("The model", f"{x} and {y} have a double ring", partial(graph, name, gamma, *pair)),
    ]


def draw_laws(found: Marginals, n: int, size: Size) -> Chart:
    """The two distribution functions of the reward ``n`` steps later; the area between them is shaded."""
    room = 0.15 * max(float(np.ptp(found.levels)), 1.0)
    low, high = float(found.levels[0]) - room, float(found.levels[-1]) + room
    upward = Axis("probability of this reward or less", 0.0, 1.08, ticks=(0, 0.5, 1))
    chart = Chart(size, Axis("reward", low, high), upward)
    t = np.repeat(np.concatenate([[low], found.levels, [high]]), 2)[1:-1]
    laws = [np.repeat(np.concatenate([[0.0], np.cumsum(law)]), 2) for law in found.laws[:, n]]
    chart.area(t, laws[0], laws[1], "grey")
    chart.line(t, laws[0], "blue thick")
    chart.line(t, laws[1], "red dashed")
    return chart


def draw_terms(found: Marginals, n: int, size: Size) -> Chart:
    """What each step adds to the distance, and the running sum on its way to ``d(x, y)``."""
    top = 1.15 * max(found.distance, 0.05)
    chart = Chart(size, Axis("steps later", -0.7, STEPS - 0.3, ticks=range(0, STEPS, 5)), Axis("distance", 0.0, top))
    for k, term in enumerate(found.terms):
        chart.bar(k, 0.8, float(term), "orange" if k == n else "sky", f"step {k} adds {term:.4g}")
    chart.line(range(STEPS), np.cumsum(found.terms), "blue")
    chart.across(found.distance, "ink dashed")
    return chart
