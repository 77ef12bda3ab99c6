"""What is in a file: schema version 1, the same fields for ``.npz`` and ``.json``.

Every file has ``krope`` (the version) and ``kind``; the other fields are those of the kind. Between the formats and the
values of this package stand *fields*: a mapping of names to numbers, arrays, nested lists or CSR matrices.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

from tabular_krope.arrays import Array, frozen_array, require_count
from tabular_krope.closed_form.base_features import FourierFeatures, OneHotFeatures
from tabular_krope.closed_form.feature_map import FeatureMap
from tabular_krope.data.continuous import BY_START, BY_TRANSITION, ContinuousDataset
from tabular_krope.data.dataset import Dataset
from tabular_krope.data.transition_tables import MOST_PAIRS
from tabular_krope.errors import KropeError, unknown_name
from tabular_krope.exact.rationals import fraction_from_text
from tabular_krope.models.exact_mdp import ExactMDP
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP
from tabular_krope.models.policy import Policy
from tabular_krope.representations.features import Features

VERSION = 1

#: Fields of the base of a feature map: random waves, or pairs.
BASE_FIELDS = ("base_frequencies", "base_phases", "base_bandwidth", "base_n_states", "base_n_actions")
#: kind -> (fields a file must have, fields it may have)
KINDS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "mdp": (("P", "r", "gamma"), ("d0", "end", "pair_state", "pair_action", "action_names")),
    "mrp": (("P", "Pi", "r", "gamma"), ("end", "d0", "weights", "pair_state", "pair_action")),
    "exact-mrp": (("P", "Pi", "r", "gamma"), ("end", "d0")),
    "exact-mdp": (("P", "r", "gamma", "pair_state", "pair_action"), ("d0", "end", "action_names")),
    "policy": (("probs",), ()),
    "features": (("matrix",), ("eigenvalues", "residuals")),
    "weights": (("weights",), ()),
    "dataset": (
        ("s", "a", "r", "s_next", "done", "n_states", "n_actions", "gamma", "d0"),
        ("episodes", "state_names", "action_names"),
    ),
    "continuous": ((*BY_TRANSITION[:5], "gamma"), (*BY_TRANSITION[5:], *BY_START)),
    "feature-map": (tuple(name for name in FeatureMap.__dataclass_fields__ if name != "base"), BASE_FIELDS),
    "fourier-features": (("frequencies", "phases", "bandwidth"), ()),
    "one-hot-features": (("n_states", "n_actions"), ()),
}
_TYPES: Mapping[str, type] = {
    "mdp": MDP,
    "mrp": MRP,
    "exact-mrp": ExactMRP,
    "exact-mdp": ExactMDP,
    "policy": Policy,
    "features": Features,
    "dataset": Dataset,
    "continuous": ContinuousDataset,
    "feature-map": FeatureMap,
    "fourier-features": FourierFeatures,
    "one-hot-features": OneHotFeatures,
}


def fields_of(thing: Any) -> tuple[str, dict[str, Any]]:
    """The kind of ``thing`` and its fields; a plain matrix counts as features, a plain vector as weights."""
    for kind, type_ in _TYPES.items():
        if isinstance(thing, type_):
            values = {name: getattr(thing, name) for name in sum(KINDS[kind], ()) if name not in BASE_FIELDS}
            if isinstance(thing, MDP):
                values |= {} if thing.listed else {"pair_state": None, "pair_action": None}
                values["action_names"] = None if thing.action_names is None else list(thing.action_names)
            if isinstance(thing, FeatureMap) and thing.base is not None:
                values |= {f"base_{name}": value for name, value in fields_of(thing.base)[1].items()}
            if isinstance(thing, ExactMDP):
                return kind, {**_exact_mdp_fields(thing)}
            if isinstance(thing, ExactMRP):
                values = {name: _texts(value) for name, value in values.items()}
            return kind, {name: value for name, value in values.items() if value is not None}
    if isinstance(thing, np.ndarray) and thing.ndim in (1, 2):
        kind, name = ("weights", "weights") if thing.ndim == 1 else ("features", "matrix")
        return kind, {name: frozen_array(thing, name, (None,) * thing.ndim)}
    raise KropeError(
        f"thing must be an MDP, ExactMDP, MRP, ExactMRP, Policy, Dataset, ContinuousDataset, Features or an array of "
        f"features or weights; got {type(thing).__name__}"
    )


def thing_of(kind: str, fields: Mapping[str, Any]) -> Any:
    """The value that ``fields`` describe; the inverse of `fields_of`."""
    require_fields(kind, fields)
    return _BUILDERS[kind](**fields)


def require_fields(kind: str, fields: Mapping[str, Any]) -> None:
    """The fields are those of ``kind``: none missing, none unknown."""
    if kind not in KINDS:
        raise unknown_name("kind", str(kind), KINDS)
    require_names(kind, fields, *KINDS[kind])


def is_bare_mdp(fields: Mapping[str, Any]) -> bool:
    """Whether fields without a header are those of an MDP: all that it needs, and no other.

    >>> is_bare_mdp({"P": [[[1]]], "r": [[0]], "gamma": 0.5}), is_bare_mdp({"P": [[1]], "r": [0]})
    (True, False)
    """
    needed, optional = KINDS["mdp"]
    return set(needed) <= fields.keys() <= set(needed + optional)


def require_names(kind: str, names: Collection[str], needed: tuple[str, ...], optional: tuple[str, ...]) -> None:
    """None of the names is unknown, none that is needed is missing; a misspelled one is both, and is told first.

    >>> require_names("a chain", ["r", "gama"], ("r", "gamma"), ())
    Traceback (most recent call last):
    tabular_krope.errors.KropeError: field of a chain must be one of gamma, r; got 'gama' (did you mean 'gamma'?)
    """
    for name in names:
        if name not in needed + optional:
            raise unknown_name(f"field of {kind}", name, needed + optional)
    for name in needed:
        if name not in names:
            raise KropeError(f"{kind} must have the field {name!r}; got {', '.join(names) or 'no fields'}")


def _texts(value: Any) -> Any:
    if hasattr(value, "table"):
        return np.array([[str(v) for v in row] for row in value.table()])
    return np.array([str(v) for v in value]) if isinstance(value, tuple) else str(value)


def exact_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with every text and number as a rational, nested as the field of that name is.

    >>> exact_fields({"gamma": "1/2", "r": ["0.5"]})
    {'gamma': 1/2, 'r': [1/2]}
    """
    out: dict[str, Any] = {}
    for name, value in fields.items():
        depth = {"gamma": 0, "P": 2, "Pi": 2, "P_pi": 2}.get(name, 1)
        out[name] = _fractions(value, name, depth, [])
    return out


