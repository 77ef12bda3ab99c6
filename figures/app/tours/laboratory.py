"""One model of the reader's choice: kernel, features, LSPE's path, stability, bounds, and every statement on it."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from figures import style
from proofs_check.on_model import OnModel, judge_on_model
from tabular_krope.arrays import Array
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.lspe import lspe
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP
from tabular_krope.named.choices import read_weights
from tabular_krope.named.models import Subject, read_model, read_process
from tabular_krope.report.analysis import Analysis, analyse
from tabular_krope.representations.features import features

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Pairs up to which a model is shown.
MOST_PAIRS = 400
STEPS = 80
#: Choices of the page: how they are written, and what the command line calls them.
MODELS = {
    "random model, 4 x 3": "garnet:4x3x2",
    "random model, 8 x 5": "garnet:8x5x3",
    "gridworld: FrozenLake": "gym:FrozenLake-v1",
    "gridworld: four rooms": "zoo:four-rooms",
    "chain walk": "zoo:chain-walk",
    "Baird's counterexample": "zoo:baird",
    "witness: the value bound is false": "zoo:c1-value-bound",
    "witness: d is not a metric": "zoo:c2-not-a-metric",
    "witness: equal marginals": "zoo:c3-no-injectivity",
    "witness: unweighted truncation": "zoo:c4-unweighted-truncation",
    "witness: the bound is attained": "zoo:f1-tight-norm",
}
POLICIES = ("uniform", "optimal", "random", "epsilon-greedy")
WEIGHTS = ("uniform", "occupancy", "lopsided")


@dataclass(frozen=True, slots=True, eq=False)
class Bench:
    """What the page shows.

    Attributes:
        analysis: of the model on its top d KROPE features.
        plane: the two top features of each pair, [X, 2] (one column of zeros if there is only one).
        path: distance of LSPE's weights from their limit after each step, [STEPS + 1].
        statements: what each statement says about this model; empty where gamma is 1.
        names: how each state is written, [S]; None for numbers.
        own_policy: whether the model came with its policy fixed.
    """

    analysis: Analysis
    plane: Array
    path: Array
    statements: tuple[OnModel, ...]
    names: tuple[str, ...] | None
    own_policy: bool


def read_upload(name: str, content: bytes) -> Subject:
    """The model in an uploaded file; the reader's words about a bad one are a KropeError.

    >>> read_upload("model.json", b"{}")
    Traceback (most recent call last):
    tabular_krope.errors.KropeError: ...
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"upload{Path(name).suffix.lower()}"
        path.write_bytes(content)
        return read_model(str(path))


def compute(
    subject: Subject, policy: str = "uniform", weights: str = "uniform", d: int = 3, gamma: float | None = None
) -> Bench:
    """Analyse a model under a policy, data weights and a number of features.

    >>> found = compute(read_model("zoo:c1-value-bound"), d=3)
    >>> found.analysis.features.d, found.own_policy
    (3, True)
    """
    if subject.model.n_pairs > MOST_PAIRS + 12:  # four rooms has 412
        raise KropeError(f"model must have at most {MOST_PAIRS} pairs to be shown; got {subject.model.n_pairs}")
    chain = process(subject, policy, gamma)
    D = _weights(weights, subject, chain)
    all_features = features(krope_kernel(chain), None, D)
    found = analyse(chain, d=min(d, all_features.d), weights=D)
    phi = features(found.K, found.features.d, D)
    out = lspe(chain, phi, D, steps=STEPS)
    apart = np.linalg.norm(out.trace - out.theta, axis=1)
    plane = np.zeros((chain.n_pairs, 2))
    plane[:, : min(2, phi.d)] = phi.matrix[:, :2]
    statements = tuple(judge_on_model(chain, D)) if chain.gamma < 1 else ()
    path = apart / apart[0] if apart[0] > 0 else np.ones(STEPS + 1)
    return Bench(found, plane, np.asarray(path), statements, subject.names, not isinstance(subject.model, MDP))


def process(subject: Subject, policy: str, gamma: float | None) -> MRP:
    """The reward process in floats, with another discount factor if one is given."""
    own = not isinstance(subject.model, MDP)
    read = read_process(subject, None if own else policy)
    chain = read.to_float() if isinstance(read, ExactMRP) else read
    return chain if gamma is None else MRP(chain.P, chain.Pi, chain.r, gamma, chain.end, chain.d0)


def _weights(name: str, subject: Subject, chain: MRP) -> Array | None:
    if name == "lopsided":
        place = np.random.default_rng(0).permutation(np.linspace(-1.0, 0.0, chain.n_pairs))
        return np.asarray(10.0 ** (4 * place))
    return read_weights(name, subject, chain)


def draw_plane(found: Bench, ax: "Axes") -> "Axes":
    """The pairs in the plane of the two top features, coloured by value."""
    u, v = found.plane.T
    dots = ax.scatter(u, v, c=found.analysis.q, cmap=style.COLOUR_MAP, s=60, edgecolors="black", linewidths=0.6)
    assert ax.figure is not None
    ax.figure.colorbar(dots, ax=ax, label="value $q(x)$", fraction=0.046, pad=0.03)
    if len(u) <= 24:
        for x in range(len(u)):
            label = found.analysis.mrp.pair_label(x)
            ax.annotate(label, (u[x], v[x]), xytext=(5, 4), textcoords="offset points", fontsize=7.5)
    ax.margins(0.12)
    ax.set_xlabel(r"first feature $\phi_1$")
    ax.set_ylabel(r"second feature $\phi_2$")
    ax.set_title("Pairs in the plane of the two top features")
    return ax


def draw_path(found: Bench, ax: "Axes") -> "Axes":
    """Distance of LSPE's weights from their limit, step by step, under the guarantee."""
    steps, gamma = np.arange(STEPS + 1), found.analysis.model.gamma
    ax.plot(steps, np.clip(found.path, 1e-12, 1e12), ".-", color=style.BLUE, label="LSPE")
    ax.plot(steps, gamma ** (steps / 2), ":", color=style.BLACK, label=r"the guarantee, $\gamma^{t/2}$")
    ax.set_yscale("log")
    ax.set_xlabel("steps $t$ of LSPE")
    ax.set_ylabel("distance from the limit, relative")
    ax.set_title("The path of LSPE")
    ax.legend(loc="lower left")
    return ax
