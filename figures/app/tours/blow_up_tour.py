r"""LSPE and TD in the plane of two weights, on the six-pair chain under data that the reader drags.

LSPE repeats $\theta \leftarrow b + L\theta$; TD moves the weights by
$\alpha\,\Phi^\top D\,(r + \gamma P\Phi\theta - \Phi\theta)$ with the largest step $\alpha$ that is safe for regression:
one over the largest eigenvalue of $\Phi^\top D\,\Phi$.
"""

from dataclasses import dataclass
from functools import lru_cache, partial
from math import isfinite

import numpy as np

from figures.app.drawing.axis import Axis
from figures.app.drawing.chart import Chart, Size
from figures.app.drawing.figure import Figure
from figures.app.page_parts import listed
from figures.app.tours.six_pairs import GAMMA, NAMES, chain
from figures.app.tours.why_stable_tour import KINDS, kinds_of_features
from tabular_krope.arrays import Array, dense
from tabular_krope.evaluation.lspe import lspe
from tabular_krope.kernels.krope import krope_kernel

#: Heights of a bar, as powers of ten; how they are written; and data on which random features diverge.
LEVELS = tuple(f"{k / 2:g}" for k in range(9))
LOPSIDED = ("4", "3", "0", "0", "1", "3")
STEPS = 24
#: Updates of TD between two of its points: its steps are small.
SMALL = 10
D = 2
#: Arrows of the field across and down; and the frame, in distances at the start: where they shrink, where they grow.
FIELD = (13, 9)
FRAME, WIDE_FRAME = 2.0, 6.0


@dataclass(frozen=True, slots=True, eq=False)
class BlowUp:
    """Two ways of learning on the same features and data.

    Attributes:
        weights: data distribution over the pairs, [X].
        L, b: LSPE's map, [2, 2] and [2].
        fixed: the weights at which both stand still, [2].
        lspe, td: the weights step by step, [STEPS + 1, 2].
        radius: of LSPE's matrix and of TD's, by name.
    """

    weights: Array
    L: Array
    b: Array
    fixed: Array
    lspe: Array
    td: Array
    radius: dict[str, float]


def shares(levels: tuple[str, ...]) -> Array:
    """The data distribution of bars whose heights are powers of ten.

    >>> shares(("1", "0")).round(3).tolist()
    [0.909, 0.091]
    """
    weights = 10.0 ** np.array([float(level) for level in levels])
    return np.asarray(weights / weights.sum())


@lru_cache(maxsize=512)
def compute(kind: str = KINDS[2], levels: tuple[str, ...] = LOPSIDED, gamma: float = GAMMA) -> BlowUp:
    """Both paths from weights 0.

    >>> compute().radius["LSPE"] > 1 > compute(KINDS[0]).radius["LSPE"]
    True
    """
    mrp, weights = chain(gamma), shares(levels)
    Phi = kinds_of_features(krope_kernel(mrp), D, weights)[kind]
    out = lspe(mrp, Phi, weights, steps=STEPS)
    covariance = Phi.T @ (weights[:, None] * Phi)
    alpha = 1 / float(np.linalg.eigvalsh(covariance)[-1])
    turn = np.eye(D) - alpha * (covariance - gamma * Phi.T @ (weights[:, None] * (dense(mrp.P_pi) @ Phi)))
    push = alpha * Phi.T @ (weights * mrp.r)
    td = np.zeros((STEPS + 1, D))
    for t in range(STEPS):
        now = td[t]
        for _ in range(SMALL):
            now = push + turn @ now
        td[t + 1] = now
    radius = {"LSPE": out.spectral_radius, "TD": float(np.abs(np.linalg.eigvals(turn)).max())}
    return BlowUp(weights, out.L, out.b, out.theta, out.trace, td, radius)


