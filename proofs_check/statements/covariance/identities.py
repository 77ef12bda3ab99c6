"""The identities behind the claims and the equality steps of their proofs, over a prime field."""

from flint import nmod_mat

from proofs_check.arithmetic.prime_field import PRIME, Identity, Point
from proofs_check.statements.identity_parts import ONE, TWO, Sides


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


def _bad_pairs(point: Point) -> Sides:
    p = point.gamma
    sides = (TWO * p * (ONE - p) - p * p, p * (TWO - 3 * p))
    return nmod_mat(1, 1, [int(sides[0])], PRIME), nmod_mat(1, 1, [int(sides[1])], PRIME)


REMARK_BAD_PAIRS = (Identity("2p(1-p) - p^2 = p (2 - 3p)", _bad_pairs, 2),)


FIGURE_2_INSTABILITY = (Identity("Phi L = gamma P_pi Phi for square features", _square_features, 5000),)


REMARK_SINGULAR_COVARIANCE = (Identity("Phi L = gamma P_pi Phi for wide features", _wide_features, 200),)
