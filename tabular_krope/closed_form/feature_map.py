"""The result of closed-form KROPE: a linear map of base features, with the certificate of its stability."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tabular_krope.arrays import Array, frozen_array, require_count, require_gamma
from tabular_krope.closed_form.base_features import FourierFeatures, OneHotFeatures
from tabular_krope.errors import KropeError
from tabular_krope.looks import Tabled

if TYPE_CHECKING:
    from tabular_krope.closed_form.torch_features import TorchFeatures

#: Fields that are finite numbers of at least 0.
_SIZES = (
    "norm",
    "spectral_radius",
    "tolerance",
    "condition",
    "base_radius",
    "ridge",
    "plain_norm",
    "plain_radius",
    "plain_bound",
    "reward_error",
)


@dataclass(frozen=True, slots=True, eq=False)
class FeatureMap(Tabled):
    r"""Features ``Psi @ map``, and what LSPE does on them and the data they were made from.

    Attributes:
        map: [p, d].
        eigenvalues: of the kernel on the data, decreasing, [d].
        theta: LSPE's fixed point on the features, [d].
        gamma: the discount.
        norm: 2-norm of LSPE's matrix ``L``, computed afresh from the transitions and the features.
        spectral_radius: of that ``L``.
        tolerance: what rounding may add to ``norm``, from the sizes of the map and of the features.
        condition: of the weighted features, ``D^1/2 Psi map``.
        rank: the largest ``d`` for these data: rounding can move the certificate by at most 1e-6 up to there.
        span: dimension of the span of the base features on the data, after the cut at ``rcond``.
        base_radius: ``rho(A)`` on that span; LSPE on the base features has spectral radius ``gamma rho(A)``.
        dropped: moduli of the eigenvalues of ``A`` that the restriction to an invariant subspace removed, decreasing.
        ridge: the ridge, which ``norm`` and ``theta`` contain.
        plain_norm, plain_radius: the same as ``norm`` and ``spectral_radius`` for LSPE without the ridge.
        plain_bound: bound on ``plain_norm`` that follows from the certificate.
        reward_error: bound on ``norm2(D^1/2 (K1 - K1 used) D^1/2)``; 0 if the rewards were used as they are.
        transitions: rows with positive weight.
        base: what the base features are of raw inputs, where that is known: random waves of state and action side by
            side, or pairs ``(s, a)``. Without it the inputs are the base features themselves.
    """

    map: Array
    eigenvalues: Array
    theta: Array
    gamma: float
    norm: float
    spectral_radius: float
    tolerance: float
    condition: float
    rank: int
    span: int
    base_radius: float
    dropped: Array
    ridge: float
    plain_norm: float
    plain_radius: float
    plain_bound: float
    reward_error: float
    transitions: int
    base: FourierFeatures | OneHotFeatures | None = None

    def _table(self) -> tuple[str, dict[str, Any]]:
        facts = {"certified stable": bool(self.certified), "norm": self.norm, "sqrt(gamma)": self.gamma**0.5}
        facts |= {"spectral radius": self.spectral_radius, "on all base features": self.base_radius}
        facts |= {"features": f"{self.d} of {len(self.map)} base features", "transitions": self.transitions}
        return "KROPE features in closed form", facts

    def __post_init__(self) -> None:
        object.__setattr__(self, "map", frozen_array(self.map, "map", (None, None)))
        for name, size in (("eigenvalues", self.d), ("theta", self.d), ("dropped", None)):
            object.__setattr__(self, name, frozen_array(getattr(self, name), name, (size,)))
        object.__setattr__(self, "gamma", require_gamma(self.gamma))
        for name in ("rank", "span", "transitions"):
            object.__setattr__(self, name, require_count(getattr(self, name), name))
        for name in _SIZES:
            object.__setattr__(self, name, _size(getattr(self, name), name))
        if self.base is not None and self.base.p != len(self.map):
            raise KropeError(f"map must have a row for each of the {self.base.p} base features; got {len(self.map)}")

    def __call__(self, inputs: Any) -> Array:
        """Features of raw inputs, which are those of ``base``; of base features where there is none, [n, d].

        >>> zero = dict.fromkeys(_SIZES, 0.0)
        >>> pairs = FeatureMap(map=[[1.0], [2.0]], eigenvalues=[1.0], theta=[1.0], gamma=0.5, rank=1, span=1,
        ...                    dropped=[], transitions=1, base=OneHotFeatures(2, 1), **zero)
        >>> pairs([[1, 0]])
        array([[2.]])
        """
        if isinstance(self.base, OneHotFeatures):
            return np.asarray(self.map[self.base.pairs(inputs)])
        return self.features(inputs if self.base is None else self.base(inputs))

    def torch(self) -> "TorchFeatures":
        """The same map as a ``torch.nn.Module``, in double precision; ``.float()`` makes it single."""
        from tabular_krope.closed_form.torch_features import TorchFeatures

        return TorchFeatures(self)

    def of(self, base: FourierFeatures | OneHotFeatures, columns: Any = None, table: Any = None) -> "FeatureMap":
        """The same map of raw inputs.

        Args:
            base: what the base features are made of.
            columns: features of the base to which the rows of the map belong, all if None; the others get zeros.
            table: the base features as a linear map of the base's, [base.p, p], in the place of ``columns``.
        """
        grown = self.map if table is None else np.asarray(table @ self.map)
        if columns is not None:
            grown = np.zeros((base.p, self.d))
            grown[columns] = self.map
        return replace(self, map=grown, base=base)

    @property
    def d(self) -> int:
        """Number of features."""
        return int(self.map.shape[1])

    @property
    def bound(self) -> float:
        """``sqrt(gamma)``: what the theorem promises for ``norm``."""
        return float(np.sqrt(self.gamma))

    @property
    def certified(self) -> bool:
        """Whether the recomputed norm keeps the promise, up to rounding."""
        return self.norm <= self.bound + self.tolerance

    @property
    def penalty(self) -> Array | None:
        """The ridge in the coordinates of the features, for `lspe_on_data`; None without a ridge."""
        return float(np.sqrt(self.ridge)) * self.map if self.ridge > 0 else None

    def features(self, Psi: Any) -> Array:
        """``Psi @ map`` for base features of any pairs, [n, d]."""
        return np.asarray(frozen_array(Psi, "Psi", (None, len(self.map))) @ self.map)

    def values(self, Psi: Any) -> Array:
        """LSPE's estimate of the action values, ``Psi @ map @ theta``, [n]."""
        return np.asarray(frozen_array(Psi, "Psi", (None, len(self.map))) @ (self.map @ self.theta))

    def __str__(self) -> str:
        lines = [
            f"{self.d} features from the {self.span}-dimensional span of {len(self.map)} base features on "
            f"{self.transitions} transitions",
            f"LSPE's matrix has norm {self.norm:.6f} <= sqrt(gamma) = {self.bound:.6f} and spectral radius "
            f"{self.spectral_radius:.6f}" + (f" with the ridge {self.ridge:g}" if self.ridge > 0 else ""),
        ]
        if self.ridge > 0:
            lines.append(
                f"without the ridge its norm is {self.plain_norm:.6f} (at most {self.plain_bound:.6f}), "
                f"its spectral radius {self.plain_radius:.6f}"
            )
        if len(self.dropped):
            many = f"{len(self.dropped)} directions that grow" if len(self.dropped) > 1 else "1 direction that grows"
            lines.append(
                f"left out: {many} by up to {self.dropped[0]:.6g} in one step, "
                f"where sqrt(gamma) times growth must be below 1"
            )
        if self.reward_error > 0:
            lines.append(f"rewards shared out on a grid: the reward kernel is off by at most {self.reward_error:.2g}")
        return "\n".join(lines)


def _size(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 <= value < np.inf:
        raise KropeError(f"{name} must be a finite number of at least 0; got {value!r}")
    return float(value)
