"""How fast the eigenvalues of the data-weighted kernel fall."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from figures.parts import style
from tabular_krope.arrays import Array
from tabular_krope.report.counted import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The share of a kernel that is nearly all of it.
NEARLY = 0.99


@dataclass(frozen=True, slots=True, eq=False)
class EigenvalueDecay:
    """Numbers of the picture.

    Attributes:
        eigenvalues: of ``D^1/2 K D^1/2``, positive and decreasing, [n].
        chosen: number of features chosen; None if the features are not the kernel's.
    """

    eigenvalues: Array
    chosen: int | None = None


def finding(data: EigenvalueDecay) -> str:
    """How much of the kernel the chosen features keep; without a choice, how many keep nearly all of it.

    >>> finding(EigenvalueDecay(np.array([3.0, 1.0]), 1)), finding(EigenvalueDecay(np.array([99.5, 0.5])))
    ('1 feature keeps 75% of the kernel', '1 feature keeps 99% of the kernel')
    """
    shares = np.cumsum(data.eigenvalues) / data.eigenvalues.sum()
    d = data.chosen if data.chosen is not None else 1 + int(np.argmax(shares >= NEARLY))
    d = min(d, len(shares))
    share = int(100 * shares[d - 1] + len(shares) * np.finfo(np.float64).eps * 100)
    return f"{counted(d, 'feature')} {'keeps' if d == 1 else 'keep'} {share}% of the kernel"


def draw(data: EigenvalueDecay, ax: "Axes") -> "Axes":
    """Eigenvalues on a logarithmic scale, and what is left out after each."""
    n = len(data.eigenvalues)
    index = np.arange(1, n + 1)
    missing = 1 - np.cumsum(data.eigenvalues) / data.eigenvalues.sum()
    ax.semilogy(index, data.eigenvalues, "o-", color=style.BLUE, label=r"eigenvalue $\lambda_d$")
    left_out = missing > n * np.finfo(np.float64).eps
    scale = float(data.eigenvalues.sum())
    if left_out.any():
        rest = r"left out: $\lambda_{d+1} + \lambda_{d+2} + \ldots$"
        ax.semilogy(index[left_out], scale * missing[left_out], "--", color=style.ORANGE, label=rest)
    if data.chosen is not None:
        ax.axvline(data.chosen, color=style.GRAY, linewidth=1, linestyle=":", label=f"chosen $d = {data.chosen}$")
    style.count_axis(ax, n)
    ax.set_xlabel("number of features $d$")
    ax.set_ylabel("eigenvalue of $D^{1/2} K D^{1/2}$")
    ax.set_title(finding(data))
    ax.legend(loc="best")
    return ax
