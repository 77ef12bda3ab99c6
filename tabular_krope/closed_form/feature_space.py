r"""KROPE inside the span of base features, from data and in closed form.

Base features $\Psi$ [n, p] on transitions with weights ``D``, and $\Psi'$ on their successors under the target policy
(zero where an episode ended), give

$$G = \Psi^\top D \Psi, \quad A = G^{-1}\Psi^\top D \Psi', \quad M_1 = G^{-1}\Psi^\top D K_1 D \Psi G^{-1}, \quad
M = M_1 + \gamma A M A^\top,$$

and the features are the top ``d`` eigenvectors of $G^{1/2} M G^{1/2}$ in the coordinates of $\Psi$. LSPE on these
features and this data has $\|L\|_2 \le \sqrt\gamma$ for every ``d`` and any coverage: regressing on a part of the span
absorbs regressing on $\Psi$, and $M \succeq \gamma A M A^\top$.

Everything is computed in a basis that is orthonormal on the data (`span`), on factors: no condition number is squared.
``M`` exists when $\gamma \rho(A)^2 < 1$; otherwise the span is restricted to the directions that do not grow.
"""

from typing import Any

from tabular_krope.closed_form.assembly import RCOND, Options, assembled, triangle
from tabular_krope.closed_form.blocks import ArrayBlocks
from tabular_krope.closed_form.feature_map import FeatureMap
from tabular_krope.closed_form.reward_rows import sorted_rows
from tabular_krope.evaluation.tall_qr import TallQR
from tabular_krope.kernels.reward import RewardKernel


def feature_space_krope(
    Psi: Any,
    Psi_next: Any,
    r: Any,
    gamma: float,
    d: int | None = None,
    weights: Any = None,
    reward_range: tuple[float, float] | None = None,
    ridge: float = 0.0,
    rcond: float = RCOND,
    restrict: bool = True,
) -> FeatureMap:
    r"""Features of transitions on which LSPE is stable: $\|L\|_2 \le \sqrt\gamma$, recomputed from the data.

    Args:
        Psi: base features of the transitions, [n, p]. Arrays of float32 or float64 are used without a copy.
        Psi_next: base features of the successors, [n, p]: the next action drawn once from the target policy, or the
            mean over its actions. A zero row where the episode ended.
        r: rewards, [n].
        gamma: discount in [0, 1].
        d: number of features, at most the rank; the rank if None.
        weights: weights of the rows, [n]; uniform if None. Zeros are legal.
        reward_range: (r_min, r_max) covering the rewards of the rows with positive weight; their own range if None.
        ridge: added to the diagonal of ``G``, in the features and in LSPE alike. LSPE without it on the same features
            has a norm of at most ``plain_bound``.
        rcond: directions of ``D^1/2 Psi`` (columns scaled to norm 1) below this share of the largest are left out.
        restrict: whether directions with ``gamma |lambda|^2 >= 1`` are dropped; if False, such data are refused.

    Returns:
        A `FeatureMap`; the features are ``Psi @ map``.

    >>> out = feature_space_krope([[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [0.0, 1.0]], [0.0, 1.0], gamma=0.81)
    >>> out.norm <= 0.9 + out.tolerance, round(out.spectral_radius, 9)
    (True, 0.81)
    >>> out.values([[1.0, 0.0], [0.0, 1.0]]).round(9)  # q = gamma / (1 - gamma) and 1 / (1 - gamma)
    array([4.26315789, 5.26315789])
    """
    how = Options.of(gamma, d, ridge, rcond, restrict)
    data = ArrayBlocks.of(Psi, Psi_next, r, weights)
    seen = data.r[data.weights > 0]
    reward = RewardKernel.of(seen, reward_range)
    p = data.Psi.shape[1]
    S = TallQR(p)
    for rows in sorted_rows(data, reward):
        S.add(rows)
    R, (n, _) = triangle(data, how.ridge)
    return assembled(data, R, S.R, how, n)
