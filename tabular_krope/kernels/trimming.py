r"""How many terms of the series do features need? Fewer than entries: what is left out is measured where it matters.

Let $K_N$ be the kernel with the first ``N`` terms of its series. What is missing is positive semidefinite,

$$K - K_N = \gamma \sum_{n \ge N} \gamma^n\, P E_n C E_n^\top P^\top \succeq 0 ,$$

so with $A = D^{1/2} K D^{1/2}$ and weights ``D`` of the pairs every eigenvalue obeys
$\lambda_i(A_N) \le \lambda_i(A) \le \lambda_i(A_N) + \eta_N$, where $\eta_N$ is the largest eigenvalue of $A - A_N$.

*Lemma.* Let ``B`` be positive semidefinite, $g_1, \dots, g_k$ independent standard normal vectors and ``q`` the
quantile of $\chi^2_k$ at $\delta$. Then $\|B\|_2 \le \frac1q \sum_j g_j^\top B g_j$ with probability at least
$1 - \delta$.

*Proof.* For a unit eigenvector ``u`` of the largest eigenvalue,
$\sum_j g_j^\top B g_j \ge \|B\| \sum_j (u^\top g_j)^2$, and the last sum is $\chi^2_k$. $\square$

One forward pass of a probe gives its squares $\gamma^n e_n^\top C e_n$ for all ``n``, and so the bound on $\eta_N$ for
every ``N``. The bound on entries has to allow for the worst of all states, this one does not: on the Garnets of
docs/scaling.md twelve terms do where entries take twenty.
"""

from dataclasses import dataclass

import numpy as np
import scipy.special

from tabular_krope.arrays import Array
from tabular_krope.kernels.matrix_free import MatrixFreeForm

#: Probes, and the probability over their draw that the bound is wrong.
PROBES, RISK = 8, 1e-6
#: Share of the wanted bound that may come from terms whose squares were not measured.
UNMEASURED = 0.1
#: Tails of one probe that are so many times too large are not measured for the next.
FAR = 30.0


@dataclass(frozen=True, slots=True)
class Trimmed:
    """How many terms of the series are taken, and a bound on the norm of ``D^1/2 (K - K_N) D^1/2``."""

    terms: int
    gap: float


def trimmed(form: MatrixFreeForm, root: Array, allowed: float) -> Trimmed:
    """The fewest terms whose gap is at most ``allowed``; all, with no gap to speak of, where that is too much to ask.

    Args:
        form: a matrix-free kernel.
        root: square roots of the weights of the pairs, [X].
        allowed: the wanted gap, above 0.

    >>> from tabular_krope.kernels.krope import krope_kernel
    >>> from tabular_krope.models.mrp import MRP
    >>> K = krope_kernel(MRP.from_matrix([[0.5, 0.5], [0.25, 0.75]], r=[1.0, 0.0], gamma=0.5), "matrix-free")
    >>> found = trimmed(K._form, np.full(2, 0.5**0.5), allowed=1e-3)
    >>> found.terms, bool(found.gap <= 1e-3)
    (14, True)
    """
    series = form.series
    rng = np.random.default_rng(1)
    quantile = 2 * float(scipy.special.gammaincinv(PROBES / 2, RISK))
    budget = UNMEASURED * allowed * quantile / PROBES
    squares = np.zeros(series.terms + 1)  # of each term, over all probes; the last place has what was not measured
    first = 0
    for _ in range(PROBES):  # one by one: a block of vectors is no faster
        u = form.before @ (root * rng.standard_normal(len(root)))
        found, left = series.squares_by_term(u, budget, first)
        squares[: len(found)] += found
        squares[-1] += left
        first = int(np.argmax(found[::-1].cumsum()[::-1] <= FAR * allowed * quantile))  # fewer terms are out of reach
    tails = series.gamma * squares[::-1].cumsum()[::-1] / quantile  # [terms + 1]: what is missing from K_n
    enough = np.flatnonzero(tails <= allowed)
    if not len(enough) or enough[0] >= series.terms:
        return Trimmed(series.terms, 0.0)
    terms = max(int(enough[0]), 1)
    return Trimmed(terms, float(tails[terms]))
