"""The settings of one training run: the paper's, and our choices where it gives none."""

from dataclasses import asdict, dataclass
from math import ceil
from typing import Any

from tabular_krope.arrays import require_count
from tabular_krope.errors import unknown_name
from tabular_krope.settings import require_numbers

ALGORITHMS = ("fqe", "krope", "rope", "dbc", "bcrl", "bcrl-exp", "dr3", "beer")
DIMENSIONS = (10, 20, 30, 40, 50)
DTYPES = ("float64", "float32")
POSITIVE = ("learning_rate", "model_learning_rate", "predictor_learning_rate", "exploration_ridge")
NON_NEGATIVE = ("weight_decay", "angle", "exploration")


@dataclass(frozen=True, slots=True)
class GarnetConfig:
    """One algorithm at one dimension on one set of random problems.

    >>> GarnetConfig("krope", 20).steps_per_epoch
    5
    >>> GarnetConfig(dimension=0)
    Traceback (most recent call last):
    tabular_krope.errors.KropeError: dimension must be an integer of at least 1; got 0
    """

    algorithm: str = "krope"  # one of ALGORITHMS
    dimension: int = 20  # features of each pair, d
    seed_set: int = 0  # trial t of a set depends on (seed_set, t) only
    trials: int = 30  # problems trained side by side, T
    n_states: int = 8  # paper
    n_actions: int = 5  # paper
    branching: int = 4  # ours: the paper does not say
    transitions: int = 10_000  # size of the data set; ours
    gamma: float = 0.99  # paper
    epochs: int = 500  # paper; the target network is copied after each
    batch: int = 2048  # paper
    learning_rate: float = 1e-3  # paper
    weight_decay: float = 1e-2  # paper; the L2 term of Adam
    alpha: float = 0.1  # paper: alpha * auxiliary loss + (1 - alpha) * FQE
    angle: float = 0.1  # beta of ROPE's distance
    model_learning_rate: float = 1e-5  # paper: DBC's Gaussian model
    predictor_learning_rate: float = 1e-4  # paper: BCRL's M and rho
    exploration: float = 1e-2  # paper: weight of BCRL-EXP's log determinant
    exploration_ridge: float = 1e-6  # ours: keeps the log determinant finite when d exceeds the number of pairs
    dtype: str = "float64"  # arithmetic of the training

    def __post_init__(self) -> None:
        for choice, known in (("algorithm", ALGORITHMS), ("dtype", DTYPES)):
            if (given := getattr(self, choice)) not in known:
                raise unknown_name(choice, str(given), known)
        for name in ("dimension", "trials", "n_states", "n_actions", "branching", "transitions"):
            require_count(getattr(self, name), name)
        for name, least in (("epochs", 0), ("seed_set", 0), ("batch", 2)):
            require_count(getattr(self, name), name, least)
        require_numbers(self, positive=POSITIVE, non_negative=NON_NEGATIVE, shares=("gamma", "alpha"))

    @property
    def n_pairs(self) -> int:
        """State-action pairs, X."""
        return self.n_states * self.n_actions

    @property
    def steps_per_epoch(self) -> int:
        """Minibatches that make up one pass over the data set, the last one full."""
        return ceil(self.transitions / self.batch)

    @property
    def name(self) -> str:
        """A file name's stem, unique among the runs of one study.

        >>> GarnetConfig("bcrl-exp", 10, seed_set=2).name
        'bcrl-exp-d10-seeds2'
        """
        return f"{self.algorithm}-d{self.dimension}-seeds{self.seed_set}"

    def settings(self) -> dict[str, Any]:
        """All fields as plain values."""
        return asdict(self)
