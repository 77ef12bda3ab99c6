r"""How near the dense kernel is to its limit: the time of what no solver on states can leave out, in the same run.

The bound of a model is the sum of these CPU times, each the median of a few repetitions with the BLAS that we use:

- the result is written once: a copy of an [X, X] array;
- a doubling $M \leftarrow M + s A M A^\top$ is the product $A M$ and one triangle of $(A M) A^\top$ (half a product),
  as often as the solver took it, and $A \leftarrow A^2$ once less; the first with ``Q``, sparse where it is sparse;
- $K = K_1 + \gamma P M P^\top$ takes ``P M`` and one triangle of ``(P M) P'``, sparse where ``P`` is sparse.

Left out are ``Pi K1 Pi'``, the reward kernel, the measured residual (another half doubling), the search for zeros and
every call: they are ours to make small.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from tabular_krope.arrays import Array, Matrix, dense, is_sparse
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.kernels.products import cheapest, multiply
from tabular_krope.models.garnet import garnet
from tabular_krope.models.induce import induce
from tabular_krope.models.mrp import MRP
from tabular_krope.models.random_policy import random_policy
from tabular_krope.report.timing import batch_time, median_time


def kernel_bound(mrp: MRP, doublings: int, repeats: int) -> float:
    """CPU seconds of the copy and the products that a kernel of ``mrp`` with so many doublings needs."""
    seconds = partial(_seconds, repeats=repeats)
    Q, P = cheapest(mrp.Q), cheapest(mrp.P)
    M, work, K = np.ones((mrp.n_states,) * 2), np.empty((mrp.n_states,) * 2), np.ones((mrp.n_pairs,) * 2)
    written = seconds(K.copy)
    first, later = (seconds(partial(multiply, A, M, out=work)) for A in (Q, dense(Q)))
    solved = 1.5 * (first + (doublings - 1) * later) if doublings else 0.0
    squared = first + (doublings - 2) * later if doublings > 1 else 0.0
    W = np.ascontiguousarray(np.asarray(P @ M).T)  # [S, X]
    return written + solved + squared + seconds(lambda: P @ M) + seconds(partial(_smoothed, P, W, K)) / 2


def _smoothed(P: Matrix, W: Array, out: Array) -> Array:
    """``P W`` [X, X]: a sparse product makes its own array, a dense one is written to ``out``."""
    return np.asarray(P @ W) if is_sparse(P) else np.matmul(P, W, out=out)


def _seconds(action: Callable[[], Any], repeats: int) -> float:
    action()  # touches the memory
    return batch_time(action, repeats)


def _matrix(mrp: MRP) -> Array:
    return krope_kernel(mrp).matrix()


def bounded_kernel(S: int, A: int, branching: int, gamma: float, repeats: int) -> tuple[float, float, float]:
    """CPU seconds of the kernel matrix of a garnet, of its bound, and the residual that the kernel reports.

    Each run of ours starts from a fresh model, which has nothing in store.
    """
    mdp = garnet(S, A, branching=branching, gamma=gamma, seed=0)
    policy = random_policy(mdp, seed=1)
    models = [induce(mdp, policy) for _ in range(repeats + 1)]
    kernel = krope_kernel(models[0])
    kernel.matrix()  # loads what it needs
    ours = median_time([partial(_matrix, mrp) for mrp in models[1:]])[0]
    return ours, kernel_bound(models[0], kernel.evidence.iterations, repeats), kernel.evidence.residual
