"""Random generators from what callers give: a seed or a generator."""

from typing import Any

import numpy as np

from tabular_krope.errors import KropeError


def generator(seed: Any) -> np.random.Generator:
    """The generator of a non-negative integer seed; a Generator is returned as it is, and advances.

    >>> bool(generator(3).random() == generator(3).random())
    True
    """
    if isinstance(seed, np.random.Generator):
        return seed
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise KropeError(f"seed must be a non-negative integer or a numpy Generator; got {seed!r}")
    return np.random.default_rng(int(seed))
