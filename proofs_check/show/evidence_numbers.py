"""What was measured, as a reader is told it: three digits, a dash for what there is not."""

import math


def number(value: float) -> str:
    """A number with three digits; a dash for one that there is not.

    >>> number(0.12345), number(float("nan")), number(float("-inf")), number(-313170.0), number(-0.0)
    ('0.123', '-', '-', '-313,000', '0')
    """
    if math.isnan(value) or value == -math.inf:
        return "-"
    value += 0.0  # no minus before a zero
    if 1e3 <= abs(value) < 1e6:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.3g}"


def worst(value: float, unit: str = "") -> str:
    """The largest violation, over its tolerance where there is one; ``slack`` where the inequality never became tight.

    >>> worst(0.02, " tol"), worst(-3e8, " tol"), worst(float("-inf")), worst(float("nan"))
    ('0.02 tol', 'slack', '-', 'nan')
    """
    if math.isnan(value):
        return "nan"
    return "slack" if -math.inf < value < 0 else number(value) + unit * math.isfinite(value)


def chance(bound: float | None) -> str:
    """The bound on the probability that a false identity passed, where there is one.

    >>> chance(1.3e-14), chance(None)
    ('< 1.3e-14', '')
    """
    return "" if bound is None else f"< {bound:.2g}"
