r"""LSPE on the top ``d`` KROPE features, enclosed in balls.

With ``Psi = K[:, I]`` a rational basis of what the data can see, ``G = K[I, I]`` its Gram matrix in the RKHS and
$N = G^{-1} \Psi^\top D \Psi$ (eigenvalues: those of $D^{1/2} K D^{1/2}$), the projector on the top eigenspaces is

$$T = \sum_{\lambda\ \text{top}} \prod_{\mu \ne \lambda} \frac{N - \mu}{\lambda - \mu}$$

over the *distinct* eigenvalues, and LSPE's matrix is the compression $T L_\Psi T$. Only eigenvalues have to be
enclosed, never eigenvectors, so eigenvalues that coincide do no harm unless the cut falls between them.
"""

from dataclasses import dataclass
from functools import cmp_to_key
from itertools import accumulate
from typing import Any

import numpy as np
from flint import acb, acb_mat, arb, arb_mat, ctx, fmpq_mat, fmpz_poly

from tabular_krope.exact.rationals import float_matrix, identity, rational_matrix

#: What a ball that says nothing looks like.
ANYTHING = arb(0, float("inf"))
#: Bits at which eigenvalues are put in order; if two cannot be told apart there, the features count as undefined.
SEPARATING = 512
#: Squarings by which the spectral radius of a defective matrix is bounded.
DOUBLINGS = 10


@dataclass(frozen=True, slots=True, eq=False)
class Truncation:
    """LSPE's matrix on the top ``d`` features.

    Attributes:
        N: the data's covariance operator in the basis, [n, n].
        G: Gram matrix of the basis, [n, n].
        L: LSPE's matrix in the basis, [n, n].
        squarefree: polynomial whose simple roots are the eigenvalues of ``N``.
        kept: how many of its roots, largest first, belong to the top ``d`` eigenvalues.
        W: rational columns near to the top eigenvectors, [n, d].
    """

    N: fmpq_mat
    G: fmpq_mat
    L: fmpq_mat
    squarefree: fmpz_poly
    kept: int
    W: fmpq_mat

    def radius(self) -> arb:
        """A ball around the spectral radius, at the precision of flint's context."""
        M, _ = self._compression()
        return radius_of(M)

    def norm(self) -> arb:
        """A ball around the 2-norm in the features' own coordinates."""
        M, G = self._compression()
        try:
            square = M * G.inv() * M.transpose() * G
        except ZeroDivisionError:
            return ANYTHING
        return radius_of(square).nonnegative_part().sqrt()

    def basis(self) -> arb_mat:
        """Balls around a basis ``T W`` of the top eigenspaces, [n, d]."""
        N, n = arb_mat(self.N), self.N.nrows()
        one = arb_mat(identity(n))
        balls = [(acb(z).real, 1) for z, _ in self.squarefree.complex_roots()]  # disjoint
        roots = [ball for ball, _ in sorted(balls, key=cmp_to_key(_larger_first))]
        T = arb_mat(n, n)
        for i in range(self.kept):
            product = one
            for j, other in enumerate(roots):
                if j != i:
                    product = product * ((N - other * one) * (1 / (roots[i] - other)))
            T = T + product
        return T * arb_mat(self.W)

    def _compression(self) -> tuple[arb_mat, arb_mat]:
        """LSPE's matrix and the Gram matrix in the basis of the top eigenspaces, both [d, d]."""
        V, G, L = self.basis(), arb_mat(self.G), arb_mat(self.L)
        gram = V.transpose() * G * V
        try:
            return gram.solve(V.transpose() * G * L * V), gram
        except ZeroDivisionError:
            d = self.W.ncols()
            wide = arb_mat(d, d, [ANYTHING] * (d * d))
            return wide, wide


def truncation(N: fmpq_mat, G: fmpq_mat, L: fmpq_mat, d: int) -> Truncation | None:
    """LSPE on the top ``d`` eigenfunctions; None where they are not defined, the cut being between equal eigenvalues.

    >>> half = fmpq_mat([[1, 0], [0, 1]])
    >>> truncation(half, half, half, 1) is None
    True
    """
    squarefree = fmpz_poly([1])
    counted: list[tuple[Any, int]] = []
    with ctx.workprec(SEPARATING):
        for factor, multiplicity in N.charpoly().numer().factor()[1]:
            squarefree = squarefree * factor
            counted += [(acb(z).real, multiplicity) for z, _ in factor.complex_roots()]
        if any(a.overlaps(b) for i, (a, _) in enumerate(counted) for b, _ in counted[:i]):
            return None
        counted.sort(key=cmp_to_key(_larger_first))
    reached = list(accumulate(multiplicity for _, multiplicity in counted))
    if d not in reached:
        return None
    kept = reached.index(d) + 1
    values, vectors = np.linalg.eig(float_matrix(N))
    top = np.argsort(-values.real, kind="stable")[:d]
    return Truncation(N, G, L, squarefree, kept, rational_matrix(np.round(vectors[:, top].real, 6)))


def _larger_first(a: tuple[Any, int], b: tuple[Any, int]) -> int:
    return -1 if a[0] > b[0] else 1


def radius_of(M: arb_mat) -> arb:
    """A ball around the spectral radius of a matrix of balls.

    >>> radius_of(arb_mat([[0, 1], [0, 0]])) < 1e-6, radius_of(arb_mat([[2, 1], [0, 2]])).contains(2)
    (True, True)
    """
    try:
        values = acb_mat(M).eig(multiple=True)
    except ValueError:  # a defective matrix: its eigenvalues cannot be isolated at any precision
        return _radius_by_powers(M)
    largest = arb(0)
    for value in values:
        largest = largest.max(abs(value))
    return largest


def _radius_by_powers(M: arb_mat) -> arb:
    """``|tr M^k| / n <= rho^k <= norm(M^k)`` for ``k = 1, 2, 4, ...``, and the best of these bounds."""
    n = M.nrows()
    low, high, power = arb(0), None, M
    for j in range(DOUBLINGS):
        frobenius = sum((entry * entry for entry in power.entries()), arb(0)).nonnegative_part().sqrt()
        upper = frobenius.upper().root(2**j)
        if not upper.is_finite():
            break
        high = upper if high is None else high.min(upper)
        trace = abs(power.trace()).lower() / n
        if trace > 0:
            low = low.max(trace.root(2**j).lower())
        power = power * power
    return ANYTHING if high is None else low.union(high)
