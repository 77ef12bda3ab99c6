"""The pictures of one analysis, rendered to PNG in memory."""

from collections.abc import Callable, Sequence
from functools import partial

from figures.parts import distance_and_values, eigenvalue_decay, kernel_heatmap, model_graph, stability_sweep, style
from tabular_krope.report.analysis import Analysis

#: What puts a picture on axes, its width and its height in inches.
Drawing = tuple[Callable[..., object], float, float]


def render_analysis(analysis: Analysis, names: Sequence[str] | None = None) -> dict[str, bytes]:
    """File name -> PNG; the picture of value bounds is left out for a model too large for all pairs of pairs.

    Args:
        analysis: what to draw.
        names: how each state is written, [S]; by its number if None.
    """
    found = drawings(analysis, names).items()
    return {name: style.render(draw, width, height) for name, (draw, width, height) in found}


def drawings(analysis: Analysis, names: Sequence[str] | None = None) -> dict[str, Drawing]:
    """The same before they are drawn: file name -> drawing."""
    main, sweep, kind = analysis.stability, analysis.sweep, analysis.features.kind
    own = kind == "krope"
    other = None if own else stability_sweep.OtherFeatures(kind, analysis.features.d, main.spectral_radius, main.norm)
    decay = eigenvalue_decay.EigenvalueDecay(sweep.eigenvalues, analysis.features.d if own else None)
    curves = stability_sweep.StabilitySweep(sweep.d, sweep.spectral_radius, sweep.norm, analysis.model.gamma, other)
    pictures: dict[str, Drawing] = {
        "kernel.png": (partial(kernel_heatmap.draw, kernel_heatmap.compute(analysis.K)), 6.4, 5.4),
        "eigenvalues.png": (partial(eigenvalue_decay.draw, decay), 6.4, 4.2),
        "stability.png": (partial(stability_sweep.draw, curves), 7.6, 4.2),
        "model.png": (partial(model_graph.draw, model_graph.compute(analysis.mrp, names)), 6.4, 5.4),
    }
    if analysis.all_bounds is not None:
        points = distance_and_values.compute(analysis.all_bounds)
        pictures["values.png"] = (partial(distance_and_values.draw, points), 7.6, 4.4)
    return pictures
