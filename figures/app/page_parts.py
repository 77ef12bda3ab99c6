"""What all pages share: numbers that can be read off, and small tables."""

from collections.abc import Iterable
from html import escape
from typing import Any

from tabular_krope.report.digits import three


def number(name: str, value: Any, good: bool | None = None) -> str:
    """A number that a reader sees and a test can read: ``data-name`` and ``data-value`` carry it in full.

    >>> number("rho", 0.123456789)
    '<span data-name="rho" data-value="0.123456789">0.123</span>'
    """
    shown = str(value)
    if isinstance(value, float):
        shown = three(value)
    tone = "" if good is None else f' class="{"good" if good else "bad"}"'
    return f'<span{tone} data-name="{escape(name)}" data-value="{escape(str(value))}">{escape(shown)}</span>'


def plain(text: str) -> str:
    """Words that are no HTML, such as an error, for a page."""
    return escape(text, quote=False)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A small table of HTML cells; the first cell of a row names it.

    >>> table(["a"], [["1"]])
    '<div class="scroll"><table><tr><th scope="col">a</th></tr><tr><th scope="row">1</th></tr></table></div>'
    """
    top = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    body = ""
    for first, *rest in rows:
        body += f'<tr><th scope="row">{first}</th>' + "".join(f"<td>{cell}</td>" for cell in rest) + "</tr>"
    return f'<div class="scroll"><table><tr>{top}</tr>{body}</table></div>'


def named(text: str) -> str:
    """A name for `number`: words joined by dashes, in small letters.

    >>> named("KROPE without the weights")
    'krope-without-the-weights'
    """
    return "-".join(text.lower().replace(",", "").split())


def listed(names: Iterable[str]) -> str:
    """Names in a sentence.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
