"""Features from data, no training: closed-form KROPE from offline transitions."""

from collections.abc import Mapping, Sequence
from typing import Any

from figures.app import page_parts
from figures.app.controls import Control, Slider
from figures.app.page_sheet import Answer, Asked, Sheet
from figures.app.tours import features_from_data_tour as tour

LEAD = r"""
You rarely know the model. You have transitions of one policy, some base [[features]], and want the [[value|values]] of
another policy ([[off-policy]]). These base features *can* express the values, and learning on them may diverge all the same.
KROPE features come from the same transitions **by linear algebra alone**.
"""
MORE = r"""
**How.** The rows of $\Psi$ are the base features of the transitions, those of $\Psi'$ the features of what comes next, averaged over the
target's actions; $D$ holds the weight of each row.

1. Regress the next features on the present ones: $A = G^{-1} \Psi^\top D\,\Psi'$ with the covariance $G = \Psi^\top D\,\Psi$.
2. Regress the similarity of rewards on both sides: $M_1 = G^{-1} \Psi^\top D K_1 D\,\Psi\, G^{-1}$.
3. Solve $M = M_1 + \gamma A M A^\top$, the KROPE [[kernel]] inside the span of the features, and keep its top $d$ directions.

**The certificate.** Value learning on the result, on these very transitions, has [[norm]] at most $\sqrt{\gamma}$; the page recomputes
that from the rows.

**Stable is not the same as accurate.** What learning converges to can only be as good as the features and the data. Move the
sliders: the certificate stays, the typical error does not. For a data file of your own: `krope diagnose`.
"""


def _controls(asked: Asked) -> Sequence[Control]:
    base, d = tour.FIRST_BASE, tour.FIRST_D
    return (
        Slider("shift", "difference of the policies", [f"{k / 20:g}" for k in range(20)], f"{tour.FIRST_SHIFT:g}"),
        Slider("n", "transitions", ["200", "500", "1000", "2000", "5000", "10000"], str(tour.FIRST_SIZE)),
        Slider("base", "base features", [str(k) for k in range(2, tour.MOST_BASE + 1, 2)], str(base)),
        Slider("d", "KROPE features d", [str(k) for k in range(1, tour.MOST_BASE + 1)], str(d)),
    )


def _answer(values: Mapping[str, Any], asked: Asked) -> Answer:
    n, shift, base, d = int(values["n"]), float(values["shift"]), int(values["base"]), int(values["d"])
    found = tour.compute(n, shift, base, d)
    made = found.made
    errors = {
        name: tour.rms(q, found.q) if out.stable else "no limit"
        for name, q, out in (("base", found.q_base, found.base), ("krope", found.q_krope, found.krope))
    }
    rows = [
        [
            f"{base} base",
            page_parts.number("rho-base", found.base.spectral_radius, good=found.base.stable),
            page_parts.number("norm-base", found.base.norm, good=found.base.norm <= made.bound),
            page_parts.number("error-base", errors["base"]),
        ],
        [
            f"{made.d} KROPE",
            page_parts.number("rho-krope", found.krope.spectral_radius, good=found.krope.stable),
            page_parts.number("norm-krope", found.krope.norm, good=made.certified),
            page_parts.number("error-krope", errors["krope"]),
        ],
    ]
    head = ["features", "radius", "norm", "typical error"]
    code = f"tk.feature_space_krope(Psi, Psi_next, r, gamma={tour.GAMMA:g}, d={made.d})  # Psi is {n} x {base}"
    return Answer(tour.words(found), made.certified, tour.figures(found), page_parts.table(head, rows), code)


SHEET = Sheet(LEAD, _controls, _answer, MORE)
