r"""The rank of a matrix of floats as the rationals they are, by elimination modulo the prime $p = 2^{31} - 1$.

The rank modulo ``p`` is never above the true one, and below it only if ``p`` divides a certain minor, which happens by
chance about once in ``p`` times. A float64 is $m\,2^e$, and $2^{31} = 1$ modulo ``p``: no long numbers are needed.
"""

import numpy as np
from flint import nmod_mat
from numpy.typing import NDArray

from tabular_krope.arrays import Array

P = 2**31 - 1
#: Among how many combined rows each row is counted when there are many more rows than columns.
COPIES = 4


def rank_of_floats(A: Array, seed: int = 0) -> int:
    """Rank of ``A`` [n, d] over the rationals (with a chance of some 1e-9 to be given too low).

    Many rows are first combined into ``2d + 8`` with random coefficients from ``seed``.

    >>> rank_of_floats(np.array([[1.0, 1.0 + 2**-52], [1.0, 1.0]]))
    2
    >>> rank_of_floats(np.array([[0.5, 1.5], [1e-300, 3e-300], [1e300, 3e300]]))  # 3 * 1e300 is not 3e300 in float64
    2
    """
    residues = _residues(np.asarray(A, np.float64))
    n, d = residues.shape
    if n > COPIES * d + 64:
        residues = _combined(residues, 2 * d + 8, seed)
    if 0 in residues.shape:
        return 0
    return int(nmod_mat(*residues.shape, residues.ravel().tolist(), P).rank())


def _residues(A: Array) -> NDArray[np.int64]:
    mantissa, exponent = np.frexp(A)
    whole = np.ldexp(mantissa, 53).astype(np.int64)
    power = np.left_shift(np.int64(1), (exponent.astype(np.int64) - 53) % 31)
    return np.asarray((whole % P) * power % P)


def _combined(residues: NDArray[np.int64], m: int, seed: int) -> NDArray[np.int64]:
    rng = np.random.default_rng(seed)
    out = np.zeros((m, residues.shape[1]), np.int64)
    for _ in range(COPIES):
        factor = rng.integers(1, P, len(residues))[:, None]
        np.add.at(out, rng.integers(m, size=len(residues)), residues * factor % P)
    return out % P
