"""The running example: a chain of six pairs, the same on most pages.

``x`` and ``y`` lead to ``a`` or ``b`` with opposite odds; ``a`` leads to ``+``, which pays 1 for ever, ``b`` to
``-``, which pays -1 for ever.
"""

from functools import lru_cache
from typing import Any

from figures.parts.witness_graph import witness_svg
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.mrp import MRP
from tabular_krope.models.zoo import zoo

NAME = "c1-value-bound"
NAMES = ("x", "y", "a", "b", "+", "-")
GAMMA = 0.9


@lru_cache(maxsize=128)
def chain(gamma: float = GAMMA) -> MRP:
    """The chain in floats.

    >>> chain().n_pairs, chain(0.5).gamma
    (6, 0.5)
    """
    found = zoo(NAME).mrp()
    return MRP(found.P, found.Pi, found.r, gamma, found.end, found.d0)


def serialized(exact: ExactMRP, marked: tuple[int, ...] = ()) -> dict[str, Any]:
    """A rational chain as a witness file holds it, some pairs singled out."""
    found: dict[str, Any] = {
        "P_pi": [[str(value) for value in row] for row in (exact.P * exact.Pi).table()],
        "r": [str(value) for value in exact.r],
        "gamma": str(exact.gamma),
    }
    return {**found, "pair": list(marked)} if marked else found


def graph(marked: tuple[int, ...] = (0, 1)) -> str:
    """The chain as a drawing for a page."""
    return f'<div class="graph">{witness_svg(serialized(zoo(NAME).exact(), marked), "chain", NAMES)}</div>'
