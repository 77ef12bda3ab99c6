r"""``van-roy``: the paper's figure 4, semi-gradient learning on Feng, Li and Liu's variant of Van Roy's example.

The numbers of the paper's drawing are missing from its source: the chain is a reconstruction (zoo: ``van-roy``), whose
two probabilities are settings. ``D1`` holds on-policy transitions and many more from ``w3``; KROPE's pairs are
``D1 x D2``, where ``D2`` has those more from one of the four states; FQE sees ``D1`` only. Encoder linear with bias on
the native features, value head linear, Adam, one copy of the target network for each epoch. A batch enters a loss only
through how often each kind of transition occurs in it; each step takes the gradient of the whole data set, so trials
differ in data and initial parameters, not in minibatches.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from figures import style
from figures.studies.study import Data, Study
from figures.studies.van_roy_chain import draw_chain
from tabular_krope.arrays import Array
from tabular_krope.data.dataset import sample_dataset
from tabular_krope.models.mdp import MDP
from tabular_krope.models.policy import Policy
from tabular_krope.models.zoo import zoo

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The state whose transitions are added to ``D2``, or none: FQE alone.
PAIRINGS = ("w1", "w2", "2w3", "w3", "none")
STATES = ("w1", "w2", "2w3", "w3")
LOOKS = {
    "w1": (style.BLUE, "-", "$D_1 \\times D_2^{w_1}$"),
    "w2": (style.SKY, "--", "$D_1 \\times D_2^{w_2}$"),
    "2w3": (style.ORANGE, "-.", "$D_1 \\times D_2^{2w_3}$"),
    "w3": (style.RED, "-", "$D_1 \\times D_2^{w_3}$"),
    "none": (style.BLACK, ":", "no pairing: FQE alone"),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the training; the paper's where it gives them."""

    seed: int = 0
    trials: int = 20  # paper
    epochs: int = 500  # paper, for its tabular studies
    on_policy: int = 2000  # paper
    off_policy: int = 5000  # paper
    batch: int = 2048  # paper; here it sets the number of steps of an epoch
    dimension: int = 3  # paper
    alpha: float = 0.8  # paper: alpha * KROPE + (1 - alpha) * FQE
    learning_rate: float = 1e-3  # paper
    weight_decay: float = 1e-2  # paper
    p: float = 0.8  # w1 to w2; ours
    q: float = 0.8  # 2w3 stays; ours


def pieces(settings: Settings) -> Sequence[tuple[str, float]]:
    """Pairing and weight of KROPE's loss of each training; without FQE (weight 1) it shows KROPE's own stability."""
    joint = [(name, 0.0 if name == "none" else settings.alpha) for name in PAIRINGS]
    return [*joint, *((name, 1.0) for name in PAIRINGS if name != "none")]


def kinds_of_transitions(mdp: MDP) -> tuple[Any, Any]:
    """State and next state of each transition that occurs, the end as state S.

    >>> source, target = kinds_of_transitions(zoo("van-roy").model)
    >>> list(zip(source.tolist(), target.tolist()))
    [(0, 1), (0, 3), (1, 4), (2, 2), (2, 4), (3, 2)]
    """
    moves = np.hstack([np.asarray(mdp.P).reshape(mdp.n_states, -1), mdp.end])
    source, target = np.nonzero(moves > 0)
    return source, target


def frequencies(mdp: MDP, settings: Settings, state: int, rng: np.random.Generator) -> Array:
    """Share of each kind of transition in on-policy data and ``off_policy`` more from ``state``."""
    source, target = kinds_of_transitions(mdp)
    data = sample_dataset(mdp, Policy.uniform(mdp.n_states, 1), settings.on_policy, rng)
    after = np.where(data.done, mdp.n_states, data.s_next)
    counts = np.array([np.sum((data.s == s) & (after == t)) for s, t in zip(source, target, strict=True)], dtype=float)
    moves = np.hstack([np.asarray(mdp.P).reshape(mdp.n_states, -1), mdp.end])
    here = source == state
    counts[here] += rng.multinomial(settings.off_policy, moves[state, target[here]])
    return counts / counts.sum()


def compute(settings: Settings, piece: tuple[str, float], folder: Path) -> Data:
    """Losses of all trials at the start of each epoch, [1, epochs + 1, trials]."""
    pairing, alpha = piece
    krope, fqe = train(settings, pairing, alpha)
    return {"krope": krope[None], "fqe": fqe[None], "pairings": np.array([pairing]), "alpha": np.array([alpha])}


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """Where the trials of a pairing begin.

    Attributes:
        D1, D2: shares of the kinds of transitions, [trials, kinds].
        encoder: weights and, in the last row, biases, [trials, 4, d].
        head: weights of the values, [trials, d].
    """

    D1: Array
    D2: Array
    encoder: Array
    head: Array


def start(settings: Settings, mdp: MDP, pairing: str) -> Start:
    """Data and initial parameters; a trial has the same ``D1`` and parameters in every pairing."""
    D1, D2, encoder, head = [], [], [], []
    d, other = settings.dimension, STATES.index("w3" if pairing == "none" else pairing)
    for trial in range(settings.trials):
        first, second, third = (np.random.default_rng([settings.seed, trial, k]) for k in range(3))
        D1.append(frequencies(mdp, settings, STATES.index("w3"), first))
        D2.append(frequencies(mdp, settings, other, second))
        encoder.append(third.uniform(-1, 1, size=(4, d)) / np.sqrt(3))
        head.append(third.uniform(-1, 1, size=d) / np.sqrt(d))
    return Start(np.array(D1), np.array(D2), np.array(encoder), np.array(head))


