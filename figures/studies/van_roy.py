r"""``van-roy``: the paper's figure 4, semi-gradient learning on Feng, Li and Liu's variant of Van Roy's example.

The numbers of the paper's drawing are missing from its source: the chain is a reconstruction (zoo: ``van-roy``), whose
two probabilities are settings. ``D1`` holds on-policy transitions and many more from ``w3``; KROPE's pairs are
``D1 x D2``, where ``D2`` has those more from one of the four states; FQE sees ``D1`` only. Encoder linear with bias on
the native features, value head linear, Adam, one copy of the target network for each epoch.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from figures.parts import style
from figures.parts.labels import end_labels
from figures.studies.study import Data, Study
from figures.studies.van_roy_chain import draw_chain
from figures.studies.van_roy_training import LOSSES, Settings, check, train

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The state whose transitions are added to ``D2``, or none: FQE alone.
PAIRINGS = ("w1", "w2", "2w3", "w3", "none")
LOOKS = {
    "w1": (style.BLUE, "-", "with $w_1$"),
    "w2": (style.SKY, "--", "with $w_2$"),
    "2w3": (style.ORANGE, "-.", "with $2w_3$"),
    "w3": (style.RED, "-", "with $w_3$"),
    "none": (style.BLACK, ":", "FQE alone"),
}


def pieces(settings: Settings) -> Sequence[tuple[str, float]]:
    """Pairing and weight of KROPE's loss of each training; without FQE (weight 1) it shows KROPE's own stability."""
    joint = [(name, 0.0 if name == "none" else settings.alpha) for name in PAIRINGS]
    return [*joint, *((name, 1.0) for name in PAIRINGS if name != "none")]


def compute(settings: Settings, piece: tuple[str, float], folder: Path) -> Data:
    """Losses of all trials at the start of each epoch, [1, epochs + 1, trials]."""
    pairing, alpha = piece
    losses = {name: values[None] for name, values in train(settings, pairing, alpha).items()}
    return {**losses, "pairings": np.array([pairing]), "alpha": np.array([alpha])}


def finish(settings: Settings, data: Data) -> Data:
    """Means and 95% half-widths over the trials, [trainings, epochs + 1], and the last values of each trial."""
    alpha = data["alpha"][:, None, None]
    every = {name: data[name] for name in LOSSES} | {"combined": alpha * data["krope"] + (1 - alpha) * data["fqe"]}
    summary = {"pairings": data["pairings"], "alpha": data["alpha"], "p": settings.p, "q": settings.q}
    for name, values in every.items():
        summary[name] = values.mean(axis=2)
        summary[f"{name}_half"] = 1.96 * values.std(axis=2, ddof=1) / np.sqrt(settings.trials)
        summary[f"{name}_last"] = values[:, -1]
    return summary


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """The chain, and KROPE's loss on samples beside FQE and, as thin lines, trained alone; FQE's own without KROPE."""
    draw_chain(float(data["p"]), float(data["q"]), axes["chain"])
    ax, joint = axes["losses"], data["alpha"] < 1
    for k in np.flatnonzero(~joint):
        ax.plot(data["krope"][k], color=LOOKS[str(data["pairings"][k])][0], linewidth=0.8, alpha=0.7)
    # Without KROPE the combined loss is FQE's.
    shown = {k: "combined" if data["pairings"][k] == "none" else "krope" for k in np.flatnonzero(joint).tolist()}
    _curves(data, shown, ax)
    last = {str(data["pairings"][k]): float(data[loss][k, -1]) for k, loss in shown.items()}
    ax.set_title(f"KROPE's loss: {last['w3'] / last['w1']:.0f} times less with $w_1$ than with $w_3$")


def title(data: Data) -> str:
    """Whether every training of KROPE beside FQE ends above where it began."""
    shown = (data["alpha"] < 1) & (data["pairings"] != "none")
    grows = (data["krope_mean"][shown, -1] > 10 * data["krope_mean"][shown, 0]).all()
    return "Pairs of bad transitions ($w_3$) make KROPE diverge most" + ("; no pairing stops it" if grows else "")


def _curves(data: Data, shown: Mapping[int, str], ax: "Axes") -> None:
    """The named loss of each training against epochs with its interval."""
    ends = []
    for k, loss in shown.items():
        color, dashes, label = LOOKS[str(data["pairings"][k])]
        middle, half = data[loss][k], data[f"{loss}_half"][k]
        epochs = np.arange(len(middle))
        ax.fill_between(epochs, np.maximum(middle - half, 1e-3), middle + half, color=color, alpha=0.2, linewidth=0)
        ax.plot(epochs, middle, dashes, color=color)
        ends.append((float(middle[-1]), label, color))
    ax.set_yscale("log")
    ax.set_ylim(0.05, 4e5)
    style.plain_powers(ax.yaxis)
    ax.set_xlim(0, len(epochs) - 1)
    ax.set_xlabel("epoch")
    ax.set_ylabel("mean loss")
    end_labels(ends, ax, gap=0.085)


STUDY = Study(
    name="van-roy",
    about="the paper's figure 4: KROPE and FQE losses on Van Roy's example for five pairings of data",
    full=Settings(),
    quick=Settings(trials=5, epochs=150),
    pieces=pieces,
    compute=compute,
    finish=finish,
    check=check,
    panels=(("chain", "losses"),),
    draw=draw,
    width=8.4,
    height=3.6,
    title=title,
)
