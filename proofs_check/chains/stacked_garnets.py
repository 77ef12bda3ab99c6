r"""Many Garnets at once: the spectral statements on thousands of 8-by-5 models in a few array operations.

With $D^{1/2} K D^{1/2} = U \Lambda U^\top$ and positive weights, LSPE on the top ``d`` features has the leading ``d``
by ``d`` block of

$$L = \gamma\,\Lambda^{-1/2}\,U^\top D^{1/2} P_\pi D^{-1/2} U\,\Lambda^{1/2}$$

as its iteration matrix, so one eigendecomposition of each kernel settles every ``d``: it is the singular value
decomposition that LSPE's core needs. Single instances get it from square-root doubling instead.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from proofs_check.chains.case import Case
from tabular_krope.arrays import Array
from tabular_krope.batched.chains import Chains, weighted_spectra
from tabular_krope.evaluation.iteration import Factored
from tabular_krope.kernels.stein import EPS

STATES, ACTIONS, BRANCHING = 8, 5, 3
GAMMAS = (0.5, 0.9, 0.99)
#: Numbers of features at which truncations are judged; the last is all pairs.
DIMS = (1, 5, 10, 20, STATES * ACTIONS)
#: Models in one set of arrays: large enough to hide Python, small enough for the cache.
BLOCK = 500


@dataclass(frozen=True, slots=True, eq=False)
class Inequalities:
    """Inequalities ``lhs <= rhs`` on many instances.

    Attributes:
        lhs, rhs: the sides, [n, k].
        allowed: what rounding may leave between them, [n, k].
        case: the instance number ``i``, for another look at it.
    """

    lhs: Array
    rhs: Array
    allowed: Array
    case: Callable[[int], Case]


def garnets(rng: np.random.Generator, n: int) -> tuple[Chains, Array]:
    """``n`` Garnets and positive data weights [n, X]: flat Dirichlet laws on random successors, random policies,
    rewards in [-1, 1].

    >>> garnets(np.random.default_rng(0), 3)[0].P.sum(axis=2).round(12).min()
    np.float64(1.0)
    """
    S, A, X = STATES, ACTIONS, STATES * ACTIONS
    successors = rng.random((n, X, S)).argsort(axis=2)[:, :, :BRANCHING]
    P = np.zeros((n, X, S))
    np.put_along_axis(P, successors, rng.dirichlet(np.ones(BRANCHING), (n, X)), axis=2)
    Pi = np.zeros((n, S, X))
    Pi[:, np.arange(X) // A, np.arange(X)] = rng.dirichlet(np.ones(A), (n, S)).reshape(n, X)
    weights = 0.9 * rng.dirichlet(np.ones(X), n) + 0.1 / X
    return Chains(P, rng.uniform(-1, 1, (n, X)), rng.choice(GAMMAS, n), np.zeros((n, X)), Pi), weights


def iteration_matrices(chains: Chains, weights: Array) -> tuple[Array, Array]:
    """``L`` in the coordinates of the full-rank features, [n, X, X], and the eigenvalues, decreasing, [n, X]."""
    values, U = weighted_spectra(chains.kernel(), weights)
    gamma, root = chains.gamma[:, None, None], np.sqrt(weights)[:, :, None]
    rows = Factored(U, np.sqrt(np.maximum(values, 0.0)), None)
    # Two thin products instead of forming P_pi: [X, X] @ [X, S] and [S, X] @ [X, X]. The weights are at least 0.1 / X.
    return gamma * (rows.regress(root * chains.P) @ (chains.choices @ (U * rows.sigma[:, None, :] / root))), values


def truncation_norms(rng: np.random.Generator, n: int) -> Inequalities:
    """The norm of LSPE on the top ``d`` features against the root of gamma, for each ``d`` of `DIMS`."""
    return _judged(rng, n, lambda L: np.stack([_norm(L[:, :d, :d]) for d in DIMS], axis=1), DIMS)


def full_rank_radius(rng: np.random.Generator, n: int) -> Inequalities:
    """The spectral radius and the norm of LSPE on full-rank features against the root of gamma."""
    full = (DIMS[-1], DIMS[-1])
    return _judged(rng, n, lambda L: np.stack([_radius(L), _norm(L)], axis=1), full)


def _radius(L: Array) -> Array:
    return np.asarray(np.abs(np.linalg.eigvals(L)).max(axis=1))


def _norm(L: Array) -> Array:
    return np.asarray(np.linalg.norm(L, 2, axis=(1, 2)))


def _judged(rng: np.random.Generator, n: int, sizes: Callable[[Array], Array], dims: tuple[int, ...]) -> Inequalities:
    blocks, lhs, allowed = [], [], []
    for start in range(0, n, BLOCK):
        chains, weights = garnets(rng, min(BLOCK, n - start))
        L, values = iteration_matrices(chains, weights)
        blocks.append((chains, weights))
        lhs.append(sizes(L))
        # An eigenvalue is right to eps times the largest one, and enters relative to its own size.
        small = np.maximum(values[:, np.array(dims) - 1], EPS * values[:, :1])
        allowed.append(8 * EPS * values.shape[1] * values[:, :1] / small)
    rhs = np.sqrt(np.concatenate([chains.gamma for chains, _ in blocks]))[:, None]
    both = np.concatenate(lhs)

    def case(i: int) -> Case:
        (chains, weights), k = blocks[i // BLOCK], i % BLOCK
        return Case(chains.P[k], chains.choices[k], chains.r[k], float(chains.gamma[k]), chains.end[k], weights[k])

    return Inequalities(both, np.broadcast_to(rhs, both.shape), np.concatenate(allowed), case)
