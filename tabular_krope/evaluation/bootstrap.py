r"""How sure an estimate from data is: a studentized Bayesian bootstrap over episodes.

The value estimate solves $(B - \gamma C)\,\theta = c$ with moments $B = \sum_g B_g$ of groups of episodes. A replicate
weights the groups by independent exponential variables of mean 1 (Rubin, 1981) and solves again: no group ever
vanishes, so that rare pairs do not make replicates singular. With the scores
$\psi_g = z^\top (c_g - (B_g - \gamma C_g)\theta)$, $z = (B - \gamma C)^{-\top}\phi_0$,

- the standard error of the estimate is $(\sum_g \psi_g^2)^{1/2}$, that of a replicate $(\sum_g e_g \psi_g^2)^{1/2}$
  with its own solutions;
- the interval comes from the quantiles of (replicate - estimate) / (standard error of the replicate);
- rows that fit themselves show too small errors: in the estimate's standard error each is divided by one minus its
  leverage $D_i (\phi_i - \gamma\phi_i')^\top (B - \gamma C)^{-1}\phi_i$, what leaving it out would show.

With more than `MOST_RESOLVED` features a replicate takes one Newton step from the estimate instead:
$v + \sum_g (e_g - 1)\,\psi_g$.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabular_krope.arrays import Array

#: Groups of episodes that are weighted together; more would change nothing but the work.
MOST_GROUPS = 200
#: With fewer episodes than this the groups are blocks of consecutive transitions.
FEWEST_EPISODES = 20
#: Features up to which each replicate is solved anew.
MOST_RESOLVED = 128
#: A row that fits itself altogether shows no error; what is left of it is magnified by no more than this allows.
MOST_LEVERAGE = 0.9


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Which rows are weighted together.

    Attributes:
        of_row: number of the group of each row, [n].
        count: number of groups.
        unit: what a group consists of: "episodes" or "blocks of transitions".
    """

    of_row: NDArray[np.int64]
    count: int
    unit: str