def train(settings: Settings, pairing: str, alpha: float) -> tuple[Array, Array]:
    """KROPE's and FQE's loss at the start of each epoch, each [epochs + 1, trials]; ``alpha`` is KROPE's weight."""
    from deep.backend import torch
    from deep.losses.fqe import fqe_loss
    from deep.losses.krope import krope_target
    from deep.losses.regression import fixed, regress

    torch.set_num_threads(1)
    model = zoo("van-roy", p=settings.p, q=settings.q)
    mdp = model.model
    assert isinstance(mdp, MDP)
    begin = start(settings, mdp, pairing)
    source, target = (torch.tensor(index) for index in kinds_of_transitions(mdp))
    r, lives = torch.tensor(mdp.r.reshape(-1))[source], (target < mdp.n_states)[:, None]
    x = torch.tensor(np.vstack([np.asarray(model.features), np.zeros(3)]))
    D1, D2 = torch.tensor(begin.D1), torch.tensor(begin.D2)
    pairs = (D1[:, :, None] * D2[:, None, :]).flatten(1)
    encoder, head = (torch.tensor(part, requires_grad=True) for part in (begin.encoder, begin.head))
    adam = torch.optim.Adam([encoder, head], lr=settings.learning_rate, weight_decay=settings.weight_decay)
    steps = ceil((settings.on_policy + settings.off_policy) / settings.batch)

    def losses(phi_bar: Any, q_bar: Any) -> tuple[Any, Any]:
        phi = (x @ encoder[:, :3] + encoder[:, 3:])[:, source]
        similarity = krope_target(r, phi_bar @ phi_bar.mT, mdp.gamma)
        krope = regress((phi @ phi.mT).flatten(1), similarity.flatten(1), pairs)
        return krope, fqe_loss((phi @ head[:, :, None])[..., 0], r, q_bar, mdp.gamma, D1)

    record = np.empty((2, settings.epochs + 1, settings.trials))
    for epoch in range(settings.epochs + 1):
        # The end bootstraps on zero in FQE; in KROPE a pair of which one member has ended has no product.
        phi_bar = fixed(x @ encoder[:, :3] + encoder[:, 3:])[:, target] * lives
        q_bar = (phi_bar @ fixed(head)[:, :, None])[..., 0]
        record[:, epoch] = [fixed(part).numpy() for part in losses(phi_bar, q_bar)]
        for _ in range(steps if epoch < settings.epochs else 0):
            adam.zero_grad()
            krope, fqe = losses(phi_bar, q_bar)
            (alpha * krope + (1 - alpha) * fqe).sum().backward()
            adam.step()
    return record[0], record[1]


def finish(settings: Settings, data: Data) -> Data:
    """Means and 95% half-widths over the trials, [trainings, epochs + 1], and the last values of each trial."""
    alpha = data["alpha"][:, None, None]
    both = {"krope": data["krope"], "fqe": data["fqe"], "combined": alpha * data["krope"] + (1 - alpha) * data["fqe"]}
    summary = {"pairings": data["pairings"], "alpha": data["alpha"], "p": settings.p, "q": settings.q}
    for name, values in both.items():
        summary[name] = values.mean(axis=2)
        summary[f"{name}_half"] = 1.96 * values.std(axis=2, ddof=1) / np.sqrt(settings.trials)
        summary[f"{name}_last"] = values[:, -1]
    return summary


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """The chain, KROPE's loss (also of KROPE trained alone), and the combined loss."""
    draw_chain(float(data["p"]), float(data["q"]), axes["chain"])
    joint, alone = data["alpha"] < 1, data["alpha"] == 1
    _curves(data, "krope", joint & (data["pairings"] != "none"), axes["krope"])
    _curves(data, "combined", joint, axes["combined"])
    for k in np.flatnonzero(alone):
        colour = LOOKS[str(data["pairings"][k])][0]
        axes["krope"].plot(data["krope"][k], color=colour, linewidth=0.8, alpha=0.7)
    axes["krope"].set_title("KROPE loss in FQE + KROPE (thin: without FQE)", fontsize=10)
    axes["combined"].set_title("FQE + KROPE loss", fontsize=10)
    for name in ("krope", "combined"):
        axes[name].legend(loc="lower right", fontsize=8)


def _curves(data: Data, loss: str, shown: Any, ax: "Axes") -> None:
    for k in np.flatnonzero(shown):
        colour, dashes, label = LOOKS[str(data["pairings"][k])]
        middle, half = data[loss][k], data[f"{loss}_half"][k]
        epochs = np.arange(len(middle))
        ax.fill_between(epochs, np.maximum(middle - half, 1e-3), middle + half, color=colour, alpha=0.2, linewidth=0)
        ax.plot(epochs, middle, dashes, color=colour, label=label)
    ax.set_yscale("log")
    ax.set_xlabel("epoch")
    ax.set_ylabel("mean loss, 95% interval")


STUDY = Study(
    name="van-roy",
    about="the paper's figure 4: KROPE and FQE losses on Van Roy's example for five pairings of data",
    full=Settings(),
    quick=Settings(trials=5, epochs=150),
    pieces=pieces,
    compute=compute,
    finish=finish,
    panels=(("chain", "krope", "combined"),),
    draw=draw,
    width=13.5,
    height=4.2,
)
