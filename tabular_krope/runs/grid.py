"""The grid of a sweep over models: what may be asked for, checked, and cut into configurations.

A configuration is one model, discount factor, policy, kind of data weights and kind of features, for a block of seeds
and for all numbers of features: enough work to hide what Python costs, and one kernel for every ``d``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

from tabular_krope.arrays import require_count
from tabular_krope.errors import KropeError, unknown_name
from tabular_krope.runs.sweep import Sweep, Task

TASK = Task("models", "tabular_krope.runs.models_task:run")
#: Models in one configuration at most, and entries of one stack of kernels at most.
MOST_MODELS, MOST_ENTRIES = 250, 400_000
#: Pairs of one model at most: beyond it dense stacks are the wrong tool.
MOST_PAIRS = 3000
#: Seeds for each combination at most: each block of them becomes a file of results.
MOST_SEEDS = 10_000_000
#: What makes a draw of its own for each seed.
RANDOM = {"policy": ("random", "deterministic"), "features": ("random",)}


@dataclass(frozen=True, slots=True)
class Grid:
    """Every combination of these is computed, once: where two names mean the same in a model, the repeat is left out.

    Attributes:
        models: files, ``garnet:STATESxACTIONS[xBRANCHING]``, ``zoo:NAME``.
        policies: names that ``krope analyze --policy`` takes; "own" is the model's, else uniform.
        weights: names that ``krope analyze --weights`` takes.
        features: names that ``krope analyze --features`` takes.
        dims: numbers of features; 0 ("full") for as many as there are pairs, or given features.
        gammas: discount factors as text (0.9 or 9/10); "own" is the model's.
        count: seeds for each combination in which something is drawn.
        seed: the first of them.
    """

    models: tuple[str, ...]
    policies: tuple[str, ...] = ("own",)
    weights: tuple[str, ...] = ("uniform",)
    features: tuple[str, ...] = ("krope",)
    dims: tuple[int, ...] = (0,)
    gammas: tuple[str, ...] = ("own",)
    count: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("models", "policies", "weights", "features", "dims", "gammas"):
            values = getattr(self, name)
            if not values:
                raise KropeError(f"{name} must name at least one; got none")
            if len(set(values)) < len(values):
                twice = next(value for k, value in enumerate(values) if value in values[:k])
                raise KropeError(f"{name} must name each once; got {twice!r} twice")
        for d in self.dims:
            require_count(d, "dims", least=0)
        if require_count(self.count, "count") > MOST_SEEDS:
            raise KropeError(f"count must be at most {MOST_SEEDS}; got {self.count}")
        require_count(self.seed, "seed", least=0)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "Grid":
        """The grid of plain settings, such as a TOML file or the command line gives: lists, or one value.

        >>> Grid.of({"models": "garnet:8x5x3", "dims": [1, "full"], "count": 100})
        Grid(models=('garnet:8x5x3',), ... dims=(1, 0), gammas=('own',), count=100, seed=0)
        """
        known = [field.name for field in fields(cls)]
        for name in settings:
            if name not in known:
                raise unknown_name("setting", name, known)
        if "models" not in settings:
            raise KropeError("models must be given, such as garnet:8x5x3; got none")
        return cls(**{name: _read(name, value) for name, value in settings.items()})

    def sweep(self) -> Sweep:
        """The sweep over the grid; every name is tried on the first seed, so that nothing fails for a typing error.

        >>> len(Grid(("garnet:8x5x3",), dims=(1, 5), count=1000).sweep().configurations)
        4
        >>> Grid(("garnet:8x5x3", "garnet:3x2"), dims=(6, 0)).sweep().configurations[1]["dims"]
        [0]
        """
        settings = {field.name: _plain(getattr(self, field.name)) for field in fields(self)}
        settings["dims"] = ["full" if d == 0 else d for d in self.dims]
        return Sweep(TASK, settings, tuple(self._configurations()))

    def _configurations(self) -> Iterator[dict[str, Any]]:
        from tabular_krope.runs.models_task import drawn_member, most_features

        met = set()
        for model, gamma, policy in product(self.models, self.gammas, self.policies):
            for weights, features in product(self.weights, self.features):
                names = {"model": model, "gamma": gamma, "policy": policy, "weights": weights, "features": features}
                member = drawn_member(names, self.seed)
                pairs, most = member.mrp.n_pairs, most_features(member)
                _require_dims(self.dims, pairs, most, model)
                combination = (model, member.mrp.gamma, policy, weights, features)
                if combination in met:
                    continue
                met.add(combination)
                drawn = model.startswith("garnet:") or any(names[kind] in RANDOM[kind] for kind in RANDOM)
                block = max(1, min(MOST_MODELS, MOST_ENTRIES // pairs**2))
                dims = [d for d in self.dims if d != most or 0 not in self.dims]
                common = {**names, "dims": dims, "digests": digests(names)}
                end = self.seed + (self.count if drawn else 1)
                for start in range(self.seed, end, block):
                    yield common | {"seeds": [start, min(start + block, end)]}


def digests(names: Mapping[str, str]) -> dict[str, str]:
    """SHA-256 of each file among the names: a sweep is about what a file held when it began.

    >>> digests({"model": "garnet:8x5", "policy": "uniform"})
    {}
    """
    return {name: sha256(Path(name).read_bytes()).hexdigest() for name in sorted(names.values()) if _is_file(name)}


def _is_file(name: str) -> bool:
    return ":" not in name and Path(name).is_file()


def _require_dims(dims: tuple[int, ...], pairs: int, most: int, model: str) -> None:
    if pairs > MOST_PAIRS:
        raise KropeError(f"models must have at most {MOST_PAIRS} pairs in a sweep; got {pairs} in {model}")
    if max(dims) > pairs:
        raise KropeError(f"dims must be at most the number of pairs, {pairs} in {model}; got {max(dims)}")
    if max(dims) > most:
        raise KropeError(f"dims must be at most the number of given features, {most} for {model}; got {max(dims)}")


def _read(name: str, value: Any) -> Any:
    if name in ("count", "seed"):
        return value
    values = value if isinstance(value, list | tuple) else [value]
    if name == "dims":
        return tuple(0 if d == "full" else d for d in values)
    for k, item in enumerate(values):
        if not isinstance(item, str) and not (name == "gammas" and isinstance(item, int | float)):
            raise KropeError(f"{name}[{k}] must be text; got {item!r}")
    return tuple(str(item) for item in values)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
