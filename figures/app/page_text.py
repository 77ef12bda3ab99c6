r"""Text of the pages: paragraphs with formulas, emphasis, code, links and words that explain themselves.

``$..$`` is a formula, ``**bold**``, ``*emphasis*``, ```code```, ``[words](address)``, and ``[[term]]`` or
``[[term|as shown]]`` a word of `figures.app.glossary`. Everything else is text and is escaped.
"""

import re
from html import escape

from figures.app.glossary import TERMS
from figures.parts.formula_svg import formula_html

PATTERN = re.compile(
    r"\$(?P<formula>[^$]+)\$|\*\*(?P<bold>[^*]+)\*\*|\*(?P<em>[^*]+)\*|`(?P<code>[^`]+)`"
    r"|\[\[(?P<term>[^\]|]+)(?:\|(?P<shown>[^\]]+))?\]\]|\[(?P<words>[^\]]+)\]\((?P<address>[^)]+)\)"
)


def inline(text: str) -> str:
    """One piece of text as HTML.

    >>> inline("*a* < **b**, `c`")
    '<em>a</em> &lt; <b>b</b>, <code>c</code>'
    """
    parts, last = [], 0
    for found in PATTERN.finditer(text):
        parts += [escape(text[last : found.start()], quote=False), _piece(found)]
        last = found.end()
    return "".join(parts) + escape(text[last:], quote=False)


def paragraphs(text: str) -> str:
    """Paragraphs set apart by empty lines; lines that begin with a number and a dot are a list.

    >>> paragraphs("a\\n\\n1. b\\n2. c")
    '<p>a</p><ol><li>b</li><li>c</li></ol>'
    """
    out = []
    for block in re.split(r"\n\s*\n", text.strip()):
        flat = " ".join(line.strip() for line in block.splitlines())
        if re.match(r"1\. ", flat):
            rows = re.split(r"\s*\b\d\. (?=\S)", flat)[1:]
            out.append("<ol>" + "".join(f"<li>{inline(row)}</li>" for row in rows) + "</ol>")
        else:
            out.append(f"<p>{inline(flat)}</p>")
    return "".join(out)


def term(name: str, shown: str | None = None) -> str:
    """A word that explains itself to a pointer, a finger or a screen reader.

    >>> term("TD")[:45]
    '<span class="term" tabindex="0" role="note" a'
    """
    shown, about = shown or name, TERMS[name]
    told = escape(f"{shown}: {about}")
    look = f'class="term" tabindex="0" role="note" aria-label="{told}" data-tip="{escape(about)}"'
    return f"<span {look}>{escape(shown)}</span>"


def _piece(found: re.Match[str]) -> str:
    if found["formula"]:
        return formula_html(found["formula"])
    if found["term"]:
        return term(found["term"], found["shown"])
    if found["words"]:
        return f'<a href="{escape(found["address"])}">{inline(found["words"])}</a>'
    tag, inside = next(
        (tag, found[name]) for tag, name in (("b", "bold"), ("em", "em"), ("code", "code")) if found[name]
    )
    return f"<{tag}>{escape(inside, quote=False) if tag == 'code' else inline(inside)}</{tag}>"
