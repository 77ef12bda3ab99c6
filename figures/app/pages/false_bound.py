"""The bound that is false: the printed value bound on the running example, in exact fractions."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from figures.app import page_parts
from figures.app.controls import Control, Slider
from figures.app.page_sheet import Answer, Asked, Sheet
from figures.app.tours import false_bound_tour as tour
from tabular_krope.report.digits import three

LEAD = r"""
Start in x or in y. Both lead to *a* or *b*, with opposite odds; then +1 or -1 is paid forever. The paper bounds the
difference of two [[value|values]] by the [[distance]] plus a constant, $|q(x) - q(y)| \le d(x, y) + C$, and here $C = 0$.
**Drag e, the difference of the odds.**
"""
MORE = r"""
**Why it must fail.** The values differ in proportion to $e$, the distance in proportion to $e^2$. A distance made of squares
cannot bound a difference from above.

**Where the proof goes wrong.** Its induction ends with $|\Delta r| + \gamma E\,d_m(X', Y') = d_{m+1}(x, y)$. The truth subtracts
$\frac{\gamma}{2}(E\,d_m(X_1', X_2') + E\,d_m(Y_1', Y_2'))$, the spread of each future among its own copies. The next page shows every
step.

**What holds instead.** $|q(x) - q(y)| \le c\,\sqrt{d(x, y)}$ with $c = \sqrt{\rho_0 R / (2(1-\gamma))}$ and no additive constant.
$\rho_0$ is the range of the rewards and $R$ the range by which the [[kernel]] divides; here both are 2. No smaller $c$ will
do for every chain.
"""


def _controls(asked: Asked) -> Sequence[Control]:
    return (
        Slider("e", "mixing difference e", [f"{k / 20:g}" for k in range(1, 21)], "0.5"),
        Slider("gamma", "discount \u03b3", [f"{k / 100:g}" for k in range(10, 100)], "0.9"),
    )


def _answer(values: Mapping[str, Any], asked: Asked) -> Answer:
    # What the sliders show, as the fraction it stands for: 0.05 is 1/20.
    found = tour.compute(Fraction(values["e"]), Fraction(values["gamma"]))
    rows = [
        ["|q(x) \u2212 q(y)|", page_parts.number("gap", found.gap, good=not found.fails), three(float(found.gap))],
        ["printed bound, d + C", page_parts.number("distance", found.distance), three(float(found.distance))],
        ["bound that holds, c \u221ad", f"\u221a({found.rkhs_squared})", three(found.rkhs)],
        ["e", page_parts.number("e", found.e), f"{float(found.e):g}"],
        ["\u03b3", page_parts.number("gamma", found.gamma), f"{float(found.gamma):g}"],
    ]
    code = f'tk.zoo("c1-value-bound", e="{found.e}", gamma="{found.gamma}").exact().q'
    return Answer(
        tour.words(found), not found.fails, tour.figures(found), page_parts.table(["", "exactly", "about"], rows), code
    )


SHEET = Sheet(LEAD, _controls, _answer, MORE)