def words(found: BlowUp, kind: str) -> str:
    """What happens (HTML)."""
    lost = [name for name, radius in found.radius.items() if radius >= 1]
    grow = listed([f"{found.radius[name]:.3g}" for name in lost]) if lost else ""
    if lost:
        also = "" if kind == KINDS[0] else f" <b>Now choose {KINDS[0]}.</b>"
        up = f"<b>{'blow' if len(lost) > 1 else 'blows'} up</b>"
        return f"{listed(lost)} on {kind} {up}: in the end each step multiplies the error by {grow}.{also}"
    shrink = listed([f"{found.radius[name]:.3g} ({name})" for name in found.radius])
    if kind == KINDS[0]:
        return (
            f"On {kind} both <b>converge</b>, and LSPE does so for <b>any</b> bars. In the end each step multiplies "
            f"the error by {shrink}."
        )
    return (
        f"On {kind} both converge under these data (factors {shrink}). Drag the bars: nothing promises it for others."
    )


def figures(found: BlowUp, kind: str) -> list[Figure]:
    """The plane of the weights, and the error of both against time."""
    lost = found.radius["LSPE"] >= 1
    title = "LSPE's arrows lead away from the fixed point" if lost else "LSPE's arrows lead to the fixed point"
    key = [
        ("blue", "LSPE"),
        ("orange", f"TD, {SMALL} small steps each"),
        ("green spot", "fixed point of both"),
    ]
    return [
        Figure(
            "The plane of the weights",
            title,
            partial(draw_plane, found),
            "paths of LSPE and TD in the plane of two weights",
            [*key, ("grey faint", "LSPE's next step from there")],
            STEPS,
        ),
        Figure(
            "The error",
            f"Distance from the fixed point, step by step, on {kind}",
            partial(draw_errors, found),
            "error of LSPE and TD against steps",
            key[:2],
            STEPS,
            ends=True,
        ),
    ]


def draw_plane(found: BlowUp, size: Size) -> Chart:
    """Arrows of LSPE everywhere, and both paths from weights 0."""
    frame = FRAME if found.radius["LSPE"] < 1 else WIDE_FRAME
    reach = frame * max(float(np.abs(found.fixed).max()), 1e-9)
    wide = reach * (size.width / size.height)
    u, v = found.fixed
    chart = Chart(size, Axis("weight 1", u - wide, u + wide), Axis("weight 2", v - reach, v + reach))
    for x in np.linspace(u - 0.9 * wide, u + 0.9 * wide, FIELD[0]):
        for y in np.linspace(v - 0.86 * reach, v + 0.86 * reach, FIELD[1]):
            move = found.b + found.L @ np.array([x, y]) - [x, y]
            long = float(np.linalg.norm(move))
            if long > 1e-12 * reach:
                move *= min(1.0, 0.16 * reach / long)
                chart.arrow((float(x), float(y)), (float(x + move[0]), float(y + move[1])), "grey field")
    for path, look in ((found.td, "orange"), (found.lspe, "blue")):
        for t in range(STEPS):
            if np.isfinite(path[t : t + 2]).all() and np.abs(path[t] - found.fixed).max() < 3 * wide:
                chart.arrow(tuple(path[t]), tuple(path[t + 1]), look, t + 1)
    chart.dot(0.0, 0.0, "ink ring", 0.35, tip="start")
    chart.word(0.0, 0.0, "start", "ink", "end" if u > 0 else "start", lift=-1.5)
    chart.dot(float(u), float(v), "green", 0.5, tip="fixed point")
    return chart


def errors(path: Array, fixed: Array) -> Array:
    """Distance from the fixed point after each step, relative to the first, [STEPS + 1]."""
    apart = np.linalg.norm(path - fixed, axis=1)
    return np.asarray(apart / apart[0]) if apart[0] > 0 else np.zeros(len(apart))


def draw_errors(found: BlowUp, size: Size) -> Chart:
    """The error of both against time."""
    chart = Chart(size, Axis("steps", 0, STEPS), Axis("error, relative to the start", 1e-3, 1e3, log=True))
    chart.across(1.0, "grey thin")
    for path, look in ((found.td, "orange dashed"), (found.lspe, "blue thick")):
        error = [float(e) if isfinite(e) else 1e300 for e in errors(path, found.fixed)]
        for t in range(STEPS):
            chart.line([t, t + 1], error[t : t + 2], look, t + 1)
    return chart


def share_rows(found: BlowUp) -> list[tuple[str, float]]:
    """Names of the pairs and their shares of the data."""
    return list(zip(NAMES, found.weights.tolist(), strict=True))
