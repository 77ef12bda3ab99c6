"""The proof graph: which statement's proof uses which, colored by verdict, with what a refutation shakes."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from figures.parts import style
from figures.parts.layered import Layout, layered_layout
from figures.parts.proof_boxes import FONT, KINDS, PROVED, box_width, draw_box
from figures.parts.vector import render_vector
from proofs_check.judging.verdict import Verdict
from proofs_check.show.graph import proof_graph, shaken
from proofs_check.statements.statement import Statement
from tabular_krope.errors import KropeError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Sizes in inches: the axes are a sheet of paper. Rows of boxes, room between columns, lines of the legend.
ROW, GAP, MARGIN, LINE = 0.42, 0.75, 0.12, 0.36
LEAST_WIDTH = 8.0
#: Begins the links to statements.
SECTION = "statement:"
KINDS_OF_FILE = ("svg", "png")
Columns = list[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class ProofGraph:
    """What is drawn.

    Attributes:
        kinds: of each statement, one of `KINDS`.
        edges: (used, user), in the direction of the argument.
        weak: edges that carry a refutation on: the used one is refuted or rests on one that is.
        layout: places of the statements that use or are used.
        apart: statements that neither use nor are used.
        proved: statements that hold by a certificate, or by a theorem of Coq.
    """

    kinds: Mapping[str, str]
    edges: tuple[tuple[str, str], ...]
    weak: frozenset[tuple[str, str]]
    layout: Layout
    apart: tuple[str, ...]
    proved: frozenset[str] = frozenset()


def compute(verdicts: Iterable[Verdict], statements: Mapping[str, Statement] | None = None) -> ProofGraph:
    """The picture's parts; statements without a verdict are drawn as not judged.

    >>> compute([]).kinds["theorem-1"]
    'unjudged'
    """
    import networkx as nx

    verdicts = list(verdicts)
    graph = proof_graph(statements, verdicts)
    weak = shaken(graph, verdicts)
    kinds = {slug: _kind(facts, slug in weak) for slug, facts in graph.nodes(data=True)}
    broken = weak | {slug for slug, kind in kinds.items() if kind == "refuted"}
    edges = tuple((used, user) for user, used in graph.edges)
    column = {
        slug: k
        for k, level in enumerate(nx.topological_generations(graph.reverse()))
        for slug in level
        if graph.degree(slug)
    }
    apart = tuple(slug for slug in graph if not graph.degree(slug))
    weak_edges = frozenset(edge for edge in edges if edge[0] in broken)
    proved = frozenset(
        slug
        for slug, facts in graph.nodes(data=True)
        if facts["outcome"] == "holds" and (facts["evidence"] == "proved" or facts["formal"] is not None)
    )
    return ProofGraph(kinds, edges, weak_edges, layered_layout(column, edges), apart, proved)


def size(data: ProofGraph) -> tuple[float, float]:
    """Width and height of the picture in inches."""
    _, right = _columns(data)
    rows = len(_rows(data, right))
    return right + MARGIN, _tied_height(data) + (rows + 1) * ROW * bool(rows) + _legend_height(data) + 2 * MARGIN


def draw(data: ProofGraph, ax: "Axes", linked: Collection[str] = ()) -> "Axes":
    """Statements as boxes, foundations on the left; an arrow leads from a statement to each one whose proof uses it.

    Those that are ``linked`` lead to ``#`` + `SECTION` + slug in an SVG file.
    """
    width, height = size(data)
    ax.set_axis_off()
    ax.set_xlim(0, width)
    ax.set_ylim(0, height)
    columns, right = _columns(data)
    top = height - MARGIN - ROW / 2
    at = {
        slug: (columns[data.layout.column[slug]][0], top - data.layout.place[slug] * ROW) for slug in data.layout.column
    }
    for used, user in data.edges:
        points = [(k, top - place * ROW) for k, place in data.layout.routes[used, user]]
        start, end = (at[used][0] + box_width(used), at[used][1]), at[user]
        _arrow(
            [*_run_up(start, columns[data.layout.column[used]])], points, end, columns, (used, user) in data.weak, ax
        )
    for slug, (x, y) in at.items():
        url = f"#{SECTION}{slug}" if slug in linked else None
        draw_box(str(slug), KINDS[data.kinds[str(slug)]], x, y, ax, proved=slug in data.proved, url=url)
    y = height - MARGIN - _tied_height(data) - ROW / 2
    rows = _rows(data, right)
    if rows:
        ax.text(MARGIN, y, "Statements that use no other one, and that no other one uses", fontsize=FONT, va="center")
    for k, row in enumerate(rows, 1):
        for slug, x in row:
            url = f"#{SECTION}{slug}" if slug in linked else None
            draw_box(slug, KINDS[data.kinds[slug]], x, y - k * ROW, ax, proved=slug in data.proved, url=url)
    _legend(data, ax)
    return ax


def render(verdicts: Iterable[Verdict], kind: str = "svg", statements: Mapping[str, Statement] | None = None) -> bytes:
    """The proof graph as the bytes of an SVG or PNG file."""
    data = compute(verdicts, statements)
    return render_vector(lambda ax: draw(data, ax), *size(data), kind)


def picture_kind(path: str | Path) -> str:
    """``svg`` or ``png``, by the name of a file.

    >>> picture_kind("proofs.SVG")
    'svg'
    """
    kind = Path(path).suffix.lower().lstrip(".")
    if kind not in KINDS_OF_FILE:
        raise KropeError(f"graph must be a file that ends in .svg or .png; got {path}")
    return kind


def _kind(facts: Mapping[str, Any], weak: bool) -> str:
    if facts["outcome"] is None:
        return "unjudged"
    if facts["outcome"] != "holds":
        return str(facts["outcome"])
    return "shaken" if weak else "flawed" if facts["false_step"] else "holds"


def _tied_height(data: ProofGraph) -> float:
    return (data.layout.height + 1) * ROW if data.layout.columns else 0.0


def _columns(data: ProofGraph) -> tuple[Columns, float]:
    """(left, right) of each column, and where the picture ends."""
    sides, x = [], MARGIN
    for k in range(data.layout.columns):
        widest = max(box_width(str(slug)) for slug, at in data.layout.column.items() if at == k)
        sides.append((x, x + widest))
        x += widest + GAP
    return sides, max(x - GAP, LEAST_WIDTH)


def _rows(data: ProofGraph, right: float) -> list[list[tuple[str, float]]]:
    """Rows of (slug, left side) for the statements that stand apart."""
    rows: list[list[tuple[str, float]]] = []
    x = right
    for slug in data.apart:
        if x + box_width(slug) > right:
            rows.append([])
            x = MARGIN
        rows[-1].append((slug, x))
        x += box_width(slug) + 0.2
    return rows


def _run_up(start: tuple[float, float], column: tuple[float, float]) -> list[tuple[float, float]]:
    """From the right of a box to the right of its column, beyond all the boxes above and below it."""
    return [start] if start[0] == column[1] else [start, (column[1], start[1])]


def _arrow(
    line: list[tuple[float, float]],
    joints: list[tuple[int, float]],
    end: tuple[float, float],
    columns: Columns,
    weak: bool,
    ax: "Axes",
) -> None:
    """A smooth line on from ``line``, straight through each column between, with a head at ``end``."""
    from matplotlib.patches import PathPatch, Polygon
    from matplotlib.path import Path as Line

    codes = [Line.MOVETO, Line.LINETO][: len(line)]
    for k, y in joints:
        (x0, y0), (x1, x2) = line[-1], columns[k]
        line += [(x0 + GAP / 2, y0), (x1 - GAP / 2, y), (x1, y), (x2, y)]
        codes += [Line.CURVE4, Line.CURVE4, Line.CURVE4, Line.LINETO]
    (x0, y0), (x, y), head = line[-1], end, 0.09
    line += [(x0 + GAP / 2, y0), (x - GAP / 2, y), (x - head, y)]
    codes += [Line.CURVE4] * 3
    color, dashes = (style.RED, (0, (4, 2))) if weak else (style.GRAY, "-")
    look: dict[str, Any] = {"linestyle": dashes, "linewidth": 1.4 if weak else 1.0, "zorder": 0.6 if weak else 0.5}
    ax.add_patch(PathPatch(Line(line, codes), fill=False, edgecolor=color, **look))
    tip = [(x, y), (x - head, y + head / 2.4), (x - head, y - head / 2.4)]
    ax.add_patch(Polygon(tip, facecolor=color, linewidth=0, zorder=look["zorder"]))


def _legend_height(data: ProofGraph) -> float:
    return LINE * (1 + bool(data.proved) + sum(kind in data.kinds.values() for kind in KINDS))


def _legend(data: ProofGraph, ax: "Axes") -> None:
    y = MARGIN + _legend_height(data) - LINE / 2
    words = "A \u2192 B: the proof of B uses A. Dashed: what it uses is refuted, or rests on what is."
    ax.text(MARGIN, y, words, fontsize=FONT, va="center_baseline")
    for look in (look for kind, look in KINDS.items() if kind in data.kinds.values()):
        y -= LINE
        draw_box("", look, MARGIN, y, ax, width=0.5)
        ax.text(MARGIN + 0.62, y, look.words, fontsize=FONT, va="center_baseline")
    if data.proved:
        words = f"{PROVED}  proved for chains of every size, by a certificate or in Coq; without it: rests on samples"
        ax.text(MARGIN + 0.2, y - LINE, words, fontsize=FONT, va="center_baseline")