def _fractions(value: Any, name: str, depth: int, at: list[int]) -> Any:
    where = f"{name}[{', '.join(map(str, at))}]" if at else name
    if depth == 0:
        return fraction_from_text(value, where)
    if not isinstance(value, list):
        raise KropeError(f"{where} must be a list; got {type(value).__name__}")
    return [_fractions(v, name, depth - 1, [*at, i]) for i, v in enumerate(value)]


def _exact_mrp(**fields: Any) -> ExactMRP:
    return ExactMRP(**exact_fields(fields))


def _exact_mdp(pair_state: Any, pair_action: Any, action_names: Any = None, **fields: Any) -> ExactMDP:
    where = (np.asarray(pair).tolist() for pair in (pair_state, pair_action))
    return ExactMDP(
        **exact_fields(fields),
        **dict(zip(("pair_state", "pair_action"), where, strict=True)),
        action_names=action_names,
    )


def _exact_mdp_fields(mdp: ExactMDP) -> dict[str, Any]:
    if mdp.n_pairs * mdp.n_states > MOST_PAIRS:
        raise KropeError(
            f"thing must have at most {MOST_PAIRS} probabilities for this file, use .drn for more; got "
            f"{mdp.n_pairs} x {mdp.n_states}"
        )
    fields = {name: _texts(value) for name, value in (("P", mdp.P_pairs), ("r", mdp.r), ("gamma", mdp.gamma))}
    fields |= {"pair_state": np.array(mdp.pair_state), "pair_action": np.array(mdp.pair_action)}
    fields |= {"d0": _texts(mdp.d0), "end": _texts(mdp.end)}
    return fields if mdp.action_names is None else fields | {"action_names": list(mdp.action_names)}


def fields_kind(thing: Any) -> str:
    """The kind of a value.

    >>> fields_kind(Policy([[1.0]]))
    'policy'
    """
    return next(kind for kind, type_ in _TYPES.items() if isinstance(thing, type_))


def _features(matrix: Any, eigenvalues: Any = None, residuals: Any = None) -> Features | Array:
    Phi = frozen_array(matrix, "matrix", (None, None))
    if eigenvalues is None and residuals is None:
        return Phi
    d = Phi.shape[1]
    return Features(Phi, frozen_array(eigenvalues, "eigenvalues", (d,)), frozen_array(residuals, "residuals", (d,)))


def _weights(weights: Any) -> Array:
    return frozen_array(weights, "weights", (None,))


def _dataset(n_states: Any, n_actions: Any, d0: Any, **fields: Any) -> Dataset:
    # Sizes that a file merely states are not to be taken at their word: arrays of those sizes are made of them.
    for name, size in (("n_states", n_states), ("n_actions", n_actions)):
        require_count(size, name)
    if d0 is None or n_states * n_actions > MOST_PAIRS:
        raise KropeError(f"dataset must have a d0 and at most {MOST_PAIRS} pairs; got {n_states} x {n_actions}")
    return Dataset(n_states=n_states, n_actions=n_actions, d0=d0, **fields)


def _feature_map(**fields: Any) -> FeatureMap:
    of_base = {name.removeprefix("base_"): fields.pop(name) for name in BASE_FIELDS if name in fields}
    if not of_base:
        return FeatureMap(**fields)
    kind = "one-hot-features" if "n_states" in of_base else "fourier-features"
    base = thing_of(kind, of_base)
    if base.p > MOST_PAIRS:
        raise KropeError(f"the base must have at most {MOST_PAIRS} features; got {base.p}")
    return FeatureMap(**fields, base=base)


_BUILDERS: Mapping[str, Callable[..., Any]] = {
    "mdp": MDP,
    "mrp": MRP,
    "exact-mrp": _exact_mrp,
    "exact-mdp": _exact_mdp,
    "policy": Policy,
    "features": _features,
    "weights": _weights,
    "dataset": _dataset,
    "continuous": ContinuousDataset,
    "feature-map": _feature_map,
    "fourier-features": FourierFeatures,
    "one-hot-features": OneHotFeatures,
}
