r"""Polynomials and random waves of clipped inputs: base features that need no tuning.

Inputs (state and action side by side) are scaled to mean 0 and variance 1 on the data and clipped at three standard
deviations, so that a rare input cannot become a huge monomial. Of the result ``z`` [n, k] are taken

- the constant 1,
- all monomials up to the largest degree for which there are at most 520 of them with the constant,
- 512 random Fourier features $\sqrt2\,\cos(\omega_j \cdot z + b_j)$, $\omega_j \sim N(0, I/\sigma^2)$.

The waves are to carry what the polynomials do not. With few inputs these go to a high degree, and the waves are narrow,
$\sigma = 1$; where there is room for squares only (more than 13 inputs) such waves would be noise, and $\sigma = 3$.
"""

from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabular_krope.arrays import Array, frozen_array, require_count
from tabular_krope.errors import KropeError
from tabular_krope.models.randomness import generator

#: Monomials with the constant, waves, and where scaled inputs are clipped, unless asked for otherwise.
POLYNOMIALS, WAVES, CLIP = 520, 512, 3.0
#: Bandwidth of the waves beside polynomials that go beyond squares, and beside those that do not.
NARROW, WIDE = 1.0, 3.0


@dataclass(frozen=True, slots=True, eq=False)
class UnionFeatures:
    """The constant, monomials and cosines of inputs [n, k] that are scaled and clipped first.

    Attributes:
        center, scale: of the inputs, [k]; columns that did not vary have the scale infinity and count as 0.
        degree: of the polynomials; 0 for the constant alone.
        frequencies: of the waves, in units of the scaled inputs, [k, m].
        phases: [m].
        clip: where scaled inputs are clipped.

    >>> base = UnionFeatures(np.zeros(1), np.ones(1), 2, np.zeros((1, 0)), np.zeros(0), 3.0)
    >>> base([[2.0], [5.0]])
    array([[1., 2., 4.],
           [1., 3., 9.]])
    """

    center: Array
    scale: Array
    degree: int
    frequencies: Array
    phases: Array
    clip: float

    @property
    def polynomials(self) -> int:
        """Number of monomials, the constant among them."""
        return comb(int(np.isfinite(self.scale).sum()) + self.degree, self.degree)

    @property
    def p(self) -> int:
        """Number of features."""
        return self.polynomials + len(self.phases)

    def clipped(self, inputs: Any) -> Array:
        """Inputs scaled and clipped, [n, k]."""
        x = np.asarray(inputs, dtype=np.float64)
        if x.ndim != 2 or x.shape[1] != len(self.center):
            raise KropeError(f"inputs must have shape (any, {len(self.center)}); got {x.shape}")
        return np.clip((x - self.center) / self.scale, -self.clip, self.clip)

    def __call__(self, inputs: Any) -> Array:
        """Features of inputs, [n, p]."""
        z = self.clipped(inputs)
        Psi: Array = np.empty((len(z), self.p))
        Psi[:, 0] = 1.0
        varying = np.flatnonzero(np.isfinite(self.scale))
        column: dict[tuple[int, ...], int] = {(): 0}
        for at, monomial in enumerate(_monomials(len(varying), self.degree), start=1):
            column[monomial] = at
            np.multiply(Psi[:, column[monomial[:-1]]], z[:, varying[monomial[-1]]], out=Psi[:, at])
        Psi[:, self.polynomials :] = waves(z, self.frequencies, self.phases)
        return Psi


def waves(z: Array, frequencies: Array, phases: Array) -> NDArray[np.float32]:
    r"""$\sqrt2\,\cos(z\,\omega_j + b_j)$, [n, m].

    >>> waves(np.zeros((1, 1)), np.ones((1, 1)), np.zeros(1)).round(3)
    array([[1.414]], dtype=float32)
    """
    # In single precision a cosine is ten times as fast; what matters is that every row is treated alike.
    return np.asarray(np.sqrt(np.float32(2)) * np.cos((z @ frequencies + phases).astype(np.float32)))


def union_features(
    inputs: Any,
    seed: Any = 0,
    polynomials: int = POLYNOMIALS,
    fourier: int = WAVES,
    bandwidth: float | None = None,
    clip: float = CLIP,
) -> UnionFeatures:
    """The base "union": clipped polynomials and random Fourier features, scaled by the inputs of the data.

    Args:
        inputs: states and actions of the data side by side, [n, k].
        seed: of the waves, an integer or a numpy Generator; the polynomials are the same for every seed.
        polynomials: the most monomials, the constant among them.
        fourier: number of waves.
        bandwidth: of the waves, in standard deviations; 1 beside polynomials beyond squares, else 3, if None.
        clip: where inputs are clipped, in standard deviations.

    >>> base = union_features(np.random.default_rng(0).standard_normal((50, 6)), seed=1)
    >>> base.degree, base.polynomials, base.p
    (5, 462, 974)
    """
    x = frozen_array(inputs, "inputs", (None, None))
    if 0 in x.shape:
        raise KropeError(f"inputs must have at least one row and one column; got shape {x.shape}")
    most, m = require_count(polynomials, "polynomials"), require_count(fourier, "fourier", least=0)
    for name, value in (("bandwidth", 1 if bandwidth is None else bandwidth), ("clip", clip)):
        if not (isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < np.inf):
            raise KropeError(f"{name} must be a positive number; got {value!r}")
    center, scale = x.mean(axis=0), x.std(axis=0)
    scale[~(scale > len(x) * np.finfo(np.float64).eps * np.abs(x).max(axis=0))] = np.inf
    degree = largest_degree(int(np.isfinite(scale).sum()), most)
    width = bandwidth if bandwidth is not None else NARROW if degree > 2 else WIDE
    rng = generator(seed)
    frequencies = rng.standard_normal((x.shape[1], m)) / width
    return UnionFeatures(center, scale, degree, frequencies, rng.uniform(0.0, 2 * np.pi, m), float(clip))


def largest_degree(k: int, most: int) -> int:
    """The largest degree for which polynomials of k variables have at most ``most`` monomials; 0 if none has.

    >>> largest_degree(6, 520), largest_degree(30, 520), largest_degree(600, 520)
    (5, 2, 0)
    """
    degree = 0
    while k > 0 and comb(k + degree + 1, degree + 1) <= most:
        degree += 1
    return degree


def _monomials(k: int, degree: int) -> list[tuple[int, ...]]:
    """Monomials of degree 1, 2, ... as the variables that are multiplied; each without its last came before."""
    return [m for d in range(1, degree + 1) for m in combinations_with_replacement(range(k), d)]
