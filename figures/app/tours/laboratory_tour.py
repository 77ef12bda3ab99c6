"""One model of the reader's choice: kernel, features, LSPE's path, stability, bounds, and every statement on it."""

from dataclasses import dataclass

import numpy as np

from figures.app.tours.lspe_path import relative_path
from proofs_check.judging.on_model import MOST_PAIRS, OnModel, judge_on_model
from tabular_krope.arrays import Array
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.lspe import lspe
from tabular_krope.kernels.kernel import Kernel
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP
from tabular_krope.named.choices import read_features, read_reward_range, read_weights
from tabular_krope.named.models import Subject, read_process
from tabular_krope.report.analysis import Analysis, analyze_model
from tabular_krope.representations.comparators import comparator_features
from tabular_krope.representations.features import features

STEPS = 80
#: Choices of the page: how they are written, and what the command line calls them.
MODELS = {
    "random model, 4 x 3": "garnet:4x3x2",
    "random model, 8 x 5": "garnet:8x5x3",
    "gridworld: FrozenLake": "gym:FrozenLake-v1",
    "gridworld: four rooms": "zoo:four-rooms",
    "chain walk": "zoo:chain-walk",
    "Baird's counterexample": "zoo:baird",
    "witness: the value bound is false": "zoo:c1-value-bound",
    "witness: d is not a metric": "zoo:c2-not-a-metric",
    "witness: equal marginals": "zoo:c3-no-injectivity",
    "witness: unweighted truncation": "zoo:c4-unweighted-truncation",
    "witness: the bound is attained": "zoo:f1-tight-norm",
}
#: What the page calls a model that the reader brought.
OWN = "own"
POLICIES = ("uniform", "optimal", "random", "epsilon-greedy", "own")
WEIGHTS = ("uniform", "occupancy", "lopsided", "own")
#: Features on which LSPE is run: how they are written, and what `compute` calls them.
FEATURES = {
    "KROPE with the data's weights": "krope",
    "KROPE without the weights": "unweighted",
    "random features": "random",
    "the model's own": "own",
}


@dataclass(frozen=True, slots=True, eq=False)
class Bench:
    """What the page shows.

    Attributes:
        analysis: of the model on the chosen features.
        kind: of the features, a value of `FEATURES`.
        plane: the first two features of each pair, [X, 2] (zeros in place of a second one that is not there).
        path: distance of LSPE's weights from their fixed point after each step, [STEPS + 1].
        from_ones: whether the path starts at weights that are all 1, because zero is the fixed point.
        names: how each state is written, [S]; None for numbers.
        own_policy: whether the model came with its policy fixed.
    """

    analysis: Analysis
    kind: str
    plane: Array
    path: Array
    from_ones: bool
    names: tuple[str, ...] | None
    own_policy: bool


def compute(
    subject: Subject,
    policy: str = "uniform",
    weights: str = "uniform",
    d: int = 3,
    gamma: float | None = None,
    kind: str = "krope",
) -> Bench:
    """Analyze a model under a policy, data weights and features.

    Args:
        subject: the model; a reward range of its own is used.
        policy: one of `POLICIES`; without effect on a model whose policy is fixed.
        weights: one of `WEIGHTS`.
        d: number of features, fewer if there are not so many; a model's own are always taken together.
        gamma: discount factor; the model's own if None.
        kind: of the features, a value of `FEATURES`.

    >>> from tabular_krope.named.models import read_model
    >>> found = compute(read_model("zoo:c1-value-bound"), d=3)
    >>> found.analysis.features.d, found.own_policy
    (3, True)
    """
    if subject.model.n_pairs > MOST_PAIRS:
        raise KropeError(f"model must have at most {MOST_PAIRS} pairs to be shown; got {subject.model.n_pairs}")
    chain = process(subject, policy, gamma)
    limits = read_reward_range(subject.reward_range, chain)
    D = _weights(weights, subject, chain)
    Phi = _features(kind, subject, krope_kernel(chain, reward_range=limits), d, D)
    if kind == "krope":
        found = analyze_model(chain, d=Phi.shape[1], weights=D, reward_range=limits)
    else:
        found = analyze_model(chain, features=Phi, weights=D, reward_range=limits)
    out = lspe(chain, Phi, D, steps=STEPS)
    from_ones = not np.any(out.theta)
    if from_ones:
        out = lspe(chain, Phi, D, steps=STEPS, theta0=np.ones(Phi.shape[1]))
    plane = np.zeros((chain.n_pairs, 2))
    plane[:, : min(2, Phi.shape[1])] = Phi[:, :2]
    fixed = not isinstance(subject.model, MDP)
    return Bench(found, kind, plane, relative_path(out), from_ones, subject.names, fixed)


def statements(found: Bench) -> tuple[OnModel, ...]:
    """What each statement says about the model under its data; nothing where gamma is 1.

    >>> from tabular_krope.named.models import read_model
    >>> {one.slug: one.outcome for one in statements(compute(read_model("zoo:c1-value-bound")))}["lemma-value-bound"]
    'fails'
    """
    chain, reward = found.analysis.mrp, found.analysis.K.reward
    if not chain.gamma < 1:
        return ()
    return tuple(judge_on_model(chain, found.analysis.weights, reward_range=(float(reward.low), float(reward.high))))


def process(subject: Subject, policy: str, gamma: float | None) -> MRP:
    """The reward process in floats, with another discount factor if one is given."""
    fixed = not isinstance(subject.model, MDP)
    if policy == "own" and not fixed and subject.policy is None:
        raise KropeError("This model has no policy of its own: choose another policy.")
    read = read_process(subject, None if fixed or policy == "own" else policy)
    chain = read.to_float() if isinstance(read, ExactMRP) else read
    return chain if gamma is None else MRP(chain.P, chain.Pi, chain.r, gamma, chain.end, chain.d0)


def _weights(name: str, subject: Subject, chain: MRP) -> Array | None:
    if name == "lopsided":
        place = np.random.default_rng(0).permutation(np.linspace(-1.0, 0.0, chain.n_pairs))
        return np.asarray(10.0 ** (4 * place))
    if name == "own" and subject.weights is None:
        raise KropeError("This model has no data weights of its own: choose other data.")
    return read_weights(name, subject, chain)


def _features(kind: str, subject: Subject, K: Kernel, d: int, D: Array | None) -> Array:
    if kind == "own":
        if subject.features is None:
            raise KropeError("This model has no features of its own: choose other features.")
        return np.asarray(read_features("own", subject))
    if kind == "random":
        return np.asarray(comparator_features(K.mrp, "random", min(d, K.mrp.n_pairs), seed=0))
    every = features(K, None, D if kind == "krope" else None)
    return every.matrix[:, : min(d, every.d)]
