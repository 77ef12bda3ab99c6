"""The runs of the learned Garnet study: train, save, evaluate, skip what is there.

Two files for each run, written whole or not at all: ``features/<run>.npz`` and ``evaluation/<run>.npz``. A run whose
files exist is skipped, one that was interrupted resumes from its last checkpoint, and a file that comes from other
settings is refused.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from deep.backend import torch
from deep.tabular.feature_worth import evaluate_all
from deep.tabular.problems import Problems, minibatch_counts, problems
from deep.tabular.run_files import read_run, write_run
from deep.tabular.run_settings import ALGORITHMS, DIMENSIONS, GarnetConfig
from deep.tabular.stacked_training import train
from tabular_krope.arrays import Array
from tabular_krope.errors import KropeError
from tabular_krope.parallel import in_parallel

FEATURES, EVALUATION = "garnet features", "garnet evaluation"


def study_configs(
    seed_set: int = 0,
    quick: bool = False,
    algorithms: Sequence[str] = ALGORITHMS,
    dimensions: Sequence[int] = DIMENSIONS,
) -> list[GarnetConfig]:
    """The runs of one set of seeds; ``quick`` takes 6 trials of 40 epochs on less data.

    >>> len(study_configs())
    40
    """
    base = GarnetConfig(seed_set=seed_set)
    if quick:
        base = replace(base, trials=6, epochs=40, transitions=4000)
    return [replace(base, algorithm=name, dimension=d) for name in algorithms for d in dimensions]


def features_path(out: Path, config: GarnetConfig) -> Path:
    """Where a run's features are."""
    return out / "features" / f"{config.name}.npz"


def evaluation_path(out: Path, config: GarnetConfig) -> Path:
    """Where a run's measures are."""
    return out / "evaluation" / f"{config.name}.npz"


def read_features(out: Path, config: GarnetConfig) -> Array:
    """Features of a finished run, [T, X, d]."""
    return np.asarray(read_run(features_path(out, config), FEATURES, config)["features"])


def read_evaluation(out: Path, config: GarnetConfig) -> dict[str, Array]:
    """Measures of a finished run, arrays [T] by the names of `deep.tabular.feature_worth.evaluate`."""
    return read_run(evaluation_path(out, config), EVALUATION, config)


def run_one(out: Path, config: GarnetConfig) -> str:
    """Train and evaluate one run, or as much of it as is missing; its name."""
    stacked, drawn = _shared(replace(config, algorithm="fqe", dimension=1))
    path = features_path(out, config)
    if path.exists():
        features = read_features(out, config)
    else:
        checkpoint = path.with_suffix(".checkpoint")
        learned = train(config, stacked, drawn.__getitem__, checkpoint)
        features = learned.features
        write_run(path, FEATURES, config, {"features": features, "loss": learned.loss})
        checkpoint.unlink(missing_ok=True)
    if evaluation_path(out, config).exists():
        read_evaluation(out, config)
    else:
        write_run(evaluation_path(out, config), EVALUATION, config, evaluate_all(stacked.each, features))
    return config.name


def run_study(out: Path, configs: Sequence[GarnetConfig], jobs: int = 1) -> Iterator[str]:
    """Do all runs, ``jobs`` at a time, each on one thread; yields the name of each as it is done."""
    for folder in ("features", "evaluation"):
        try:
            (out / folder).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise KropeError(f"out must be a folder that can be written; got {out} ({error.strerror})") from None
    yield from in_parallel(_on_one_thread, ((out, config) for config in configs), jobs)


def _on_one_thread(out: Path, config: GarnetConfig) -> str:
    # The tensors are small: a second thread costs more than it brings, and results depend on their number.
    torch.set_num_threads(1)
    return run_one(out, config)


@lru_cache(maxsize=1)
def _shared(config: GarnetConfig) -> tuple[Problems, list[np.ndarray]]:
    """Problems and minibatches, which do not depend on algorithm and dimension; 50 MB for the full study."""
    stacked = problems(config)
    return stacked, [minibatch_counts(config, stacked, epoch) for epoch in range(config.epochs)]
