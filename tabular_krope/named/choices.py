"""What ``--features``, ``--weights`` and ``--reward-range`` stand for."""

from typing import Any

from tabular_krope.arrays import Array
from tabular_krope.errors import KropeError, unknown_name
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.mrp import MRP
from tabular_krope.models.values import occupancy, stationary_distribution
from tabular_krope.named.models import Subject, fraction, is_file
from tabular_krope.report.chosen_features import FEATURES

WEIGHTS = ("uniform", "stationary", "occupancy", "own")


def read_features(text: str, subject: Subject) -> str | Array:
    """A name that `chosen_features` knows, or an array [X, p] from a file or from the model itself ("own")."""
    if text in FEATURES:
        return text
    if text == "own":
        if subject.features is None:
            raise KropeError("features must be named or given for a model without features of its own; got 'own'")
        return subject.features
    if not is_file(text):
        raise unknown_name("features", text, (*FEATURES, "own", "FILE"))
    return as_columns(_array(text))


def as_columns(array: Array) -> Array:
    """Features [X, d]; one number for each pair is one column.

    >>> import numpy as np
    >>> as_columns(np.ones(3)).shape
    (3, 1)
    """
    return array[:, None] if array.ndim == 1 else array


def read_weights(text: str, subject: Subject, process: MRP | ExactMRP) -> Array | None:
    """Data weights over pairs, [X]; None for uniform ones."""
    if text == "uniform":
        return None
    if text == "own":
        if subject.weights is None:
            raise KropeError("weights must be named or given for a model without data weights of its own; got 'own'")
        return subject.weights
    if text in ("stationary", "occupancy"):
        chain = process.to_float() if isinstance(process, ExactMRP) else process
        return stationary_distribution(chain) if text == "stationary" else occupancy(chain)
    if not is_file(text):
        raise unknown_name("weights", text, (*WEIGHTS, "FILE"))
    weights = _array(text)
    X, S = process.n_pairs, process.n_states
    return weights.reshape(X) if weights.shape == (S, X // S) else weights  # [S, A] is as good as [X]


def read_reward_range(texts: tuple[str, str] | None, process: MRP | ExactMRP) -> tuple[Any, Any] | None:
    """Both ends of the reward range: fractions for a rational model, floats otherwise; None if not given."""
    if texts is None:
        return None
    low, high = (fraction(text, "reward_range") for text in texts)
    return (low, high) if isinstance(process, ExactMRP) else (float(low), float(high))


def _array(path: str) -> Array:
    from tabular_krope.data.files import load_array

    return load_array(path)
