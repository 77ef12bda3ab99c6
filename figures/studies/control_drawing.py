"""How errors of the control study are drawn: against epochs, and as performance profiles."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.parts import style
from figures.studies.garnet_drawing import LOOKS as LEARNED_LOOKS
from figures.studies.study import Data

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LOOKS = {**LEARNED_LOOKS, "krope-closed": (style.BLUE, "*", "-", "KROPE, closed form")}
#: Where a normalized error counts as diverged, and the least that is drawn.
DIVERGED, LEAST = 10.0, 1e-6


def draw_curves(data: Data, name: str, column: str, algorithms: Iterable[str], ax: "Axes", **look: Any) -> None:
    """Median error of each algorithm on a data set against epochs, cut at "Div."; with several seeds their range.

    A run that diverged counts as "Div." from there on; where one has not come so far (NaN), the line ends.
    """
    for algorithm in algorithms:
        chosen = data[column][(data["data"] == name) & (data["algorithm"] == algorithm)]
        if not len(chosen) or np.isnan(chosen).all():
            continue
        colour, marker, dashes, label = LOOKS[algorithm]
        errors = np.where(np.isnan(chosen), np.nan, np.clip(chosen, LEAST, DIVERGED))
        middle = np.where(np.isnan(errors).any(axis=0), np.nan, np.median(errors, axis=0))
        settings: Any = {"marker": marker, "linestyle": dashes, "color": colour, "label": label, "markersize": 5} | look
        ax.plot(data["epochs"], middle, **settings)
        if len(errors) > 1:
            ax.fill_between(data["epochs"], errors.min(axis=0), errors.max(axis=0), color=colour, alpha=0.15)


def error_axis(ax: "Axes", which: str = "y") -> None:
    """A logarithmic axis of errors with the line beyond which the paper says "Div."."""
    words = "normalised squared error"
    if which == "y":
        ax.set_yscale("log")
        ax.set_ylim(LEAST / 2, 2 * DIVERGED)
        ax.axhline(DIVERGED, color=style.GREY, linewidth=0.8, linestyle=":")
        ax.annotate("Div.", (0.995, DIVERGED), xycoords=("axes fraction", "data"), ha="right", va="bottom", fontsize=8)
        ax.set_ylabel(words)
        ax.set_xlabel("epochs of training")
    else:
        ax.set_xscale("log")
        ax.set_xlabel(rf"$\tau$ ({words})")
        ax.set_ylim(-0.03, 1.03)
        ax.set_ylabel(r"share of runs with error $\leq \tau$")


def legend_beside(ax: "Axes") -> None:
    """What the lines are, to the right of the panel."""
    ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))


def draw_profiles(errors: dict[str, Any], looks: dict[str, tuple[str, str, str]], ax: "Axes") -> None:
    """Share of runs whose last known error is at most tau, as steps; ``looks``: color, dashes and label by name."""
    taus = np.logspace(np.log10(LEAST), np.log10(DIVERGED), 400)
    for name, values in errors.items():
        last = last_known(values)
        if len(last):
            colour, dashes, label = looks[name]
            ax.plot(taus, profile(last, taus), linestyle=dashes, color=colour, label=label, drawstyle="steps-post")
    error_axis(ax, "x")


def profile(errors: Any, taus: Any) -> Any:
    """Share of runs, over settings and trials, whose error [runs] is at most each of ``taus``, [taus].

    >>> profile(np.array([0.1, 0.3, np.inf, 20.0]), [0.05, 0.1, 1.0, 100.0]).tolist()
    [0.0, 0.25, 0.5, 0.75]
    """
    return (np.asarray(errors)[:, None] <= np.asarray(taus)).mean(axis=0)


def last_known(errors: Any) -> Any:
    """The last error of each run [runs, evaluations] that is not NaN; runs that have none are left out.

    >>> last_known(np.array([[1.0, 2.0], [3.0, np.nan], [np.nan, np.nan]])).tolist()
    [2.0, 3.0]
    """
    return np.array([row[~np.isnan(row)][-1] for row in np.atleast_2d(errors) if not np.isnan(row).all()])
