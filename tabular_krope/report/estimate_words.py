"""An estimate in words, and as plain types for JSON."""

from typing import Any

from tabular_krope.estimation.estimate import Estimate
from tabular_krope.estimation.uncovered import Uncovered
from tabular_krope.report.counted import counted, percent
from tabular_krope.report.digits import three
from tabular_krope.report.plain import plain


def estimate_words(found: Estimate) -> list[str]:
    """Paragraphs: the verdict first, then the value, the certificate, what the verdict rests on, what is not covered.

    >>> import tabular_krope as tk
    >>> data = tk.Dataset(s=[0, 1] * 900, a=[0] * 1800, r=[0.0, 1.0] * 900, s_next=[1, 0] * 900, done=[False] * 1800,
    ...                   n_states=2, n_actions=1, gamma=0.5, d0=[1, 1])
    >>> print(estimate_words(tk.estimate_value(data, base="pairs"))[0])
    BELIEVE. Value 1 (95% interval 0.9999 .. 1.0001).
    """
    e = found.belief.evidence
    interval = f"{100 * found.level:.3g}% interval {three(found.low)} .. {three(found.high)}"
    if not found.complete:
        interval += " for sampling; what the base features cannot express comes on top"
    if found.believed:
        out = [f"BELIEVE. Value {three(found.value)} ({interval})."]
    else:
        out = [
            f"{found.belief.verdict.capitalize().replace('Refuse', 'REFUSE', 1)}. The number would be "
            f"{three(found.value)} ({interval}). Against it: {'; '.join(found.belief.reasons)}."
        ]
    draws = f"{counted(len(found.draws), 'draw')} of {found.base} base features"
    spread = f" that differ by {found.spread:.3g}" if len(found.draws) > 1 else ""
    out.append(
        f"Stable: LSPE's matrix has norm {three(found.norm)} <= sqrt(gamma) = {three(found.bound)} and spectral radius "
        f"{three(found.spectral_radius)} on {found.d} features, by {draws}{spread}. On all base features its spectral "
        f"radius is {three(found.base_radius)}" + (": it would diverge." if found.base_radius >= 1 else ".")
    )
    out.append(
        f"The value is a weighted mean of rewards that rests on {percent(e.effective)} of {found.transitions:,} "
        f"transitions; {e.negative:.0%} of the weights are negative, their imbalance is {e.imbalance:.2g} standard "
        f"deviations, the expected error {e.error:.2g} of the unit {three(e.unit)}."
    )
    if found.uncovered:
        out.append("Not covered: " + "; ".join(_named(one) for one in found.uncovered) + ".")
    return out


def plain_estimate(found: Estimate) -> dict[str, Any]:
    """Plain types; the action values of the rows are left out.

    >>> import tabular_krope as tk
    >>> data = tk.Dataset(s=[0], a=[0], r=[1.0], s_next=[0], done=[True], n_states=1, n_actions=1, gamma=0.5)
    >>> plain_estimate(tk.estimate_value(data, base="pairs"))["value"]
    1.0
    """
    out: dict[str, Any] = plain(found)
    del out["q_hat"]
    return out | {"stable": found.stable, "believed": found.believed, "spread": plain(found.spread)}


def _named(one: Uncovered) -> str:
    if one.low != one.low:  # a pair
        return f"{one.name} ({one.share:.1%} of the target's steps)"
    return f"{one.name} {one.low:.3g} .. {one.high:.3g} ({one.shift:+.2g} deviations from the nearest data)"
