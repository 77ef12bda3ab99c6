r"""The right-hand side of the equation on states: ``C = Pi K1 Pi'``, [S, S], without an X-by-X array.

With $K_1 = 1 - |r_x - r_y| / R$ and $p = \Pi 1$ it is $C = p p^\top - \Pi\,(|r_x - r_y|)_{xy}\,\Pi^\top / R$. Where
states have few pairs the distances are formed in blocks that fit the cache, and one triangle of ``C`` is enough. Where
they have many, the products ``K1 Pi'`` by sorted rewards are cheaper: some ten passes over [X, S] numbers.
"""

import numpy as np
from scipy import sparse

from tabular_krope.arrays import Array, Matrix, row_sums
from tabular_krope.kernels.products import add_rows, mirror
from tabular_krope.kernels.reward import RewardKernel, apart

#: Pairs of a state up to which distances are formed, at any size; and the pairs up to which they always are.
FEW_PAIRS, SMALL_PAIRS = 16, 1500
#: Numbers in a block of distances (2 MB) unless the blocks were too many, and states in a block of products by sorting.
BLOCK_NUMBERS, MOST_BLOCKS, SORTED_STATES = 2**18, 32, 512


def state_rewards(Pi: Matrix, reward: RewardKernel) -> Array:
    """``Pi K1 Pi'`` for a CSR policy matrix ``Pi`` [S, X], symmetric to the last bit, [S, S].

    >>> Pi = sparse.csr_array([[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]])
    >>> state_rewards(Pi, RewardKernel.of([0.0, 1.0, 0.5]))
    array([[0.5, 0.5],
           [0.5, 1. ]])
    """
    S, X = Pi.shape
    return _by_distances(Pi, reward) if X <= max(SMALL_PAIRS, FEW_PAIRS * S) else _by_sorting(Pi, reward)


def _by_distances(Pi: Matrix, reward: RewardKernel) -> Array:
    S, X = Pi.shape
    mass = row_sums(Pi)
    r, C = reward.scaled, np.empty((S, S))
    states = max(BLOCK_NUMBERS * S // X**2, -(-S // MOST_BLOCKS), 1)
    for start in range(0, S, states):
        stop = min(start + states, S)
        first = int(Pi.indices[Pi.indptr[start] :].min(initial=X))  # the states from here on have no pair before it
        mean = np.ascontiguousarray(_mean_distances(Pi, start, stop, r, first).T)
        block = np.zeros((S - start, stop - start))
        add_rows(Pi, start, S, mean, block, first)
        np.subtract(np.multiply.outer(mass[start:], mass[start:stop]), block, out=block)
        square = block[: stop - start]
        square[...] = (square + square.T) / 2
        C[start:, start:stop] = block
        mirror(C, start, stop)
    return C


def _mean_distances(Pi: Matrix, start: int, stop: int, r: Array, first: int) -> Array:
    """``sum_x Pi[s, x] |r_x - r_y|`` for states from ``start`` to ``stop`` and pairs y from ``first`` on."""
    entries = slice(Pi.indptr[start], Pi.indptr[stop])
    own = Pi.indices[entries]
    mean = np.zeros((stop - start, len(r) - first))
    if not len(own):
        return mean
    low, end = int(own.min()), int(own.max()) + 1
    if end - low <= 2 * len(own):  # as in all models whose pairs are numbered state by state
        add_rows(Pi, start, stop, apart(r[low:end], r[first:], np.empty((end - low, len(r) - first))), mean, low)
        return mean
    pairs, place = np.unique(own, return_inverse=True)
    distances = apart(r[pairs], r[first:], np.empty((len(pairs), len(r) - first)))
    few = sparse.csr_array((Pi.data[entries], place, Pi.indptr[start : stop + 1] - Pi.indptr[start]))
    add_rows(few, 0, stop - start, distances, mean)
    return mean


def _by_sorting(Pi: Matrix, reward: RewardKernel) -> Array:
    S = Pi.shape[0]
    C = np.empty((S, S))
    for start in range(0, S, SORTED_STATES):  # never more than a few [X, block] arrays
        block = slice(start, start + SORTED_STATES)
        C[:, block] = Pi @ reward.product(Pi[block].T.toarray())
    return (C + C.T) / 2
