"""The witness gallery: a card for each chain that refutes a statement."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any
from urllib.parse import urlencode

from figures.app.controls import Control
from figures.app.page_sheet import Answer, Asked, Sheet
from figures.app.tours.witnesses_tour import Shown, gallery
from figures.parts.formula_svg import formula_html
from figures.parts.witness_graph import witness_svg

LEAD = r"""
A statement about every chain is refuted by one. Each [[witness]] is a chain in exact fractions on which the statement
fails; a program of a few lines can check it. Discs are [[pair|pairs]] with their rewards, arrows are transitions with their
probabilities. **Open one in the laboratory** and take it apart.
"""


def card(shown: Shown) -> str:
    """One witness as a card."""
    where = urlencode({"model": shown.key, "data": "own" if "weights" in shown.witness else "uniform"})
    graph = witness_svg(shown.witness, f"{shown.slug}-{shown.number}")
    return (
        f'<article class="card" data-name="{escape(shown.key)}"><h2>{escape(shown.title)}</h2>'
        f"<p>{formula_html(shown.formula)}</p>{graph}"
        f'<p class="broken">{escape(shown.broken)}</p>'
        f'<p class="deeds"><a class="open" href="/laboratory?{escape(where)}">Open in the laboratory</a>'
        f'<button type="button" data-copy="{escape(shown.text)}">Copy as JSON</button></p>'
        f"<details><summary>exact form, \u03b3 = {escape(str(shown.witness['gamma']))}</summary>"
        f"<pre>{escape(shown.text)}</pre></details></article>"
    )


def _controls(asked: Asked) -> Sequence[Control]:
    return ()


def _answer(values: Mapping[str, Any], asked: Asked) -> Answer:
    found = gallery()
    words = f"<b>{len({one.slug for one in found})} statements</b> fall to {len(found)} chains, the smallest of {min(len(one.witness['r']) for one in found)} pairs."
    return Answer(words, None, (), below=f'<div class="cards tall">{"".join(map(card, found))}</div>')


SHEET = Sheet(LEAD, _controls, _answer, wide=True)
