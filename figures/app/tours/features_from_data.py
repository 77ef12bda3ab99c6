r"""Closed-form KROPE on transitions of a random model, beside LSPE on the base features themselves.

A behavior policy gathers transitions, seldom taking the actions that the target policy likes. The base features are a
few random numbers for each state-action pair. LSPE on them may diverge; the KROPE features inside their span cannot, by
a certificate that is recomputed from the very same transitions.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from figures.app.tours.lspe_path import plot_path, relative_path
from figures.parts import style
from tabular_krope.arrays import Array
from tabular_krope.closed_form.feature_map import FeatureMap
from tabular_krope.closed_form.feature_space import feature_space_krope
from tabular_krope.data.dataset import sample_dataset
from tabular_krope.evaluation.lspe import LSPE
from tabular_krope.evaluation.lspe_on_data import lspe_on_data
from tabular_krope.models.garnet import garnet
from tabular_krope.models.mrp import induce
from tabular_krope.models.policy import Policy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: A random model on which few base features diverge once the data are off-policy.
SEED, STATES, ACTIONS = 28, 10, 2
MOST_BASE = STATES * ACTIONS
GAMMA = 0.95
STEPS = 60


@dataclass(frozen=True, slots=True, eq=False)
class FromData:
    """Value learning on one data set, before and after.

    Attributes:
        base: LSPE on the base features.
        made: the KROPE features and their certificate.
        krope: LSPE on them, computed again from the transitions.
        q: true action values, [X].
        q_base, q_krope: estimates, [X].
    """

    base: LSPE
    made: FeatureMap
    krope: LSPE
    q: Array
    q_base: Array
    q_krope: Array


def compute(transitions: int = 2000, shift: float = 0.9, base: int = 16, d: int = 4, seed: int = 0) -> FromData:
    """Sample, build features, evaluate.

    Args:
        transitions: size of the data set.
        shift: the behavior takes the target's favorite action with probability ``(1 - shift) / 2``; 0 is even odds.
        base: base features, at most `MOST_BASE`; with all of them every function of the pairs can be expressed.
        d: KROPE features, at most as many as the data support.
        seed: of the data.

    >>> found = compute()
    >>> found.base.stable, found.krope.stable, found.made.certified
    (False, True, True)
    """
    mdp = garnet(STATES, ACTIONS, 2, gamma=GAMMA, seed=SEED)
    likes = np.random.default_rng(SEED).integers(0, ACTIONS, size=STATES)
    target, behaviour = np.full((STATES, ACTIONS), 0.05), np.full((STATES, ACTIONS), (1 + shift) / 2)
    target[np.arange(STATES), likes] = 0.95
    behaviour[np.arange(STATES), likes] = (1 - shift) / 2
    data = sample_dataset(mdp, Policy(behaviour), transitions, seed)
    table = np.random.default_rng(SEED + 1).standard_normal((mdp.n_pairs, MOST_BASE))[:, :base]
    Psi = table[data.pairs]
    after = np.einsum("sa,sap->sp", target, table.reshape(STATES, ACTIONS, base))  # mean over the target's actions
    Psi_next = after[data.s_next] * ~data.done[:, None]
    full = feature_space_krope(Psi, Psi_next, data.r, GAMMA)
    made = feature_space_krope(Psi, Psi_next, data.r, GAMMA, d=min(d, full.rank))
    plain = lspe_on_data(Psi, Psi_next, data.r, GAMMA, steps=STEPS)
    krope = lspe_on_data(made.features(Psi), made.features(Psi_next), data.r, GAMMA, steps=STEPS)
    q = induce(mdp, Policy(target)).q
    return FromData(plain, made, krope, q, table @ plain.theta, made.values(table))


def rms(estimate: Array, q: Array) -> float:
    """Root mean square of the error of estimated values, [X] both."""
    return float(np.sqrt(np.mean((estimate - q) ** 2)))


def draw_paths(found: FromData, ax: "Axes") -> "Axes":
    """How far each step of LSPE is from its fixed point, on the base features and on KROPE's."""
    steps = np.arange(STEPS + 1)
    for name, out, colour, dashes in (
        ("base features", found.base, style.RED, "-."),
        ("KROPE features", found.krope, style.BLUE, "-"),
    ):
        plot_path(relative_path(out), ax, (1e-6, 1e6), name, color=colour, linestyle=dashes, linewidth=2.2)
    ax.plot(steps, GAMMA ** (steps / 2), ":", color=style.BLACK, label=r"the certificate, $\gamma^{t/2}$")
    ax.set_yscale("log")
    ax.set_ylim(1e-3, 1e4)
    ax.set_xlabel("steps $t$ of LSPE")
    ax.set_ylabel("distance from the fixed point, relative")
    ax.set_title("Learning on the same transitions")
    ax.legend(loc="center right", fontsize=8)
    return ax


def draw_values(found: FromData, ax: "Axes") -> "Axes":
    """Estimated against true values of the pairs under KROPE features."""
    ax.plot(found.q, found.q_krope, "o", color=style.BLUE, markersize=6, label="KROPE features")
    low, high = float(found.q.min()), float(found.q.max())
    ax.plot([low, high], [low, high], color=style.BLACK, linewidth=1.0, label="equal")
    ax.set_xlabel("true value $q(x)$")
    ax.set_ylabel("estimate")
    ax.set_title("Values from the closed form")
    ax.legend(loc="upper left", fontsize=8)
    return ax
