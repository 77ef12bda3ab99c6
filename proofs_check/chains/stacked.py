r"""Many float chains of one size at once, and every quantity of the language on them with its rounding error.

Kernels come from stacked doubling, eigenvalues from stacked LAPACK calls. Where float64 cannot tell the rank of the
kernel, or where the cut of a truncation falls between eigenvalues, spectral quantities are NaN: nothing is claimed
there.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from proofs_check.arithmetic.rounding import EPS, Rounded
from proofs_check.chains.case import Case, Value
from proofs_check.chains.stacked_spectra import POSITIVE, gray, lspe_matrices, whole_norms
from tabular_krope.arrays import Array
from tabular_krope.batched.chains import Chains, reward_kernels, weighted_spectra

#: What rounding does to an eigenvalue with one Jordan block of size two; larger blocks are left to exact arithmetic.
DEFECTIVE = 4 * float(np.sqrt(EPS))


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Float cases on ``X`` pairs: stacked chains, data, and what else a claim speaks about.

    Args:
        chains: the chains, with transitions between pairs.
        D: data distributions, [B, X].
        low, high: reward ranges, [B].
        S: numbers of states, [B].
        dim: number of features; as many as there are if None.
        given: what a claim quantifies besides the chain, by its name: features ``Phi`` [B, X, d], a distribution ``D2``
            and policies ``mu`` and ``pi`` [B, X].

    >>> two = Batch.of_cases([Case.from_matrix(np.eye(2), np.array([0.0, 1.0]), 0.5)])
    >>> two("d").value
    array([[[0., 4.],
            [4., 0.]]])
    """

    chains: Chains
    D: Array
    low: Array
    high: Array
    S: Array
    dim: int | None = None
    given: Mapping[str, Array] = field(default_factory=dict)
    _cache: dict[str, Any] = field(init=False, repr=False, default_factory=dict)

    @classmethod
    def of_cases(cls, cases: Sequence[Case], dim: int | None = None) -> "Batch":
        """Float cases of one size, stacked."""
        ranges = [case.reward_range or (min(case.r), max(case.r)) for case in cases]
        low, high = (np.array([limits[k] for limits in ranges], dtype=np.float64) for k in (0, 1))
        states = np.array([len(case.Pi) for case in cases], dtype=np.float64)
        P, r, gamma, end = (np.stack([getattr(c, name) for c in cases]) for name in ("P_pi", "r", "gamma", "end"))
        D = np.stack([case.weights for case in cases])
        shared = [name for name in cases[0].given if _stackable([case.given.get(name) for case in cases])]
        given = {name: np.stack([case.given[name] for case in cases]) for name in shared}
        if all(case.X % len(case.Pi) == 0 for case in cases):
            given["pi"] = np.stack([case.Pi.sum(axis=0) for case in cases])
        return cls(Chains(P, r, gamma, end), D, low, high, states, dim, given)

    @property
    def X(self) -> int:
        """Number of pairs."""
        return self.chains.X

    def __len__(self) -> int:
        return len(self.chains)

    def __call__(self, name: str) -> Rounded:
        """The quantity of that name, [B], [B, X] or [B, X, X]."""
        compute: Callable[[], Rounded] = getattr(self, f"_{name}", lambda: self._plain(name))
        return self._once(name, compute)

    def _once(self, name: str, compute: Callable[[], Value]) -> Value:
        if name not in self._cache:
            self._cache[name] = compute()
        found: Value = self._cache[name]
        return found

    def _plain(self, name: str) -> Rounded:
        chains, r = self.chains, self.chains.r
        simple: dict[str, Callable[[], Array]] = {
            "r": lambda: r,
            "end": lambda: chains.end,
            "D": lambda: self.D,
            "P": lambda: chains.P,
            "I": lambda: np.broadcast_to(np.eye(self.X), chains.P.shape),
            "gamma": lambda: chains.gamma,
            "R": lambda: self.high - self.low,
            "rho0": lambda: r.max(axis=1) - r.min(axis=1),
            "rmin": lambda: r.min(axis=1),
            "rmax": lambda: r.max(axis=1),
            "X": lambda: np.full(len(self), float(self.X)),
            "S": lambda: self.S,
        }
        return Rounded.exact(simple[name]())

    def _life(self) -> Rounded:
        return self._with_rounding(self._lives(), 1.0)

    def _lives(self) -> Array:
        return self._once("lives", lambda: self.chains.value_of(np.ones_like(self.chains.r)))

    def _horizon(self) -> Rounded:
        return _first(self("life").extreme("max", 1))

    def _q(self) -> Rounded:
        return self._with_rounding(self.chains.q, self._size())

    def _K1(self) -> Rounded:
        return Rounded.exact(reward_kernels(self.chains.r, self.high - self.low))

    def _K(self) -> Rounded:
        return self._with_rounding(self.chains.kernel_of(self("K1").value), 1.0)

    def _d(self) -> Rounded:
        return self._distance(self("K").value)

    def _mmd2(self) -> Rounded:
        P = self.chains.P
        return self._distance(P @ self("K").value @ P.transpose(0, 2, 1))

    def _U(self) -> Rounded:
        return self._with_rounding(self.chains.kernel_of(self._apart()), self._size())

    def _C(self) -> Rounded:
        P = self.chains.P
        own = self.chains.value_of((P @ self._apart() * P).sum(axis=2))
        return self._with_rounding((own[:, :, None] + own[:, None, :]) / 2, self._size())

    def _rank(self) -> Rounded:
        spectrum = np.linalg.eigvalsh(self("K").value)
        unsure = gray(spectrum, spectrum[:, -1:]).any(axis=1)
        counts = np.sum(spectrum > POSITIVE * spectrum[:, -1:], axis=1).astype(np.float64)
        return Rounded.exact(np.where(unsure, np.nan, counts))

    def _rho_P(self) -> Rounded:
        radius = np.abs(np.linalg.eigvals(self.chains.P)).max(axis=1)
        return Rounded(radius, np.full(len(self), DEFECTIVE))

    def _lambda_max(self) -> Rounded:
        return self._with_rounding(self._spectrum()[0][:, 0], 1.0)

    def _lambda_min(self) -> Rounded:
        return self._with_rounding(np.maximum(self._spectrum()[0][:, -1], 0.0), 1.0)

    def _norm(self) -> Rounded:
        if self.dim is not None:
            return self("norm_data")
        _, error = self._lspe()
        square = whole_norms(self.chains, self._spectrum(), self("K").value, self.D)
        value = np.sqrt(square)
        return Rounded(np.where(np.isnan(error), np.nan, value), error / np.maximum(value, np.sqrt(error)))

    def _norm_data(self) -> Rounded:
        L, error = self._lspe()
        return Rounded(np.where(np.isnan(error), np.nan, np.linalg.norm(L, 2, axis=(1, 2))), error)

    def _rho(self) -> Rounded:
        L, error = self._lspe()
        return Rounded(np.where(np.isnan(error), np.nan, np.abs(np.linalg.eigvals(L)).max(axis=1)), error + DEFECTIVE)

    def _spectrum(self) -> tuple[Array, Array]:
        return self._once("spectrum", lambda: weighted_spectra(self("K").value, self.D))

    def _lspe(self) -> tuple[Array, Array]:
        """LSPE's matrices and the errors of their norms; NaN where float64 cannot tell the features."""
        return self._once("lspe", self._lspe_with_error)

    def _lspe_with_error(self) -> tuple[Array, Array]:
        L, condition = lspe_matrices(self.chains, self._spectrum(), self("K").value, self.D, self.dim)
        return L, 64 * EPS * self.X * self("horizon").value * condition

    def _apart(self) -> Array:
        return np.abs(self.chains.r[:, :, None] - self.chains.r[:, None, :])

    def _size(self) -> Array:
        return np.asarray(np.maximum(1.0, np.abs(self.chains.r).max(axis=1)))

    def _with_rounding(self, value: Array, size: Any) -> Rounded:
        """Values with what float64 leaves in them: ``X`` terms of the size of the horizon, magnified by it."""
        longest = self._once("longest", self._longest)
        error = 8 * EPS * max(self.X, 4) * size * longest**2
        return Rounded(value, np.broadcast_to(error.reshape(-1, *[1] * (value.ndim - 1)), value.shape))

    def _longest(self) -> Array:
        """The horizon, or what it would be if no episode ended; twice as long where every episode has to end."""
        gamma = self.chains.gamma
        if np.all(gamma < 1.0):
            return np.asarray(1.0 / (1.0 - gamma))
        return np.where(gamma < 1.0, 1.0 / np.where(gamma < 1.0, 1.0 - gamma, 1.0), 2.0 * self._lives().max(axis=1))

    def _distance(self, K: Array) -> Rounded:
        """``K_xx + K_yy - 2 K_xy``; what may be a rounded zero is one."""
        diagonal = np.diagonal(K, axis1=1, axis2=2)
        d = diagonal[:, :, None] + diagonal[:, None, :] - 2 * K
        rough = self._with_rounding(d, 4.0)
        zero = (d <= rough.error) | np.eye(self.X, dtype=bool)
        return Rounded(np.where(zero, 0.0, d), np.where(np.eye(self.X, dtype=bool), 0.0, rough.error))


def _first(kept: Rounded) -> Rounded:
    return Rounded(kept.value[:, 0], kept.error[:, 0])


def _stackable(values: Sequence[Any]) -> bool:
    """Whether every case has the thing, and in one shape."""
    return all(value is not None for value in values) and len({np.shape(value) for value in values}) == 1
