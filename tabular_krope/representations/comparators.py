r"""Features that KROPE is compared with: one-hot, random, successor and eigen-features of the chain."""

from typing import Any

import numpy as np
import scipy.linalg

from tabular_krope.arrays import Array, dense, require_count
from tabular_krope.errors import DimensionError, KropeError, unknown_name
from tabular_krope.kernels.kernel import MATRIX_BYTES
from tabular_krope.models.linear import solve_discounted
from tabular_krope.models.mrp import MRP, require_mrp
from tabular_krope.models.randomness import generator

COMPARATORS = ("one-hot", "random", "successor", "eigen")
#: Kinds that decompose an X-by-X array, and how many such arrays that holds at once.
DENSE, ARRAYS = ("successor", "eigen"), 4


def comparator_features(mrp: MRP, kind: str, d: int, seed: int | np.random.Generator = 0) -> Array:
    r"""``d`` features that are made without the kernel, to compare KROPE features with.

    Args:
        mrp: the reward process.
        kind: "one-hot" (pairs grouped by index modulo d; the identity at d = X), "random" (standard normal),
            "successor" (top left singular vectors of $(I - \gamma P_\pi)^{-1}$, scaled by their singular values),
            "eigen" (a real orthonormal basis of the invariant subspace of $P_\pi$ with the d eigenvalues largest in
            modulus; a complex pair that d would split contributes its first Schur vector).
        d: number of features, at most X. "successor" and "eigen" decompose an X-by-X array: at most 11585 pairs.
        seed: seed or generator; only "random" uses it.

    Returns:
        [X, d].

    >>> comparator_features(MRP.from_matrix([[1.0, 0.0], [0.0, 1.0]], [0.0, 1.0], 0.5), "one-hot", 2)
    array([[1., 0.],
           [0., 1.]])
    """
    require_mrp(mrp)
    d = require_count(d, "d")
    X = mrp.n_pairs
    if d > X:
        raise DimensionError(f"be at most the number of pairs {X}; got {d}")
    if kind in DENSE and 8 * ARRAYS * X * X > MATRIX_BYTES:
        raise KropeError(
            f"mrp must have at most {int(np.sqrt(MATRIX_BYTES / 8 / ARRAYS))} pairs for {kind!r} features, which "
            f"decompose an X-by-X array; got {X} (ask for 'one-hot' or 'random' ones, or for those of the kernel)"
        )
    makers: dict[str, Any] = {
        "one-hot": lambda: np.eye(d)[np.arange(X) % d],
        "random": lambda: generator(seed).standard_normal((X, d)),
        "successor": lambda: _successor(mrp, d),
        "eigen": lambda: _eigen(mrp, d),
    }
    if kind not in makers:
        raise unknown_name("kind", str(kind), COMPARATORS)
    return np.asarray(makers[kind](), dtype=np.float64)


def _successor(mrp: MRP, d: int) -> Array:
    # (I - g P_pi)^{-1} = I + g P (I - g Q)^{-1} Pi, so the solve is on states.
    inner = solve_discounted(mrp.Q, np.eye(mrp.n_states), mrp.gamma)
    successor = np.eye(mrp.n_pairs) + mrp.gamma * (mrp.P @ (mrp.Pi.T @ inner.T).T)
    U, sigma, _ = scipy.linalg.svd(successor)
    return np.asarray(U[:, :d] * sigma[:d])


def _eigen(mrp: MRP, d: int) -> Array:
    P_pi = dense(mrp.P_pi)
    moduli = np.sort(np.abs(np.linalg.eigvals(P_pi)))[::-1]
    bar = moduli[d - 1] * (1 - 1e-9)

    def kept(real: float, imaginary: float = 0.0) -> bool:
        return bool(np.hypot(real, imaginary) >= bar)

    _, Z, _ = scipy.linalg.schur(P_pi, output="real", sort=kept)
    return Z[:, :d]
