r"""How large can an eigenvalue be that a Krylov basis has not seen? One more chain, from a random vector, tells.

Write $A = D^{1/2} K D^{1/2}$ in the Ritz vectors of the basis, values $\theta_j$ decreasing, and its complement:

$$A = \begin{pmatrix} \Theta & E^\top \\ E & C \end{pmatrix}, \qquad
  S(\tau) = C + \sum_{j > d} \frac{E_j E_j^\top}{\tau - \theta_j}.$$

By the Schur complement, for $\tau > \theta_{d+1}$, what is left of ``A`` without its top ``d`` Ritz vectors has an
eigenvalue above $\tau$ exactly if $S(\tau)$ has. Let $\lambda$ be the largest eigenvalue of $S(\tau)$, on a space of
``N`` dimensions. Lanczos on it from a random unit vector ``w``, ``k`` steps with Ritz values $\sigma_i$ and remainders
$\beta_i$, has

$$|u^\top w| \prod_i (\lambda - \sigma_i) \le \prod_i \beta_i, \qquad
  \Pr\Big(|u^\top w| \le \delta \sqrt{\pi / 2N}\Big) \le \delta$$

for the eigenvector ``u``, so that the root ``s`` above $\sigma_1$ of
$\prod_i (s - \sigma_i) = \delta^{-1} \sqrt{2N/\pi} \prod_i \beta_i$ is at least $\lambda$ except with probability
$\delta$ (van Dorsselaer, Hochstenbach, van der Vorst 2000): for every ``k`` at once, so the chain may stop when it
likes. The vector has to be drawn without regard to ``A``, and rounding is left to the caller; nothing else is assumed.

From ``s`` follow bounds on the eigenvalues of ``A`` itself: $\theta_i \le \lambda_i(A) \le x$ for each
$x > \theta_i$ with

$$s + \sum_{j \ge i} \|E_j\|^2 \max\Big(0, \frac{1}{x - \theta_j} - \frac{[j > d]}{\tau - \theta_j}\Big) \le x.$$

Products with $S(\tau)$ cost no more than products with ``A``: $E^\top w = V^\top A w$ is at hand, and ``E`` is the
remainders.
"""

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.representations.krylov import EPS, Basis

#: Probability, over the draw of the random vector, that one check believes what is wrong.
CHANCE = 2e-3
#: A root is sought within e^-SPAN of an upper bound and below it, by halving the exponent's bracket.
SPAN, HALVINGS = 100.0, 30


class Unseen:
    """Lanczos on the Schur complement from a fresh vector; its vectors join the basis.

    Attributes:
        values: Ritz values of the basis when the check began, decreasing, [m].
        Y: their vectors, [m, m].
        level: the bar, tau.
        bound: the probable bound ``s`` on eigenvalues of the Schur complement; infinite before the first step.
        top: largest Ritz value of the Schur complement, which ``s`` approaches from above.
        ended: whether the chain has ended, in an invariant subspace: ``bound`` is ``top``.
    """

    def __init__(self, basis: Basis, values: Array, Y: Array, d: int, level: float) -> None:
        self.basis, self.values, self.Y, self.d, self.level = basis, values, Y, d, level
        self.norms = basis.estimates(Y)
        self.coupled = list(basis.remainders)
        self.room = basis.room
        self.bound, self.top, self.ended = np.inf, -np.inf, False

    @property
    def found(self) -> bool:
        """Whether an eigenvalue above the level is missing among the top ``d``; certain, not probable."""
        return self.top > self.level

    @property
    def open(self) -> bool:
        """Whether a further step could tell more."""
        return not self.ended and not self.found and self.bound > self.level

    def step(self) -> None:
        """One more vector of the chain, with one product."""
        basis, m, known = self.basis, len(self.values), len(self.coupled)
        v = basis.fresh() if basis.size == m else basis.take(known)
        if v is None:
            self.ended, self.bound = True, self.top
            return
        rest = basis.absorb(v)
        Y, weights = self.Y[:, self.d :], 1 / (self.level - self.values[self.d :])
        z = Y @ (weights * (Y.T @ basis.H[:m, -1]))
        for (r, c), (_, longer) in zip(self.coupled, basis.remainders, strict=False):
            rest = rest + float(c @ z) * r
            longer[-1] -= float(c @ z)  # so that the remainders still sum to what A carries out
        norm = basis.leave(basis.V.without(rest, basis.V.dot(rest)))
        G = Y.T @ basis.H[:m, m:]
        T = basis.H[m:, m:] + G.T @ (weights[:, None] * G)
        sigma = np.asarray(np.linalg.eigvalsh(T), dtype=np.float64)
        self.top = float(sigma[-1])
        self.ended = norm == 0 or basis.room == 0
        # A remainder near rounding may come out as anything, even 0.
        beta = np.maximum(np.append(np.abs(np.diag(T, -1)), norm), EPS * float(np.abs(basis.H).max()))
        self.bound = self.top if self.ended else self._bound(sigma, beta)

    def _bound(self, sigma: Array, beta: Array) -> float:
        log = np.log(beta).sum() + np.log(2 * self.room / np.pi) / 2 - np.log(CHANCE)
        high = log / len(sigma)  # of the logarithm of s - sigma_1, since the other factors are larger
        low = high - SPAN
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            if np.log(np.exp(middle) + (sigma[-1] - sigma)).sum() >= log:
                high = middle
            else:
                low = middle
        return float(sigma[-1] + np.exp(high))

    def gaps(self) -> Array:
        """How far each of the top ``d`` eigenvalues can lie above its Ritz value, [d]."""
        d, theta, squares = self.d, self.values, self.norms**2
        i, j = np.arange(d)[:, None], np.arange(len(theta))
        squares = np.where(j >= i, squares, 0.0)  # [d, m]
        apart = np.where(j >= i, theta[:d, None] - theta, 0.0)
        known = np.where(j >= d, 1 / np.where(j >= d, self.level - theta, 1.0), 0.0)
        # At this x the inequality holds: each term is at most |E_j|^2 / (x - theta_i).
        high = np.maximum(self.bound - theta[:d], 0.0) + np.sqrt(squares.sum(axis=1))
        positive = high > 0
        high = np.log(np.where(positive, high, 1.0))
        low = high - SPAN
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            x = np.exp(middle)
            terms = squares * np.maximum(1 / (x[:, None] + apart) - known, 0.0)
            enough = self.bound + terms.sum(axis=1) <= theta[:d] + x
            high, low = np.where(enough, middle, high), np.where(enough, low, middle)
        return np.where(positive, np.exp(high), 0.0)
