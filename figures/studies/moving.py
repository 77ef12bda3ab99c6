"""Moving pictures: the frames of a study as GIF, or as MP4 where ffmpeg is installed."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from figures.studies.panels import study_figure
from figures.studies.study import Data, Study
from tabular_krope.errors import KropeError

MOVING = ("gif", "mp4")
#: Frames in a second, dots in an inch, and how many frames the last one stands.
SPEED, DOTS, STAY = 5, 100, 8


def render_frames(study: Study, data: Data, kind: str, width: float | None = None, columns: int | None = None) -> bytes:
    """The frames of a study one after another, the last one for longer, as a file of the kind ``gif`` or ``mp4``."""
    from matplotlib.animation import FFMpegWriter, PillowWriter

    if kind == "mp4" and not FFMpegWriter.isAvailable():
        raise KropeError("format mp4 must have ffmpeg installed; got none on the PATH (gif needs nothing)")
    writer: Any = PillowWriter(fps=SPEED) if kind == "gif" else FFMpegWriter(fps=SPEED)
    last = study.frames(data) - 1
    figure = study_figure(study, data, width, frame=last, columns=columns)
    figure.draw_without_rendering()
    # As they are laid out now they stay, so that nothing jumps from frame to frame.
    figure.set_layout_engine("none")
    panels = {str(ax.get_label()): ax for ax in figure.axes}
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"frames.{kind}"
        with writer.saving(figure, str(path), DOTS):
            for k in [*range(last + 1), *[last] * STAY]:
                for ax in panels.values():
                    place = ax.get_position()
                    ax.clear()
                    ax.set_position(place)
                assert study.draw_frame is not None
                study.draw_frame(data, panels, k)
                writer.grab_frame()
        return path.read_bytes()
