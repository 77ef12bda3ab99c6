"""The kernel as a heat map, pairs in the order of their values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from figures.parts import style
from tabular_krope.arrays import Array
from tabular_krope.kernels.kernel import Kernel
from tabular_krope.models.mrp import MRP

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Pairs shown at most: evenly spaced ones in the order of values; fewer where each costs a product with the kernel.
MOST_PAIRS, MOST_PRODUCTS = 600, 40
#: Correlations from which on the kernel follows the values, and mostly follows them.
CLOSE, LOOSE = 0.9, 0.5
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


def pair_names(mrp: MRP, names: Sequence[str] | None = None) -> tuple[str, ...]:
    """How each pair is written, [X]: as its state where there is one action, with its action otherwise.

    Args:
        mrp: the reward process.
        names: how each state is written, [S]; by its number if None.

    >>> pair_names(MRP.from_matrix([[1.0, 0.0], [0.0, 1.0]], [1.0, 0.0], 0.5), ("x", "y"))
    ('x', 'y')
    """
    if names is None:
        return tuple(mrp.pair_label(x) for x in range(mrp.n_pairs))
    A = mrp.n_actions
    if mrp.pair_state is not None and mrp.pair_action is not None:
        return tuple(f"({names[s]},{a})" for s, a in zip(mrp.pair_state, mrp.pair_action, strict=True))
    return tuple(names) if A == 1 else tuple(f"({name},{a})" for name in names for a in range(A))


def compute(K: Kernel, names: Sequence[str] | None = None) -> KernelHeatmap:
    """The kernel with pairs sorted by value, thinned evenly if there are very many.

    Args:
        K: the kernel.
        names: how each state is written, [S]; by its number if None.

    >>> from tabular_krope.kernels.krope import krope_kernel
    >>> compute(krope_kernel(MRP.from_matrix([[1.0, 0.0], [0.0, 1.0]], [1.0, 0.0], 0.5))).labels
    ('1', '0')
    """
    mrp = K.mrp
    order = np.argsort(mrp.q, kind="stable")
    most = MOST_PRODUCTS if K.matrix_free else MOST_PAIRS
    if len(order) > most:
        order = order[np.linspace(0, len(order) - 1, most).round().astype(int)]
    written = pair_names(mrp, names)
    labels = tuple(written[x] for x in order.tolist())
    return KernelHeatmap(K.entries(order[:, None], order[None, :]), mrp.q[order], labels, mrp.n_pairs)


def finding(data: KernelHeatmap) -> str:
    """How far the kernel follows the values: the correlation of ``k(x, y)`` with ``-|q(x) - q(y)|`` over x < y.

    >>> chain = KernelHeatmap(np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]]), np.arange(3.0), (), 3)
    >>> finding(chain)
    'The kernel calls pairs alike that are worth about the same'
    """
    x, y = np.triu_indices(len(data.q), k=1)
    alike, near = data.K[x, y], -np.abs(data.q[x] - data.q[y])
    spread = float(np.std(alike) * np.std(near)) if len(x) else 0.0
    if spread == 0.0:
        return "KROPE kernel, pairs in the order of their values"
    agreement = float(np.mean((alike - alike.mean()) * (near - near.mean()))) / spread
    if agreement >= CLOSE:
        return "The kernel calls pairs alike that are worth about the same"
    if agreement >= LOOSE:
        return "The kernel mostly calls pairs alike that are worth about the same"
    return "Pairs that the kernel calls alike may be worth very different amounts"


def draw(data: KernelHeatmap, ax: "Axes") -> "Axes":
    """The heat map with a color bar; pairs are named when there are few."""
    n = len(data.q)
    image = ax.imshow(data.K, cmap=style.COLOR_MAP, origin="lower", interpolation="nearest")
    assert ax.figure is not None
    ax.figure.colorbar(image, ax=ax, label="$k(x, y)$", fraction=0.046, pad=0.03)
    ax.set_title(finding(data))
    if n <= NAMED_PAIRS:
        upright = max(len(label) for label in data.labels) <= 3
        named = [style.minus(f"{label}: {q:.3g}") for label, q in zip(data.labels, data.q, strict=True)]
        ax.set_xticks(range(n), data.labels, rotation=0 if upright else 90, fontsize=8)
        ax.set_yticks(range(n), named, fontsize=8)
        ax.set_xlabel("pair")
        ax.set_ylabel("pair: its value $q$")
    else:
        style.mark_values(data.q, ax)
        shown = "all" if n == data.n_pairs else f"{n} of {data.n_pairs}"
        ax.set_xlabel(f"value $q$ of the pair ({shown} pairs, equally spaced by rank)")
        ax.set_ylabel("value $q$ of the pair")
    return ax
