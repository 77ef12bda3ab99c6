r"""Features of a rational chain as a map between spaces, exactly or in balls.

Features are known up to a rotation only, and the entries of KROPE features are irrational. Both are avoided by another
basis of feature space. In it the features are a matrix ``F`` [X, d] and the inner product is a matrix ``G``, so that

$$\Phi \Phi^\top = F G^{-1} F^\top, \qquad \Phi \mapsto F, \quad \Phi^\top \mapsto G^{-1} F^\top, \quad
M \mapsto T M T^{-1}, \quad M^\top \mapsto G^{-1} (T M T^{-1})^\top G .$$

Eigenvalues, norms, traces, ranks and the order of Loewner are the same. For all KROPE features ``F`` and ``G`` are
columns and a block of ``K``; for the top ones they are enclosed in balls.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import arb_mat, fmpq_mat

from proofs_check.arithmetic.linear_algebra import flint_matrix, identity, independent_columns, pivot_columns, rationals
from proofs_check.chains.case import Case
from tabular_krope.exact.rationals import diagonal

AnyMatrix = Any  # an fmpq_mat, or an arb_mat at the precision of flint's context


@dataclass(frozen=True, slots=True, eq=False)
class FeatureSpace:
    """Features in a basis of their own.

    Attributes:
        F: values of the basis on pairs, [X, d].
        G: inner products of the basis, [d, d].
        G_inverse: its inverse.

    >>> case = Case.from_matrix(rationals([[1, 0], [0, 1]]), rationals([0, 1]), rationals("1/2")[()])
    >>> space = krope_space(case)
    >>> space.F * space.G_inverse * space.F.transpose() == flint_matrix(case.K)
    True
    """

    F: AnyMatrix
    G: AnyMatrix
    G_inverse: AnyMatrix

    @property
    def d(self) -> int:
        """Number of features."""
        return int(self.F.ncols())

    def covariance(self, weights: AnyMatrix) -> AnyMatrix:
        """``Phi' D Phi``, [d, d]."""
        return self.G_inverse * self.F.transpose() * weights * self.F

    def pseudo_inverse(self, B: AnyMatrix) -> AnyMatrix:
        """The pseudo-inverse of a covariance: on its range, which it maps onto itself, and zero across."""
        if isinstance(B, arb_mat):  # top features: all their eigenvalues are positive
            return B.inv()
        if B.rank() == B.nrows():
            return B.inv()
        if B.rank() == 0:
            return 0 * B
        Y = flint_matrix(independent_columns(rationals(B)))
        dual = Y.transpose() * self.G
        return Y * (dual * B * Y).solve(dual)

    def adjoint(self, M: AnyMatrix, rows: str, columns: str) -> AnyMatrix:
        """The transpose of a matrix between pairs and features: ``X``, ``d`` or 1 of each."""
        out = M.transpose()
        if columns == "d":
            out = self.G_inverse * out
        return out * self.G if rows == "d" else out


def krope_space(case: Case) -> FeatureSpace:
    """All features with ``Phi Phi' = K``: kernel functions at pairs that span the others."""
    chosen = pivot_columns(case.K)
    G = flint_matrix(case.K[np.ix_(chosen, chosen)])
    return FeatureSpace(flint_matrix(case.K[:, chosen]), G, G.inv())


def given_space(Phi: Any) -> FeatureSpace:
    """Any features, [X, d]."""
    one = flint_matrix(identity(Phi.shape[1], True))
    return FeatureSpace(flint_matrix(Phi), one, one)


def truncated_space(Psi: fmpq_mat, G: fmpq_mat, V: arb_mat) -> FeatureSpace:
    """Features ``Psi V`` in balls; ``G`` are the inner products of ``Psi``. Raises ZeroDivisionError if too wide."""
    gram = V.transpose() * arb_mat(G) * V
    return FeatureSpace(arb_mat(Psi) * V, gram, gram.inv())


@dataclass(frozen=True, slots=True, eq=False)
class Lspe:
    """The matrices of LSPE, LSTD and TD(0) on features.

    Args:
        space: the features.
        case: the chain with its data.
        convert: what makes a matrix of rationals one of the space's arithmetic.
    """

    space: FeatureSpace
    case: Case
    convert: Any

    @property
    def D(self) -> AnyMatrix:
        """Data weights on the diagonal."""
        return self.convert(diagonal(self.case.weights))

    def letter(self, name: str, steps: int) -> AnyMatrix:
        """One of Phi, B, C, L, A, b and Pi_D; C, L and A take that many steps."""
        space, D = self.space, self.D
        if name == "Phi":
            return space.F
        dual = space.G_inverse * space.F.transpose() * D
        if name == "b":
            return dual * self.convert(flint_matrix(self.case.r.reshape(-1, 1)))
        B = space.covariance(D)
        if name == "B":
            return B
        if name == "Pi_D":
            return space.F * space.pseudo_inverse(B) * dual
        power = flint_matrix(self.case.P_pi) ** steps
        C = dual * self.convert(power) * space.F
        scale = self.case.gamma**steps
        return {"C": lambda: C, "L": lambda: space.pseudo_inverse(B) * C * scale, "A": lambda: B - C * scale}[name]()

    def limit(self) -> AnyMatrix:
        """Values of the limit of LSPE, where it converges: ``Phi (1 - L)^-1 B^+ b``, [X, 1]."""
        space = self.space
        one = self.convert(flint_matrix(identity(space.d, True)))
        theta = (one - self.letter("L", 1)).solve(space.pseudo_inverse(self.letter("B", 0)) * self.letter("b", 0))
        return space.F * theta
