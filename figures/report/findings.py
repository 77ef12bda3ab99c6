"""One self-contained page about a model or about data: the answer, what to do next, pictures, numbers, assumptions.

Nothing is fetched when it is read, and nothing runs: fonts and pictures are inside.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from figures.report.prose import typeset
from figures.report.shell import made_by, page_html
from figures.report.words import facts, table

#: What an answer is, with its sign: good, bad, or neither.
SIGNS = {"good": "\u2713", "bad": "\u2717", "unsure": "?"}


@dataclass(frozen=True, slots=True)
class Numbers:
    """A table.

    Attributes:
        title: above it.
        columns: their names, which may all be empty.
        rows: cells, as many in each row as there are columns.
        to_the_right: which columns hold numbers.
        note: below it; empty if there is nothing to say.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    to_the_right: tuple[bool, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do next: a sentence, and the command that does it; empty if there is none."""

    words: str
    command: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture: ``<svg>``, a sentence on what it shows, and the same drawn for a phone; empty if one is enough."""

    svg: str
    words: str
    narrow: str = ""


@dataclass(frozen=True, slots=True)
class Findings:
    """What a page says.

    Attributes:
        about: what was looked at: a model, a file.
        verdict: in a word or two.
        mood: one of `SIGNS`.
        answer: one sentence.
        said: paragraphs that explain it.
        large: the main numbers: (number, what it is).
        advice: what to do next, the most important first.
        pictures: the main one first.
        tables: every other number.
        assumed: what the answer rests on: (name, words).
        command: that makes the page again.
    """

    about: str
    verdict: str
    mood: str
    answer: str
    said: tuple[str, ...]
    large: tuple[tuple[str, str], ...]
    advice: tuple[Advice, ...]
    pictures: tuple[Picture, ...]
    tables: tuple[Numbers, ...]
    assumed: tuple[tuple[str, str], ...]
    command: str


def findings_html(found: Findings) -> str:
    """The page.

    >>> page = findings_html(Findings("garnet:3x2", "stable", "good", "LSPE is stable (rho < 1).", (), (), (), (), (),
    ...                               (), "krope analyze garnet:3x2"))
    >>> page.startswith("<!doctype html>"), "<script" in page
    (True, False)
    """
    paragraphs = "".join(f"<p>{typeset(text)}</p>" for text in found.said)
    parts = [
        f'<p class="about">{escape(found.about)}</p>',
        f'<div class="answer {found.mood}">',
        f'<p><span class="verdict {found.mood}"><i>{SIGNS[found.mood]}</i> {escape(found.verdict)}</span></p>',
        f"<h1>{typeset(found.answer)}</h1></div>",
        _large(found.large),
        paragraphs,
        _advice(found.advice),
        _pictures(found.pictures),
        _tables(found.tables),
        f'<h2 id="assumed">What was assumed</h2>{_assumed(found.assumed)}' if found.assumed else "",
        made_by(found.command, ()),
    ]
    return page_html(f"KROPE: {found.about}: {found.verdict}", parts)


def _large(rows: Sequence[tuple[str, str]]) -> str:
    told = "".join(f"<li><b>{escape(_minus(number))}</b>{typeset(words)}</li>" for number, words in rows)
    return f'<ul class="counts">{told}</ul>' if told else ""


def _advice(advice: Sequence[Advice]) -> str:
    items = "".join(
        f"<li>{typeset(one.words)}"
        + (f"<pre><code>{escape(one.command)}</code></pre>" if one.command else "")
        + "</li>"
        for one in advice
    )
    return f'<h2 id="next">What to do next</h2><ol class="next">{items}</ol>' if items else ""


def _pictures(pictures: Sequence[Picture]) -> str:
    shown = "\n".join(
        f"<figure>{_drawn(one)}<figcaption>{typeset(one.words)}</figcaption></figure>" for one in pictures
    )
    return f'<h2 id="pictures">Pictures</h2><div class="pictures">{shown}</div>' if shown else ""


def _drawn(one: Picture) -> str:
    if not one.narrow:
        return f'<div class="scroll">{one.svg}</div>'
    return f'<div class="scroll on-a-desk">{one.svg}</div><div class="on-a-phone">{one.narrow}</div>'


def _tables(tables: Sequence[Numbers]) -> str:
    shown = "\n".join(_table(one) for one in tables if one.rows)
    return f'<h2 id="numbers">The numbers</h2><div class="tables">{shown}</div>' if shown else ""


def _table(one: Numbers) -> str:
    looks = ["number" if right else "" for right in one.to_the_right]
    head = [(look, typeset(name)) for look, name in zip(looks, one.columns, strict=True)]
    rows = [("", [_cell(cell, look) for cell, look in zip(row, looks, strict=True)]) for row in one.rows]
    note = "".join(f"<p>{typeset(line)}</p>" for line in one.note.split("\n") if line)
    title = f"<h3>{typeset(one.title)}</h3>" if one.title else ""
    return f"<div>{title}{table('', head, rows)}<div class='note'>{note}</div></div>"


def _cell(content: str, look: str) -> tuple[str, str]:
    """A cell; a plain no stands out, and long words may be folded."""
    kinds = [look if len(content) < 40 else "", "no" if content == "no" else ""]
    return " ".join(kind for kind in kinds if kind), _set(content)


def _set(text: str) -> str:
    """A text of a table, in which a lone x between two words or numbers is a sign of multiplication.

    >>> _set("16 x 4 pairs")
    '16 \u00d7 4 pairs'
    """
    return typeset(_minus(re.sub(r"(?<=\w) x (?=\w)", " \u00d7 ", text)))


def _minus(text: str) -> str:
    """Numbers and intervals with a minus sign instead of a hyphen.

    >>> _minus("-0.5 .. 0.25"), _minus("-x")
    ('\u22120.5 .. 0.25', '-x')
    """
    return re.sub(r"(?<!\S)-(?=\d)", "\u2212", text) if re.fullmatch(r"[-+\d., e%]*", text) else text


def _assumed(rows: Sequence[tuple[str, str]]) -> str:
    return facts([(name, typeset(words)) for name, words in rows])
