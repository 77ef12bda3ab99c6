"""The KROPE kernel over the rationals, solved on states."""

from collections.abc import Iterable
from typing import Any

from flint import fmpq, fmpq_mat

from tabular_krope.errors import KropeError
from tabular_krope.exact.exact_stein import solve_stein_exactly
from tabular_krope.exact.rationals import identity, rational_vector, sandwiched
from tabular_krope.models.exact_mrp import ExactMRP


def exact_reward_kernel(r: tuple[fmpq, ...], reward_range: tuple[Any, Any] | None = None) -> fmpq_mat:
    """``1 - |r_x - r_y| / R``, [X, X]; all ones if R = 0.

    >>> exact_reward_kernel((fmpq(0), fmpq(1), fmpq(1, 3))).table()[2]
    [2/3, 1/3, 1]
    """
    least, most = min(r), max(r)
    low, high = (least, most) if reward_range is None else exact_range(reward_range)
    if not (low <= least and most <= high):
        raise KropeError(f"reward_range must cover the rewards [{least}, {most}]; got ({low}, {high})")
    R = high - low
    one = fmpq(1)
    return fmpq_mat(len(r), len(r), [one - abs(a - b) / R if R != 0 else one for a in r for b in r])


def exact_range(reward_range: Any) -> tuple[fmpq, fmpq]:
    """The two ends of a reward range, as rationals."""
    if not isinstance(reward_range, Iterable) or len(ends := list(reward_range)) != 2:
        raise KropeError(f"reward_range must be two numbers; got {reward_range!r}")
    low, high = rational_vector(ends, "reward_range")
    return low, high


def exact_krope_kernel(mrp: ExactMRP, reward_range: tuple[Any, Any] | None = None) -> fmpq_mat:
    """The fixed point of the KROPE operator, [X, X], with no rounding at all.

    >>> mrp = ExactMRP.from_matrix([["1/2", "1/2"], [0, 1]], r=[1, 0], gamma="1/2")
    >>> exact_krope_kernel(mrp).table()
    [[34/21, 2/3], [2/3, 2]]
    """
    K1 = exact_reward_kernel(mrp.r, reward_range)
    if mrp.gamma == 0:
        return K1
    M = solve_stein_exactly(mrp.Q, mrp.Pi * K1 * mrp.Pi.transpose(), mrp.gamma)
    if mrp.Pi == identity(mrp.n_pairs):  # pairs are states, and M is the kernel
        return M
    return K1 + mrp.gamma * sandwiched(mrp.P, M)


def exact_distance(K: fmpq_mat) -> fmpq_mat:
    """The paper's ``d(x, y) = K_xx + K_yy - 2 K_xy`` over the rationals, [X, X]."""
    n = K.nrows()
    return fmpq_mat(n, n, [K[x, x] + K[y, y] - 2 * K[x, y] for x in range(n) for y in range(n)])
