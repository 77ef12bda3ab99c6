"""Why KROPE is stable: three kinds of features on more and more lopsided data."""

from collections.abc import Mapping, Sequence
from typing import Any

from figures.app import page_parts
from figures.app.controls import Control, Slider
from figures.app.page_sheet import Answer, Asked, Sheet
from figures.app.tours import why_stable_tour as tour

LEAD = r"""
[[LSPE]] repeats $\theta \leftarrow b + L\theta$. It converges if and only if the [[spectral radius]] of $L$ is below 1. The
chain has six [[pair|pairs]]; three kinds of [[features]] are compared on the same [[data]]. **Make the data lopsided**:
they see the start of the chain more often than its end.
"""
MORE = r"""
**The reason, in three lines.**

1. The [[kernel]] satisfies $K = K_1 + \gamma P K P^\top$ with $K_1$ positive semidefinite, so one step of the chain shrinks the
kernel's own norm by $\sqrt{\gamma}$.
2. Take the top $d$ eigenpairs of $D^{1/2} K D^{1/2}$, where $D$ holds the data. The features made of them are orthonormal in that norm, and
regression onto them *under the data* is exactly the orthogonal projector.
3. So $L$ is a compression of $\gamma P$ to a subspace, and its norm is at most $\sqrt{\gamma}$: for every data distribution and every
number of features, even where pairs have no data at all.

**Cut the kernel without the weights** instead, and line 2 is lost: the regression is no longer the projector, and nothing
keeps the error from growing.
"""


def _controls(asked: Asked) -> Sequence[Control]:
    return (
        Slider("skew", "skew of the data, powers of ten", [f"{skew:g}" for skew in tour.SKEWS], "0"),
        Slider("d", "number of features d", [str(k) for k in range(1, tour.MOST_D + 1)], str(tour.MEAN_D)),
        Slider("gamma", "discount \u03b3", [f"{k / 100:g}" for k in range(50, 100)], "0.9"),
    )


def _answer(values: Mapping[str, Any], asked: Asked) -> Answer:
    skew, d, gamma = float(values["skew"]), int(values["d"]), float(values["gamma"])
    found = tour.compute(gamma, d, skew)
    bound = gamma**0.5
    rows = [
        [
            kind,
            page_parts.number(f"rho-{page_parts.named(kind)}", found.radius[kind], good=found.radius[kind] < 1),
            page_parts.number(
                f"norm-{page_parts.named(kind)}", found.norm[kind], good=found.norm[kind] <= bound + 1e-9
            ),
        ]
        for kind in found.radius
    ]
    head = ["features", "spectral radius", f"norm (\u221a\u03b3 = {bound:.3f})"]
    code = f"tk.lspe(mrp, tk.features(tk.krope_kernel(mrp), {d}, weights), weights).norm  # gamma = {gamma:g}"
    good = max(found.radius.values()) < 1
    return Answer(tour.words(found, d, skew), good, tour.figures(found), page_parts.table(head, rows), code)


SHEET = Sheet(LEAD, _controls, _answer, MORE)