def groups_of(episodes: NDArray[np.int64]) -> Groups:
    """Groups from the episode of each row, in order: some episodes each, or blocks of rows if there are few episodes.

    >>> groups_of(np.arange(1000)).count, groups_of(np.zeros(1000, dtype=int)).unit
    (200, 'blocks of transitions')
    """
    _, numbered = np.unique(episodes, return_inverse=True)
    many = int(numbered.max()) + 1
    unit = "episodes"
    if many < FEWEST_EPISODES:
        many, unit = len(episodes), "blocks of transitions"
        numbered = np.arange(many)
    count = min(many, MOST_GROUPS)
    return Groups(numbered * count // many, count, unit)


@dataclass(frozen=True, slots=True, eq=False)
class Replicates:
    """The estimate again, with other weights of the groups.

    Attributes:
        values: of the replicates, [B].
        ratios: their distances from the estimate in standard errors of their own, [B].
        error: standard error of the estimate, corrected for leverage.
        rewards: number of rewards of equal share that would carry the estimate as the rewards in the data do.
    """

    values: Array
    ratios: Array
    error: float
    rewards: float


def bootstrap(
    Q: Array,
    Q_next: Array,
    which: NDArray[np.int64],
    r: Array,
    D: Array,
    gamma: float,
    start: Array,
    groups: Groups,
    replicates: int,
    rng: Any,
) -> Replicates:
    """Replicates of the value at ``start``.

    Args:
        Q, Q_next: distinct features of rows and of successors, in a basis that is orthonormal under ``D``, [u, k].
        which: the features of each row, [n].
        r, D: rewards and normalized weights of the rows, [n].
        gamma: discount.
        start: mean features of the starts, [k].
        groups: of the rows.
        replicates: how many.
        rng: a numpy Generator.
    """
    difference = Q - gamma * Q_next
    share, rewards = (np.bincount(which, weights=part, minlength=len(Q)) for part in (D, D * r))
    H = Q.T @ (share[:, None] * difference)
    inverse = np.linalg.pinv(H)
    theta, z = inverse @ (Q.T @ rewards), inverse.T @ start
    dual = D * (Q @ z)[which]  # the estimate is dual @ r
    leverage = D * np.einsum("ij,ij->i", difference @ inverse, Q)[which]
    scores = Scores.of(dual * r, dual * (r - (difference @ theta)[which]), leverage, groups)
    value = float(start @ theta)
    if Q.shape[1] > MOST_RESOLVED:
        return newton(value, scores, groups, replicates, rng)
    e = rng.exponential(size=(replicates, groups.count))
    return scores.replicates(value, *_solved_again(Q, difference, which, r, D, start, groups, e))


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """What the groups of rows contribute to the error of an estimate.

    Attributes:
        sums: of the scores of the rows, by group, [groups].
        error, rewards: as in `Replicates`.
    """

    sums: Array
    error: float
    rewards: float

    @classmethod
    def of(cls, shares: Array, scores: Array, leverage: Array, groups: Groups) -> "Scores":
        """From what each row's reward contributes to the estimate, its score, and its leverage, all [n]."""
        corrected = scores / (1 - np.clip(leverage, 0.0, MOST_LEVERAGE))
        sums: list[Array] = [
            np.bincount(groups.of_row, weights=part, minlength=groups.count).astype(np.float64)
            for part in (scores, corrected)
        ]
        sizes = np.abs(shares)
        total = float(sizes.sum())
        rewards = total**2 / float(np.sum(sizes**2)) if total > 0 else 0.0
        return cls(sums[0], max(float(np.linalg.norm(part)) for part in sums), rewards)

    def replicates(self, value: float, values: Array, own: Array) -> Replicates:
        """Replicates with their values and standard errors, [B]."""
        apart = values - value
        ratios = np.divide(apart, own, out=np.zeros_like(apart), where=own > 0)
        return Replicates(values, ratios, self.error, self.rewards)


def newton(value: float, scores: Scores, groups: Groups, replicates: int, rng: Any) -> Replicates:
    """Replicates by one Newton step from the estimate."""
    e = rng.exponential(size=(replicates, groups.count))
    return scores.replicates(value, value + (e - 1.0) @ scores.sums, np.sqrt(e @ scores.sums**2))


def interval(found: Replicates, value: float, level: float) -> tuple[float, float]:
    """Ends of the interval; with fewer than two replicates beyond each, by Student's law of their spread.

    >>> ratios = np.linspace(-1.0, 3.0, 101)
    >>> ends = interval(Replicates(ratios, ratios, 2.0, 9.0), 10.0, 0.9)  # 5% of the ratios lie below -0.8, above 2.8
    >>> [round(end, 12) for end in ends]
    [4.4, 11.6]
    """
    if len(found.ratios) * (1 - level) >= 4 - 1e-9:
        low, high = np.quantile(found.ratios, [(1 - level) / 2, (1 + level) / 2])
        return value - float(high) * found.error, value - float(low) * found.error
    from scipy.stats import t

    spread = max(found.error, float(found.values.std(ddof=1)))
    half = float(t.ppf((1 + level) / 2, len(found.values) - 1)) * spread
    return value - half, value + half


def _solved_again(
    Q: Array,
    difference: Array,
    which: NDArray[np.int64],
    r: Array,
    D: Array,
    start: Array,
    groups: Groups,
    e: Array,
) -> tuple[Array, Array]:
    """Values of replicates that are solved anew, and their standard errors, [B]."""
    order = np.argsort(groups.of_row, kind="stable")
    parts = np.split(order, np.searchsorted(groups.of_row[order], np.arange(1, groups.count)))
    k = Q.shape[1]
    H, c = np.empty((groups.count, k * k)), np.empty((groups.count, k))
    for g, rows in enumerate(parts):
        weighted = D[rows][:, None] * Q[which[rows]]
        H[g] = (weighted.T @ difference[which[rows]]).reshape(-1)
        c[g] = weighted.T @ r[rows]
    values, errors = np.empty(len(e)), np.empty(len(e))
    for at in range(0, len(e), 64):
        some = e[at : at + 64]
        systems = (some @ H).reshape(-1, k, k)
        theta = _solved(systems, some @ c)
        z = _solved(systems.transpose(0, 2, 1), np.broadcast_to(start, theta.shape))
        scores = z @ c.T - (z[:, :, None] * theta[:, None, :]).reshape(len(some), -1) @ H.T  # [b, groups]
        values[at : at + 64], errors[at : at + 64] = theta @ start, np.sqrt(np.sum(some * scores**2, axis=1))
    return values, errors


def _solved(H: Array, c: Array) -> Array:
    try:
        return np.asarray(np.linalg.solve(H, c[:, :, None])[:, :, 0], dtype=np.float64)
    except np.linalg.LinAlgError:  # one of them is singular: take its solution of least norm
        return np.stack([np.linalg.lstsq(h, b, rcond=None)[0] for h, b in zip(H, c, strict=True)])
