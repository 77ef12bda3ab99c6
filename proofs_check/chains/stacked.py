r"""Many float chains of one size at once, and every quantity of the language on them with its rounding error.

Kernels come from stacked doubling, eigenvalues from stacked LAPACK calls. Where float64 cannot tell the rank of the
kernel, or where the cut of a truncation falls between eigenvalues, spectral quantities are NaN: nothing is claimed
there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from proofs_check.arithmetic.rounding import EPS, Noisy
from proofs_check.chains.case import Case
from proofs_check.chains.stacked_spectra import POSITIVE, grey, lspe_matrices, whole_norms
from tabular_krope.arrays import Array
from tabular_krope.batched.kernels import weighted_spectra
from tabular_krope.kernels.stein import stein_solutions

#: What rounding does to an eigenvalue with one Jordan block of size two; larger blocks are left to exact arithmetic.
DEFECTIVE = 4 * float(np.sqrt(EPS))


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Float chains on ``X`` pairs.

    Args:
        P: transitions between pairs, [B, X, X].
        r: rewards, [B, X].
        gamma: discount factors below 1, [B].
        end: probabilities of ending, [B, X].
        D: data distributions, [B, X].
        low, high: reward ranges, [B].
        S: numbers of states, [B].
        dim: number of features; as many as there are if None.

    >>> two = Batch.of_cases([Case.from_matrix(np.eye(2), np.array([0.0, 1.0]), 0.5)])
    >>> two("d").value
    array([[[0., 4.],
            [4., 0.]]])
    """

    P: Array
    r: Array
    gamma: Array
    end: Array
    D: Array
    low: Array
    high: Array
    S: Array
    dim: int | None = None
    _cache: dict[str, Any] = field(init=False, repr=False, default_factory=dict)

    @classmethod
    def of_cases(cls, cases: Sequence[Case], dim: int | None = None) -> "Batch":
        """Float cases of one size, stacked."""
        ranges = [case.reward_range or (min(case.r), max(case.r)) for case in cases]
        low, high = (np.array([limits[k] for limits in ranges], dtype=np.float64) for k in (0, 1))
        states = np.array([len(case.Pi) for case in cases], dtype=np.float64)
        parts = {name: np.stack([getattr(case, name) for case in cases]) for name in ("P_pi", "r", "gamma", "end")}
        D = np.stack([case.weights for case in cases])
        return cls(parts["P_pi"], parts["r"], parts["gamma"], parts["end"], D, low, high, states, dim)

    @property
    def X(self) -> int:
        """Number of pairs."""
        return self.r.shape[1]

    def __len__(self) -> int:
        return len(self.r)

    def __call__(self, name: str) -> Noisy:
        """The quantity of that name, [B], [B, X] or [B, X, X]."""
        return self._once(name, getattr(self, f"_{name}", lambda: self._plain(name)))

    def _once(self, name: str, compute: Callable[[], Any]) -> Any:
        if name not in self._cache:
            self._cache[name] = compute()
        return self._cache[name]

    def _plain(self, name: str) -> Noisy:
        own = self.r.max(axis=1) - self.r.min(axis=1)
        simple: dict[str, Callable[[], Array]] = {
            "r": lambda: self.r,
            "end": lambda: self.end,
            "D": lambda: self.D,
            "P": lambda: self.P,
            "I": lambda: np.broadcast_to(np.eye(self.X), self.P.shape),
            "gamma": lambda: self.gamma,
            "R": lambda: self.high - self.low,
            "rho0": lambda: own,
            "rmin": lambda: self.r.min(axis=1),
            "rmax": lambda: self.r.max(axis=1),
            "X": lambda: np.full(len(self), float(self.X)),
            "S": lambda: self.S,
        }
        return Noisy.exact(simple[name]())

    def _life(self) -> Noisy:
        return self._noisy(self._values(np.ones_like(self.r)), 1.0)

    def _horizon(self) -> Noisy:
        return _first(self("life").extreme("max", 1))

    def _q(self) -> Noisy:
        return self._noisy(self._values(self.r), self._size())

    def _K1(self) -> Noisy:
        R = self.high - self.low
        apart = self._apart() / np.where(R > 0, R, 1.0)[:, None, None]
        return Noisy.exact(1.0 - apart)

    def _K(self) -> Noisy:
        return self._noisy(stein_solutions(self.P, self("K1").value, self.gamma), 1.0)

    def _d(self) -> Noisy:
        return self._distance(self("K").value)

    def _mmd2(self) -> Noisy:
        return self._distance(self.P @ self("K").value @ self.P.transpose(0, 2, 1))

    def _U(self) -> Noisy:
        return self._noisy(stein_solutions(self.P, self._apart(), self.gamma), self._size())

    def _C(self) -> Noisy:
        own = self._values((self.P @ self._apart() * self.P).sum(axis=2))
        return self._noisy((own[:, :, None] + own[:, None, :]) / 2, self._size())

    def _rank(self) -> Noisy:
        spectrum = np.linalg.eigvalsh(self("K").value)
        unsure = grey(spectrum, spectrum[:, -1:]).any(axis=1)
        counts = np.sum(spectrum > POSITIVE * spectrum[:, -1:], axis=1).astype(np.float64)
        return Noisy.exact(np.where(unsure, np.nan, counts))

    def _rho_P(self) -> Noisy:
        radius = np.abs(np.linalg.eigvals(self.P)).max(axis=1)
        return Noisy(radius, np.full(len(self), DEFECTIVE))

    def _lambda_max(self) -> Noisy:
        return self._noisy(self._spectrum()[0][:, 0], 1.0)

    def _lambda_min(self) -> Noisy:
        return self._noisy(np.maximum(self._spectrum()[0][:, -1], 0.0), 1.0)

    def _norm(self) -> Noisy:
        if self.dim is not None:
            return self("norm_data")
        _, error = self._lspe()
        square = whole_norms(self._spectrum(), self("K").value, self.P, self.gamma, self.D)
        value = np.sqrt(square)
        return Noisy(np.where(np.isnan(error), np.nan, value), error / np.maximum(value, np.sqrt(error)))

    def _norm_data(self) -> Noisy:
        L, error = self._lspe()
        return Noisy(np.where(np.isnan(error), np.nan, np.linalg.norm(L, 2, axis=(1, 2))), error)

    def _rho(self) -> Noisy:
        L, error = self._lspe()
        return Noisy(np.where(np.isnan(error), np.nan, np.abs(np.linalg.eigvals(L)).max(axis=1)), error + DEFECTIVE)

    def _spectrum(self) -> tuple[Array, Array]:
        return self._once("spectrum", lambda: weighted_spectra(self("K").value, self.D))

    def _lspe(self) -> tuple[Array, Array]:
        """LSPE's matrices and the errors of their norms; NaN where float64 cannot tell the features."""
        return self._once("lspe", self._lspe_with_error)

    def _lspe_with_error(self) -> tuple[Array, Array]:
        L, condition = lspe_matrices(self._spectrum(), self("K").value, self.P, self.gamma, self.D, self.dim)
        return L, 64 * EPS * self.X * self("horizon").value * condition

    def _apart(self) -> Array:
        return np.abs(self.r[:, :, None] - self.r[:, None, :])

    def _size(self) -> Array:
        return np.maximum(1.0, np.abs(self.r).max(axis=1))

    def _noisy(self, value: Array, size: Any) -> Noisy:
        """Values with what float64 leaves in them: ``X`` terms of the size of the horizon, magnified by it."""
        longest = 1.0 / (1.0 - self.gamma)
        error = 8 * EPS * max(self.X, 4) * size * longest**2
        return Noisy(value, np.broadcast_to(error.reshape(-1, *[1] * (value.ndim - 1)), value.shape))

    def _distance(self, K: Array) -> Noisy:
        """``K_xx + K_yy - 2 K_xy``; what may be a rounded zero is one."""
        diagonal = np.diagonal(K, axis1=1, axis2=2)
        d = diagonal[:, :, None] + diagonal[:, None, :] - 2 * K
        rough = self._noisy(d, 4.0)
        zero = (d <= rough.error) | np.eye(self.X, dtype=bool)
        return Noisy(np.where(zero, 0.0, d), np.where(np.eye(self.X, dtype=bool), 0.0, rough.error))

    def _values(self, reward: Array) -> Array:
        system = np.eye(self.X) - self.gamma[:, None, None] * self.P
        solution: Any = np.linalg.solve(system, reward[:, :, None])[:, :, 0]
        return solution


def _first(kept: Noisy) -> Noisy:
    return Noisy(kept.value[:, 0], kept.error[:, 0])
