r"""Full-rank features of a chosen condition number: LSPE by four kinds of arithmetic.

With $\mathrm{rank}\,\Phi = X$ and data on every pair, $\rho(L) = \gamma\rho(P_\pi) = \gamma$ whatever the features are.
What diverges is the pseudo-inverse of the covariance in floating point, whose condition number is the square.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.parts import style
from tabular_krope.arrays import Array
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.lspe import lspe
from tabular_krope.models.garnet import garnet
from tabular_krope.models.mrp import MRP, induce
from tabular_krope.models.random_policy import random_policy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: How LSPE is computed: what it is called, solver, arithmetic.
ROUTES = (
    ("covariance, float32", "covariance", "float32"),
    ("covariance, float64", "covariance", "float64"),
    ("singular values, float64", "svd", "float64"),
    ("exact", "exact", "float64"),
)
LOOKS = ((style.RED, "v"), (style.ORANGE, "s"), (style.BLUE, "o"))
MOST_DIGITS = 12
#: A radius is called right within this distance of the truth, values within this share of the largest value.
RIGHT = 1e-3
#: Radii above this are off the chart.
TOP = 1.6


@dataclass(frozen=True, slots=True, eq=False)
class Rounding:
    """Spectral radii of one iteration matrix as four kinds of arithmetic see it.

    Attributes:
        digits: the features have condition number ``10**digits``.
        gamma: discount factor, and the true spectral radius.
        radius: spectral radius by the name of each of `ROUTES`.
        error: largest error of the estimated values, likewise.
        largest: size of the largest true value.
    """

    digits: int
    gamma: float
    radius: dict[str, float]
    error: dict[str, float]
    largest: float

    def off(self, name: str) -> bool:
        """Whether that route misses the true spectral radius."""
        return not abs(self.radius[name] - self.gamma) <= RIGHT

    def lost(self, name: str) -> bool:
        """Whether that route misses the values."""
        return not self.error[name] <= RIGHT * self.largest


def model(gamma: float, seed: int) -> MRP:
    """A Garnet with 4 states and 3 actions."""
    mdp = garnet(4, 3, 3, gamma=gamma, seed=seed)
    return induce(mdp, random_policy(mdp, seed=seed + 1))


def features(digits: int, seed: int, X: int = 12) -> Array:
    """Square features of condition number ``10**digits``: random orthogonal factors, geometric singular values.

    >>> round(float(np.log10(np.linalg.cond(features(3, seed=0)))), 6)
    3.0
    """
    if not 0 <= digits <= MOST_DIGITS:
        raise KropeError(f"digits must lie in 0..{MOST_DIGITS}; got {digits}")
    rng = np.random.default_rng([seed, 7])
    U, V = (np.linalg.qr(rng.standard_normal((X, X)))[0] for _ in range(2))
    return np.asarray((U * np.geomspace(1.0, 10.0**-digits, X)) @ V.T)


@lru_cache(maxsize=64)
def compute(digits: int = 6, gamma: float = 0.95, seed: int = 0, exact: bool = True) -> Rounding:
    """LSPE on the features by each route; ``exact=False`` leaves the rational one out.

    >>> found = compute(8, exact=False)
    >>> found.radius["covariance, float32"] > 1 > found.radius["singular values, float64"]
    True
    """
    mrp, Phi = model(gamma, seed), features(digits, seed)
    radius: dict[str, float] = {}
    error: dict[str, float] = {}
    for name, solver, dtype in ROUTES if exact else ROUTES[:-1]:
        out = lspe(mrp, Phi, solver=solver, dtype=dtype, steps=0)
        radius[name] = out.spectral_radius
        error[name] = float(np.abs(out.q_hat - mrp.q).max())
    return Rounding(digits, gamma, radius, error, float(np.abs(mrp.q).max()))


def words(found: Rounding) -> str:
    """What the routes say (HTML), and what to try next where there is something to try.

    >>> words(compute(0, exact=False))[:43]
    'All routes find the true spectral radius, 0'
    >>> "too small" in words(compute(12))
    True
    """
    unstable = [name for name, radius in found.radius.items() if radius >= 1]
    missed = [name for name in found.radius if found.off(name) and name not in unstable]
    lost = [name for name in found.radius if found.lost(name)]
    said = []
    if unstable:
        said.append(f"Called <b>unstable</b> by: {', '.join(unstable)}.")
    for name in missed:
        by = "small" if found.radius[name] < found.gamma else "large"
        said.append(f"Called stable, but with a radius that is too {by}, by: {name}.")
    if unstable or missed:
        said.append(f"In exact arithmetic the spectral radius is {found.gamma:g}: value learning on these features")
        said.append("converges, and what goes wrong is the rounding.")
    else:
        said.append(f"All routes find the true spectral radius, {found.gamma:g}.")
        if found.digits < MOST_DIGITS:
            said.append("Make the features worse conditioned.")
    svd = ROUTES[2][0]
    if svd in lost:
        said.append("By singular values the radius is right, but the <b>values</b> are lost all the same.")
    return " ".join(said)


def draw(gamma: float, seed: int, here: int, ax: "Axes") -> "Axes":
    """Spectral radius against condition number for the three float routes; the truth is a line."""
    digits = range(MOST_DIGITS + 1)
    found = [compute(k, gamma, seed, exact=False) for k in digits]
    for (name, *_), (colour, mark) in zip(ROUTES, LOOKS, strict=False):
        values = np.array([one.radius[name] for one in found])
        shown: Any = np.minimum(values, TOP)
        ax.plot(list(digits), shown, "-", marker=mark, color=colour, label=name, markersize=6)
        above = values > TOP
        ax.plot(np.flatnonzero(above), shown[above], "^", color=colour, markersize=9, clip_on=False)
    ax.plot([], [], "^", color=style.GREY, markersize=9, label=f"triangle: above {TOP:g}, off the chart")
    ax.axhline(gamma, color=style.GREEN, linestyle="--", label=rf"the truth, $\gamma$ = {gamma:g}")
    ax.axhline(1.0, color=style.BLACK, linewidth=1.1, label="1: stable below")
    ax.axvline(here, color=style.GREY, linewidth=0.9, linestyle=":")
    ax.set_ylim(0.5, TOP)
    ax.set_xticks(list(digits), [f"$10^{{{k}}}$" for k in digits])
    ax.set_xlabel("condition number of the features")
    ax.set_ylabel(r"spectral radius $\rho(L)$ as computed")
    ax.set_title("One matrix, one truth, four answers")
    ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=8)
    return ax
