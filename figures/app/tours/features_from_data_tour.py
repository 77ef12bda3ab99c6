r"""Closed-form KROPE on transitions of a random model, beside LSPE on the base features themselves.

A behavior policy gathers transitions, seldom taking the actions that the target policy likes. The base features are the
values themselves and random numbers for each state-action pair, so that they can express the values. LSPE on them may
diverge all the same; the KROPE features inside their span cannot, by
a certificate that is recomputed from the very same transitions.
"""

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from figures.app.drawing.axis import Axis
from figures.app.drawing.chart import Chart, Size
from figures.app.drawing.figure import Figure
from figures.app.tours.lspe_path import relative_path
from tabular_krope.arrays import Array
from tabular_krope.closed_form.feature_map import FeatureMap
from tabular_krope.closed_form.feature_space import feature_space_krope
from tabular_krope.data.dataset import sample_dataset
from tabular_krope.evaluation.lspe import LSPE
from tabular_krope.evaluation.lspe_on_data import lspe_on_data
from tabular_krope.models.garnet import garnet
from tabular_krope.models.induce import induce
from tabular_krope.models.policy import Policy
from tabular_krope.report.counted import counted

#: A random model on which few base features diverge once the data are off-policy.
SEED, STATES, ACTIONS = 28, 10, 2
MOST_BASE = STATES * ACTIONS
#: What the page opens with: learning on the base features diverges, and the estimates from KROPE's are useful.
FIRST_SIZE, FIRST_SHIFT, FIRST_BASE, FIRST_D = 2000, 0.95, 16, 8
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


@lru_cache(maxsize=128)
def compute(
    transitions: int = FIRST_SIZE, shift: float = FIRST_SHIFT, base: int = FIRST_BASE, d: int = FIRST_D, seed: int = 0
) -> FromData:
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
    target, behavior = np.full((STATES, ACTIONS), 0.05), np.full((STATES, ACTIONS), (1 + shift) / 2)
    target[np.arange(STATES), likes] = 0.95
    behavior[np.arange(STATES), likes] = (1 - shift) / 2
    data = sample_dataset(mdp, Policy(behavior), transitions, seed)
    table = np.random.default_rng(SEED + 1).standard_normal((mdp.n_pairs, MOST_BASE))[:, :base]
    q = induce(mdp, Policy(target)).q
    table[:, 0] = 2 * q / np.abs(q).max()
    Psi = table[data.pairs]
    after = np.einsum("sa,sap->sp", target, table.reshape(STATES, ACTIONS, base))  # mean over the target's actions
    Psi_next = after[data.s_next] * ~data.done[:, None]
    full = feature_space_krope(Psi, Psi_next, data.r, GAMMA)
    made = feature_space_krope(Psi, Psi_next, data.r, GAMMA, d=min(d, full.rank))
    plain = lspe_on_data(Psi, Psi_next, data.r, GAMMA, steps=STEPS)
    krope = lspe_on_data(made.features(Psi), made.features(Psi_next), data.r, GAMMA, steps=STEPS)
    return FromData(plain, made, krope, q, table @ plain.theta, made.values(table))


def rms(estimate: Array, q: Array) -> float:
    """Root mean square of the error of estimated values, [X] both."""
    return float(np.sqrt(np.mean((estimate - q) ** 2)))


def words(found: FromData) -> str:
    """What happened (HTML)."""
    made = found.made
    many = f"{made.d} KROPE feature{'' if made.d == 1 else 's'}"
    said = (
        f"On the base features learning <b>{'converges' if found.base.stable else 'diverges'}</b> (spectral radius "
        f"{found.base.spectral_radius:.3g}). On {many} from the same data it "
        f"converges: norm {found.krope.norm:.3f}, certified below &radic;&gamma; = {made.bound:.3f}."
    )
    if len(made.dropped):
        left = f"{counted(len(made.dropped), 'direction')} that grow{'s' * (len(made.dropped) == 1)}"
        said += f" Left out: {left} too fast for any guarantee."
    return said


def figures(found: FromData) -> list[Figure]:
    """The values, and the paths of learning."""
    right = rms(found.q_krope, found.q)
    spread = float(found.q.std())
    follow = "follow the true values" if right < 0.5 * spread else "miss the true values"
    base = [("red ring", "base features")] if found.base.stable else []
    lost = "" if found.base.stable else ", while the error on the base features grows without end"
    return [
        Figure(
            "The values",
            f"Estimates from KROPE features {follow}: typical error {right:.2g}, spread of the values {spread:.2g}",
            partial(draw_values, found),
            "estimated against true values",
            [("blue spot", "KROPE features"), *base, ("ink", "estimate = true value")],
        ),
        Figure(
            "The learning",
            f"On KROPE features every step stays below the certificate{lost}",
            partial(draw_paths, found),
            "error against steps on base and KROPE features",
            [
                ("red dashed", "base features"),
                ("blue thick", "KROPE features"),
                ("ink dotted", "the certificate, \u03b3 to the power t/2"),
            ],
            ends=True,
        ),
    ]


def draw_paths(found: FromData, size: Size) -> Chart:
    """How far each step of LSPE is from its fixed point, on the base features and on KROPE's."""
    chart = Chart(size, Axis("steps t of LSPE", 0, STEPS), Axis("error, relative to the start", 1e-3, 1e4, log=True))
    steps = np.arange(STEPS + 1)
    chart.across(1.0, "grey thin")
    for out, look in ((found.base, "red dashed"), (found.krope, "blue thick")):
        path = relative_path(out)
        if path.any():
            chart.line(steps, path, look)
    chart.line(steps, GAMMA ** (steps / 2), "ink dotted")
    return chart


def draw_values(found: FromData, size: Size) -> Chart:
    """Estimated against true values of the pairs."""
    shown = [found.q, found.q_krope, *([found.q_base] if found.base.stable else [])]
    low, high = float(np.min(shown)), float(np.max(shown))
    room = 0.06 * (high - low)
    true = (float(found.q.min()), float(found.q.max()))
    margin = 0.06 * (true[1] - true[0])
    chart = Chart(
        size, Axis("true value", true[0] - margin, true[1] + margin), Axis("estimate", low - room, high + room)
    )
    chart.line(true, true, "ink")
    if found.base.stable:
        for x, y in zip(found.q, found.q_base, strict=True):
            chart.dot(float(x), float(y), "red ring", 0.36)
    for x, y in zip(found.q, found.q_krope, strict=True):
        chart.dot(float(x), float(y), "blue", 0.45, tip=f"true {x:.3g}, estimate {y:.3g}")
    return chart
