r"""The printed value bound on the chain C1, exactly, as the mixing difference ``e`` moves.

``x`` goes to ``a`` with probability $(1 + e)/2$ and to ``b`` otherwise, ``y`` the other way round; ``a`` and ``b`` lead
to absorbing pairs that pay 1 and -1. The paper bounds $|q(x) - q(y)|$ by $d(x, y) + C$, where $C = 0$ here; but
$|q(x) - q(y)| = e\,s$ and $d(x, y) = e^2 s$ with the same $s$, so the bound fails for every $e < 1$.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import numpy as np

from figures.app.drawing.axis import Axis
from figures.app.drawing.chart import Chart, Size
from figures.app.drawing.figure import Drawn, Figure
from figures.app.tours.six_pairs import NAMES, serialized
from figures.parts.witness_graph import witness_svg
from tabular_krope.arrays import Array
from tabular_krope.exact.rationals import rational
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.models.zoo import zoo


@dataclass(frozen=True, slots=True)
class FalseBound:
    """Exact numbers of the chain.

    Attributes:
        e, gamma: mixing difference and discount factor.
        gap: ``|q(x) - q(y)|``.
        distance: ``d(x, y)``, which is also the printed bound: its constant is 0 on this chain.
        rkhs_squared: the square of the bound that holds, ``rho0 R d / (2 (1 - gamma))``.
        witness: the chain as a serialized witness, for drawing.
    """

    e: Fraction
    gamma: Fraction
    gap: Fraction
    distance: Fraction
    rkhs_squared: Fraction
    witness: dict[str, Any]

    @property
    def fails(self) -> bool:
        """Whether the printed bound fails here."""
        return self.gap > self.distance

    @property
    def rkhs(self) -> float:
        """The bound that holds, rounded."""
        return float(np.sqrt(float(self.rkhs_squared)))


@lru_cache(maxsize=512)
def compute(e: Any = "1/2", gamma: Any = "9/10") -> FalseBound:
    """Everything about the chain over the rationals.

    Args:
        e: mixing difference in (0, 1], a fraction or what reads as one.
        gamma: discount factor in (0, 1), likewise.

    >>> found = compute("1/2", "9/10")
    >>> found.gap, found.distance, found.fails
    (Fraction(81, 10), Fraction(81, 20), True)
    >>> compute(1).fails
    False
    """
    e, gamma = Fraction(e), Fraction(gamma)
    chain = zoo("c1-value-bound", e=rational(e), gamma=rational(gamma)).exact()
    K = krope_kernel(chain).exact_matrix()
    q = [Fraction(str(value)) for value in chain.q]
    distance = Fraction(str(K[0, 0] + K[1, 1] - 2 * K[0, 1]))
    rewards = [Fraction(str(value)) for value in chain.r]
    own_range = max(rewards) - min(rewards)
    bound = own_range * own_range / 2 / (1 - gamma) * distance
    return FalseBound(e, gamma, abs(q[0] - q[1]), distance, bound, serialized(chain))


def curves(gamma: Any = "9/10", points: int = 60) -> dict[str, Array]:
    """``e``, ``|dq|``, ``d`` and the bound that holds, for drawing; in floats from the closed forms.

    >>> found = curves(points=3)
    >>> bool(found["gap"][-1] == found["distance"][-1])
    True
    """
    e = np.linspace(1 / points, 1.0, points)
    unit = compute(1, gamma)
    size = float(unit.distance)
    return {"e": e, "gap": e * size, "distance": e**2 * size, "rkhs": e * unit.rkhs}


def words(found: FalseBound) -> str:
    """What the numbers say (HTML).

    >>> words(compute())
    'The printed bound is <b>false</b>: 81/10 &gt; 81/20. The values differ 2 times as much as it allows.'
    """
    if found.fails:
        times = found.gap / found.distance
        return (
            f"The printed bound is <b>false</b>: {found.gap} &gt; {found.distance}. "
            f"The values differ {times} times as much as it allows."
        )
    return f"At e = 1 the futures do not overlap and the printed bound just holds: {found.gap} &le; {found.distance}."


def figures(found: FalseBound) -> list[Figure | Drawn]:
    """The curves with the present ``e`` marked, and the chain."""
    return [
        Figure(
            "Values and bounds",
            "The printed bound lies below the values that it should bound",
            partial(draw, found),
            "difference of values, printed bound and true bound against e",
            [
                ("blue thick", "|q(x) \u2212 q(y)|"),
                ("orange dashed", "printed: d + C, where C = 0"),
                ("ink", "holds: c \u221ad"),
            ],
            ends=True,
        ),
        Drawn("The chain", f"x and y reach a and b with odds that differ by e = {found.e}", partial(_graph, found)),
    ]


def _graph(found: FalseBound) -> str:
    return f'<div class="graph">{witness_svg(found.witness, "chain", NAMES)}</div>'


def draw(found: FalseBound, size: Size) -> Chart:
    """The gap against the printed bound and the one that holds, with the present ``e`` marked."""
    lines = curves(found.gamma)
    top = 1.06 * float(lines["rkhs"].max())
    chart = Chart(size, Axis("mixing difference e", 0.0, 1.02), Axis("difference of values, and its bounds", 0.0, top))
    chart.area(lines["e"], lines["distance"], lines["gap"], "red")
    chart.line(lines["e"], lines["rkhs"], "ink")
    chart.line(lines["e"], lines["gap"], "blue thick")
    chart.line(lines["e"], lines["distance"], "orange dashed")
    here = float(found.e)
    chart.upright(here, "grey dotted thin")
    chart.dot(here, float(found.gap), "blue", 0.5, tip=f"values differ by {found.gap}")
    chart.dot(here, float(found.distance), "orange", 0.5, tip=f"printed bound {found.distance}")
    return chart
