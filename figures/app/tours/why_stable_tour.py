r"""Three kinds of features under more and more lopsided data: one of them cannot diverge.

$K \succeq \gamma P_\pi K P_\pi^\top$, so the Bellman operator shrinks the kernel's own norm by $\sqrt\gamma$. Features
cut from the *data-weighted* kernel are orthonormal in that norm, and regression onto them is the orthogonal projector:
LSPE's matrix is a compression of $\gamma P_\pi$, and $\|L\|_2 \le \sqrt\gamma$ for every data distribution and every
number of features.
"""

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from figures.app.drawing.axis import Axis
from figures.app.drawing.chart import Chart, Size
from figures.app.drawing.figure import Figure
from figures.app.page_parts import listed
from figures.app.tours.lspe_path import relative_path
from figures.app.tours.six_pairs import GAMMA, NAMES, chain
from tabular_krope.arrays import Array
from tabular_krope.evaluation.lspe import lspe
from tabular_krope.kernels.kernel import Kernel
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.representations.comparators import comparator_features
from tabular_krope.representations.features import features

STEPS = 60
KINDS = ("KROPE with the data's weights", "KROPE without the weights", "random features")
LOOKS = {KINDS[0]: "blue thick", KINDS[1]: "orange dashed", KINDS[2]: "red dotted"}
#: Of the random features: these diverge on lopsided data, with any number of them.
SEED = 7
#: What the page's sliders offer, and a number of features with which the others diverge at every discount it offers.
SKEWS = tuple(k / 2 for k in range(13))
MOST_D = 5
MEAN_D = 4


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """LSPE on three kinds of features.

    Attributes:
        gamma: discount factor.
        weights: data distribution over the pairs, [X].
        radius, norm: of LSPE's matrix, by kind.
        paths: distance of the weights from their limit after each step, relative to the start, [STEPS + 1], by kind.
    """

    gamma: float
    weights: Array
    radius: dict[str, float]
    norm: dict[str, float]
    paths: dict[str, Array]


def data_weights(skew: float) -> Array:
    """Data that see the start of the chain ``10**skew`` times as often as its end; uniform at 0.

    >>> data_weights(0.0).tolist() == [1 / 6] * 6
    True
    """
    weights = 10.0 ** (skew * np.linspace(0.0, -1.0, len(NAMES)))
    return np.asarray(weights / weights.sum())


def kinds_of_features(K: Kernel, d: int, weights: Array) -> dict[str, Array]:
    """The features to compare, [X, d] each."""
    return {
        KINDS[0]: features(K, d, weights).matrix,
        KINDS[1]: features(K, d).matrix,
        KINDS[2]: np.asarray(comparator_features(K.mrp, "random", d, seed=SEED)),
    }


@lru_cache(maxsize=256)
def compute(gamma: float = GAMMA, d: int = MEAN_D, skew: float = 0.0) -> Comparison:
    """LSPE on each kind of features under data of the given skew.

    >>> found = compute(skew=4.0)
    >>> found.norm[KINDS[0]] <= 0.9 ** 0.5 + 1e-12, found.radius[KINDS[1]] > 1, found.radius[KINDS[2]] > 1
    (True, True, True)
    """
    mrp = chain(gamma)
    weights = data_weights(skew)
    radius, norm, paths = {}, {}, {}
    for kind, Phi in kinds_of_features(krope_kernel(mrp), d, weights).items():
        out = lspe(mrp, Phi, weights, steps=STEPS)
        radius[kind], norm[kind], paths[kind] = out.spectral_radius, out.norm, relative_path(out)
    return Comparison(gamma, weights, radius, norm, paths)


def what_to_try(gamma: float, d: int, skew: float) -> tuple[int, float] | None:
    """Nearest settings (d, skew) at which some kind diverges: more skew, or else `MEAN_D` features as well.

    >>> what_to_try(0.9, 4, 0.0), what_to_try(0.9, 1, 6.0)
    ((4, 0.5), (1, 6.0))
    """
    for other in (d, MEAN_D):
        for more in SKEWS:
            if more >= skew and max(compute(gamma, other, more).radius.values()) >= 1:
                return other, more
    return None


def words(found: Comparison, d: int, skew: float) -> str:
    """What the numbers say (HTML): who diverges, and that the weighted features cannot; or what to try."""
    lost = [kind for kind, radius in found.radius.items() if radius >= 1]
    bound = found.gamma**0.5
    if lost:
        return (
            f"Value learning <b>diverges</b> on {listed(lost)}. On {KINDS[0]} it converges, whatever the data: "
            f"each step leaves at most &radic;&gamma; = {bound:.3f} of the error."
        )
    other = what_to_try(found.gamma, d, skew)
    if other is None:
        return "All three converge on these data."
    if other[0] == d:
        return f"All three converge on these data. <b>Raise the skew to {other[1]:g}.</b>"
    advice = f"<b>try d = {other[0]} and skew {other[1]:g}.</b>"
    return f"All three converge, and with d = {d} no larger skew changes that: {advice}"


def figures(found: Comparison) -> list[Figure]:
    """The paths of the three kinds, and the data."""
    lost = [kind for kind, radius in found.radius.items() if radius >= 1]
    title = (
        f"The error grows without end on {listed(lost)}" if lost else "On these data the error dies out for all three"
    )
    key = [(LOOKS[kind], kind if path.any() else f"{kind}: starts at its limit") for kind, path in found.paths.items()]
    return [
        Figure(
            "The error",
            title,
            partial(draw_paths, found),
            "distance from the fixed point against steps, for three kinds of features",
            [*key, ("ink dashed", "the guarantee, \u03b3 to the power t/2")],
            ends=True,
        ),
        Figure(
            "The data",
            "How often the data see each pair",
            partial(draw_weights, found),
            "share of the data of each pair",
        ),
    ]


def draw_paths(found: Comparison, size: Size) -> Chart:
    """Distance from the limit against steps of LSPE, with the guarantee for KROPE features."""
    chart = Chart(size, Axis("steps t of LSPE", 0, STEPS), Axis("error, relative to the start", 1e-3, 1e4, log=True))
    steps = np.arange(STEPS + 1)
    chart.across(1.0, "grey thin")
    for kind, path in found.paths.items():
        if path.any():
            chart.line(steps, path, LOOKS[kind])
    chart.line(steps, found.gamma ** (steps / 2), "ink dashed thin")
    return chart


def draw_weights(found: Comparison, size: Size) -> Chart:
    """How much data each pair has."""
    low = min(1e-2, float(found.weights.min()) / 3)
    chart = Chart(
        size, Axis("pair", -0.6, 5.6, ticks=range(6), words=NAMES), Axis("share of the data", low, 1.0, log=True)
    )
    for k, share in enumerate(found.weights):
        chart.bar(k, 0.7, float(share), "sky", f"{NAMES[k]}: {share:.3g}")
    return chart
