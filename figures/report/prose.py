r"""Sentences with mathematics in them as HTML: words stay words, the mathematics between them becomes MathML."""

import re
from functools import lru_cache
from html import escape
from itertools import pairwise

from figures.report.latex_math import CannotSet, formula_math
from figures.report.plain_math import latex_of
from figures.report.telling import BRACKETS, TOKENS, marks

RELATION = re.compile(r"\s(<=|>=|!=|==|=|<|>|->)\s")
#: What stays on the line of the formula before it.
CLOSING = re.compile(r"[).,;:!?]+")
#: Characters of a comparison from which it may be broken at its signs.
LONG = 14


@lru_cache(maxsize=4096)
def typeset(text: str) -> str:
    """A sentence as HTML; what stands between backticks is code.

    >>> typeset("the norm is at most sqrt(gamma)")[:38]
    'the norm is at most <math alttext="sqr'
    >>> typeset("a bound <b>"), typeset("`norm` (at most 6 pairs).")
    ('a bound &lt;b&gt;', '<code>norm</code> (at most 6 pairs).')
    """
    pieces = re.split(r"`([^`]*)`", text)
    return "".join(
        f"<code>{escape(piece)}</code>" if k % 2 else _sentence(split(piece)) for k, piece in enumerate(pieces)
    )


def _sentence(parts: list[tuple[str, bool]]) -> str:
    """Words and formulas; a line never ends between a formula and the comma or bracket that follows it."""
    found = ""
    for k, (part, is_math) in enumerate(parts):
        if is_math:
            found += _set(part)
            continue
        after = CLOSING.match(part) if k else None
        if after and "<math" in found:
            start = found.rindex("<math")
            found = f'{found[:start]}<span class="tied">{found[start:]}{after[0]}</span>'
            part = part[after.end() :]
        found += escape(part)
    return found


def split(text: str) -> list[tuple[str, bool]]:
    """The text in parts, each with whether it is mathematics.

    >>> split("so K1 >= 0 and norm2(gamma M)^2 <= gamma")
    [('so ', False), ('K1 >= 0', True), (' and ', False), ('norm2(gamma M)^2 <= gamma', True)]
    """
    tokens = TOKENS.findall(text)
    parts: list[tuple[str, bool]] = []
    for token, mark in zip(tokens, marks(tokens), strict=True):
        if parts and parts[-1][1] == mark:
            parts[-1] = (parts[-1][0] + token, mark)
        else:
            parts.append((token, mark))
    return parts


def _set(text: str) -> str:
    """Mathematics as MathML; a long comparison in pieces between which a line may end."""
    try:
        whole = latex_of(text)
        cuts = [found.start() + 1 for found in RELATION.finditer(text) if not _depth(text[: found.start()])]
        if len(text) <= LONG or not cuts:
            return formula_math(whole, words=text)
        ends = [0, *cuts, len(text)]
        pieces = [text[a:b].strip() for a, b in pairwise(ends)]
        return " ".join(formula_math(latex_of(piece), words=piece) for piece in pieces if piece)
    except CannotSet:
        return escape(text)


def _depth(text: str) -> int:
    """Brackets and bars that are open at the end."""
    outside = re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "", text)
    return sum(text.count(a) - text.count(b) for a, b in BRACKETS.items()) + outside.count("|") % 2
