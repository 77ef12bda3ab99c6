"""An analysis as tables for a reader."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from krope.console import print_prose
from krope.wide_tables import new_table, print_table
from tabular_krope.report.analysis import SAMPLED_PAIRS, Analysis
from tabular_krope.report.counted import counted
from tabular_krope.report.digits import three

#: A regression on features of condition number c is right to about this many times eps c.
ROUNDING_STEPS = 10.0
#: However bad the condition, nothing larger is shown as zero.
MOST_ROUNDING = 1e-8
#: Pairs up to which each is listed with its values.
LISTED_PAIRS = 16
#: Rows of the sweep's table.
SWEEP_ROWS = 12

BOUND_NAMES = {
    "printed": "as printed, d + C",
    "rkhs": "RKHS, c sqrt(d)",
    "independent": "independent copies, R d/2 + C'",
}


def print_analysis(analysis: Analysis, settings: Mapping[str, Any], console: Console) -> None:
    """Print the answer, then every table of an analysis, each with its heading, and what was not computed."""
    print_prose(console, verdict(analysis))
    console.print()
    for table in analysis_tables(analysis, settings):
        print_table(table, console)
    if analysis.stability.caveat:
        print_prose(console, f"Keep in mind: {analysis.stability.caveat}.")
    missing = [BOUND_NAMES[bound.name] for bound in analysis.bounds if bound.holds is None]
    if missing:
        print_prose(console, f"Bounds that say nothing about this chain: {'; '.join(missing)}.")
    if analysis.skipped:
        print_prose(console, f"Not computed for a model of this size: {'; '.join(analysis.skipped)}.")


def analysis_tables(analysis: Analysis, settings: Mapping[str, Any]) -> list[Table]:
    """Every table of an analysis that has rows."""
    tables = (_model(analysis, settings), _kernel(analysis), _stability(analysis), _sweep(analysis))
    return [one for one in (*tables, _features(analysis), _bounds(analysis), _values(analysis)) if one.row_count]


def verdict(analysis: Analysis) -> str:
    """One sentence: is LSPE stable on these features, and how good is its limit?"""
    main, facts = analysis.stability, analysis.features
    what = f"LSPE on {_called(facts.d, facts.kind)}"
    if not main.stable:
        return f"{what} is NOT stable: the spectral radius {three(main.spectral_radius)} is not below 1."
    error = three(analysis.value_error)
    limit = (
        "its limit has every action value right"
        if error == "0"
        else f"its limit is within {error} of every action value"
    )
    return f"{what} is stable (spectral radius {three(main.spectral_radius)} < 1); {limit}."


def _called(d: int, kind: str) -> str:
    return counted(d, f"{'KROPE' if kind == 'krope' else kind} feature")


def yes(value: bool | None) -> str:
    """``yes``, ``no``, or a dash for what cannot be said."""
    return "-" if value is None else "yes" if value else "[bold red]no[/]"


def _model(analysis: Analysis, settings: Mapping[str, Any]) -> Table:
    m = analysis.model
    table = new_table("Model", "", "")
    table.add_row("model", escape(str(settings["model"])))
    table.add_row("policy", escape(str(settings["policy"])))
    if m.n_states * m.n_actions == m.n_pairs:
        table.add_row("states x actions = pairs", f"{m.n_states} x {m.n_actions} = {m.n_pairs}")
    else:
        table.add_row("states, pairs", f"{m.n_states}, {m.n_pairs}: actions differ by state")
    table.add_row("gamma", three(m.gamma))
    table.add_row("longest discounted episode", three(m.horizon))
    table.add_row("episodes end", "never" if m.conservative else f"after {m.pairs_that_end} of {m.n_pairs} pairs")
    spread = f"{three(m.reward_low)} to {three(m.reward_high)}, {m.distinct_rewards} distinct"
    table.add_row("rewards", spread)
    support = int((analysis.weights > 0).sum())
    table.add_row("data weights", f"{escape(str(settings['weights']))}, positive on {support} pairs")
    return table


def _kernel(analysis: Analysis) -> Table:
    k, e = analysis.kernel, analysis.kernel.evidence
    table = new_table("KROPE kernel", "", "")
    table.add_row("method", e.method + (f", {e.iterations} steps" if e.iterations else ""))
    if e.plan:
        table.add_row("series", e.plan)
    table.add_row("residual of the fixed-point equation", three(e.residual))
    table.add_row("error bound (sup norm)", three(e.error_bound))
    table.add_row("reward range R", three(k.reward_range))
    if k.rank is not None:
        table.add_row("rank", f"{k.rank} of {analysis.model.n_pairs}")
    table.add_row("pi-bisimulation groups", f"{analysis.groups} of {analysis.model.n_pairs} pairs")
    return table


def _stability(analysis: Analysis) -> Table:
    facts, gamma = analysis.features, analysis.model.gamma
    names = ["svd" if route.solver == "svd" else f"cov {route.dtype}" for route in analysis.routes]
    table = new_table(f"LSPE on {_called(facts.d, facts.kind)}", "", *names)
    routes = analysis.routes
    table.add_row("spectral radius", *(three(route.spectral_radius) for route in routes))
    table.add_row("norm", *(three(route.norm) for route in routes))
    table.add_row("stable", *(yes(route.stable) for route in routes))
    table.add_row("rank", *(str(route.rank) for route in routes))
    table.add_row("condition inverted", *(three(route.condition) for route in routes))
    bound = "bound for KROPE features: norm at most sqrt(gamma)"
    table.caption = f"gamma = {three(gamma)}; {bound} = {three(float(np.sqrt(gamma)))}"
    return table


def _sweep(analysis: Analysis) -> Table:
    sweep = analysis.sweep
    table = new_table("Top d KROPE features under these weights", "d", "spectral radius", "norm", "eigenvalue")
    rows = np.unique(np.linspace(0, len(sweep.d) - 1, min(SWEEP_ROWS, len(sweep.d))).round().astype(int))
    for i in rows:
        d = int(sweep.d[i])
        cells = (sweep.spectral_radius[i], sweep.norm[i], sweep.eigenvalues[d - 1])
        table.add_row(str(d), *(three(float(cell)) for cell in cells))
    return table


def _features(analysis: Analysis) -> Table:
    f = analysis.features
    rounding = min(ROUNDING_STEPS * float(np.finfo(np.float64).eps) * analysis.routes[0].condition, MOST_ROUNDING)
    linear = 0.0 if f.completeness_linear <= rounding else f.completeness_linear
    table = new_table("What the features can represent", "", "")
    table.add_row("realizability error", three(f.realizability))
    table.add_row("Bellman-completeness error, the paper's proxy", three(f.completeness))
    table.add_row("Bellman-completeness error of the linear class", three(linear))
    table.add_row("orthogonality correlation", three(f.orthogonality))
    if f.certificate is not None:
        c = f.certificate
        table.add_row("KROPE residual (sup norm)", three(c.residual))
        table.add_row("norm of L certified by the residual", f"at most {three(c.norm_bound)}")
        table.add_row("stability certified by the residual", yes(c.certified))
    return table


def _bounds(analysis: Analysis) -> Table:
    where = f", on {SAMPLED_PAIRS} pairs drawn at random" if analysis.skipped else ""
    table = new_table(f"Bounds on |q(x) - q(y)|{where}", "bound", "holds", "worst |dq|/bound", "at")
    for bound in (one for one in analysis.bounds if one.holds is not None):
        at = "-" if bound.worst_pair is None else ", ".join(analysis.mrp.pair_label(x) for x in bound.worst_pair)
        table.add_row(BOUND_NAMES[bound.name], yes(bound.holds), three(bound.worst_ratio), at)
    return table


def _values(analysis: Analysis) -> Table:
    title = "Values"
    q_hat = analysis.stability.q_hat
    table = new_table(title, "", "true", "LSPE's limit" if analysis.stability.stable else "LSPE's fixed point")
    table.add_row("from the initial distribution", three(analysis.value), three(analysis.value_estimate))
    if analysis.model.n_pairs <= LISTED_PAIRS:
        for x in range(analysis.model.n_pairs):
            table.add_row(f"pair {analysis.mrp.pair_label(x)}", three(float(analysis.q[x])), three(float(q_hat[x])))
    return table
