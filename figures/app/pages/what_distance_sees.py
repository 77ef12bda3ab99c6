"""What the distance sees: two pairs, and the laws of their rewards step by step."""

from collections.abc import Mapping, Sequence
from typing import Any

from figures.app import page_parts
from figures.app.controls import Choice, Control, Slider
from figures.app.page_sheet import Answer, Asked, Sheet
from figures.app.tours import what_distance_sees_tour as tour

LEAD = r"""
Follow two [[pair|pairs]] $x$ and $y$, and compare the [[law]] of the reward after every number of steps. The
[[KROPE]] [[distance]] adds up the squared gaps between these laws, and **sees nothing else**.
"""
MORE = r"""
**The formula.** $F_n^x$ and $F_n^y$ are the distribution functions of the reward $n$ steps after $x$ and $y$, and $R$ is the
range of the rewards: $d(x, y) = \frac{2}{R} \sum_n \gamma^n \int (F_n^x(t) - F_n^y(t))^2\,dt$.

**What it overlooks.** Choose the second model. There $x$ *decides* after one step whether it will be paid 1 or -1 forever, $y$
only after two; at each step by itself the odds are even for both. The distance is zero.

**What sees that.** The [[bisimulation]] distance, $|r_x - r_y| + \gamma W(x, y)$, where $W$ is the least mean of that same
distance between the next pairs over all ways of drawing them together.
"""


def _controls(asked: Asked) -> Sequence[Control]:
    name = asked.query.get("model", next(iter(tour.MODELS)))
    name = name if name in tour.MODELS else next(iter(tour.MODELS))
    _, labels = tour.process(name, 0.9)
    pairs = {str(k): label if label != str(k) else f"pair {k}" for k, label in enumerate(labels)}
    return (
        Choice("model", "model", tour.MODELS, next(iter(tour.MODELS))),
        Slider("n", "steps later", [str(k) for k in range(13)], "2"),
        Choice("x", "first pair", pairs, "0"),
        Choice("y", "second pair", pairs, "1"),
        Slider("gamma", "discount \u03b3", [f"{k / 100:g}" for k in range(10, 96, 5)], "0.9"),
    )


def _answer(values: Mapping[str, Any], asked: Asked) -> Answer:
    x, y, n, gamma = int(values["x"]), int(values["y"]), int(values["n"]), float(values["gamma"])
    found = tour.compute(values["model"], x, y, gamma)
    words, good = tour.words(found, (x, y))
    rows = [
        ["KROPE distance", page_parts.number("distance", found.distance)],
        [f"of which step {n}", page_parts.number("term", float(found.terms[n]))],
        ["the values differ by", page_parts.number("gap", found.gap)],
        ["bisimulation distance", page_parts.number("bisimulation", found.bisimulation)],
    ]
    code = f'tk.krope_kernel(tk.zoo("{values["model"]}").mrp()).distance({x}, {y})  # at gamma = 9/10'
    return Answer(
        words,
        good,
        tour.figures(found, values["model"], gamma, (x, y), n),
        page_parts.table(["", ""], rows),
        code if values["model"] != "garnet" and gamma == 0.9 else "",
    )


SHEET = Sheet(LEAD, _controls, _answer, MORE)
