"""What the numbers of the laboratory mean, in a sentence that is true of them."""

from figures.app.tours.laboratory_tour import Bench
from tabular_krope.report.digits import three

#: Slack of a norm at its bound: rounding.
SLACK = 1e-9


def stability_words(found: Bench) -> tuple[str, bool]:
    """The sentence (HTML) about LSPE on the chosen features, and whether it is good news.

    >>> from figures.app.tours.laboratory_tour import compute
    >>> from tabular_krope.named.models import read_model
    >>> stability_words(compute(read_model("zoo:c1-value-bound"), d=1))[1]
    True
    """
    main, gamma = found.analysis.stability, found.analysis.model.gamma
    d, bound = found.analysis.features.d, found.analysis.model.gamma**0.5
    what = {
        "krope": f"{d} KROPE feature{_s(d)}",
        "unweighted": f"{d} KROPE feature{_s(d)} cut without the data's weights",
        "random": f"{d} random feature{_s(d)}",
        "own": f"the model's own {d} feature{_s(d)}",
    }[found.kind]
    radius = f"&rho;(L) = {three(main.spectral_radius)}"
    if not main.stable:
        cure = f" KROPE features weighted by these data have norm at most &radic;&gamma; = {three(bound)}."
        growth = f"each step multiplies the error by about {three(main.spectral_radius)} in the end"
        return f"LSPE on {what} <b>blows up</b>: {radius}, so {growth}.{cure if gamma < 1 else ''}", False
    if found.kind == "krope" and main.norm <= bound + SLACK < 1:
        step = f"every step leaves at most {three(main.norm)} of the error"
        promise = f"no data could make that more than &radic;&gamma; = {three(bound)}"
        return f"LSPE on {what} is <b>stable</b>: {step}, and {promise}.", True
    if main.norm < 1:
        step = f"and every step leaves at most {three(main.norm)} of the error"
    else:
        step = f"though single steps may enlarge the error (norm {three(main.norm)})"
    promise = "" if found.kind == "krope" else " Nothing promises that for other data: these features have no bound."
    return f"LSPE on {what} is <b>stable here</b>: {radius}, {step}.{promise}", True


def notes(found: Bench) -> list[str]:
    """What a reader who moves the controls should know: which of them have no effect here, and why."""
    words = []
    if found.own_policy:
        words.append("This model comes with its policy; the choice of policy has no effect.")
    if found.kind == "own":
        words.append("All features of the model's own are used; the number of features has no effect.")
    if found.analysis.model.gamma == 1:
        words.append("The statements are about discount factors below 1 and are not judged here.")
    return words


def _s(n: int) -> str:
    return "" if n == 1 else "s"
