r"""``closed-form-learned``: closed-form features beside the learned ones, on the same Garnets and the same data.

The learned features are those of the training runs in ``garnet/`` (8 states x 5 actions, 10,000 transitions, 500
epochs). For each, LSPE (by singular values, in float64) on the data it was trained on gives a radius and an estimate;
the closed form takes the same transitions, one-hot pairs as base features, and no training. The error is the root mean
square of the estimate's error over that of the true values, over all pairs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from figures.parts import style
from figures.studies import garnet_drawing, garnet_runs
from figures.studies.study import Data, Study
from tabular_krope.arrays import Array
from tabular_krope.closed_form.feature_space import feature_space_krope
from tabular_krope.data.tabular_rows import one_hot_rows
from tabular_krope.evaluation.lspe_on_data import lspe_on_data
from tabular_krope.measures.value_error import value_error
from tabular_krope.models.induce import induce

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deep.tabular.problems import Problem

CLOSED = "closed-form"
GAMMA = 0.99  # of the runs
#: Color, marker and name.
LOOKS = {
    CLOSED: (style.BLUE, "*", "closed-form KROPE"),
    **{name: (color, marker, label) for name, (color, marker, _, label) in garnet_drawing.LOOKS.items()},
    "krope": (style.BLUE, "o", "KROPE, learned"),
}
#: Larger values, and the errors of estimates that diverge, are drawn here.
MOST = {"error": 100.0, "norm": 1e8}


@dataclass(frozen=True, slots=True)
class Settings:
    """Which runs; one set of trials is enough here."""

    seed: int = 0  # first set of trials
    sets: int = 1
    trials: int = 30
    epochs: int = 500
    transitions: int = 10_000
    dimensions: tuple[int, ...] = (10, 20, 30, 40)
    algorithms: tuple[str, ...] = garnet_runs.ALGORITHMS


def pieces(settings: Settings) -> Sequence[tuple[int, str, int]]:
    """Set of trials, algorithm and dimension; the closed form first."""
    sets = range(settings.seed, settings.seed + settings.sets)
    return [(k, name, d) for k in sets for name in (CLOSED, *settings.algorithms) for d in settings.dimensions]


def compute(settings: Settings, piece: tuple[int, str, int], folder: Path) -> Data:
    """Radius, norm and error of each trial, each [1, trials]."""
    k, name, d = piece
    each = _problems(k, settings.trials, settings.transitions)
    features = None if name == CLOSED else _learned(settings, piece, folder / "garnet")
    rows = [one_trial(one, d, None if features is None else features[t]) for t, one in enumerate(each)]
    return {measure: np.array([row[measure] for row in rows])[None] for measure in rows[0]}


def one_trial(one: "Problem", d: int, phi: Array | None) -> Mapping[str, float]:
    """LSPE on features [X, d] of the pairs, or on the closed form's if None."""
    Psi, Psi_next, r = one_hot_rows(one.dataset, one.policy)
    true = induce(one.mdp, one.policy)
    if phi is None:
        phi = feature_space_krope(Psi, Psi_next, r, one.mdp.gamma, d).map
    out = lspe_on_data(Psi @ phi, Psi_next @ phi, r, one.mdp.gamma, steps=0)
    uniform = np.ones(true.n_pairs)
    error = np.sqrt(value_error(true, phi @ out.theta, 0 * uniform, uniform)) if out.stable else np.inf
    return {"radius": out.spectral_radius, "norm": out.norm, "error": float(error)}


@lru_cache(maxsize=1)
def _problems(seed_set: int, trials: int, transitions: int) -> "tuple[Problem, ...]":
    from deep.tabular.problems import problem
    from deep.tabular.run_settings import GarnetConfig

    config = GarnetConfig(seed_set=seed_set, trials=trials, transitions=transitions)
    return tuple(problem(config, trial) for trial in range(trials))


def _learned(settings: Settings, piece: tuple[int, str, int], out: Path) -> Array:
    from deep.tabular.run_settings import GarnetConfig
    from deep.tabular.runs import features_path, read_features, run_study

    k, name, d = piece
    base = GarnetConfig(algorithm=name, dimension=d, seed_set=k)
    config = replace(base, trials=settings.trials, epochs=settings.epochs, transitions=settings.transitions)
    if not features_path(out, config).exists():
        list(run_study(out, [config]))
    return np.asarray(read_features(out, config), dtype=np.float64)


def finish(settings: Settings, data: Data) -> Data:
    """Each measure as [algorithms, dimensions, trials]."""
    names = (CLOSED, *settings.algorithms)
    shape = (settings.sets, len(names), len(settings.dimensions), settings.trials)
    joined = {name: garnet_runs.pooled(values.reshape(shape)) for name, values in data.items()}
    return {**joined, "algorithms": np.array(names), "dimensions": np.array(settings.dimensions), "gamma": GAMMA}


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """Medians of error and norm in tables, a row for each algorithm, the smaller the lighter."""
    for name, word in (("error", "relative error"), ("norm", "growth in one step (norm)")):
        medians = np.median(np.minimum(data[name], MOST[name]), axis=-1)
        garnet_drawing.draw_small_numbers(medians, data, axes[name], named=name == "error", looks=LOOKS)
        axes[name].set_title(f"median {word}")
        axes[name].set_xlabel("features $d$ (40 pairs)")


def title(data: Data) -> str:
    """The largest norm of the closed form beside the median of learned KROPE's at the largest d."""
    own = float(data["norm"][data["algorithms"].tolist().index(CLOSED)].max())
    others = np.median(data["norm"][1:, -1], axis=-1).max()
    finding = "Closed-form features are as accurate as learned ones and contract"
    most = f"{float(f'{others:.1g}'):,.0f}"
    return f"{finding}:\nnorm at most {own:.3f}; on learned features one step may grow errors {most}-fold"


STUDY = Study(
    name="closed-form-learned",
    about="closed-form features beside learned ones, on the same Garnets and data",
    full=Settings(),
    quick=Settings(trials=6, epochs=40, transitions=4000, dimensions=(10, 30), algorithms=("fqe", "krope")),
    pieces=pieces,
    compute=compute,
    finish=finish,
    panels=(("error", "norm"),),
    draw=draw,
    width=7.6,
    height=4.0,
    title=title,
)
