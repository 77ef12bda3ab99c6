"""The value estimate of an offline problem, dense or sparse."""

from typing import Any

from tabular_krope.data.offline import OfflineProblem
from tabular_krope.evaluation.pair_estimate import estimate_on_pairs
from tabular_krope.evaluation.value_estimate import ValueEstimate, estimate_on_rows


def estimate_problem(
    p: OfflineProblem, weights: Any = None, level: float = 0.95, replicates: int = 400, seed: Any = 0
) -> ValueEstimate:
    """LSPE's fixed point on the rows of ``p``, and its interval; ``weights`` of the rows only where they are dense.

    >>> from tabular_krope.data.dataset import Dataset
    >>> from tabular_krope.data.offline import offline_problem
    >>> data = Dataset([0, 1], [0, 0], [0.0, 1.0], [1, 1], [False, True], n_states=2, n_actions=1, gamma=0.5)
    >>> round(estimate_problem(offline_problem(data)).value, 12)
    0.5
    """
    if p.pairs is not None:
        return estimate_on_pairs(p.pairs, p.episodes, level, replicates, seed)
    rows = (p.Phi, p.Phi_next, p.r, p.gamma, p.starts, p.start_weights, weights, p.episodes)
    return estimate_on_rows(*rows, level, replicates, seed)
