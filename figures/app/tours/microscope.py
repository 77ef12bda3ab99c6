r"""Eigenvalues of LSPE's matrix when its covariances are kept to a few digits, and nothing else is rounded.

Features of condition number $10^4$ for all six pairs: exactly, $L = \gamma\Phi^{-1}P\Phi$ has the eigenvalues of
$\gamma P$, which are $\gamma$ twice and 0 four times. The two covariances are computed exactly, each entry is rounded
once to the given number of digits, and the rest is exact again.
"""

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from flint import fmpq_mat
from numpy.typing import NDArray

from figures.app.drawing.axis import Axis
from figures.app.drawing.chart import Chart, Size
from figures.app.drawing.figure import Figure
from figures.app.tours.only_rounding_tour import features
from figures.app.tours.six_pairs import GAMMA, NAME
from tabular_krope.exact.rationals import entries, float_matrix, nearest_float, rational, rational_matrix
from tabular_krope.models.zoo import zoo
from tabular_krope.report.digits import three

#: Digits that the slider offers, the one it opens with, and those of the two common kinds of floats.
DIGITS = range(3, 15)
FIRST = 6
SINGLE, DOUBLE = 7, 16
#: Condition number of the features, a power of ten, and the seed of their directions.
POWER, SEED = 4, 3
#: Computed eigenvalues further than this from the true ones count as moved.
MOVED = 0.02
REACH = 1.25
TOP = 1.75


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What arithmetic of some digits sees.

    Attributes:
        digits: that the covariances are kept to.
        eigenvalues: of the matrix made of them, [6].
        true: of the exact matrix, [6].
    """

    digits: int
    eigenvalues: NDArray[np.complex128]
    true: NDArray[np.complex128]

    @property
    def radius(self) -> float:
        """The largest size of a computed eigenvalue."""
        return float(np.abs(self.eigenvalues).max())

    @property
    def moved(self) -> float:
        """How far the computed spectral radius is from the true one."""
        return abs(self.radius - GAMMA)


def rounded(matrix: fmpq_mat, digits: int) -> fmpq_mat:
    """The matrix with each entry rounded to so many significant decimal digits.

    >>> rounded(rational_matrix([["1/3", "2000"]]), 2)
    [33/100, 2000]
    """
    rows, columns = matrix.nrows(), matrix.ncols()
    kept = [rational(f"{nearest_float(value):.{digits - 1}e}") for value in entries(matrix)]
    return fmpq_mat(rows, columns, kept)


@lru_cache(maxsize=1)
def covariances() -> tuple[fmpq_mat, fmpq_mat]:
    """Of the features with themselves, and with what follows them times gamma; exactly."""
    chain = zoo(NAME).exact()
    Phi = rational_matrix(features(POWER, SEED, chain.n_pairs))
    after = chain.P * chain.Pi * Phi
    return Phi.transpose() * Phi, Phi.transpose() * after * chain.gamma


@lru_cache(maxsize=len(DIGITS))
def compute(digits: int = FIRST) -> Seen:
    """The eigenvalues at that many digits.

    >>> compute(6).radius > 1.5, abs(compute(14).radius - 0.9) < 1e-4
    (True, True)
    """
    A, B = (rounded(matrix, digits) for matrix in covariances())
    found = np.linalg.eigvals(float_matrix(A.solve(B)))
    true = np.array([GAMMA, GAMMA, 0, 0, 0, 0], dtype=complex)
    return Seen(digits, found[np.argsort(-np.abs(found))].astype(complex), true)


def words(found: Seen) -> str:
    """What the digits do (HTML).

    >>> words(compute(14))[:30]
    'With 14 digits every eigenvalu'
    """
    outside = int((np.abs(found.eigenvalues) >= 1).sum())
    here = f"With {found.digits} digits"
    if outside:
        return (
            f"{here} {outside} eigenvalue{'s lie' if outside > 1 else ' lies'} <b>outside the circle</b>: the computer "
            f"sees growth by {found.radius:.3g}. Exactly, none is larger than {GAMMA:g}: <b>it is only rounding.</b>"
        )
    if found.moved > MOVED:
        return f"{here} the radius seems to be {found.radius:.3g} in place of {GAMMA:g}: called stable, and wrong."
    return f"{here} every eigenvalue that matters is in its place: radius {three(found.radius)}, exactly {GAMMA:g}."


def figures(found: Seen) -> list[Figure]:
    """The plane of eigenvalues, and the radius against the digits."""
    key = [
        ("red spot", "as computed"),
        ("green ring", "exactly"),
        ("ink", "unit circle: growth outside"),
        ("grey", "with more digits"),
    ]
    title = "Outside the circle means growth; the true eigenvalues never leave their rings"
    return [
        Figure("The unit circle", title, partial(draw_plane, found), "computed and true eigenvalues", key),
        Figure(
            "All digits",
            "Below eight digits the spectral radius is anything",
            partial(draw_radii, found),
            "computed spectral radius against digits",
            [("red", "as computed"), ("green dashed", f"exactly {GAMMA:g}"), ("ink thin", "1: growth above")],
        ),
    ]


def draw_plane(found: Seen, size: Size) -> Chart:
    """Eigenvalues in the complex plane, with their way from many digits down to these."""
    wide = REACH * 1.02 * (size.width - 5.6 * size.letters) / (size.height - 5.5 * size.letters)
    chart = Chart(size, Axis("real part", -wide, wide), Axis("imaginary part", -REACH, REACH))
    chart.circle(0.0, 0.0, 1.0, "ink")
    way = [compute(k).eigenvalues for k in reversed(DIGITS) if k >= found.digits]
    for one in range(len(found.true)):
        chart.line([float(seen[one].real) for seen in way], [float(seen[one].imag) for seen in way], "grey thin")
    for value in found.true[[0, 2]]:
        chart.dot(float(value.real), float(value.imag), "green ring", 0.75, tip="a true eigenvalue")
    for value in found.eigenvalues:
        chart.dot(float(value.real), float(value.imag), "red", 0.4, tip=f"{value:.4g}")
    far = int((np.abs(found.eigenvalues) > wide).sum())
    if far:
        chart.word(wide, REACH, f"{far} off the picture", "red", "end", lift=-1.2)
    return chart


def draw_radii(found: Seen, size: Size) -> Chart:
    """The computed spectral radius against the digits."""
    chart = Chart(
        size, Axis("digits", DIGITS[0] - 0.3, DIGITS[-1] + 0.3, ticks=DIGITS), Axis("spectral radius", 0.5, TOP)
    )
    chart.across(1.0, "ink thin")
    chart.across(GAMMA, "green dashed")
    chart.line(DIGITS, [compute(k).radius for k in DIGITS], "red")
    for k in DIGITS:
        chart.dot(
            k, compute(k).radius, "red", 0.55 if k == found.digits else 0.3, tip=f"{k} digits: {compute(k).radius:.4g}"
        )
    chart.upright(SINGLE, "grey dotted thin")
    chart.word(SINGLE, TOP, "float32 has 7", "grey", lift=-1.2)
    return chart
