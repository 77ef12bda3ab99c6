r"""Three kinds of features under more and more lopsided data: one of them cannot diverge.

$K \succeq \gamma P_\pi K P_\pi^\top$, so the Bellman operator shrinks the kernel's own norm by $\sqrt\gamma$. Features
cut from the *data-weighted* kernel are orthonormal in that norm, and regression onto them is the orthogonal projector:
LSPE's matrix is a compression of $\gamma P_\pi$, and $\|L\|_2 \le \sqrt\gamma$ for every data distribution and every
number of features.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from figures.app.tours.lspe_path import plot_path, relative_path
from figures.parts import style
from tabular_krope.arrays import Array
from tabular_krope.evaluation.lspe import lspe
from tabular_krope.kernels.kernel import Kernel
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.models.garnet import garnet
from tabular_krope.models.mrp import MRP, induce
from tabular_krope.models.random_policy import random_policy
from tabular_krope.representations.comparators import comparator_features
from tabular_krope.representations.features import features

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STEPS = 60
KINDS = ("KROPE, weighted by the data", "KROPE, unweighted", "random")
LOOKS = {KINDS[0]: (style.BLUE, "-"), KINDS[1]: (style.ORANGE, "--"), KINDS[2]: (style.RED, "-.")}
#: A random model on which both other kinds can be made to diverge.
SEED = 53
#: What the page's slider offers, and a number of features with which the others diverge at every discount it offers.
SKEWS = tuple(k / 2 for k in range(13))
MEAN_D = 3


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


def model(gamma: float) -> MRP:
    """A Garnet with 5 states and 2 actions under a random policy."""
    mdp = garnet(5, 2, 2, gamma=gamma, seed=SEED)
    return induce(mdp, random_policy(mdp, seed=SEED + 1))


def data_weights(skew: float, X: int) -> Array:
    """Weights that differ by a factor of about ``10**skew`` between pairs; uniform at 0.

    >>> data_weights(0.0, 4)
    array([0.25, 0.25, 0.25, 0.25])
    """
    place = np.random.default_rng(SEED).permutation(np.linspace(-1.0, 0.0, X))
    weights = 10.0 ** (skew * place)
    return np.asarray(weights / weights.sum())


def kinds_of_features(K: Kernel, d: int, weights: Array) -> dict[str, Array]:
    """The features to compare, [X, d] each."""
    return {
        KINDS[0]: features(K, d, weights).matrix,
        KINDS[1]: features(K, d).matrix,
        KINDS[2]: np.asarray(comparator_features(K.mrp, "random", d, seed=SEED)),
    }


@lru_cache(maxsize=256)
def compute(gamma: float = 0.95, d: int = 3, skew: float = 0.0) -> Comparison:
    """LSPE on each kind of features under data of the given skew.

    >>> found = compute(skew=4.0)
    >>> found.norm[KINDS[0]] <= 0.95 ** 0.5 + 1e-12, max(found.radius.values()) > 1
    (True, True)
    """
    mrp = model(gamma)
    weights = data_weights(skew, mrp.n_pairs)
    radius, norm, paths = {}, {}, {}
    for kind, Phi in kinds_of_features(krope_kernel(mrp), d, weights).items():
        out = lspe(mrp, Phi, weights, steps=STEPS)
        radius[kind], norm[kind], paths[kind] = out.spectral_radius, out.norm, relative_path(out)
    return Comparison(gamma, weights, radius, norm, paths)


def what_to_try(gamma: float, d: int, skew: float) -> tuple[int, float] | None:
    """Nearest settings (d, skew) at which some kind diverges: more skew, or else `MEAN_D` features as well.

    >>> what_to_try(0.95, 3, 0.0), what_to_try(0.95, 8, 6.0)
    ((3, 2.5), (3, 6.0))
    """
    for other in (d, MEAN_D):
        for more in SKEWS:
            if more >= skew and max(compute(gamma, other, more).radius.values()) >= 1:
                return other, more
    return None


def draw_paths(found: Comparison, ax: "Axes") -> "Axes":
    """Distance from the limit against steps of LSPE, with the guarantee for KROPE features."""
    steps = np.arange(STEPS + 1)
    for kind, path in found.paths.items():
        colour, dashes = LOOKS[kind]
        plot_path(path, ax, (1e-6, 1e6), kind, color=colour, linestyle=dashes, linewidth=2.2)
    ax.plot(steps, found.gamma ** (steps / 2), ":", color=style.BLACK, label=r"the guarantee, $\gamma^{t/2}$")
    ax.set_yscale("log")
    ax.set_ylim(1e-3, 1e3)
    ax.set_xlabel("steps $t$ of LSPE")
    ax.set_ylabel("distance from the fixed point, relative")
    ax.set_title("Converging, or blowing up")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2, fontsize=8)
    return ax


def draw_weights(found: Comparison, ax: "Axes") -> "Axes":
    """How much data each pair has."""
    order = np.argsort(-found.weights)
    ax.bar(range(len(order)), found.weights[order], color=style.SKY, edgecolor=style.BLUE, linewidth=0.6)
    ax.set_yscale("log")
    ax.set_xlabel("state-action pairs, most data first")
    ax.set_ylabel("share of the data")
    ax.set_title("The data")
    return ax
