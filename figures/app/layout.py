"""A page as HTML: heading, story, controls beside verdict and picture, the explanation below."""

from collections.abc import Sequence
from hashlib import sha256
from html import escape

from figures.app.catalogue import PAGES, TOURS, Page, neighbors
from figures.app.controls import Control
from figures.app.page_sheet import Answer, Sheet
from figures.app.page_text import paragraphs
from figures.app.serving.notices import HEAD, PROGRAM


def whole_page(page: Page, sheet: Sheet, answer: dict[str, str]) -> str:
    """The page with its first answer in it, so that there is something to see before any program runs."""
    return (
        HEAD.format(title=escape(page.title), more=PROGRAM)
        + f'<body data-path="{page.path}" class="{"wide" if sheet.wide else "bench"}">{header(page)}<main>'
        + f'<section class="side"><h1>{escape(page.title)}</h1><div class="lead">{paragraphs(sheet.lead)}</div>'
        + f'<form id="controls" data-key="{answer["key"]}" autocomplete="off">{answer["controls"]}</form>'
        + f'<div id="numbers">{answer["numbers"]}</div></section>'
        + f'<section class="stage" aria-live="polite"><div id="verdict">{answer["verdict"]}</div>'
        + f'<div id="tabs" role="tablist" aria-label="pictures">{answer["tabs"]}</div>'
        + f'<div id="picture">{answer["picture"]}</div><div id="code">{answer["code"]}</div>'
        + f'<div id="below">{answer["below"]}</div></section></main>'
        + (f'<section class="more">{paragraphs(sheet.more)}</section>' if sheet.more else "")
        + footer(page)
        + "</body></html>"
    )


def header(here: Page) -> str:
    """The menu, the place in the story, and the button for a projector."""
    links = "".join(
        f'<a href="/{page.path}"{" aria-current=" + chr(34) + "page" + chr(34) if page is here else ""} '
        f'title="{escape(page.title)}">{escape(page.short)}</a>'
        for page in PAGES
    )
    return (
        f'<header><nav class="menu" aria-label="pages">{links}</nav><span class="tools">'
        '<button type="button" id="projector" aria-pressed="false" title="larger letters, for a room">'
        "Projector</button>"
        "</span></header>"
    )


def footer(here: Page) -> str:
    """The way through the story."""
    before, after = neighbors(here.path)
    at = f"{TOURS.index(here) + 1} of {len(TOURS)}" if here in TOURS else ""
    back = (
        f'<a class="back" rel="prev" href="/{before.path}">\u2190 {escape(before.title)}</a>'
        if before
        else "<span></span>"
    )
    on = (
        f'<a class="next" rel="next" href="/{after.path}">Next: {escape(after.title)} \u2192</a>'
        if after
        else "<span></span>"
    )
    return f'<footer>{back}<span class="place">{at}</span>{on}</footer>'


def answer_parts(answer: Answer, controls: Sequence[Control], query: dict[str, str], tab: int) -> dict[str, str]:
    """Every part of a page that depends on the controls, as HTML by the name of its place."""
    tab = tab if 0 <= tab < len(answer.figures) else 0
    tabs = "".join(
        f'<button type="button" role="tab" aria-selected="{str(k == tab).lower()}" data-tab="{k}">'
        f"{escape(figure.tab)}</button>"
        for k, figure in enumerate(answer.figures)
    )
    shape = "".join(control.html(None) for control in controls)
    return {
        "verdict": verdict(answer.verdict, answer.good),
        "tabs": tabs if len(answer.figures) > 1 else "",
        "picture": answer.figures[tab].html() if answer.figures else "",
        "numbers": answer.numbers,
        "code": code_line(answer.code),
        "below": answer.below,
        "controls": "".join(control.html(query.get(control.name)) for control in controls),
        "key": sha256(shape.encode()).hexdigest()[:12],
    }


def code_line(code: str) -> str:
    """What computes the same: a line of Python, or a command.

    >>> code_line("krope demo")
    '<span>on the command line</span><code>krope demo</code>'
    """
    where = "on the command line" if code.startswith("krope ") else "in Python"
    return f"<span>{where}</span><code>{escape(code)}</code>" if code else ""


def refusal(message: str, controls: Sequence[Control], query: dict[str, str]) -> dict[str, str]:
    """The parts of a page whose controls ask for something that cannot be."""
    return answer_parts(Answer(escape(message, quote=False), False, ()), controls, query, 0)


def verdict(words: str, good: bool | None) -> str:
    """A sentence in a box: what the numbers mean.

    >>> verdict("It holds.", True)
    '<p class="verdict good" data-name="verdict">It holds.</p>'
    """
    tone = "" if good is None else " good" if good else " bad"
    return f'<p class="verdict{tone}" data-name="verdict">{words}</p>' if words else ""
