r"""Whether float64 determines LSPE's rank and spectral radius, and what is done or said where it does not.

Two things can be undetermined:

- *The rank.* A direction of the features below rounding counts as zero, as in every least-squares program: the columns
  0.1, 0.2 and 0.3 of a file are meant to be dependent, although the floats nearest to them are not. But the floats as
  they stand may say otherwise, and then the exact answer is another one. The floats are asked (their rank is found
  modulo a prime), and the result says so.
- *The radius.* Rounding, magnified by the condition of the features and of the largest eigenvalue, may reach digits
  that matter. A small problem is then solved over the rationals; a large one says how many digits it has.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.evaluation.iteration import Iteration
from tabular_krope.evaluation.spectral import EPS, ROUNDING, radius_doubt, radius_of, undecided
from tabular_krope.exact.modular_rank import rank_of_floats

if TYPE_CHECKING:
    from tabular_krope.evaluation.lspe import LSPE

#: Entries and columns of features up to which a problem that double precision cannot decide is solved exactly.
EXACT_ENTRIES = 2048
EXACT_COLUMNS = 24
#: Changed features that are tried, and how much larger than their largest effect an error may be.
PROBES = 3
MARGIN = 30.0
#: Relative error of a spectral radius that goes without saying.
SURE = 1e-7


def settled(
    found: Iteration,
    Phi: Array,
    rows: Array,
    again: Callable[[Callable[[Array], Array]], Iteration],
    exactly: Callable[[], "LSPE"],
    judge: Callable[[str], "LSPE"],
) -> "LSPE":
    """The result of an iteration in float64: exact where that is needed and cheap, else with what is to be said.

    Args:
        found: the iteration.
        Phi: the features, [n, d].
        rows: those with positive weight, by which the rank is judged, [m, d].
        again: the iteration of changed features, from a function that changes an array of features.
        exactly: solves the problem over the rationals.
        judge: makes the result of ``found`` with a caveat.
    """
    small = Phi.size <= EXACT_ENTRIES and Phi.shape[1] <= EXACT_COLUMNS
    radius, error = radius_of(found), radius_doubt(found.core, float(found.doubt))
    if error > SURE:
        error = min(error, probed_error(radius, again))
    caveat = rank_caveat(rows, int(found.rank))
    if caveat:
        return judge(caveat + (_followed(exactly()) if small else ""))
    if small and (error > SURE or undecided(radius, max(1e3 * error, ROUNDING))):
        return exactly()
    return judge(radius_caveat(radius, error))


def probed_error(radius: float, again: Callable[[Callable[[Array], Array]], Iteration]) -> float:
    """The relative error of a spectral radius, by what changes of the features as small as rounding make of it.

    First-order bounds speak of the worst change, which can be a billion times what rounding does.
    """
    rng = np.random.default_rng(0)

    def shaken(F: Array) -> Array:
        return np.asarray(F + EPS * np.abs(F).max(axis=0, initial=0.0) * rng.standard_normal(F.shape))

    others = (radius_of(again(shaken)) for _ in range(PROBES))
    return MARGIN * max(abs(other - radius) for other in others) / max(1.0, radius)


def rank_caveat(rows: Array, rank: int) -> str:
    """What to say of a numerical rank that is not that of the floats in ``rows`` [m, d]; nothing if it is.

    >>> rank_caveat(np.array([[1.0, 2.0], [2.0, 4.0]]), 1)
    ''
    >>> rank_caveat(np.array([[0.1, 0.2, 0.3], [1.0, 1.0, 2.0], [3.0, 0.0, 3.0]]), 2)[:72]
    'the rank is not determined in float64: 2 with directions below rounding '
    """
    if rank_is_plain(rows, rank):
        return ""
    exact = rank_of_floats(rows)
    if exact <= rank:
        return ""
    return (
        f"the rank is not determined in float64: {rank} with directions below rounding as zero, {exact} for the floats "
        "as they stand (solver='exact')"
    )


def rank_is_plain(rows: Array, rank: int) -> bool:
    """Whether a rank is as large as the shape allows, so that nothing counted as zero; columns of zeros aside."""
    return rank >= min(len(rows), int(np.count_nonzero(rows.any(axis=0))))


def radius_caveat(radius: float, error: float) -> str:
    """What to say of a spectral radius with a relative error of up to ``error``; nothing if that is small.

    >>> radius_caveat(0.5, 1e-9), radius_caveat(0.5, 1e-5)
    ('', "the spectral radius has a relative error of up to 1e-05 in float64 (solver='exact' has none)")
    """
    if error <= SURE:
        return ""
    size = f"of up to {error:.1g}" if error < 1 else "of any size"
    words = f"the spectral radius has a relative error {size} in float64 (solver='exact' has none)"
    return words + (": it may lie on either side of 1" if undecided(radius, error) else "")


def _followed(other: "LSPE") -> str:
    return f"; with these the spectral radius is {other.spectral_radius:.6g}"
