"""Small pieces of HTML that every part of the report uses; text is escaped here."""

from collections.abc import Iterable, Sequence
from html import escape

from proofs_check.judging.verdict import Verdict

SIGNS = {"holds": "\u2713", "refuted": "\u2717", "vacuous": "\u2205", "unproved": "?", "proved": "\u220e"}
Cell = tuple[str, str]


def text(content: object, kind: str = "") -> Cell:
    """A cell with text in it: (class, escaped content).

    >>> text("a < b")
    ('', 'a &lt; b')
    """
    return kind, escape(str(content))


def lines(content: str, kind: str = "") -> Cell:
    """A cell with a line for each line of the text.

    >>> lines("a < b\\nc")
    ('', 'a &lt; b<br>c')
    """
    return kind, "<br>".join(escape(line) for line in content.split("\n"))


def table(kind: str, head: Sequence[Cell], rows: Iterable[tuple[str, Sequence[Cell]]]) -> str:
    """A table; ``rows`` are (class, cells), cells are (class, HTML).

    >>> table("", [text("n")], [("", [text(1)])])
    '<table><thead><tr><th>n</th></tr></thead><tbody>\\n<tr><td>1</td></tr>\\n</tbody></table>'
    """
    top = "".join(f"<th{_class(look)}>{content}</th>" for look, content in head)
    body = "".join(
        f"<tr{_class(look)}>{''.join(f'<td{_class(k)}>{content}</td>' for k, content in cells)}</tr>\n"
        for look, cells in rows
    )
    return f"<table{_class(kind)}><thead><tr>{top}</tr></thead><tbody>\n{body}</tbody></table>"


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """A list of names and what they are: (text, HTML)."""
    return f"<dl>{''.join(f'<dt>{escape(name)}</dt><dd>{content}</dd>' for name, content in rows)}</dl>"


def verdict_mark(verdict: Verdict) -> str:
    """The outcome with its sign, and a flag if it is not the expected one."""
    outcome = escape(verdict.outcome)
    proved = verdict.outcome == "holds" and verdict.evidence == "proved"
    word, sign = ("proved", SIGNS["proved"]) if proved else (outcome, SIGNS.get(verdict.outcome, ""))
    mark = f'<span class="verdict {outcome}">{sign} {word}</span>'
    if verdict.as_expected:
        return mark
    expected = escape(verdict.expected)
    if verdict.expected_false_step:
        expected += f", first false step {escape(verdict.expected_false_step)}"
    return f'{mark} <span class="verdict unexpected">expected: {expected}</span>'


def link(slug: str) -> str:
    """A link to the section of a statement."""
    return f'<a href="#{escape(slug)}">{escape(slug)}</a>'


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
