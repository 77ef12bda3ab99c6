r"""One instance on which statements are judged: a chain, data weights and whatever else a statement speaks about.

The numbers are all floats or all rationals. Quantities of the paper (``K1, K, d, q, U, ...``) are computed when first
asked for, and kept.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from proofs_check.arithmetic.linear_algebra import flint_matrix, floats, identity, is_exact, rationals, solve
from proofs_check.chains import at_once
from tabular_krope.exact.exact_stein import solve_stein_exactly
from tabular_krope.kernels.stein import solve_stein

if TYPE_CHECKING:
    from tabular_krope.models.exact_mrp import ExactMRP
    from tabular_krope.models.mrp import MRP

EPS = float(np.finfo(np.float64).eps)
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A chain with data, in floats or in rationals.

    Attributes:
        P: next-state law of each pair, [X, S].
        Pi: pairs that follow each state, [S, X].
        r: rewards, [X].
        gamma: discount factor.
        end: probability that the episode ends, [X].
        weights: data distribution over pairs, sums to 1, [X].
        reward_range: (low, high) covering the rewards; their own range if None.
        given: what else the statement speaks about, by name: features, matrices, partitions.

    >>> case = Case.from_matrix(rationals([["1/2", "1/2"], [0, 1]]), rationals([1, 0]), rationals(["1/2"])[0])
    >>> case.K
    array([[34/21, 2/3],
           [2/3, 2]], dtype=object)
    """

    P: Any
    Pi: Any
    r: Any
    gamma: Any
    end: Any
    weights: Any
    reward_range: tuple[Any, Any] | None = None
    given: Mapping[str, Any] = field(default_factory=dict)
    _cache: dict[str, Any] = field(init=False, repr=False, default_factory=dict)
    _peers: list["Case"] = field(init=False, repr=False, default_factory=list)

    @classmethod
    def from_matrix(cls, P_pi: Any, r: Any, gamma: Any, **others: Any) -> "Case":
        """The case with pair-to-pair transitions ``P_pi`` [X, X]; mass missing from a row ends the episode."""
        P, X = np.asarray(P_pi), len(r)
        exact = is_exact(P)
        one = rationals(1)[()] if exact else 1.0
        end = others.pop("end", None)
        weights = others.pop("weights", None)
        zero = one - one
        return cls(
            P,
            identity(X, exact),
            np.asarray(r),
            gamma,
            np.array([zero] * X) if end is None else np.asarray(end),
            np.array([one / X] * X) if weights is None else np.asarray(weights),
            **others,
        )

    @property
    def exact(self) -> bool:
        """Whether the numbers are rationals."""
        return bool(self.P.dtype.kind == "O")

    @property
    def lone(self) -> bool:
        """Whether each state has one pair of its own, in order: a product with ``Pi`` is then not worth its time."""
        return self.once("lone", lambda: _is_identity(self.Pi))

    @property
    def shares(self) -> Any:
        """Probabilities of the pairs of each state, [S, A], if each has ``A`` of its own, in order; else None."""
        return self.once("shares", lambda: _shares(self.Pi))

    @property
    def X(self) -> int:
        """Number of pairs."""
        return len(self.r)

    @property
    def conservative(self) -> bool:
        """Whether no episode ever ends."""
        return all(e == 0 for e in self.end) if self.exact else not self.end.any()

    @property
    def P_pi(self) -> Any:
        """Pair-to-pair transitions, [X, X]."""
        return self.shared("P_pi", lambda: self.P if self.lone else self.P @ self.Pi, at_once.between_pairs)

    @property
    def Q(self) -> Any:
        """State-to-state transitions, [S, S]."""
        return self.shared("Q", self._between_states, at_once.between_states)

    def _between_states(self) -> Any:
        if self.lone:
            return self.P
        # Products of many fractions are flint's business.
        return rationals(flint_matrix(self.Pi) * flint_matrix(self.P)) if self.exact else self.Pi @ self.P

    @property
    def apart(self) -> Any:
        """Reward differences ``|r_x - r_y|``, [X, X]."""
        return self.once("apart", lambda: np.abs(np.subtract.outer(self.r, self.r)))

    @property
    def R(self) -> Any:
        """The divisor of the reward kernel."""
        return self.own_range if self.reward_range is None else self.reward_range[1] - self.reward_range[0]

    @property
    def own_range(self) -> Any:
        """``max r - min r``, which R may exceed."""
        return self.once("own range", lambda: max(self.r) - min(self.r) if self.exact else self.r.max() - self.r.min())

    @property
    def K1(self) -> Any:
        """Reward kernel ``1 - |r_x - r_y| / R``, [X, X]; all ones if R = 0."""
        return self.once("K1", lambda: self.reward_kernel(self.R))

    def reward_kernel(self, R: Any) -> Any:
        """``1 - |r_x - r_y| / R`` for any divisor."""
        return 1 - self.apart / R if R != 0 else 1 - 0 * self.apart

    @property
    def K(self) -> Any:
        """The KROPE kernel, [X, X]."""
        return self.shared(
            "K", lambda: self.kernel_of(self.K1), lambda cases: at_once.kernels_of(cases, lambda case: case.K1)
        )

    @property
    def d(self) -> Any:
        """The paper's ``d(x, y) = K_xx + K_yy - 2 K_xy``, [X, X]."""
        return self.shared("d", lambda: squared_distance(self.K), at_once.distances)

    @property
    def after(self) -> Any:
        """``P_pi K P_pi'``, [X, X]: the kernel of the next-pair laws."""
        return self.shared("after", lambda: self.push(self.K), at_once.pushed)

    @property
    def q(self) -> Any:
        """Action values, [X]."""
        return self.shared("q", lambda: self.value_of(self.r), at_once.action_values)

    @property
    def U(self) -> Any:
        """The MICo fixed point ``|r_x - r_y| + gamma E U(X', Y')``, [X, X]."""
        return self.shared(
            "U", lambda: self.kernel_of(self.apart), lambda cases: at_once.kernels_of(cases, lambda case: case.apart)
        )

    @property
    def horizon(self) -> float:
        """Longest expected discounted lifetime, as a float."""
        return self.shared("horizon", self._horizon, at_once.horizons)

    def push(self, k: Any) -> Any:
        """``E k(X', Y')``: ``P_pi k P_pi'``."""
        P = self.P_pi
        return P @ k @ P.T

    def operator(self, k: Any) -> Any:
        """The KROPE operator ``F(k) = K1 + gamma P_pi k P_pi'``."""
        return self.K1 + self.gamma * self.push(k)

    def kernel_of(self, C: Any) -> Any:
        """The solution of ``K = C + gamma P_pi K P_pi'`` for a symmetric ``C`` [X, X], solved on states."""
        if self.gamma == 0:
            return C
        on_states = self.Pi @ C @ self.Pi.T
        if self.exact:
            P = flint_matrix(self.P)  # products of many fractions are flint's business
            solution = solve_stein_exactly(flint_matrix(self.Q), flint_matrix(on_states), self.gamma)
            return C + self.gamma * rationals(P * solution * P.transpose())
        # The solver's own limit is four times stricter than `rounding`, and periodic chains can miss it.
        allowed = 32 * EPS * max(self.X, 4) * float(np.abs(C).max()) * self.horizon**2
        M = solve_stein(self.Q, (on_states + on_states.T) / 2, self.gamma, self.horizon, allowed).matrix
        return C + self.gamma * (self.P @ M @ self.P.T)

    def value_of(self, reward: Any) -> Any:
        """``sum_n gamma^n P_pi^n reward``, [X] or [X, k], solved on states."""
        S = self.Pi.shape[0]
        v = solve(identity(S, self.exact) - self.gamma * self.Q, self.Pi @ reward)
        return reward + self.gamma * (self.P @ v)

    def mrp(self) -> "MRP":
        """The chain as a float reward process."""
        from tabular_krope.models.arrays_mrp import mrp_of_arrays

        if self.exact:
            return self.exact_mrp().to_float()
        return self.once("mrp", lambda: mrp_of_arrays(self.P, self.Pi, self.r, self.gamma, self.end))

    def exact_mrp(self) -> "ExactMRP":
        """The chain as a rational reward process; floats are read as they stand, rows renormalized."""
        from tabular_krope.models.exact_mrp import ExactMRP

        if not self.exact:
            return self.mrp().exact()
        return ExactMRP(flint_matrix(self.P), flint_matrix(self.Pi), tuple(self.r), self.gamma, tuple(self.end))

    def with_given(self, **more: Any) -> "Case":
        """A copy with more of what a statement speaks about."""
        return replace(self, given={**self.given, **more})

    def once(self, name: str, compute: Callable[[], Value]) -> Value:
        """The value of ``compute()``, which is called the first time that ``name`` is asked for."""
        if name not in self._cache:
            self._cache[name] = compute()
        found: Value = self._cache[name]
        return found

    def shared(self, name: str, compute: Callable[[], Value], together: Callable[[list["Case"]], Any]) -> Value:
        """`once`, where ``together`` computes it for all instances that stand together with this one."""
        if name not in self._cache and len(self._peers) > 1:
            missing = [case for case in self._peers if name not in case._cache]
            for case, value in zip(missing, together(missing), strict=True):
                case._cache[name] = value
        return self.once(name, compute)

    def _horizon(self) -> float:
        one = self.value_of(rationals([1] * self.X) if self.exact else np.ones(self.X))
        return float(np.max(floats(one)))


def squared_distance(K: Any) -> Any:
    """``K_xx + K_yy - 2 K_xy``, [X, X].

    >>> squared_distance(np.array([[2.0, 1.0], [1.0, 3.0]]))
    array([[0., 3.],
           [3., 0.]])
    """
    diagonal = np.diagonal(K)
    return np.add.outer(diagonal, diagonal) - 2 * K


def rounding(case: Case) -> float:
    """What float64 leaves in the kernel and the values: ``X`` terms of the size of the horizon, magnified by it."""
    size = max(1.0, float(np.abs(floats(case.r)).max()))
    return 32 * EPS * max(case.X, 4) * size * case.horizon**2


def _is_identity(Pi: Any) -> bool:
    return bool(Pi.shape[0] == Pi.shape[1] and (Pi == np.eye(len(Pi), dtype=int)).all())


def _shares(Pi: Any) -> Any:
    S, X = Pi.shape
    own = Pi[np.arange(X) * S // X, np.arange(X)]
    return own.reshape(S, -1) if X % S == 0 and np.count_nonzero(own) == np.count_nonzero(Pi) else None
