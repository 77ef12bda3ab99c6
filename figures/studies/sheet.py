"""A sheet of panels as PNG and SVG; the same numbers give the same bytes."""

import io

from figures.parts import style
from figures.studies.study import Data, Study

KINDS = ("png", "svg")
#: What would differ from run to run is left out.
METADATA = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None}}


def render_study(study: Study, data: Data) -> dict[str, bytes]:
    """The picture of a study's numbers by kind of file, ``png`` and ``svg``."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context({**style.SETTINGS, "svg.hashsalt": study.name, "svg.fonttype": "path"}):
        figure = Figure(figsize=(study.width, study.height), layout="constrained")
        FigureCanvasAgg(figure)
        study.draw(data, figure.subplot_mosaic([list(row) for row in study.panels]))
        pictures = {}
        for kind in KINDS:
            buffer = io.BytesIO()
            figure.savefig(buffer, format=kind, bbox_inches="tight", pad_inches=0.1, metadata=METADATA[kind])
            pictures[kind] = buffer.getvalue()
        return pictures
