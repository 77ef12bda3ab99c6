"""Watch it blow up: LSPE and TD in the plane of two weights, on data that the reader drags."""

from collections.abc import Mapping, Sequence
from typing import Any

from figures.app import page_parts
from figures.app.controls import Bars, Choice, Control
from figures.app.page_sheet import Answer, Asked, Sheet
from figures.app.tours import blow_up_tour as tour
from figures.app.tours.six_pairs import NAMES
from figures.app.tours.why_stable_tour import KINDS

LEAD = r"""
Two [[features]], two [[weights]]: value learning is a walk in a plane. [[LSPE]] and [[TD]] both start at zero and follow their
arrows. **Drag the bars**, how often each pair was seen (a full bar is ten thousand times an empty one), and choose other features.
"""
MORE = r"""
**The arrows.** From any weights $\theta$, [[LSPE]] goes to $b + L\theta$. All arrows shrink toward the green dot, or some direction
leads away from it; the [[spectral radius]] of $L$ says which.

**TD** takes small steps in place of whole ones: $\theta + \alpha\,\Phi^\top D\,(r + \gamma P\Phi\theta - \Phi\theta)$, with the
largest $\alpha$ that is safe for regression. It stands still where LSPE does, and may blow up or not by itself.

**Why dragging matters.** The fit is best where the data are. Where they are few, the features say whatever they like, and
the next step multiplies it. [[KROPE]] features cut *with* the data's weights turn with the bars.
"""


def _controls(asked: Asked) -> Sequence[Control]:
    return (
        Choice("kind", "features", {kind: kind for kind in KINDS}, KINDS[2]),
        Bars("data", "data on each pair", NAMES, tour.LEVELS, tour.LOPSIDED),
    )


def _answer(values: Mapping[str, Any], asked: Asked) -> Answer:
    kind = values["kind"]
    found = tour.compute(kind, values["data"])
    rows = [
        [f"{name} multiplies the error by", page_parts.number(f"rho-{name}", radius, good=radius < 1)]
        for name, radius in found.radius.items()
    ]
    weights = ", ".join(f"{share:.3g}" for _, share in tour.share_rows(found))
    data = ", ".join(f"{100 * share:.2g}%" for _, share in tour.share_rows(found))
    rows.append(["each pair's share of the data", data])
    good = max(found.radius.values()) < 1
    return Answer(
        tour.words(found, kind),
        good,
        tour.figures(found, kind),
        page_parts.table(["", ""], rows),
        f"tk.lspe(mrp, features, weights=[{weights}]).trace",
    )


SHEET = Sheet(LEAD, _controls, _answer, MORE)
