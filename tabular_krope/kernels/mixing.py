r"""How fast a chain forgets where it started: a certified bound, without an S-by-S array.

For a chain that never ends and *any* weights ``m`` of sum 1, $Q^n = 1 m^\top + E_n$ with $E_n = Q^n (I - 1 m^\top)$,
because $Q 1 = 1$. The series of the kernel is cut by a bound on $\|E_n\|_\infty$, the largest 1-norm of a row $a_i$.

*Lemma.* Let $\omega > 0$ be weights of sum 1 and ``G`` have ``k`` columns of independent normal entries with variances
$1/\omega_j$. With $q$ the quantile of $\chi^2_k$ at $\delta / S$, the inequality
$\|a_i\|_1^2 \le \|(E_n G)_i\|_2^2 / q$ holds for all rows at once with probability at least $1 - \delta$.

*Proof.* By Cauchy-Schwarz $\|a_i\|_1^2 \le \sum_j a_{ij}^2/\omega_j \cdot \sum_j \omega_j =: \sigma_i^2$. The entries
of $(E_n G)_i$ are independent normal with variance $\sigma_i^2$, so $\|(E_n G)_i\|^2 / \sigma_i^2$ is $\chi^2_k$ and
falls below $q$ with probability $\delta/S$; sum over the rows. $\square$

No chain, however bad one of its corners, evades it: the only luck is in the probes, whose seed has nothing to do with
the model, and $\delta$ = 1e-12 is shared among all the powers looked at. Rounding is added: one product errs by at most
``(terms + 2) eps`` of the largest entry, and later products, whose rows sum to 1, do not magnify that.

``m`` is what powers of ``Q'`` make of the uniform distribution. Periodic chains, chains with several recurrent classes
and chains that mix slowly show themselves by bounds that do not fall fast enough; the answer is then None.
"""

from dataclasses import dataclass

import numpy as np
import scipy.special

from tabular_krope.arrays import Array
from tabular_krope.kernels.stein import EPS
from tabular_krope.kernels.striped import Striped

#: Probability with which the certificate may be wrong, and the number of probes.
RISK, PROBES = 1e-12, 16
#: Size, relative to the largest that an entry of ``M`` could have, of what the cut leaves: 32 eps.
CUT = 2.0**-47
#: Steps between looks at whether the goal can still be reached in time.
LOOK = 64


@dataclass(frozen=True, slots=True, eq=False)
class Mixing:
    """A chain that forgets.

    Attributes:
        m: nearly the stationary distribution of the states, [S]; its sum is 1.
        drift: ``Q' m - m``, which is rounding, [S].
        decay: bounds on the sup norms of ``E_0, E_1, ...``, decreasing, [terms + 1].
    """

    m: Array
    drift: Array
    decay: Array


def mixing(Q: Striped, Qt: Striped, gamma: float, most: int) -> Mixing | None:
    r"""The certificate up to the first ``n`` with $\gamma^n \|E_n\|^2$ below `CUT`; None if that takes too long.

    Args:
        Q, Qt: transitions of the states and their transpose, [S, S].
        gamma: discount factor.
        most: steps after which to give up, or earlier if the goal is out of reach.

    >>> from scipy import sparse
    >>> Q = Striped.of(sparse.csr_array([[0.75, 0.25], [0.25, 0.75]]))  # the second eigenvalue is 1/2
    >>> found = mixing(Q, Q, gamma=0.9, most=100)
    >>> found.m, bool(np.all(found.decay >= 0.5 ** np.arange(len(found.decay))))
    (array([0.5, 0.5]), True)
    >>> swap = Striped.of(sparse.csr_array([[0.0, 1.0], [1.0, 0.0]]))
    >>> mixing(swap, swap, gamma=0.9, most=100) is None
    True
    """
    S = Q.shape[0]
    terms = Q.roundings + 2
    if np.abs(Q @ np.ones(S) - 1.0).max() > terms * EPS:
        return None
    m = _settled(Qt, most)
    if m is None:
        return None
    omega = (m + 1.0 / S) / 2
    # One probe at a time: a product with a single vector is faster than its share of a product with many.
    Y = [probe / np.sqrt(omega) for probe in np.random.default_rng(0).standard_normal((PROBES, S))]
    Y = [y - m @ y for y in Y]
    quantile = 2 * scipy.special.gammaincinv(PROBES / 2, RISK / (S * (most + 1.0)))
    decay, lefts, weight, rounding = [2.0], [np.inf], 1.0, 0.0
    for n in range(1, most + 1):
        rounding += terms * EPS * max(float(np.abs(y).max()) for y in Y)
        Y = [Q @ y for y in Y]
        weight *= gamma
        size = np.sqrt(float(sum(y * y for y in Y).max())) + np.sqrt(PROBES) * rounding
        decay.append(min(decay[-1], size / np.sqrt(quantile)))
        lefts.append(weight * size**2 / quantile)
        if weight * decay[-1] ** 2 <= CUT:
            return Mixing(m, Qt @ m - m, np.array(decay))
        if n % LOOK == 0 and _too_late(lefts[n], lefts[n - LOOK], n, most):
            return None
    return None


def _settled(Qt: Striped, most: int) -> Array | None:
    """The limit of the uniform distribution under ``Q'``; None if it has not settled after ``most`` steps."""
    m = np.full(Qt.shape[0], 1.0 / Qt.shape[0])
    step = before = np.inf
    for n in range(1, most + 1):
        following = Qt @ m
        last, step = step, float(np.abs(following - m).sum())
        m = following / following.sum()
        # Steps at the level of rounding, or no smaller than the last for want of digits.
        if step <= 4 * EPS or (step <= EPS * len(m) and step >= last / 2):
            return np.asarray(m)
        if n % LOOK == 0:
            if _too_late(step, before, n, most):
                return None
            before = step
    return None


def _too_late(now: float, before: float, n: int, most: int) -> bool:
    """Whether the rate of the last `LOOK` steps would leave more than rounding at step ``most``."""
    if not now < before:
        return True
    if not np.isfinite(before):
        return False
    steps = LOOK * np.log(now / CUT) / np.log(before / now)
    return bool(n + steps > most)
