"""The settings of one training run on control data: the paper's, and our choices where it gives none."""

from dataclasses import asdict, dataclass
from typing import Any

from tabular_krope.arrays import require_count
from tabular_krope.errors import unknown_name
from tabular_krope.settings import require_numbers, require_seed

LEARNED = ("fqe", "krope", "rope", "dbc", "bcrl", "bcrl-exp", "dr3", "beer")
CLOSED = "krope-closed"
ALGORITHMS = (*LEARNED, CLOSED)
FRACTIONS = (0.25, 0.5, 0.75)
LEARNING_RATES = (1e-5, 2e-5, 5e-5)
RATES = ("learning_rate", "model_learning_rate", "predictor_learning_rate")
POSITIVE = (*RATES, "exploration_ridge", "fraction", "bandwidth")
NON_NEGATIVE = ("weight_decay", "angle", "exploration")


@dataclass(frozen=True, slots=True)
class ControlConfig:
    """One algorithm on one data set with one seed.

    >>> ControlConfig("krope").dimension_of(6)
    3
    >>> ControlConfig(algorithm="kroppe")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tabular_krope.errors.KropeError: algorithm must be one of bcrl, ... got 'kroppe' (did you mean 'krope'?)
    """

    algorithm: str = "krope"  # one of ALGORITHMS
    seed: int = 0  # of the parameters and the minibatches
    epochs: int = 500  # paper; the target network is copied before each
    fraction: float = 0.5  # paper: 1/4, 1/2, 3/4; features as a share of the dimensions of state and action
    dimension: int | None = None  # features, d; None: by the fraction, rounded down, at least 1
    learning_rate: float = 2e-5  # paper: 1e-5, 2e-5, 5e-5
    batch: int = 2048  # paper
    hidden: int = 1024  # paper: units of the one hidden layer
    weight_decay: float = 1e-2  # paper; the L2 term of Adam
    alpha: float = 0.1  # paper: alpha * auxiliary loss + (1 - alpha) * FQE
    angle: float = 0.1  # beta of ROPE's distance
    model_learning_rate: float = 1e-5  # paper: DBC's Gaussian model
    predictor_learning_rate: float = 1e-4  # paper: BCRL's M and rho
    exploration: float = 1e-2  # paper: weight of BCRL-EXP's log determinant
    exploration_ridge: float = 1e-6  # ours: keeps the log determinant finite
    evaluate_every: int = 10  # paper: epochs between evaluations
    lspe_steps: int = 5_000  # ours: iterations of LSPE before its value is read
    base_features: int = 512  # ours: random features, or projected hidden units, under the closed form
    bandwidth: float = 1.0  # ours: of the random features, in units of the median distance

    def __post_init__(self) -> None:
        if self.algorithm not in ALGORITHMS:
            raise unknown_name("algorithm", str(self.algorithm), ALGORITHMS)
        require_seed(self.seed)
        for name, least in (("epochs", 0), ("batch", 2), ("hidden", 1), ("evaluate_every", 1)):
            require_count(getattr(self, name), name, least)
        for name in ("lspe_steps", "base_features"):
            require_count(getattr(self, name), name)
        if self.dimension is not None:
            require_count(self.dimension, "dimension")
        require_numbers(self, positive=POSITIVE, non_negative=NON_NEGATIVE, shares=("alpha",))

    def dimension_of(self, n_inputs: int) -> int:
        """Number of features where state and action have ``n_inputs`` dimensions.

        >>> ControlConfig(fraction=0.25).dimension_of(3)
        1
        """
        return self.dimension if self.dimension is not None else max(1, int(self.fraction * n_inputs))

    def settings(self) -> dict[str, Any]:
        """All fields as plain values."""
        return asdict(self)
