"""The rounding microscope: one slider for the digits, eigenvalues drift over the unit circle."""

from collections.abc import Mapping, Sequence
from typing import Any

from figures.app import page_parts
from figures.app.controls import Control, Slider
from figures.app.page_sheet import Answer, Asked, Sheet
from figures.app.tours import microscope as tour
from figures.app.tours.six_pairs import GAMMA

LEAD = r"""
The six-pair chain again, with six [[features]] of [[condition number]] 10000. Exactly, the [[eigenvalue|eigenvalues]] of
$L = \gamma\Phi^{-1}P\Phi$ are 0.9 and 0, and learning converges. **Take digits away** from the covariances, and nothing else.
"""
MORE = r"""
**What is rounded.** The covariances $\Phi^\top\Phi$ and $\gamma\Phi^\top P\,\Phi$ are computed in exact fractions. Each of their entries is
rounded once to the digits of the slider; the solution of $A L = B$ and everything else is exact again.

**Why eight digits.** The covariance has the *square* of the features' condition number, $10^8$. With fewer digits than that
its smallest direction is made of rounding. Single precision (float32) has about seven digits, double precision sixteen.

**The cure** is not more digits but another route: singular values of $\Phi$ itself, as on the page before, or features that
are orthonormal to begin with.
"""


def _controls(asked: Asked) -> Sequence[Control]:
    return (Slider("digits", "digits of the covariances", [str(k) for k in tour.DIGITS], str(tour.FIRST)),)


def _answer(values: Mapping[str, Any], asked: Asked) -> Answer:
    found = tour.compute(int(values["digits"]))
    rows = [
        ["spectral radius, as computed", page_parts.number("radius", found.radius, good=found.moved <= tour.MOVED)],
        ["spectral radius, exactly", page_parts.number("true", GAMMA)],
        ["eigenvalues outside the circle", page_parts.number("outside", int((abs(found.eigenvalues) >= 1).sum()))],
        ["digits of float32 and float64", f"about {tour.SINGLE} and {tour.DOUBLE}"],
    ]
    return Answer(tour.words(found), found.moved <= tour.MOVED, tour.figures(found), page_parts.table(["", ""], rows))


SHEET = Sheet(LEAD, _controls, _answer, MORE)
