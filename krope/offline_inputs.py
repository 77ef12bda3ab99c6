"""What ``--data``, ``--features`` and ``--policy`` of ``krope diagnose`` stand for."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.data.continuous import ContinuousDataset
from tabular_krope.data.dataset import Dataset, sample_dataset, sample_pairs
from tabular_krope.data.files import load, load_array, load_policy
from tabular_krope.data.npz import read_npz
from tabular_krope.data.target import BEHAVIOR, POLICIES, behavior
from tabular_krope.errors import GammaMissing, GammaUnwanted, KropeError, unknown_name
from tabular_krope.models.exact_mdp import ExactMDP
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.induce import induce
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP
from tabular_krope.models.policy import Policy
from tabular_krope.models.random_policy import uniform_policy
from tabular_krope.named.choices import as_columns
from tabular_krope.named.models import KINDS, is_file, read_model, read_policy


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """Data with what else is known about them.

    Attributes:
        data: the transitions.
        policy: the target policy, for `offline_problem`.
        features: features, for `offline_problem`.
        truth: value of the starts, where the data were drawn from a model.
        behavior: the policy that made the data, where that is known.
    """

    data: Dataset | ContinuousDataset
    policy: Any = None
    features: Any = None
    truth: float | None = None
    behavior: Policy | None = None


def read_evidence(
    text: str,
    gamma: float | None,
    policy: str | None,
    features: str | None,
    transitions: int,
    seed: int,
    columns: dict[str, str] | None = None,
) -> Evidence:
    """What ``--data`` names: a file, whose columns may be named, or a model of which transitions are drawn."""
    if text.partition(":")[0] in KINDS and not Path(text).exists():
        return _sampled(text, gamma, policy, features, transitions, seed)
    data = read_data(text, gamma, columns)
    if isinstance(data, MDP | MRP | ExactMRP):
        return _sampled(text, gamma, policy, features, transitions, seed)
    target = None if policy is None else read_policy_of(data, policy)
    return Evidence(data, target, None if features is None else read_features_of(data, features))


def _sampled(
    text: str, gamma: float | None, policy: str | None, features: str | None, transitions: int, seed: int
) -> Evidence:
    """Transitions of a model: from its own data weights if it has such, else on trajectories of the uniform policy."""
    subject = read_model(text, None if gamma is None else str(gamma), seed)
    mdp = subject.model.to_float() if isinstance(subject.model, ExactMDP) else subject.model
    if not isinstance(mdp, MDP):
        raise KropeError(f"data must be a file or drawn from a model with actions; got {text!r}, a reward process")
    of_data, of_policy = (np.random.default_rng([seed, k]) for k in (3, 1))
    if subject.weights is not None:
        data, acted = sample_pairs(mdp, subject.weights, transitions, of_data), None
    else:
        acted = uniform_policy(mdp)
        data = sample_dataset(mdp, acted, transitions, of_data)
    target: Any = behavior(data) if policy in BEHAVIOR else read_policy(mdp, policy, subject.policy, of_policy)
    phi = subject.features if features is None else as_columns(load_array(features))
    mrp = induce(mdp, target)
    return Evidence(data, target, phi, float(mrp.d0 @ mrp.q), acted)


def read_columns(text: str | None) -> dict[str, str] | None:
    """What ``--columns`` says: ``s=obs,r=score``.

    >>> read_columns("s=obs, r=score")
    {'s': 'obs', 'r': 'score'}
    """
    if text is None:
        return None
    pairs = [part.partition("=") for part in text.split(",")]
    found = {column.strip(): name.strip() for column, _, name in pairs}
    if len(found) < len(pairs) or not all(sign and column.strip() and name.strip() for column, sign, name in pairs):
        raise KropeError(f"columns must be COLUMN=NAME,COLUMN=NAME, each column once; got {text!r}")
    return found


def read_data(
    path: str, gamma: float | None, columns: dict[str, str] | None = None
) -> Dataset | ContinuousDataset | MDP | MRP | ExactMRP:
    """The data set in a file, or the model."""
    try:
        value = load(path, gamma=gamma, columns=columns)
    except GammaMissing:
        raise GammaMissing(f"gamma must be given for data that state none, use --gamma; got {path}") from None
    except GammaUnwanted:
        value = load(path)  # no transitions: a model's own gamma may be replaced, too
    if isinstance(value, ExactMDP):
        value = value.to_float()
    if not isinstance(value, Dataset | ContinuousDataset | MDP | MRP | ExactMRP):
        raise KropeError(f"data must be a file with transitions or a model; got a {type(value).__name__} in {path}")
    return value


def read_policy_of(data: Dataset | ContinuousDataset, text: str) -> Any:
    """A name that `offline_problem` knows, or the policy [S, A] in a file."""
    if text in (*POLICIES, *BEHAVIOR):
        return text
    if not is_file(text):
        raise unknown_name("policy", text, (*POLICIES, "FILE"))
    if isinstance(data, ContinuousDataset):
        raise KropeError(
            "policy must be 'behavior' for continuous data: store the target's actions as next_actions in the data; "
            f"got the file {text}"
        )
    return load_policy(text)


def read_features_of(data: Dataset | ContinuousDataset, path: str) -> Array | tuple[Array, ...]:
    """Features of pairs [S*A, d] for tabular data; of rows, successors and perhaps starts for continuous data."""
    if isinstance(data, Dataset):
        return as_columns(load_array(path))
    if not path.lower().endswith(".npz"):
        raise KropeError(
            f"features of continuous data must be an .npz file with features and next_features; got {path!r}"
        )
    try:
        arrays = read_npz(path)
    except KropeError as error:
        raise KropeError(f"{path}: {error}") from None
    names = ("features", "next_features", "initial_features")
    for name in names[:2]:
        if name not in arrays:
            raise KropeError(f"{path} must have the array {name!r}; got {', '.join(arrays) or 'none'}")
    for name in arrays:
        if name not in names:
            raise unknown_name(f"array of {path}", name, names)
    return tuple(arrays[name] for name in names if name in arrays)
