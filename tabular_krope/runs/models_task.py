"""The task of a sweep over models: stability and measures of features on a block of models, in stacked arrays.

A row can be had again, alone: ``krope analyze MODEL --seed SEED --policy POLICY --weights WEIGHTS --features FEATURES
--dim D`` draws the same model, policy and features.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from tabular_krope.arrays import Array, distribution
from tabular_krope.batched.chains import Chains, krope_features
from tabular_krope.batched.evaluation import evaluate
from tabular_krope.batched.garnets import fits, garnet_chains
from tabular_krope.batched.generators import generators
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.spectral import COARSE
from tabular_krope.heap import keep_freed_memory
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.kernels.reward import RewardKernel
from tabular_krope.kernels.stein import EPS
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.mrp import MRP
from tabular_krope.named.choices import read_features, read_reward_range, read_weights
from tabular_krope.named.models import Subject, garnet_sizes, read_model, read_process
from tabular_krope.report.chosen_features import chosen_features
from tabular_krope.representations.comparators import COMPARATORS, comparator_features
from tabular_krope.representations.layers import graded

#: Policies of Garnets that are drawn side by side.
SIDE_BY_SIDE = ("random", "uniform", "own")
#: Relative size of an eigenvalue below which stacked eigendecompositions are not trusted with its direction.
TRUSTED = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """One model of a block: its process, data distribution [X], and features (a name or an array) with their seed.

    The reward range is that of the kernel; the rewards' own if None.
    """

    seed: int
    mrp: MRP
    D: Array
    features: str | Array
    reward_range: tuple[float, float] | None = None


def run(configuration: Mapping[str, Any], place: Path) -> dict[str, list[Any]]:
    """Every number of features on every seed of the block; rows by ``d``, then by seed.

    >>> names = {"model": "garnet:3x2", "gamma": "own", "policy": "random", "weights": "uniform", "features": "krope"}
    >>> found = run(names | {"dims": [1, 0], "seeds": [5, 8], "digests": {}}, Path("unused"))
    >>> found["seed"], found["d"], set(found["stable"])
    ([5, 6, 7, 5, 6, 7], [1, 1, 1, 6, 6, 6], {True})
    """
    _require_unchanged(configuration)
    keep_freed_memory()
    block = _block(configuration, range(*configuration["seeds"]))
    widths = [d or most_features(block.member(0)) for d in configuration["dims"]]
    block = replace(block, top=max(widths))
    columns: dict[str, list[Any]] = {}
    for d in widths:
        for name, values in _rows(block, d).items():
            columns.setdefault(name, []).extend(values.tolist())
    return columns


def drawn_member(names: Mapping[str, Any], seed: int) -> Member:
    """The member that ``seed`` draws, read as the command line reads its names; refused if one is wrong."""
    model, file = names["model"], Path(names["model"])
    changed = file.stat().st_mtime_ns if file.is_file() else 0
    subject = _subject(model, names["gamma"], seed if model.startswith("garnet:") else 0, changed)
    policy = None if names["policy"] == "own" else names["policy"]
    process = read_process(subject, policy, np.random.default_rng([seed, 1]))
    mrp = process.to_float() if isinstance(process, ExactMRP) else process
    if mrp.gamma == 1.0:
        raise KropeError(f"gammas must be below 1 in a sweep; got 1 in {names['model']}")
    weights = read_weights(names["weights"], subject, process)
    features, span = read_features(names["features"], subject), read_reward_range(subject.reward_range, mrp)
    return Member(seed, mrp, distribution(weights, mrp.n_pairs), features, span)


def most_features(member: Member) -> int:
    """What "full" means: a feature for each pair, or all that are given if those are fewer.

    >>> names = {"model": "garnet:3x2", "gamma": "own", "policy": "own", "weights": "uniform", "features": "krope"}
    >>> most_features(drawn_member(names, seed=0))
    6
    """
    pairs = member.mrp.n_pairs
    return pairs if isinstance(member.features, str) else min(pairs, member.features.shape[1])


@lru_cache(maxsize=4)
def _subject(model: str, gamma: str, seed: int, changed: int) -> Subject:
    return read_model(model, None if gamma == "own" else gamma, seed)


@dataclass(frozen=True, eq=False)
class Block:
    """Members of one size, stacked; what every number of features has in common is computed once.

    Attributes:
        seeds: of the members, [n].
        chains: their processes.
        D: data distributions, [n, X].
        R: ranges of rewards that the kernels divide by, [n].
        features: what all members have: a name, or their arrays.
        member: makes a member, given its place in the block.
        top: the largest number of features that is asked for.
    """

    seeds: Sequence[int]
    chains: Chains
    D: Array
    R: Array
    features: str | Sequence[Array]
    member: Callable[[int], Member]
    top: int | None = None

    @classmethod
    def of(cls, members: list[Member]) -> "Block":
        """The block of members that were drawn one by one."""
        R = np.array([RewardKernel.of(member.mrp.r, member.reward_range).divisor for member in members])
        kind = members[0].features
        features = kind if isinstance(kind, str) else [np.asarray(member.features) for member in members]
        chains, D = Chains.stack([member.mrp for member in members]), np.stack([member.D for member in members])
        return cls([member.seed for member in members], chains, D, R, features, members.__getitem__)

    @cached_property
    def krope(self) -> tuple[Array, Array]:
        """The top KROPE features and their eigenvalues, [n, X, top] and [n, top]."""
        return krope_features(self.chains.kernel(self.R), self.D, self.top)


def _block(names: Mapping[str, Any], seeds: range) -> Block:
    """The models of the seeds: Garnets side by side where they have named features, others one by one."""
    first = drawn_member(names, seeds[0])
    kind, _, sizes = names["model"].partition(":")
    named = kind == "garnet" and isinstance(first.features, str) and names["weights"] == "uniform"
    if not (named and names["policy"] in SIDE_BY_SIDE):
        return Block.of([first, *(drawn_member(names, seed) for seed in seeds[1:])])
    S, A, branching = garnet_sizes(sizes)
    if not fits(len(seeds), S, A):
        return Block.of([first, *(drawn_member(names, seed) for seed in seeds[1:])])
    models, policies = generators(seeds), generators(seeds, 1) if names["policy"] == "random" else None
    chains = garnet_chains(S, A, branching, first.mrp.gamma, models, policies)
    D = np.tile(first.D, (len(seeds), 1))
    R = np.ptp(chains.r, axis=1)
    return Block(seeds, chains, D, R, str(first.features), lambda k: drawn_member(names, seeds[k]))


def _rows(block: Block, d: int) -> dict[str, Any]:
    """The columns of one number of features. Models whose features come out fewer are evaluated apart."""
    pairs, n = block.D.shape[1], len(block.seeds)
    each = _features(block, d)
    found: dict[str, Any] = {}
    for width in sorted({Phi.shape[1] for Phi in each}):
        at = [k for k in range(n) if each[k].shape[1] == width]
        measured = asdict(evaluate(block.chains.take(at), np.stack([each[k] for k in at]), block.D[at]))
        for name, values in measured.items():
            found.setdefault(name, np.zeros(n, dtype=values.dtype))[at] = values
    gamma = block.chains.gamma
    about = {"seed": np.array(block.seeds), "pairs": np.full(n, pairs), "gamma": gamma}
    bound = np.sqrt(gamma)
    # An eigenvalue is right to eps times the largest one, and enters relative to its own size; in layers, to its own.
    allowed = 8 * EPS * pairs * found["condition"] ** 2
    judged = {
        "stable": found["spectral_radius"] < 1,
        "sqrt_gamma": bound,
        "violation": np.maximum(found["norm"] - bound, 0.0),
        "allowed": np.where(graded(np.sqrt(block.D)), np.minimum(allowed, COARSE), allowed),
    }
    return about | {"d": np.full(n, d)} | found | judged


def _features(block: Block, d: int) -> list[Array]:
    """Features of each member, [X, d]; fewer columns where a kernel's rank is below ``d``."""
    kind, each = block.features, range(len(block.seeds))
    if not isinstance(kind, str):
        return [Phi[:, :d] for Phi in kind]
    if kind == "krope":
        Phi, values = block.krope
        trusted = (values[:, d - 1] > TRUSTED * values[:, 0]) & ~graded(np.sqrt(block.D))
        return [Phi[k, :, :d] if trusted[k] else _nested(block.member(k), kind, d) for k in each]
    if kind in COMPARATORS:
        seeds = (np.random.default_rng([seed, 2]) for seed in block.seeds)
        return [comparator_features(block.member(k).mrp, kind, d, seed) for k, seed in zip(each, seeds, strict=True)]
    return [_nested(block.member(k), kind, d) for k in each]


def _nested(member: Member, kind: str, d: int) -> Array:
    """The first ``d`` of all features there are, from the kernel's square-root factor."""
    K = krope_kernel(member.mrp, reward_range=member.reward_range)
    return chosen_features(K, kind, None, member.D)[:, :d]


def _require_unchanged(configuration: Mapping[str, Any]) -> None:
    from tabular_krope.runs.grid import digests

    names = {key: configuration[key] for key in ("model", "policy", "weights", "features")}
    now = digests(names)
    for name, digest in configuration["digests"].items():
        if now.get(name) != digest:
            raise KropeError(f"{name} must be as it was when the sweep began; got different content")
