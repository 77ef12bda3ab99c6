r"""Base features: maps from inputs (state and action side by side) to the functions whose span is used.

Random Fourier features (Rahimi and Recht, 2007): with frequencies $\omega_j \sim N(0, I/\sigma^2)$ and phases
$b_j \sim U[0, 2\pi)$, the products of $\sqrt{2/m}\,\cos(\omega_j \cdot x + b_j)$ average to the Gaussian kernel
$\exp(-|x - y|^2 / 2\sigma^2)$. Inputs are scaled to variance 1 first, and the bandwidth $\sigma$ is the median distance
between two of them (the median heuristic), both over a sample drawn with the seed.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import pdist

from tabular_krope.arrays import Array, frozen_array, refuse_where, require_count
from tabular_krope.errors import KropeError
from tabular_krope.models.randomness import generator

#: Inputs over which scales and the bandwidth are taken.
SAMPLE = 1000


@dataclass(frozen=True, slots=True, eq=False)
class FourierFeatures:
    r"""The constant 1 and cosines $\sqrt{2/m}\,\cos(x \cdot \omega_j + b_j)$ of inputs [n, k].

    Attributes:
        frequencies: in the units of the inputs, [k, m].
        phases: [m].
        bandwidth: $\sigma$, in units of the scaled inputs.

    >>> FourierFeatures(np.zeros((1, 1)), np.zeros(1), 1.0)([[5.0]]).round(6)
    array([[1.      , 1.414214]])
    """

    frequencies: Array
    phases: Array
    bandwidth: float

    def __post_init__(self) -> None:
        frequencies = frozen_array(self.frequencies, "frequencies", (None, None))
        object.__setattr__(self, "frequencies", frequencies)
        object.__setattr__(self, "phases", frozen_array(self.phases, "phases", (frequencies.shape[1],)))
        object.__setattr__(self, "bandwidth", _positive(self.bandwidth, "bandwidth"))

    @property
    def p(self) -> int:
        """Number of features, the constant among them."""
        return len(self.phases) + 1

    def __call__(self, inputs: Any) -> Array:
        """Features of inputs, [n, p]."""
        x = frozen_array(inputs, "inputs", (None, len(self.frequencies)))
        Psi = np.empty((len(x), self.p))
        Psi[:, 0] = 1.0
        Psi[:, 1:] = np.cos(x @ self.frequencies + self.phases)
        Psi[:, 1:] *= np.sqrt(2.0 / max(len(self.phases), 1))
        return Psi


@dataclass(frozen=True, slots=True)
class OneHotFeatures:
    """One feature for each pair of a finite problem; inputs are ``(s, a)``, [n, 2].

    >>> OneHotFeatures(2, 2)([[1, 0]])
    array([[0., 0., 1., 0.]])
    """

    n_states: int
    n_actions: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_states", require_count(self.n_states, "n_states"))
        object.__setattr__(self, "n_actions", require_count(self.n_actions, "n_actions"))

    @property
    def p(self) -> int:
        """Number of pairs."""
        return self.n_states * self.n_actions

    def pairs(self, inputs: Any) -> NDArray[np.int64]:
        """Numbers ``s * A + a`` of pairs, [n]."""
        pairs = frozen_array(inputs, "inputs", (None, 2))
        sizes = np.array([self.n_states, self.n_actions])
        bad = ~((pairs >= 0) & (pairs < sizes) & (pairs == np.floor(pairs)))
        refuse_where(bad, pairs, "inputs", f"be integers below {self.n_states} and {self.n_actions}")
        return np.asarray((pairs @ [self.n_actions, 1]).astype(np.int64))

    def __call__(self, inputs: Any) -> Array:
        """Features of pairs, [n, S*A]."""
        numbers = self.pairs(inputs)
        Psi = np.zeros((len(numbers), self.p))
        Psi[np.arange(len(numbers)), numbers] = 1.0
        return Psi


def random_fourier_features(inputs: Any, p: int, bandwidth: float | None = None, seed: Any = 0) -> FourierFeatures:
    r"""The constant and ``p - 1`` random cosines, whose products approximate a Gaussian kernel of the inputs.

    Args:
        inputs: states and actions side by side, [n, k]: at most 1000 of them, drawn with the seed, set the scales.
        p: number of features.
        bandwidth: of the kernel, in standard deviations of the inputs; if None the median distance between two
            different sampled inputs.
        seed: an integer or a numpy Generator.

    >>> base = random_fourier_features([[0.0], [2.0]], p=3)
    >>> base.bandwidth, base([[0.0], [2.0], [1.0]]).shape
    (2.0, (3, 3))
    """
    rng = generator(seed)
    x = frozen_array(inputs, "inputs", (None, None))
    if 0 in x.shape:
        raise KropeError(f"inputs must have at least one row and one column; got shape {x.shape}")
    m = require_count(p, "p") - 1
    x = x[np.sort(rng.permutation(len(x))[:SAMPLE])]
    center, scale = x.mean(axis=0), x.std(axis=0)
    scale[~(scale > len(x) * np.finfo(float).eps * np.abs(x).max(axis=0))] = 1.0  # columns that do not vary
    if bandwidth is None:
        distances = pdist((x - center) / scale)
        distances = distances[distances > 0]
        bandwidth = float(np.median(distances)) if len(distances) else 1.0
    width = _positive(bandwidth, "bandwidth")
    frequencies = rng.standard_normal((x.shape[1], m)) / (width * scale[:, None])
    phases = rng.uniform(0.0, 2 * np.pi, m) - center @ frequencies
    return FourierFeatures(frequencies, phases, width)


def _positive(value: Any, name: str) -> float:
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not (number and 0 < value < np.inf):
        raise KropeError(f"{name} must be a positive number; got {value!r}")
    return float(value)
