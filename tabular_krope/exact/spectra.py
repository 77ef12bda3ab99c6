r"""Certified statements about the spectrum of a rational matrix.

Eigenvalues are enclosed by balls (python-flint's ``acb_mat.eig``), at a precision that is doubled until the enclosure
is narrow; a defective matrix goes through the exact roots of its characteristic polynomial. Whether $\rho(L) < 1$ is
decided even when the enclosure straddles 1: by Lyapunov's theorem it holds iff $X = I + L^\top X L$ has a positive
definite solution, and both sides of that are rational arithmetic.
"""

import numpy as np
from flint import acb, acb_mat, arb, ctx, fmpq, fmpq_mat

from tabular_krope.errors import KropeError
from tabular_krope.exact.exact_stein import solve_stein_exactly
from tabular_krope.exact.psd import is_pd
from tabular_krope.exact.rationals import identity

#: Precisions at which the matrix itself is tried before its characteristic polynomial is.
BITS = (128, 256, 512)


def radius_enclosure(L: fmpq_mat, relative: float = 1e-12) -> tuple[float, float]:
    """An interval of floats that contains the spectral radius of ``L``, no wider than ``relative`` times it.

    >>> low, high = radius_enclosure(fmpq_mat([[0, 2], [1, 0]]))
    >>> low <= 2 ** 0.5 <= high, high - low < 1e-11
    (True, True)
    """
    for bits in BITS:
        with ctx.workprec(bits):
            eigenvalues = _eigenvalue_balls(L)
            interval = None if eigenvalues is None else _largest_modulus(eigenvalues)
        if interval is not None and interval[1] - interval[0] <= relative * interval[1]:
            return interval
    # Defective matrices defeat the balls above. The roots of an exact polynomial can always be isolated.
    with ctx.workprec(BITS[0]):
        return _largest_modulus([root for root, _ in L.charpoly().numer().complex_roots()])


def is_stable(L: fmpq_mat) -> bool:
    """Whether every eigenvalue of ``L`` lies strictly inside the unit circle; decided, never guessed.

    >>> is_stable(fmpq_mat([[0, 1], [-1, 0]])), is_stable(fmpq_mat([[0, 5], [0, 0]]))
    (False, True)
    """
    low, high = radius_enclosure(L)
    if high < 1.0:
        return True
    if low >= 1.0:
        return False
    return lyapunov_stable(L)


def lyapunov_stable(L: fmpq_mat) -> bool:
    """`is_stable` by Lyapunov's theorem alone, over the rationals."""
    try:
        X = solve_stein_exactly(L.transpose(), identity(L.nrows()), fmpq(1))
    except KropeError:
        return False  # two eigenvalues with product 1: one of them is not inside the circle
    return is_pd(X)


def _eigenvalue_balls(L: fmpq_mat) -> list[acb] | None:
    """Balls that contain the eigenvalues, or None where they cannot be told apart at this precision."""
    n = L.nrows()
    try:
        return list(acb_mat(n, n, [acb(arb(v)) for v in L.entries()]).eig(multiple=True))
    except ValueError:
        return None


def _largest_modulus(values: list[acb]) -> tuple[float, float]:
    moduli = [abs(value) for value in values]
    low, high = max(float(m.lower()) for m in moduli), max(float(m.upper()) for m in moduli)
    # The conversion to float rounds to nearest: step outwards.
    return max(0.0, float(np.nextafter(low, -np.inf))), float(np.nextafter(high, np.inf)) if high else 0.0
