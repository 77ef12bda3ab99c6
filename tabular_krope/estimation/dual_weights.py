r"""The weights that an estimate gives to the rewards, and whether they do what the target policy would.

The estimate is a weighted mean of rewards, $v = \frac1n \sum_i w_i r_i$. With the true action values ``q``, a reward is
$q(x_i) - \gamma\,q(x_i')$ but for the noise of one step, so that in expectation

$$v - E_0 q = \beta(q), \qquad \beta(f) = \frac1n \sum_i w_i \bigl(f(x_i) - \gamma f(x_i')\bigr) - E_0 f:$$

the error is the **balance** of the weights at ``q``. It vanishes for every ``f`` exactly when the weights are the
discounted visits of the target policy over those of the data. Three numbers say how far they are from that, without
knowing ``q``:

- ``negative``: the share of $|w|$ below 0, where visits cannot be;
- ``imbalance``: the root mean square of $\beta(f)$ in standard deviations of ``f`` over functions that the estimate
  never saw: the error that it would make if ``q`` were such a function, in standard deviations of ``q``;
- ``effective``: $(\sum w)^2 / \sum w^2$, the number of transitions that the estimate rests on.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.closed_form.spared_ridge import SparedFit
from tabular_krope.estimation.transitions import Functions, Transitions


@dataclass(frozen=True, slots=True, eq=False)
class DualWeights:
    """The weights of an estimate and their balance.

    Attributes:
        weights: of the transitions, of mean near $1/(1 - \\gamma)$ where no episode ends, [n].
        q: estimated action values of the rows, [n].
        errors: temporal differences ``r + gamma q' - q``, [n].
        balance: of each fresh function, in its standard deviations, [m].
        negative: share of the absolute weights that is below 0.
        imbalance: root mean square of ``balance``.
        effective: number of transitions that the estimate rests on.
    """

    weights: Array
    q: Array
    errors: Array
    balance: Array
    negative: float
    imbalance: float
    effective: float

    @property
    def noise(self) -> float:
        """Standard error of the value from the noise of single steps, were the rows independent."""
        return float(np.sqrt(np.sum((self.weights * self.errors) ** 2))) / len(self.weights)


def dual_weights(rows: Transitions, base: Functions, fit: SparedFit, fresh: Functions) -> DualWeights:
    """One pass over the transitions.

    Args:
        rows: the transitions.
        base: the base features of the fit.
        fit: from `spared_fit`.
        fresh: functions that played no part in the fit.

    >>> from tabular_krope.closed_form.moments import moments
    >>> from tabular_krope.closed_form.spared_ridge import spared_fit
    >>> from tabular_krope.data.dataset import Dataset
    >>> from tabular_krope.estimation.transitions import transitions_of
    >>> data = Dataset(s=[0, 1] * 50, a=[0] * 100, r=[0.0, 1.0] * 50, s_next=[1, 1] * 50, done=[False, True] * 50,
    ...                n_states=2, n_actions=1, gamma=0.5, d0=[1.0, 0.0])
    >>> rows, base = transitions_of(data), lambda x: np.column_stack([np.ones(len(x)), x[:, 0]])
    >>> fit = spared_fit(moments(rows.blocks(base), rows.at_start(base)), 0.5, 1e-9)
    >>> out = dual_weights(rows, base, fit, lambda x: x[:, :1] == 1)
    >>> out.weights[:2].round(6), round(out.imbalance, 6), round(out.effective, 3)  # visits 1, 1/2 over shares 1/2
    (array([2., 1.]), 0.0, 90.0)
    """
    vectors = np.column_stack([fit.dual, fit.coefficients])
    weights, q, errors = [], [], []
    total: Any = 0.0
    first: Any = 0.0
    second: Any = 0.0

    def seen(x: Array) -> Array:
        return np.hstack([base(x) @ vectors, fresh(x)])

    for now, after, r in rows.blocks(seen):
        w, f, f_next = now[:, 0], now[:, 2:], after[:, 2:]
        weights.append(w)
        q.append(now[:, 1])
        errors.append(r + rows.gamma * after[:, 1] - now[:, 1])
        total = total + w @ (f - rows.gamma * f_next)
        first, second = first + f.sum(axis=0), second + (f**2).sum(axis=0)
    w = np.concatenate(weights)
    n = len(w)
    spread = np.sqrt(np.maximum(second / n - (first / n) ** 2, 0.0))
    beta = np.asarray(total / n - rows.at_start(fresh), dtype=np.float64)
    balance = np.divide(beta, spread, out=np.zeros_like(beta), where=spread > 0)
    size = float(np.abs(w).sum())
    return DualWeights(
        weights=w,
        q=np.concatenate(q),
        errors=np.concatenate(errors),
        balance=balance,
        negative=float(-w[w < 0].sum() / size) if size else 0.0,
        imbalance=float(np.sqrt(np.mean(balance**2))),
        effective=float(w.sum() ** 2 / (w @ w)) if size else 0.0,
    )
