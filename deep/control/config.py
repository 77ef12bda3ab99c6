"""The settings of one training run on control data: the paper's, and our choices where it gives none."""

from dataclasses import asdict, dataclass
from typing import Any

from tabular_krope.arrays import require_count
from tabular_krope.errors import KropeError, unknown_name
from tabular_krope.settings import require_numbers, require_seed

LEARNED = ("fqe", "krope", "rope", "dbc", "bcrl", "bcrl-exp", "dr3", "beer")
CLOSED = "krope-closed"
ALGORITHMS = (*LEARNED, CLOSED)
RATES = ("learning_rate", "model_learning_rate", "predictor_learning_rate")
POSITIVE = (*RATES, "exploration_ridge", "fraction", "bandwidth", "head_scale")
NON_NEGATIVE = ("weight_decay", "angle", "exploration")
LEAST = {"epochs": 0, "pairings": 0, "batch": 2} | dict.fromkeys(
    ("hidden", "evaluate_every", "lspe_steps", "base_features", "hidden_features"), 1
)
WORDS = {
    "algorithm": ALGORITHMS,
    "optimizer": ("adamw", "adam"),
    "norm": ("after", "before"),
    "time_limits": ("bootstrap", "end"),
    "step": ("by-hand", "fused", "autograd"),
}


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
    weight_decay: float = 1e-2  # paper
    optimizer: str = "adamw"  # public code, whose default decay is the paper's; "adam": the decay as its L2 term
    standardize: bool = True  # public code: states with mean 0 and deviation 1 over the data; actions as they are
    norm: str = "after"  # paper: LayerNorm after ReLU; "before": as PQN
    head_scale: float = 1.0  # q = scale phi w; ROPE's public code has 1/(1 - gamma)
    time_limits: str = "bootstrap"  # ours: values go on beyond a time limit; "end": as ROPE's public code
    pairings: int = 0  # ROPE and DBC: others that each row is paired with; 0: all of the minibatch
    step: str = "by-hand"  # ours: the encoder's passes on the CPU; "fused": compiled; "autograd": torch, always on GPUs
    alpha: float = 0.1  # paper: alpha * auxiliary loss + (1 - alpha) * FQE
    angle: float = 0.1  # beta of ROPE's distance
    model_learning_rate: float = 1e-5  # paper: DBC's Gaussian model
    predictor_learning_rate: float = 1e-4  # paper: BCRL's M and rho
    exploration: float = 1e-2  # paper: weight of BCRL-EXP's log determinant
    exploration_ridge: float = 1e-6  # ours: keeps the log determinant finite
    evaluate_every: int = 10  # paper: epochs between evaluations
    lspe_steps: int = 1_000  # BCRL's public code: iterations of LSPE before its value is read
    base_features: int = 512  # ours: random features under the closed form
    hidden_features: int = 64  # ours: projected hidden units under the closed form, when training ends
    bandwidth: float = 1.0  # ours: of the random features, in units of the median distance

    def __post_init__(self) -> None:
        for name, known in WORDS.items():
            if getattr(self, name) not in known:
                raise unknown_name(name, str(getattr(self, name)), known)
        if not isinstance(self.standardize, bool):
            raise KropeError(f"standardize must be true or false; got {self.standardize!r}")
        require_seed(self.seed)
        for name, least in LEAST.items():
            require_count(getattr(self, name), name, least)
        if self.pairings >= self.batch:
            raise KropeError(f"pairings must be less than the batch of {self.batch}; got {self.pairings}")
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
