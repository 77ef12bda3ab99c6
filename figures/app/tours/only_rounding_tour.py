r"""Full-rank features of a chosen condition number: LSPE by four kinds of arithmetic.

With $\mathrm{rank}\,\Phi = X$ and data on every pair, $\rho(L) = \gamma\rho(P_\pi) = \gamma$ whatever the features are.
What diverges is the pseudo-inverse of the covariance in floating point, whose condition number is the square.
"""

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from figures.app.drawing.axis import Axis, power
from figures.app.drawing.chart import Chart, Size
from figures.app.drawing.figure import Figure
from figures.app.page_parts import listed
from tabular_krope.arrays import Array
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.lspe import lspe
from tabular_krope.models.garnet import garnet
from tabular_krope.models.induce import induce
from tabular_krope.models.mrp import MRP
from tabular_krope.models.random_policy import random_policy

#: How LSPE is computed: what it is called, solver, arithmetic.
ROUTES = (
    ("covariance in float32", "covariance", "float32"),
    ("covariance in float64", "covariance", "float64"),
    ("singular values in float64", "svd", "float64"),
    ("exact fractions", "exact", "float64"),
)
LOOKS = ("red", "orange dashed", "blue thick")
MOST_DIGITS = 12
#: A radius is called right within this distance of the truth, values within this share of the largest value.
RIGHT = 1e-3
#: Radii above this are off the chart.
TOP = 1.6
BOTTOM = 0.4


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


@lru_cache(maxsize=512)
def compute(digits: int = 6, gamma: float = 0.95, seed: int = 0, exact: bool = True) -> Rounding:
    """LSPE on the features by each route; ``exact=False`` leaves the rational one out.

    >>> found = compute(8, exact=False)
    >>> found.radius["covariance in float32"] > 1 > found.radius["singular values in float64"]
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
        said.append(f"The {listed(unstable)} call{'s' if len(unstable) == 1 else ''} it <b>unstable</b>.")
    for name in missed:
        by = "small" if found.radius[name] < found.gamma else "large"
        said.append(f"The {name} calls it stable, with a radius that is too {by}.")
    if unstable or missed:
        said.append(
            f"Exactly, the spectral radius is {found.gamma:g}: learning converges, <b>only the rounding</b> goes wrong."
        )
    else:
        said.append(f"All routes find the true spectral radius, {found.gamma:g}.")
        if found.digits < MOST_DIGITS:
            said.append("<b>Make the features worse conditioned.</b>")
    svd = ROUTES[2][0]
    if svd in lost:
        said.append("By singular values the radius is right, but the values are lost all the same.")
    return " ".join(said)


def figures(found: Rounding, seed: int) -> list[Figure]:
    """The radii against the condition number."""
    looks = [(look, name) for (name, *_), look in zip(ROUTES, LOOKS, strict=False)]
    return [
        Figure(
            "Radii",
            f"One matrix, one truth, and three routes of floats to it (the picture ends at {TOP:g})",
            partial(draw, found.gamma, seed, found.digits),
            "spectral radius against condition number for three routes",
            [*looks, ("green dashed", f"the truth, \u03b3 = {found.gamma:g}"), ("ink thin", "1: unstable above")],
        )
    ]


def draw(gamma: float, seed: int, here: int, size: Size) -> Chart:
    """Spectral radius against condition number for the three float routes; the truth is a line."""
    digits = range(MOST_DIGITS + 1)
    found = [compute(k, gamma, seed, exact=False) for k in digits]
    across = Axis(
        "condition number of the features", -0.3, MOST_DIGITS + 0.3, ticks=digits, words=[power(k) for k in digits]
    )
    chart = Chart(size, across, Axis("spectral radius, as computed", BOTTOM, TOP))
    chart.across(1.0, "ink thin")
    chart.across(gamma, "green dashed")
    chart.upright(here, "grey dotted thin")
    for (name, *_), look in zip(ROUTES, LOOKS, strict=False):
        values = [one.radius[name] for one in found]
        chart.line(digits, values, look)
        for k, value in zip(digits, values, strict=True):
            if value <= TOP:
                chart.dot(k, value, look.split()[0], 0.45 if k == here else 0.28, tip=f"{name}: {value:.4g}")
    return chart
