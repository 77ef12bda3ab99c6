r"""How tight, or how wrong, each bound on $|q(x) - q(y)|$ is on one model."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.measures.value_bounds import ValueBounds
from tabular_krope.models.mrp import MRP

BOUNDS = ("printed", "rkhs", "independent")


@dataclass(frozen=True, slots=True)
class BoundFacts:
    """One bound on one model.

    Attributes:
        name: "printed", "rkhs" or "independent".
        worst_ratio: largest ``|q(x) - q(y)| / bound``; None if the bound's premise is not met by the model.
        worst_pair: where it is attained; None with the ratio, or if no two values differ.
        holds: whether no difference exceeds its bound by more than rounding; None with the ratio.
    """

    name: str
    worst_ratio: float | None
    worst_pair: tuple[int, int] | None
    holds: bool | None


def bound_facts(mrp: MRP, bounds: ValueBounds, pairs: Any = None) -> tuple[BoundFacts, ...]:
    """The worst case of each bound, on all pairs of pairs or on the ``pairs`` [2, k] that ``bounds`` was asked for.

    >>> from tabular_krope.kernels.krope import krope_kernel
    >>> from tabular_krope.measures.value_bounds import value_bounds
    >>> mrp = MRP.from_matrix([[1.0, 0.0], [0.0, 1.0]], [0.0, 1.0], gamma=0.5)
    >>> [(b.name, round(b.worst_ratio, 12), b.holds) for b in bound_facts(mrp, value_bounds(krope_kernel(mrp)))]
    [('printed', 0.5, True), ('rkhs', 1.0, True), ('independent', 1.0, True)]
    """
    return tuple(_facts(mrp, name, bounds.gaps, getattr(bounds, name), pairs) for name in BOUNDS)


def _facts(mrp: MRP, name: str, gaps: Array, bound: Array | None, pairs: Any) -> BoundFacts:
    if bound is None:
        return BoundFacts(name, None, None, None)
    eps = float(np.finfo(np.float64).eps)
    # Values are right to eps * S * horizon of their size; differences below that are equalities.
    noise = eps * (mrp.n_states + 2) * mrp.horizon * float(np.abs(mrp.q).max())
    apart = gaps > noise
    ratio = np.zeros_like(gaps)
    np.divide(gaps, bound, out=ratio, where=apart & (bound > 0))
    ratio[apart & ~(bound > 0)] = np.inf
    at = np.unravel_index(int(np.argmax(ratio)), ratio.shape)
    x, y = (int(i) for i in (at if pairs is None else np.asarray(pairs)[:, at[0]]))
    slack = noise + eps * (mrp.n_states + 2) * mrp.horizon * bound
    holds = bool(np.all(gaps <= bound + slack))
    return BoundFacts(name, float(ratio[at]), (x, y) if apart.any() else None, holds)
