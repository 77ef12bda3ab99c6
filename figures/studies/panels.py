"""From a study's numbers to a figure of matplotlib: panels, drawing, the title above them."""

from typing import TYPE_CHECKING

from figures.studies.study import Data, Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def study_figure(
    study: Study, data: Data, width: float | None = None, frame: int | None = None, taller: float = 1.0
) -> "Figure":
    """The figure of a study's numbers, or a frame of it, ``width`` inches wide in the study's own proportions.

    With ``taller`` above 1 it is so many times as high.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    scale = 1.0 if width is None else width / study.width
    figure = Figure(figsize=(scale * study.width, scale * taller * study.height), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplot_mosaic([list(row) for row in study.panels])
    if frame is None or study.draw_frame is None:
        study.draw(data, panels)
    else:
        study.draw_frame(data, panels, frame)
    if study.title(data):
        figure.suptitle(study.title(data), x=0.01, ha="left", fontsize="large")
    return figure
