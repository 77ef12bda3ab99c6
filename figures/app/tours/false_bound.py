r"""The printed value bound on the chain C1, exactly, as the mixing difference ``e`` moves.

``x`` goes to ``a`` with probability $(1 + e)/2$ and to ``b`` otherwise, ``y`` the other way round; ``a`` and ``b`` lead
to absorbing pairs that pay 1 and -1. The paper bounds $|q(x) - q(y)|$ by $d(x, y) + C$, where $C = 0$ here; but
$|q(x) - q(y)| = e\,s$ and $d(x, y) = e^2 s$ with the same $s$, so the bound fails for every $e < 1$.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.parts import style
from tabular_krope.arrays import Array
from tabular_krope.exact.rationals import rational
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.models.zoo import zoo

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    witness = {
        "P_pi": [[str(value) for value in row] for row in (chain.P * chain.Pi).table()],
        "r": [str(value) for value in chain.r],
        "gamma": str(gamma),
    }
    bound = own_range * own_range / 2 / (1 - gamma) * distance
    return FalseBound(e, gamma, abs(q[0] - q[1]), distance, bound, witness)


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


def draw(found: FalseBound, ax: "Axes") -> "Axes":
    """The gap against the printed bound and the one that holds, with the present ``e`` marked."""
    lines = curves(found.gamma)
    ax.plot(lines["e"], lines["rkhs"], color=style.BLACK, label=r"holds: $c\,\sqrt{d}$")
    ax.plot(lines["e"], lines["gap"], color=style.BLUE, linewidth=3.0, alpha=0.6, label=r"$|q(x) - q(y)|$")
    ax.plot(lines["e"], lines["distance"], "--", color=style.ORANGE, label="printed: $d + C$, $C = 0$")
    ax.fill_between(lines["e"], lines["distance"], lines["gap"], color=style.RED, alpha=0.12, linewidth=0)
    here = float(found.e)
    ax.axvline(here, color=style.GREY, linewidth=0.9, linestyle=":")
    ax.plot([here], [float(found.gap)], "o", color=style.BLUE, markersize=8)
    ax.plot([here], [float(found.distance)], "s", color=style.ORANGE, markersize=8)
    ax.set_xlabel("mixing difference $e$")
    ax.set_xlim(0, 1.02)
    ax.set_ylim(bottom=0)
    ax.set_title("The printed bound lies below the values it should bound")
    ax.legend(loc="upper left")
    return ax
