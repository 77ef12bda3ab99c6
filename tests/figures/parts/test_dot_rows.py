import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from figures.parts.dot_rows import draw_dot_rows, named_where

LOOKS = [("black", "v", 9.0, "all of them"), ("orange", "s", 6.0, "some of them"), ("blue", "o", 4.0, "one of them")]


def drawn(values):
    figure = Figure(figsize=(7, 3), layout="constrained")
    FigureCanvasAgg(figure)
    ax = figure.add_subplot(xlim=(0, 100))
    draw_dot_rows(values, [f"row {k}" for k in range(len(values))], LOOKS, ax)
    figure.canvas.draw()
    return ax


def test_every_mark_stands_at_its_number_with_the_first_row_at_the_top():
    values = np.array([[1.0, 50.0, 99.0], [20.0, 20.0, 30.0]])
    ax = drawn(values)
    assert [line.get_xdata().tolist() for line in ax.lines] == values.T.tolist()
    assert [line.get_ydata().tolist() for line in ax.lines] == [[1, 0]] * 3
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["row 0", "row 1"]


def test_names_lie_neither_on_each_other_nor_on_marks():
    for seed in range(20):
        values = np.random.default_rng(seed).choice([1.0, 10.0, 45.0, 50.0, 55.0, 99.0], (6, 3))
        values[0], values[1] = (2.0, 50.0, 98.0), (50.0, 98.0, 2.0)  # somewhere there is room
        ax = drawn(values)
        boxes = [text.get_window_extent() for text in ax.texts]
        assert [text.get_text() for text in ax.texts] == [name for *_, name in LOOKS]
        for k, box in enumerate(boxes):
            assert not any(box.overlaps(other) for other in boxes[:k])
            marks = np.concatenate([ax.transData.transform(line.get_xydata()) for line in ax.lines])
            assert not any(box.contains(x, y) for x, y in marks)
            assert ax.bbox.x0 <= box.x0
            assert box.x1 <= ax.bbox.x1


def test_a_kind_is_named_where_it_stands_alone():
    places = [[0.0, 0.0, 0.0], [10.0, 10.0, 90.0], [10.0, 50.0, 90.0]]
    rows = [row for row, _ in named_where(places, (0.0, 100.0), 20.0)]
    assert 0 not in rows
    assert rows[1] == 2  # in the row before it lies on another
