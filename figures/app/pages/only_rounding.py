"""Instability that is only rounding: four kinds of arithmetic on one iteration matrix."""

from collections.abc import Mapping, Sequence
from typing import Any

from figures.app import page_parts
from figures.app.controls import Control, Count, Slider
from figures.app.page_sheet import Answer, Asked, Sheet
from figures.app.tours import only_rounding_tour as tour

LEAD = r"""
As many [[features]] as [[pair|pairs]], and data on every pair: then $L = \gamma\,\Phi^{-1} P\,\Phi$ has the
[[eigenvalue|eigenvalues]] of $\gamma P$ whatever the features are, and the [[spectral radius]] is **exactly** $\gamma$. A computer may
see something else. **Make the features worse conditioned.**
"""
MORE = r"""
**What goes wrong** is inverting the covariance $\Phi^\top D\,\Phi$: its [[condition number]] is the *square* of that of the features,
and float32 has seven digits. Numbers are green where they are right: radii within 0.001 of the truth, values within 0.1% of
the largest one.

**A cure for the radius:** take singular values of $D^{1/2}\Phi$ instead of inverting its square. On this page it finds
$\gamma$ at every condition number.

**It is no cure for the values.** The weights of ill-conditioned features are huge numbers that must cancel in $\Phi\theta$. Even the
exact weights, rounded once at the very end, lose digits in proportion to the condition number. What helps is other
features with the same span, such as orthonormal ones.

With *fewer* features than pairs, or without data on some pairs, instability can be real: see [the blow-up](/blow-up).
"""


def _controls(asked: Asked) -> Sequence[Control]:
    return (
        Slider("digits", "condition number, powers of ten", [str(k) for k in range(tour.MOST_DIGITS + 1)], "5"),
        Slider("gamma", "discount \u03b3", [f"{k / 100:g}" for k in range(50, 100)], "0.9"),
        Count("seed", "random model number", 0, 99, 0),
    )


def _answer(values: Mapping[str, Any], asked: Asked) -> Answer:
    digits, gamma, seed = int(values["digits"]), float(values["gamma"]), values["seed"]
    found = tour.compute(digits, gamma, seed)
    rows = [
        [
            name,
            page_parts.number(page_parts.named(name), radius, good=not found.off(name)),
            page_parts.number(f"error-{page_parts.named(name)}", found.error[name], good=not found.lost(name)),
        ]
        for name, radius in found.radius.items()
    ]
    head = ["LSPE computed by", "spectral radius", "largest error of the values"]
    good = not any(map(found.off, found.radius))
    code = f'tk.lspe(mrp, Phi, solver="covariance", dtype="float32").spectral_radius  # condition number 1e{digits}'
    return Answer(tour.words(found), good, tour.figures(found, seed), page_parts.table(head, rows), code)


SHEET = Sheet(LEAD, _controls, _answer, MORE)
