"""``deep-table``: KROPE's and FQE's errors on the data sets of table 1, ours in two arithmetics beside the paper's.

A piece is one run of ``table1/`` beside the figures' data files, as ``krope deep train`` writes it; one that is missing
is not trained here (that takes minutes to hours) but shown as not run.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from figures.parts import style
from figures.studies.control_drawing import DIVERGED, key
from figures.studies.study import Data, Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PANELS = {"krope": "KROPE", "fqe": "FQE"}
MEASURES = ("error_cov32", "error_svd64", "error_limit")
#: Smaller errors are drawn here; none of the committed ones is.
LEAST = 1e-7
Piece = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Settings:
    """Which runs: those of the first seed."""

    seed: int = 0


def pieces(settings: Settings) -> Sequence[Piece]:
    """Data set and algorithm of each run, in the paper's order."""
    from deep.control.paper_tables import ERROR_ORDER, ERRORS

    return [(data, algorithm) for algorithm in ERROR_ORDER for data in ERRORS]


def compute(settings: Settings, piece: Piece, folder: Path) -> Data:
    """Errors at the end of a run (NaN: not run), its epochs, and the paper's error (infinite: diverged), each [1]."""
    from deep.control.paper_tables import ERROR_ORDER, ERRORS
    from deep.control.results import read_runs

    data, algorithm = piece
    place = folder / "table1" / data
    mine = [
        run
        for run in (read_runs(place) if place.is_dir() else [])
        if run.algorithm == algorithm and run.settings["seed"] == settings.seed
    ]
    longest = max(mine, key=lambda run: run.epochs, default=None)
    found = {name: np.array([nan if longest is None else longest.last(name)]) for name in MEASURES}
    paper = ERRORS[data][ERROR_ORDER.index(algorithm)][0]
    epochs = 0 if longest is None else longest.epochs
    names = {"data": np.array([data]), "algorithm": np.array([algorithm])}
    return {**names, "epochs": np.array([epochs]), "paper": np.array([paper]), **found}


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """One line for each data set: float32 a dot, float64 a cross, the paper's a circle; errors cut at "Div."."""
    for algorithm, ax in axes.items():
        mine = data["algorithm"] == algorithm
        names, y = data["data"][mine].tolist(), np.arange(int(mine.sum()))[::-1]
        shown = {name: np.clip(data[name][mine], LEAST, DIVERGED) for name in (*MEASURES, "paper")}
        # The paper prints one decimal: its 0.0 is anything below 0.05.
        ax.plot(np.maximum(shown["paper"], 0.05), y, "o", color=style.GRAY, fillstyle="none", markersize=8)
        ax.plot(shown["error_cov32"], y, "o", color=style.RED, markersize=5)
        ax.plot(shown["error_svd64"], y, "x", color=style.BLUE, markersize=7)
        usual = int(data["epochs"].max())
        for height, epochs in zip(y, data["epochs"][mine], strict=True):
            word = {usual: "", 0: "not run"}.get(int(epochs), f"{epochs} epochs")
            ax.annotate(word, (1.01, height), xycoords=("axes fraction", "data"), va="center", fontsize="small")
        ax.set_xscale("log")
        ax.set_xlim(LEAST / 2, 2 * DIVERGED)
        ax.axvline(DIVERGED, color=style.GRAY, linewidth=0.8, linestyle=":")
        ax.set_yticks(y, names)
        ax.tick_params(axis="y", length=0, labelleft=algorithm == "krope")
        ax.set_xticks([1e-6, 1e-4, 1e-2, 1.0, DIVERGED], [r"$10^{-6}$", r"$10^{-4}$", "0.01", "1", "div."])
        ax.minorticks_off()
        ax.set_xlabel("normalized squared error")
        run = int((data["epochs"][mine] > 0).sum())
        share = "" if run == len(names) else f" ({run} of {len(names)} were run)"
        ax.set_title(f"{PANELS[algorithm]}, {usual} epochs{share}")
    words = (
        (style.GRAY, "o ", "the paper (its 0.0 drawn at 0.05)"),
        (style.RED, "o", "ours, float32 covariance"),
        (style.BLUE, "x", "ours, float64 SVD"),
    )
    key(words, axes["krope"])


def title(data: Data) -> str:
    """On how many of the data sets that were run LSPE diverges in the paper's arithmetic, here and in the paper.

    >>> runs = {"algorithm": np.array(["fqe", "fqe", "krope"]), "epochs": np.array([500, 500, 500])}
    >>> title(runs | {"error_cov32": np.array([0.1, np.inf, 0.2]), "paper": np.array([np.inf, np.inf, 0.0])})
    'FQE diverges on 1 of 2 data sets (the paper: 2), KROPE on 0 of 1 (the paper: 0)'
    """
    told = []
    for algorithm in ("fqe", "krope"):
        mine = (data["algorithm"] == algorithm) & (data["epochs"] > 0)
        ours, theirs = (int((~(data[name][mine] < DIVERGED)).sum()) for name in ("error_cov32", "paper"))
        told.append((ours, int(mine.sum()), theirs))
    (a, n, p), (b, m, q) = told
    return f"FQE diverges on {a} of {n} data sets (the paper: {p}), KROPE on {b} of {m} (the paper: {q})"


STUDY = Study(
    name="deep-table",
    about="table 1 as far as it has been run: KROPE's and FQE's errors in two arithmetics beside the paper's",
    full=Settings(),
    quick=Settings(),
    pieces=pieces,
    compute=compute,
    panels=(tuple(PANELS),),
    draw=draw,
    width=8.4,
    height=4.6,
    title=title,
)
