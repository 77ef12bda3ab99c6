r"""Formulas as small inline SVG pictures, set by matplotlib without TeX and without a network."""

import re
from functools import lru_cache
from html import escape

from proofs_check.show.formula import plain_formula

#: What the formulas say in LaTeX and matplotlib knows by another name.
SAME = {
    r"\le": r"\leq",
    r"\ge": r"\geq",
    r"\ne": r"\neq",
    r"\iff": r"\Leftrightarrow",
    r"\implies": r"\Rightarrow",
    r"\tfrac": r"\frac",
}
#: Points of the type in which outlines are taken; the page scales them to its own.
POINTS = 200.0
#: A character is drawn this much larger than the page's type, whose letters are taller than those of mathematics.
SCALE = 1.12


@lru_cache(maxsize=256)
def formula_html(latex: str) -> str:
    r"""A formula as an ``<svg>`` that sits on the line of text, or as ``<code>`` where it cannot be set.

    >>> formula_html(r"\gamma < 1")[:20]
    '<svg class="formula"'
    >>> formula_html(r"\unheardof < 1")
    '<code class="formula">unheardof &lt; 1</code>'
    """
    words = escape(plain_formula(latex))
    try:
        width, above, below, path = _outline(for_mathtext(latex))
    except ValueError:
        return f'<code class="formula">{words}</code>'
    em = SCALE / POINTS
    height = above + below
    box = f"0 {-above:.0f} {width:.0f} {height:.0f}"
    look = f"width: {width * em:.2f}em; height: {height * em:.2f}em; vertical-align: {-below * em:.2f}em"
    return (
        f'<svg class="formula" role="img" aria-label="{words}" viewBox="{box}" style="{look}">'
        f'<title>{words}</title><path d="{path}" fill="currentColor"/></svg>'
    )


def for_mathtext(latex: str) -> str:
    r"""LaTeX in the words that matplotlib knows: other names for symbols, braces around every argument.

    >>> for_mathtext(r"\tfrac12 \le \sqrt\gamma")
    '\\frac{1}{2} \\leq \\sqrt{\\gamma}'
    """
    text = re.sub(r"\\[A-Za-z]+", lambda found: SAME.get(found[0], found[0]), latex)
    text = re.sub(r"\\frac\s*(\w)\s*(\w)", r"\\frac{\1}{\2}", text)
    text = re.sub(r"\\(sqrt|hat|bar|tilde)\s*(\\[A-Za-z]+|\w)", r"\\\1{\2}", text)
    # In braces of its own a sign is a mark, not an operation with space around it.
    text = re.sub(r"\^\s*(\\top\b|[+*-])", r"^{\1}", text).replace(r"\top", r"\mathsf{T}")
    return re.sub(r"(\\(?:sum|min|max)_(?:\w|\{[^{}]*\}))\s*(?!\\,)", r"\1\\,", text)


def _outline(mathtext: str) -> tuple[float, float, float, str]:
    """Right end, height above and depth below the line, and the outline with y pointing down, at `POINTS`.

    Raises:
        ValueError: if matplotlib cannot set it.
    """
    import matplotlib
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    if "$" in mathtext:
        raise ValueError("a dollar sign ends mathematics")
    with matplotlib.rc_context({"mathtext.fontset": "stix"}):
        outline = TextPath((0, 0), f"${mathtext}$", prop=FontProperties(size=POINTS))
    box = outline.get_extents()
    marks = {1: "M", 2: "L", 3: "Q", 4: "C", 79: "Z"}
    parts = []
    for points, code in outline.iter_segments(simplify=False, curves=True):
        at = " ".join(f"{v if i % 2 == 0 else -v:.0f}" for i, v in enumerate(points))
        parts.append(marks[int(code)] + ("" if int(code) == 79 else at))
    return float(box.x1), float(box.y1), float(-box.y0), "".join(parts)
