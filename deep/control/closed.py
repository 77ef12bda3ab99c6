"""KROPE features in closed form (THEORY B13) beside the learned ones: on random features, or on a network's own layers.

The base features of an algorithm's own layers are its features, where the closed form can only leave out directions
that grow, and a random projection of its hidden layer, which has far more directions to choose from.
"""

from collections.abc import Callable
from math import nan

import numpy as np

from deep.control.config import ControlConfig
from deep.control.evaluation import FeaturesOnData, Row, evaluation_row, route_row
from deep.control.lspe_routes import by_svd64, short_rows
from tabular_krope.arrays import Array
from tabular_krope.control.control_data import ControlData
from tabular_krope.errors import KropeError

#: Pairs of rows that the typical distance is taken from.
DISTANCES = 2_000


def closed_features(config: ControlConfig, data: ControlData, base: FeaturesOnData) -> FeaturesOnData:
    """The leading KROPE features in the span of base features: ``d``, or as many as there are."""
    from tabular_krope.closed_form.feature_space import feature_space_krope

    found = feature_space_krope(base.Phi, base.Phi_next, data.rewards, data.gamma)
    W = found.map[:, : min(found.d, config.dimension_of(data.n_inputs))]
    return FeaturesOnData(base.Phi @ W, base.Phi_next @ W, base.Phi_start @ W)


def closed_columns(config: ControlConfig, data: ControlData, base: FeaturesOnData, kind: str) -> Row:
    """LSPE on the closed form over ``base``, as columns of ``kind``: "own" or "hidden"."""
    names = ("dimension", "radius", "norm", "value", "error")
    try:
        at = closed_features(config, data, base)
    except (KropeError, np.linalg.LinAlgError):  # no kernel on these data: nothing to report
        return {f"{kind}_{name}": nan for name in names}
    double = by_svd64(short_rows(at.Phi, at.Phi_next, data.rewards), len(data), data.gamma, config.lspe_steps)
    row = route_row(data, "svd64", double, at.Phi_start)
    return {f"{kind}_dimension": float(at.Phi.shape[1])} | {
        f"{kind}_{name}": row[f"{name}_svd64"] for name in names[1:]
    }


def closed_row(config: ControlConfig, data: ControlData) -> Row:
    """The metrics of the closed form on random features."""
    psi = random_features(config, data)
    alive = data.alive[:, None]
    base = FeaturesOnData(psi(data.pairs()), alive * psi(data.next_pairs()), psi(data.initial_pairs()))
    return evaluation_row(config, data, closed_features(config, data, base), None, 0, nan)


def random_features(config: ControlConfig, data: ControlData) -> Callable[[Array], Array]:
    r"""Random Fourier features of standardized pairs: $(\cos\omega^\top x, \sin\omega^\top x, \sqrt{m})/\sqrt{m}$.

    Frequencies are normal with standard deviation one over ``bandwidth`` times the median distance of two rows.
    """
    rng = np.random.default_rng([config.seed, 7])
    pairs = data.pairs()
    center, scale = pairs.mean(axis=0), pairs.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    i, j = rng.integers(0, len(pairs), (2, DISTANCES))
    median = float(np.median(np.linalg.norm((pairs[i] - pairs[j]) / scale, axis=1))) or 1.0
    half = max(1, config.base_features // 2)
    omega = rng.standard_normal((pairs.shape[1], half)) / (config.bandwidth * median)

    def psi(x: Array) -> Array:
        angle = ((x - center) / scale) @ omega
        return np.hstack([np.cos(angle) / np.sqrt(half), np.sin(angle) / np.sqrt(half), np.ones((len(x), 1))])

    return psi


def projection(config: ControlConfig) -> Array:
    """The random projection of the hidden layer, [hidden, hidden features]; the identity where it is not wider."""
    if config.hidden <= config.hidden_features:
        return np.eye(config.hidden)
    shape = (config.hidden, config.hidden_features)
    return np.asarray(np.random.default_rng([config.seed, 8]).standard_normal(shape) / np.sqrt(config.hidden))
