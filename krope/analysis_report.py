"""``krope analyze --report``: the answer, what to do next, pictures, numbers and assumptions on one page."""

from typing import Any

import numpy as np
import typer

from figures.report.findings import Advice, Findings, findings_html
from figures.report.findings_pictures import analysis_figures
from krope.analysis_tables import BOUND_NAMES, analysis_tables, verdict
from krope.invocation import command_line, given
from krope.page_tables import numbers_of, with_primes
from tabular_krope.models.exact_mdp import ExactMDP
from tabular_krope.models.mdp import MDP
from tabular_krope.named.models import Subject
from tabular_krope.report.analysis import Analysis
from tabular_krope.report.digits import three

#: Error of the limit, as a share of the largest value, from which more features are recommended.
NOTICEABLE = 1e-3
#: The same share from which on the limit is called far from the values.
FAR = 0.1
#: Files, which the page of another run would overwrite.
OUTPUTS = ("report", "json", "plot")


def analysis_page(analysis: Analysis, subject: Subject, settings: dict[str, Any], context: typer.Context) -> bytes:
    """The page as the bytes of a file."""
    main, model = analysis.stability, analysis.model
    large = (
        (three(main.spectral_radius), "spectral radius rho(L)"),
        (three(main.norm), "norm2(L)"),
        (three(float(np.sqrt(model.gamma))), "sqrt(gamma), the bound for KROPE features"),
        (three(analysis.value_error), "largest error of an action value"),
        (f"{analysis.features.d}", "features"),
        (f"{model.n_pairs:,}", "pairs of state and action"),
    )
    word, mood = ("stable", "good") if main.stable else ("not stable", "bad")
    if main.stable and analysis.value_error > FAR * _size(analysis):
        word, mood = "stable, but far from the values", "unsure"
    found = Findings(
        about=f"krope analyze {settings['model']}",
        verdict=word,
        mood=mood,
        answer=verdict(analysis),
        said=_said(analysis),
        large=large,
        advice=tuple(advice(analysis, subject, context)),
        pictures=analysis_figures(analysis, subject.names),
        tables=tuple(numbers_of(table) for table in analysis_tables(analysis, settings)),
        assumed=tuple(_assumed(analysis, settings, context)),
        command=command_line(context),
    )
    return findings_html(found).encode()


def _said(analysis: Analysis) -> tuple[str, ...]:
    """What the answer does not say: arithmetics that fail, and bounds that do."""
    out = [f"Keep in mind: {analysis.stability.caveat}."] if analysis.stability.caveat else []
    failing = [f"covariance in {route.dtype}" for route in analysis.routes[1:] if not route.stable]
    if analysis.stability.stable and failing:
        out.append(
            f"That is so in exact arithmetic and by singular values; by {' and by '.join(failing)} LSPE diverges."
        )
    for bound in analysis.bounds:
        if bound.holds is False:
            ratio = three(bound.worst_ratio)
            out.append(
                f"The bound on value differences {BOUND_NAMES[bound.name]} fails on this model, by a factor {ratio}."
            )
    return tuple(out)


def advice(analysis: Analysis, subject: Subject, context: typer.Context) -> list[Advice]:
    """What to do next, the most important first."""
    main, facts = analysis.stability, analysis.features
    has_actions = isinstance(subject.model, MDP | ExactMDP)
    out = []
    if not main.stable and facts.kind != "krope":
        dim = min(facts.d, int(analysis.sweep.d[-1]))
        better = command_line(context, OUTPUTS, features="krope", dim=dim)
        out.append(
            Advice("Use KROPE features: their norm2(L) is at most sqrt(gamma) under these very weights.", better)
        )
    if not main.stable and has_actions:
        why = f"krope diagnose {subject_word(context)}"
        out.append(Advice("Learn why it diverges, and which cure works, on data drawn from the model.", why))
    if main.stable and any(not route.stable for route in analysis.routes[1:]):
        out.append(
            Advice("Solve by singular values (the SVD), not by the covariance: it squares the condition number.")
        )
    most = int(analysis.sweep.d[-1])
    if main.stable and analysis.value_error > NOTICEABLE * _size(analysis):
        if facts.kind == "krope" and facts.d < most:
            words = f"Take more features: with {most} the limit comes closer to the values."
            out.append(Advice(words, command_line(context, OUTPUTS, dim=most)))
        elif facts.kind != "krope":
            words = "Compare with KROPE features, whose span contains the values when there are enough of them."
            out.append(Advice(words, command_line(context, OUTPUTS, features="krope", dim=None)))
        else:
            words = "These are all the directions above rounding under these weights: put weight on more pairs."
            out.append(Advice(words, command_line(context, OUTPUTS, weights="uniform")))
    if any(bound.name == "printed" and bound.holds is False for bound in analysis.bounds):
        words = "Bound value differences by c sqrt(d) or by independent copies; the printed bound d + C is refuted."
        out.append(Advice(words, "krope check lemma-value-bound -v"))
    if not out:
        out.append(Advice("Nothing has to be mended."))
        if has_actions:
            words = "See whether data as you would collect them tell the same."
            out.append(Advice(words, f"krope diagnose {subject_word(context)}"))
    return out


def _size(analysis: Analysis) -> float:
    """The largest action value, by its modulus."""
    return max(float(np.abs(analysis.q).max()), float(np.finfo(np.float64).tiny))


def subject_word(context: typer.Context) -> str:
    """The model as it was typed, for another command."""
    import shlex

    return shlex.quote(str(context.params["model"]))


def _assumed(analysis: Analysis, settings: dict[str, Any], context: typer.Context) -> list[tuple[str, str]]:
    """What the answer rests on, and what was not computed."""

    def told(name: str, words: str) -> str:
        return words if given(context, name) else f"{words} (not asked for otherwise)"

    m = analysis.model
    low_high = settings["reward_range"] or (three(m.reward_low), three(m.reward_high))
    own = "" if settings["reward_range"] else ", the rewards' own"
    dim = "as many as there are" if settings["dim"] is None else str(settings["dim"])
    rows = [
        ("Policy", told("policy", str(settings["policy"]))),
        ("Data weights", told("weights", str(settings["weights"]))),
        ("Features", told("features", f"{settings['features']}, {dim}")),
        ("Discount factor", f"gamma = {three(m.gamma)}" + ("" if given(context, "gamma") else ", the model's own")),
        ("Reward range", f"{low_high[0]} to {low_high[1]}{own}"),
        ("Seed", told("seed", str(settings["seed"]))),
        ("Kernel", f"{analysis.kernel.evidence.method}; error at most {three(analysis.kernel.evidence.error_bound)}"),
    ]
    silent = [BOUND_NAMES[bound.name] for bound in analysis.bounds if bound.holds is None]
    if silent:
        rows.append(("Bounds without a say", with_primes("; ".join(silent))))
    if analysis.skipped:
        rows.append(("Not computed, for size", "; ".join(analysis.skipped)))
    return rows
