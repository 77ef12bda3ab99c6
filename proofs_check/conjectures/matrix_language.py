"""What a claim about matrices may name: letters with their shapes, and functions from matrices to numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from proofs_check.conjectures.language import Function

#: Rows and columns: ``X`` pairs, ``d`` features, or 1.
Shape = tuple[str, str]
PAIRS: Shape = ("X", "X")


@dataclass(frozen=True, slots=True)
class Matrix:
    """A letter of claims about matrices.

    Attributes:
        name: as it is written, without indices.
        shape: rows and columns.
        meaning: in words.
        featured: whether it depends on features, and on the data.
        numbered: whether it may be written with a number of steps, ``L(2)``.
    """

    name: str
    shape: Shape
    meaning: str
    featured: bool = False
    numbered: bool = False

    @property
    def written(self) -> str:
        """How it stands in a claim.

        >>> Matrix("L", ("d", "d"), "LSPE", True, True).written
        'L or L(2)'
        """
        return f"{self.name} or {self.name}(2)" if self.numbered else self.name


_MATRICES = (
    Matrix("P", PAIRS, "transitions between pairs, P_pi"),
    Matrix("K", PAIRS, "KROPE kernel"),
    Matrix("K1", PAIRS, "reward kernel"),
    Matrix("U", PAIRS, "MICo distances"),
    Matrix("d", PAIRS, "KROPE distances"),
    Matrix("D", PAIRS, "data distribution, on the diagonal"),
    Matrix("D2", PAIRS, "another distribution, any, on the diagonal"),
    Matrix("q", ("X", "1"), "action values, a column"),
    Matrix("r", ("X", "1"), "rewards, a column"),
    Matrix("one", ("X", "1"), "a column of ones"),
    Matrix("Phi", ("X", "d"), "features, a row for each pair: --features says which", True),
    Matrix("B", ("d", "d"), "covariance Phi' D Phi", True),
    Matrix("C", ("d", "d"), "Phi' D P Phi; C(n) has the n-th power of P", True, True),
    Matrix("L", ("d", "d"), "LSPE, gamma B^+ C; L(n) takes n steps, gamma^n B^+ C(n)", True, True),
    Matrix("A", ("d", "d"), "LSTD and TD(0), B - gamma C; A(n) takes n steps", True, True),
    Matrix("b", ("d", "1"), "Phi' D r, a column", True),
    Matrix("Pi_D", PAIRS, "projection on the features, Phi B^+ Phi' D", True),
)

_FUNCTIONS = (
    Function("psd", "psd(M) or psd(M <= N)", "a whole claim: positive semidefinite; <= is Loewner's order"),
    Function("mineig", "mineig(M)", "least eigenvalue of a symmetric matrix"),
    Function("maxeig", "maxeig(M)", "largest eigenvalue of a symmetric matrix"),
    Function("radius", "radius(M)", "spectral radius of a square matrix"),
    Function("norm2", "norm2(M)", "2-norm, the largest singular value"),
    Function("trace", "trace(M)", "sum of the diagonal"),
    Function("det", "det(M)", "determinant"),
    Function("rk", "rk(M)", "rank"),
)

MATRICES: Mapping[str, Matrix] = MappingProxyType({matrix.name: matrix for matrix in _MATRICES})
MATRIX_FUNCTIONS: Mapping[str, Function] = MappingProxyType({function.name: function for function in _FUNCTIONS})
#: Functions that ask for as many rows as columns.
SQUARE = ("mineig", "maxeig", "radius", "trace", "det")
#: Functions that ask for a symmetric matrix.
SYMMETRIC = ("mineig", "maxeig")
#: What may be said of features: all matrices, those with Phi Phi' = K, or the top eigenfeatures under D.
FEATURES = ("any", "krope", "truncated")

#: (claim, options, what is known about it)
MATRIX_EXAMPLES = (
    ("K >= K1", "", "proved: Loewner's order of matrices over pairs"),
    ("psd(K <= 2*K1)", "", "refuted"),
    ("trace(D*K) >= maxeig(D*K*D)", "", "holds: D is at most I"),
    ("radius(L) <= norm2(L)", "--features any", "holds for all features"),
    ("radius(L) < 1", "--features any", "refuted: fitted iteration may diverge"),
    ("rk(A) == rk(B)", "--features any", "refuted: off the policy's own data LSTD may be singular"),
    ("L(2) == L*L", "--features krope --conservative", "refuted: two steps are not one step twice, on missing data"),
)
