"""Small pieces of HTML that every part of a page uses; text is escaped here."""

from collections.abc import Iterable, Sequence
from html import escape

from proofs_check.judging.verdict import Verdict
from proofs_check.show.summary import is_proved

SIGNS = {"holds": "\u2713", "refuted": "\u2717", "vacuous": "\u2205", "unproved": "?", "proved": "\u220e"}
Cell = tuple[str, str]


def text(content: object, kind: str = "") -> Cell:
    """A cell with text in it: (class, escaped content).

    >>> text("a < b")
    ('', 'a &lt; b')
    """
    return kind, escape(str(content))


def table(kind: str, head: Sequence[Cell], rows: Iterable[tuple[str, Sequence[Cell]]]) -> str:
    """A table that scrolls where it has no room; ``rows`` are (class, cells), cells are (class, HTML).

    A cell of a table of some ``kind`` knows the name of its column, for screens on which cells stand below each other.

    >>> table("", [text("n")], [("", [text(1)])])[:58]
    '<div class="scroll"><table><thead><tr><th>n</th></tr></the'
    """
    top = "".join(f"<th{_class(look)}>{content}</th>" for look, content in head)
    names = [f' data-label="{content}"' if kind and content else "" for _, content in head]
    body = "".join(
        f"<tr{_class(look)}>"
        + "".join(f"<td{_class(k)}{name}>{shown}</td>" for (k, shown), name in zip(cells, names, strict=True))
        + "</tr>\n"
        for look, cells in rows
    )
    header = f"<thead><tr>{top}</tr></thead>" if any(content for _, content in head) else ""
    return f'<div class="scroll"><table{_class(kind)}>{header}<tbody>\n{body}</tbody></table></div>'


def facts(rows: Iterable[tuple[str, str]], kind: str = "") -> str:
    """A list of names and what they are: (text, HTML); nothing if there are none."""
    told = "".join(f"<div><dt>{escape(name)}</dt><dd>{content}</dd></div>" for name, content in rows)
    return f"<dl{_class(kind)}>{told}</dl>" if told else ""


def figures_in_words(rows: Iterable[tuple[str, str, str]]) -> str:
    """A line of large numbers: (class, number as HTML, what it counts)."""
    told = "".join(f"<li><b{_class(kind)}>{shown}</b>{escape(words)}</li>" for kind, shown, words in rows)
    return f'<ul class="counts">{told}</ul>'


def verdict_mark(verdict: Verdict) -> str:
    """The outcome with its sign, and a flag if it is not the expected one."""
    outcome = escape(verdict.outcome)
    proved = verdict.outcome == "holds" and is_proved(verdict)
    word, sign = ("proved", SIGNS["proved"]) if proved else (outcome, SIGNS.get(verdict.outcome, ""))
    mark = f'<span class="verdict {outcome}"><i>{sign}</i> {word}</span>'
    if verdict.as_expected:
        return mark
    expected = escape(verdict.expected)
    if verdict.expected_false_step:
        expected += f", first false step {escape(verdict.expected_false_step)}"
    return f'{mark} <span class="verdict unexpected">expected: {expected}</span>'


def link(slug: str, title: str = "") -> str:
    """A link to the section of a statement, by its title (HTML) if one is given.

    >>> link("theorem-1")
    '<a href="#theorem-1">theorem-1</a>'
    """
    if not title:
        return f'<a href="#{escape(slug)}">{escape(slug)}</a>'
    return f'<a href="#{escape(slug)}" title="{escape(slug)}">{title}</a>'


def count(n: int, noun: str) -> str:
    """A number with its noun.

    >>> count(1, "statement"), count(2, "statement")
    ('1 statement', '2 statements')
    """
    return f"{n} {noun}{'' if n == 1 else 's'}"


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
