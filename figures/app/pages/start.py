"""Start: what this is, the running example, and all pages."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from figures.app.catalogue import LABORATORY, TOURS
from figures.app.controls import Control
from figures.app.drawing.figure import Drawn
from figures.app.page_sheet import Answer, Asked, Sheet
from figures.app.tours import six_pairs

LEAD = r"""
You have transitions from one policy and want the [[value|values]] of another. Value learning multiplies an error by a
matrix again and again; on bad [[features]] it grows, and learning **blows up**.

[[KROPE]] calls two [[pair|pairs]] similar when they pay alike now and lead to similar pairs:
$k(x, y) = 1 - |r_x - r_y| / R + \gamma E\,k(X', Y')$. A paper says that features cut from this [[kernel]] make value
learning stable. What holds, what does not, and why: move the parts and see. **Every number is computed while you look;
fractions are exact.**

Words with a dotted line explain themselves. The button *Projector* makes everything larger.
"""


def _controls(asked: Asked) -> Sequence[Control]:
    return ()


def _answer(values: Mapping[str, Any], asked: Asked) -> Answer:
    cards = "".join(
        f'<a class="card" href="/{page.path}"><h2>{number}{escape(page.title)}</h2><p>{escape(page.about)}</p></a>'
        for number, page in [*((f"{k}. ", page) for k, page in enumerate(TOURS, 1)), ("", LABORATORY)]
    )
    title = (
        "The chain of the whole story: from x or y to a or b with opposite odds, "
        "and then +1 or \u22121 at every step, forever"
    )
    chain = Drawn("", title, six_pairs.graph).html()
    return Answer("", None, (), numbers=chain, below=f'<div class="cards">{cards}</div>')


SHEET = Sheet(LEAD, _controls, _answer)
