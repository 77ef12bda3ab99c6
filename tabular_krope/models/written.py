"""Models as the Python that makes them: what a failing property test prints can be pasted."""

from collections.abc import Mapping
from typing import Any

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
