"""A page as values: what is said, what is moved, and the answer to it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from figures.app.controls import Control
from figures.app.drawing.figure import Drawn, Figure
from tabular_krope.named.models import Subject


@dataclass(frozen=True, slots=True)
class Answer:
    """What a page shows for one setting of its controls.

    Attributes:
        verdict: one or two sentences (HTML).
        good: whether they are good news; None for neither.
        figures: the pictures, the first of which is shown first.
        numbers: tables below the controls (HTML).
        code: a line that computes the same in the library; may be empty.
        below: more, below the picture (HTML).
    """

    verdict: str
    good: bool | None
    figures: Sequence[Figure | Drawn]
    numbers: str = ""
    code: str = ""
    below: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a reader asks: the texts of the address, and a model of the reader's own."""

    query: Mapping[str, str]
    own: Subject | None = None
    own_name: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page.

    Attributes:
        lead: what it is about, in two or three sentences (text for `figures.app.page_text`).
        controls: what can be moved, given what was asked.
        answer: the answer to the values of the controls.
        more: the explanation below (text), for those who read on.
    """

    lead: str
    controls: Callable[[Asked], Sequence[Control]]
    answer: Callable[[Mapping[str, Any], Asked], Answer]
    more: str = ""
    wide: bool = field(default=False)
