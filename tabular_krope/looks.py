"""How values look: as the Python that makes them, to paste from a failing test, and as tables in notebooks."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tabular_krope.notebook_tables import Grid

#: Transition probabilities up to which a model is written out.
WRITTEN_OUT = 100


def call_text(call: str, positional: Any, fields: Mapping[str, Any]) -> str:
    """A call with one positional argument and keywords; those that are None are left out.

    >>> call_text("MRP.from_matrix", [[1.0]], {"r": [2.0], "gamma": 0.5, "end": None})
    'MRP.from_matrix([[1.0]], r=[2.0], gamma=0.5)'
    """
    words = [f"{name}={value!r}" for name, value in fields.items() if value is not None]
    return f"{call}({', '.join([repr(positional), *words])})"


def unless_default(values: Any, default: Any) -> Any:
    """The values as plain numbers; None if each of them is the default.

    >>> unless_default([0.0, 0.0], 0), unless_default([0.5, 0.0], 0)
    (None, [0.5, 0.0])
    """
    plain = values.tolist() if hasattr(values, "tolist") else list(values)
    flat = values.reshape(-1).tolist() if hasattr(values, "reshape") else plain
    return None if all(value == default for value in flat) else plain


def summary(name: str, n_pairs: int, n_states: int, gamma: Any) -> str:
    """A large model in a few words, which do not pretend to be Python.

    >>> summary("MDP", 40, 8, 0.9)
    '<MDP of 40 pairs on 8 states, gamma = 0.9>'
    """
    return f"<{name} of {n_pairs} pairs on {n_states} state{'s' * (n_states != 1)}, gamma = {gamma}>"


def print_on(model: Any, printer: Any, cycle: bool) -> None:  # noqa: ARG001 (IPython's)
    """Print a model by its ``repr``: Hypothesis and IPython would take a dataclass apart instead."""
    printer.text(repr(model))


class Tabled:
    """Gives a class with ``_table() -> (title, facts)`` or ``(title, facts, grid)`` its look in notebooks.

    The tables are written by `tabular_krope.notebook_tables`, which is loaded when a notebook asks.
    """

    __slots__ = ()

    def _table(self) -> "tuple[str, Mapping[str, Any]] | tuple[str, Mapping[str, Any], Grid | None]":
        raise NotImplementedError

    def _repr_html_(self) -> str:
        from tabular_krope.notebook_tables import html_table

        return html_table(*self._table())

    def _repr_latex_(self) -> str:
        from tabular_krope.notebook_tables import latex_table

        return latex_table(*self._table())
