"""The identities behind the claims and the equality steps of their proofs, over a prime field."""

from flint import nmod, nmod_mat

from proofs_check.arithmetic.prime_field import ONE, PRIME, TWO, Identity, Point, Sides


def _square_features(point: Point) -> Sides:
    """``Phi L = gamma P_pi Phi`` for square features: the kernel of the rewards stands for an arbitrary matrix."""
    Phi = point.kernel(point.apart) + point.D
    left = Phi.transpose() * point.D
    L = (left * Phi).inv() * left * point.P_pi * Phi * point.gamma
    return Phi * L, point.P_pi * Phi * point.gamma


def _wide_features(point: Point) -> Sides:
    """The same with one feature more than there are pairs; the least-norm fit is ``Phi' (Phi Phi')^-1``."""
    Phi = nmod_mat(
        point.X,
        point.X + 1,
        [int(v) for row, r in zip((point.P_pi + point.D).table(), point.r.entries(), strict=True) for v in (*row, r)],
        PRIME,
    )
    L = Phi.transpose() * (Phi * Phi.transpose()).inv() * point.P_pi * Phi * point.gamma
    return Phi * L, point.P_pi * Phi * point.gamma


def _many_columns(point: Point) -> nmod_mat:
    """Features with three columns more than there are pairs, [X, X + 3]."""
    rows = zip((point.P_pi + point.D).table(), point.kernel(point.apart).table(), point.r.entries(), strict=True)
    entries = [int(v) for row, more, r in rows for v in (*row, more[0], more[1], r)]
    return nmod_mat(point.X, point.X + 3, entries, PRIME)


def _inverse_covariance(point: Point, Phi: nmod_mat) -> tuple[nmod_mat, nmod_mat]:
    """``B = Phi' D Phi`` and ``Phi' (Phi Phi')^-1 D^-1 (Phi Phi')^-1 Phi``."""
    gram = (Phi * Phi.transpose()).inv()
    return Phi.transpose() * point.D * Phi, Phi.transpose() * gram * point.D.inv() * gram * Phi


def _penrose(point: Point) -> Sides:
    """``B G B = B``, ``G B G = G``, and ``B G`` and ``G B`` are symmetric: ``G`` is the pseudo-inverse of ``B``."""
    B, G = _inverse_covariance(point, _many_columns(point))
    return _stacked(B * G * B, G * B * G, B * G, G * B), _stacked(B, G, (B * G).transpose(), (G * B).transpose())


def _many_intertwined(point: Point) -> Sides:
    """``Phi L = gamma P_pi Phi`` with ``L = gamma B^+ C`` as it is defined."""
    Phi = _many_columns(point)
    C = Phi.transpose() * point.D * point.P_pi * Phi
    L = _inverse_covariance(point, Phi)[1] * C * point.gamma
    return Phi * L, point.P_pi * Phi * point.gamma


def _characteristic(point: Point) -> Sides:
    """``det(x - L) = x^(d - X) det(x - gamma P_pi)`` at a random ``x``."""
    Phi = _many_columns(point)
    C = Phi.transpose() * point.D * point.P_pi * Phi
    L, x = _inverse_covariance(point, Phi)[1] * C * point.gamma, point.R
    more = x ** (L.nrows() - point.X)
    left, right = (_shifted(x, M).det() for M in (L, point.P_pi * point.gamma))
    return nmod_mat(1, 1, [int(left)], PRIME), nmod_mat(1, 1, [int(right * more)], PRIME)


def _square_characteristic(point: Point) -> Sides:
    """``det(x - L) = det(x - gamma P_pi)`` for square features."""
    Phi = point.kernel(point.apart) + point.D
    left = Phi.transpose() * point.D
    L, x = (left * Phi).inv() * left * point.P_pi * Phi * point.gamma, point.R
    sides = (int(_shifted(x, M).det()) for M in (L, point.P_pi * point.gamma))
    first, second = (nmod_mat(1, 1, [side], PRIME) for side in sides)
    return first, second


def _shifted(x: nmod, M: nmod_mat) -> nmod_mat:
    n = M.nrows()
    return nmod_mat(n, n, [int(x) * int(i == j) for i in range(n) for j in range(n)], PRIME) - M


def _stacked(*parts: nmod_mat) -> nmod_mat:
    rows = [[int(v) for v in row] for part in parts for row in part.table()]
    return nmod_mat(len(rows), len(rows[0]), [v for row in rows for v in row], PRIME)


def _bad_pairs(point: Point) -> Sides:
    p = point.gamma
    sides = (TWO * p * (ONE - p) - p * p, p * (TWO - 3 * p))
    return nmod_mat(1, 1, [int(sides[0])], PRIME), nmod_mat(1, 1, [int(sides[1])], PRIME)


REMARK_BAD_PAIRS = (Identity("2p(1-p) - p^2 = p (2 - 3p)", _bad_pairs, 2),)


FIGURE_2_INSTABILITY = (
    Identity("Phi L = gamma P_pi Phi for square features", _square_features, 5000),
    Identity("det(x - L) = det(x - gamma P_pi) for square features", _square_characteristic, 30_000),
)

#: Degrees: an entry of the kernel has 127 over 127, so a minor of X - 1 rows of Phi Phi' has at most 254 (X - 1), and
#: the determinant of X + 3 rows of L eight times a few of these.
REMARK_SINGULAR_COVARIANCE = (
    Identity("Phi L = gamma P_pi Phi for wide features", _wide_features, 200),
    Identity("Penrose's equations: B^+ = Phi' (Phi Phi')^-1 D^-1 (Phi Phi')^-1 Phi", _penrose, 30_000),
    Identity("Phi L = gamma P_pi Phi with this B^+ and three columns more than pairs", _many_intertwined, 30_000),
    Identity("det(x - L) = x^(d - X) det(x - gamma P_pi)", _characteristic, 100_000),
)
