"""How fast the eigenvalues of the data-weighted kernel fall."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.parts import style
from figures.parts.labels import end_labels
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
    ax.semilogy(index, data.eigenvalues, "o-", color=style.BLUE, label="eigenvalue")
    left_out = missing > n * np.finfo(np.float64).eps
    scale = float(data.eigenvalues.sum())
    if left_out.any():
        rest, sums = "sum of those left out", scale * missing[left_out]
        ax.semilogy(index[left_out], sums, "--", color=style.ORANGE, label=rest)
        # Below its last point, which is below the eigenvalue there: both curves fall.
        aside: Any = {"xytext": (-8, -5), "textcoords": "offset points", "ha": "right", "va": "center"}
        ax.annotate(rest, (int(left_out.sum()), float(sums[-1])), color=style.ink(style.ORANGE), **aside)
    style.count_axis(ax, n)
    ax.set_ylim(ax.get_ylim())
    if data.chosen is not None:
        chosen = ax.axvline(data.chosen, color=style.GRAY, linewidth=1, linestyle=":", label=f"chosen: {data.chosen}")
        place: Any = {"xytext": (4, -4), "textcoords": "offset points", "va": "top", "color": style.ink(style.GRAY)}
        ax.annotate(str(chosen.get_label()), (data.chosen, 1.0), xycoords=ax.get_xaxis_transform(), **place)
    ax.set_xlabel("number of features $d$")
    ax.set_ylabel("eigenvalue of $D^{1/2} K D^{1/2}$")
    ax.set_title(finding(data))
    end_labels([(float(data.eigenvalues[-1]), "eigenvalue of\nthe feature", style.BLUE)], ax)
    return ax
