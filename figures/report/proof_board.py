"""The proof graph to be used: a click on a statement shows it, and marks what falls with it.

It needs no script. Statements are labels of radio buttons, and the style sheet marks what rests on the one that is
chosen; the arrows are a picture behind them.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from figures.parts import proof_graph
from figures.parts.proof_boxes import KINDS, PROVED
from figures.report.order import falls_with
from figures.report.statement_card import statement_card
from proofs_check.judging.verdict import Verdict
from proofs_check.statements.statement import Statement

#: Sizes in pixels: a statement's height, the distance of rows, the room between columns, and that for a letter.
NODE, ROW, GAP, LETTER, MARGIN = 24, 31, 46, 6.7, 4
LEAST_WIDTH = 640.0


def proof_board(verdicts: Sequence[Verdict], statements: Mapping[str, Statement]) -> str:
    """The graph with a card for each statement."""
    data = proof_graph.compute(verdicts, statements)
    tied = falls_with(statements)
    numbers = {slug: k for k, slug in enumerate(statements)}
    places, width, height = _places(data)
    nodes = "\n".join(_node(slug, *places[slug], data, tied, numbers) for slug in places)
    found = {verdict.slug: verdict for verdict in verdicts}
    cards = "\n".join(
        statement_card(slug, statement, found.get(slug), numbers, tied[slug], data.kinds[slug])
        for slug, statement in statements.items()
    )
    size = f"width: {width:.0f}px; height: {height:.0f}px"
    board = f'<div class="board" style="{size}">{_arrows(data, places, tied, numbers, width, height)}\n{nodes}</div>'
    none = (
        '<div class="card hint"><p>Choose a statement: its claim, proof and witness appear here, and what falls if it '
        "is false is marked.</p></div>"
    )
    clear = '<input type="radio" name="statement" id="pick-none" checked aria-label="no statement">'
    return (
        f'<div class="proofs">{clear}{_legend(data)}\n<div class="scroll" tabindex="0">{board}</div>\n'
        f'<div class="cards">{none}\n{cards}</div></div>'
    )


def board_rules(n: int) -> str:
    """The part of the style sheet that shows the card of the chosen statement, and marks what falls with it."""
    rules = []
    for k in range(n):
        chosen = f".proofs:has(#pick-{k}:checked)"
        rules.append(f'{chosen} [data-rests~="{k}"] {{ --mark: var(--refuted); --tint: var(--alarm); opacity: 1; }}')
        rules.append(f'{chosen} [data-carries~="{k}"] {{ opacity: 1; }}')
        rules.append(f"{chosen} #card-{k} {{ display: grid; }}")
    return "\n".join(rules)


def node_width(slug: str) -> float:
    """Pixels that a statement's box takes."""
    return LETTER * len(slug) + 30


def _places(data: proof_graph.ProofGraph) -> tuple[dict[str, tuple[float, float]], float, float]:
    """Left side and middle of each statement, and the size of the board."""
    lefts, x = [], float(MARGIN)
    for k in range(data.layout.columns):
        lefts.append(x)
        x += max(node_width(str(slug)) for slug, at in data.layout.column.items() if at == k) + GAP
    width = max(x - GAP + MARGIN, LEAST_WIDTH)
    places = {
        str(slug): (lefts[at], MARGIN + NODE / 2 + data.layout.place[slug] * ROW)
        for slug, at in data.layout.column.items()
    }
    y = max((at for _, at in places.values()), default=0.0) + ROW * (1.6 if places else 1)
    x = float(MARGIN)
    for slug in data.apart:
        if x + node_width(slug) > width and x > MARGIN:
            x, y = float(MARGIN), y + ROW
        places[slug] = (x, y)
        x += node_width(slug) + 14
    return places, width, y + NODE / 2 + MARGIN


def _node(
    slug: str, x: float, y: float, data: proof_graph.ProofGraph, tied: Mapping[str, Any], numbers: Mapping[str, int]
) -> str:
    kind = data.kinds[slug]
    sign = PROVED if slug in data.proved else KINDS[kind].sign
    above = " ".join(str(numbers[one]) for one in tied[slug][1])
    below = " ".join(str(numbers[one]) for one in _below(slug, tied))
    where = f"left: {x:.0f}px; top: {y - NODE / 2:.0f}px; width: {node_width(slug):.0f}px"
    return (
        f'<label class="node {kind}" data-rests="{below}" data-carries="{above}" style="{where}">'
        f'<input type="radio" name="statement" id="pick-{numbers[slug]}"><i>{sign}</i> {escape(slug)}</label>'
    )


def _below(slug: str, tied: Mapping[str, Any]) -> list[str]:
    """The statements that ``slug`` rests on."""
    return [one for one, (_, fall) in tied.items() if slug in fall]


def _arrows(
    data: proof_graph.ProofGraph,
    places: Mapping[str, tuple[float, float]],
    tied: Mapping[str, Any],
    numbers: Mapping[str, int],
    width: float,
    height: float,
) -> str:
    """The arrows, each with the numbers of what it carries on."""
    right = _column_ends(data, places)
    paths = []
    for used, user in data.edges:
        (x0, y0), (x1, y1) = places[used], places[user]
        ends = right[data.layout.column[used]]
        line = f"M{x0 + node_width(used):.0f} {y0:.1f}H{ends[1]:.0f}"
        x, y = ends[1], y0
        for k, place in data.layout.routes[used, user]:
            left, far = right[k]
            to = MARGIN + NODE / 2 + place * ROW
            line += f"C{x + GAP / 2:.0f} {y:.1f} {left - GAP / 2:.0f} {to:.1f} {left:.0f} {to:.1f}H{far:.0f}"
            x, y = far, to
        line += f"C{x + GAP / 2:.0f} {y:.1f} {x1 - GAP / 2:.0f} {y1:.1f} {x1 - 5:.0f} {y1:.1f}"
        head = f"M{x1:.0f} {y1:.1f}l-7 -3.2v6.4z"
        rests = " ".join(str(numbers[one]) for one in (used, *_below(used, tied)))
        carries = " ".join(str(numbers[one]) for one in (user, *tied[user][1]))
        weak = " weak" if (used, user) in data.weak else ""
        paths.append(
            f'<g class="arrow{weak}" data-rests="{rests}" data-carries="{carries}">'
            f'<path d="{line}"/><path class="head" d="{head}"/></g>'
        )
    told = "; ".join(f"the proof of {user} uses {used}" for used, user in data.edges)
    return (
        f'<svg viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" role="img">'
        f"<title>{escape(told)}</title>{''.join(paths)}</svg>"
    )


def _column_ends(data: proof_graph.ProofGraph, places: Mapping[str, tuple[float, float]]) -> list[tuple[float, float]]:
    """Left and right of each column."""
    ends = []
    for k in range(data.layout.columns):
        inside = [str(slug) for slug, at in data.layout.column.items() if at == k]
        left = places[inside[0]][0]
        ends.append((left, left + max(map(node_width, inside))))
    return ends


def _legend(data: proof_graph.ProofGraph) -> str:
    shown = [
        f'<span><b class="node {kind}"><i>{look.sign}</i></b> {look.words}</span>'
        for kind, look in KINDS.items()
        if kind in data.kinds.values()
    ]
    if data.proved:
        shown.append(f"<span><i>{PROVED}</i> proved for chains of every size</span>")
    return f'<p class="key">{"".join(shown)}</p>'
