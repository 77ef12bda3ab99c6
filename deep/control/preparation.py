"""A data set as the networks see it: standardized states, and time limits as the settings take them."""

from dataclasses import replace

import numpy as np

from deep.control.config import ControlConfig
from tabular_krope.arrays import Array
from tabular_krope.control.control_data import ControlData


def prepared(config: ControlConfig, data: ControlData) -> ControlData:
    r"""The data with states $(s - \bar s)/\sigma$ and, where time limits end episodes, their rows not alive.

    Mean and deviation are those of the observations on file, for next and initial ones alike; a coordinate that never
    changes is only moved. Actions stay: they lie in [-1, 1].

    >>> one = np.array([[1.0], [3.0]])
    >>> data = ControlData("", one, one, [0.0, 0.0], one + 2, one, [1.0, 1.0], one, one, 0.9, cut=[0.0, 1.0])
    >>> seen = prepared(ControlConfig(time_limits="end"), data)
    >>> seen.next_observations[:, 0].tolist(), seen.actions[:, 0].tolist(), seen.alive.tolist()
    ([1.0, 3.0], [1.0, 3.0], [1.0, 0.0])
    """
    if config.time_limits == "end":
        assert data.cut is not None
        data = replace(data, alive=data.alive * (1 - data.cut))
    if not config.standardize:
        return data
    middle, scale = data.observations.mean(axis=0), data.observations.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)

    def moved(observations: Array) -> Array:
        return np.asarray((observations - middle) / scale)

    return replace(
        data,
        observations=moved(data.observations),
        next_observations=moved(data.next_observations),
        initial_observations=moved(data.initial_observations),
    )
