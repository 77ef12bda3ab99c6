"""Small tables for notebooks: what ``_repr_html_`` and ``_repr_latex_`` of models, kernels and results show."""

from collections.abc import Mapping
from html import escape
from typing import Any

SPECIAL = {c: f"\\{c}" for c in "&%$#_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\^{}"}


def html_table(title: str, rows: Mapping[str, Any]) -> str:
    """A table of two columns below a title, every character of them escaped.

    >>> html_table("a < b", {"n": 0.123456789})
    '<table><caption>a &lt; b</caption><tr><th>n</th><td>0.123457</td></tr></table>'
    """
    lines = (f"<tr><th>{escape(name)}</th><td>{escape(word(value))}</td></tr>" for name, value in rows.items())
    return f"<table><caption>{escape(title)}</caption>{''.join(lines)}</table>"


def latex_table(title: str, rows: Mapping[str, Any]) -> str:
    r"""The same for LaTeX.

    >>> latex_table("x_1", {"share": "5%"})
    '\\begin{tabular}{ll}\\multicolumn{2}{l}{x\\_1}\\\\share & 5\\%\\end{tabular}'
    """
    lines = (f"{latex_text(name)} & {latex_text(word(value))}" for name, value in rows.items())
    return (
        rf"\begin{{tabular}}{{ll}}\multicolumn{{2}}{{l}}{{{latex_text(title)}}}\\"
        + r"\\".join(lines)
        + r"\end{tabular}"
    )


def latex_text(text: str) -> str:
    """Text whose special characters stand for themselves."""
    return "".join(SPECIAL.get(c, c) for c in text)


def word(value: Any) -> str:
    """A value as text: floats with six digits, truth as yes or no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


class Tabled:
    """Gives a class with ``_table() -> (title, rows)`` its look in notebooks."""

    __slots__ = ()

    def _table(self) -> tuple[str, Mapping[str, Any]]:
        raise NotImplementedError

    def _repr_html_(self) -> str:
        return html_table(*self._table())

    def _repr_latex_(self) -> str:
        return latex_table(*self._table())
