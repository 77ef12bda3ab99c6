"""The plain facts of a model and of its kernel."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from tabular_krope.arrays import Array
from tabular_krope.kernels.kernel import Evidence, Kernel
from tabular_krope.models.mrp import MRP
from tabular_krope.representations.layers import NULL


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """Sizes, discounting, ends and rewards of a reward process.

    Attributes:
        n_states, n_actions, n_pairs: S, A and X.
        gamma: discount factor.
        horizon: longest expected discounted length of an episode.
        conservative: whether no episode ever ends.
        pairs_that_end: how many pairs may end the episode.
        reward_low, reward_high: least and greatest reward.
        distinct_rewards: how many different rewards there are.
    """

    n_states: int
    n_actions: int
    n_pairs: int
    gamma: float
    horizon: float
    conservative: bool
    pairs_that_end: int
    reward_low: float
    reward_high: float
    distinct_rewards: int


def model_facts(mrp: MRP) -> ModelFacts:
    """The facts of ``mrp``.

    >>> model_facts(MRP.from_matrix([[0.5, 0.5], [0.0, 1.0]], r=[1.0, 0.0], gamma=0.5)).horizon
    2.0
    """
    return ModelFacts(
        n_states=mrp.n_states,
        n_actions=mrp.n_actions,
        n_pairs=mrp.n_pairs,
        gamma=mrp.gamma,
        horizon=mrp.horizon,
        conservative=mrp.conservative,
        pairs_that_end=int(np.count_nonzero(mrp.end)),
        reward_low=float(mrp.r.min()),
        reward_high=float(mrp.r.max()),
        distinct_rewards=len(np.unique(mrp.r)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class KernelFacts:
    """How a kernel was computed, and its spectrum.

    Attributes:
        evidence: method, iterations, residual and error bound.
        reward_range: the divisor R of the reward kernel.
        rank: numerical rank of ``K`` (directions above sqrt(eps) of the largest singular value of its factor); None if
            the model is too large for it.
        eigenvalues: eigenvalues of ``K / X``, decreasing, [rank]; None with the rank.
    """

    evidence: Evidence
    reward_range: float
    rank: int | None
    eigenvalues: Array | None


def kernel_facts(K: Kernel, spectrum: bool = True) -> KernelFacts:
    """The facts of ``K``; its spectrum, O(X^3), only if asked for.

    >>> from tabular_krope.kernels.krope import krope_kernel
    >>> K = krope_kernel(MRP.from_matrix([[1.0, 0.0], [0.0, 1.0]], [0.0, 1.0], gamma=0.5))
    >>> kernel_facts(K).rank, kernel_facts(K).eigenvalues.round(12)
    (2, array([1., 1.]))
    """
    if not spectrum:
        return KernelFacts(K.evidence, K.reward.divisor, None, None)
    sigma = scipy.linalg.svdvals(K.factor())
    kept = sigma[sigma > NULL * sigma[0]]
    return KernelFacts(K.evidence, K.reward.divisor, len(kept), kept**2 / K.mrp.n_pairs)
