"""The kernel as a heat map, pairs in the order of their values."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from figures import style
from tabular_krope.arrays import Array
from tabular_krope.kernels.kernel import Kernel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Pairs shown at most: evenly spaced ones in the order of values; fewer where each costs a product with the kernel.
MOST_PAIRS, MOST_PRODUCTS = 600, 40
#: Pairs up to which each is named on the axes.
NAMED_PAIRS = 24


@dataclass(frozen=True, slots=True, eq=False)
class KernelHeatmap:
    """Numbers of the picture.

    Attributes:
        K: the kernel on the pairs shown, [n, n].
        q: their values, increasing, [n].
        labels: how each pair is written, [n].
        n_pairs: how many pairs the model has.
    """

    K: Array
    q: Array
    labels: tuple[str, ...]
    n_pairs: int


def compute(K: Kernel) -> KernelHeatmap:
    """The kernel with pairs sorted by value, thinned evenly if there are very many.

    >>> from tabular_krope.kernels.krope import krope_kernel
    >>> from tabular_krope.models.mrp import MRP
    >>> compute(krope_kernel(MRP.from_matrix([[1.0, 0.0], [0.0, 1.0]], [1.0, 0.0], 0.5))).labels
    ('1', '0')
    """
    mrp = K.mrp
    order = np.argsort(mrp.q, kind="stable")
    most = MOST_PRODUCTS if K.matrix_free else MOST_PAIRS
    if len(order) > most:
        order = order[np.linspace(0, len(order) - 1, most).round().astype(int)]
    labels = tuple(mrp.pair_label(int(x)) for x in order)
    return KernelHeatmap(K.entries(order[:, None], order[None, :]), mrp.q[order], labels, mrp.n_pairs)


def draw(data: KernelHeatmap, ax: "Axes") -> "Axes":
    """The heat map with a colour bar; pairs are named when there are few."""
    n = len(data.q)
    image = ax.imshow(data.K, cmap=style.COLOUR_MAP, origin="lower", interpolation="nearest")
    assert ax.figure is not None
    ax.figure.colorbar(image, ax=ax, label="$k(x, y)$", fraction=0.046, pad=0.03)
    ax.set_title("KROPE kernel, pairs in the order of their values")
    if n <= NAMED_PAIRS:
        upright = max(len(label) for label in data.labels) <= 3
        named = [f"{label}: {q:.3g}" for label, q in zip(data.labels, data.q, strict=True)]
        ax.set_xticks(range(n), data.labels, rotation=0 if upright else 90, fontsize=8)
        ax.set_yticks(range(n), named, fontsize=8)
        ax.set_xlabel("pair")
        ax.set_ylabel("pair and its value $q$")
    else:
        style.mark_values(data.q, ax)
        shown = "all" if n == data.n_pairs else f"{n} of {data.n_pairs}"
        ax.set_xlabel(f"value $q$ of the pair ({shown} pairs, equally spaced by rank)")
        ax.set_ylabel("value $q$ of the pair")
    return ax
