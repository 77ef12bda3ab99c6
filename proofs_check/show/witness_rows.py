"""A witness as a reader wants it: a row for each pair, an arrow for each transition, and the entry that settles it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from proofs_check.chains.witness import case_from_witness
from proofs_check.statements.statement import Statement

#: Characters up to which a fraction is written out.
WRITTEN_OUT = 9


@dataclass(frozen=True, slots=True)
class Arrow:
    """One transition of positive probability.

    Attributes:
        source, target: pairs; the target is None where the episode ends.
        probability: a fraction.
    """

    source: int
    target: int | None
    probability: str


@dataclass(frozen=True, slots=True)
class WitnessView:
    """The parts of a serialized witness.

    Attributes:
        rewards: of the pairs, fractions, [X].
        gamma: the discount factor, a fraction.
        arrows: the transitions, in the order of their sources.
        columns: what else has one entry for each pair (data weights, features), by name, each [X]; long fractions
            rounded.
        others: everything else, by name; long fractions rounded.
        marked: pairs that the witness singles out.
    """

    rewards: tuple[str, ...]
    gamma: str
    arrows: tuple[Arrow, ...]
    columns: Mapping[str, tuple[str, ...]]
    others: Mapping[str, str]
    marked: tuple[int, ...] = ()

    def arrows_from(self, x: int) -> tuple[Arrow, ...]:
        """The transitions of pair ``x``."""
        return tuple(arrow for arrow in self.arrows if arrow.source == x)


@dataclass(frozen=True, slots=True)
class SideView:
    """Where one relation of a statement is worst on a witness: ``lhs sign rhs`` at the entry ``index``."""

    lhs: str
    sign: str
    rhs: str
    index: tuple[int, ...]
    holds: bool


def view_witness(witness: Mapping[str, Any]) -> WitnessView:
    """The parts of a serialized witness.

    >>> view_witness({"P_pi": [["1/2", "1/2"], ["0", "0"]], "end": ["0", "1"], "r": ["0", "1"], "gamma": "9/10"}).arrows
    ... # doctest: +NORMALIZE_WHITESPACE
    (Arrow(source=0, target=0, probability='1/2'), Arrow(source=0, target=1, probability='1/2'),
     Arrow(source=1, target=None, probability='1'))
    """
    r = tuple(str(v) for v in witness["r"])
    X = len(r)
    end = witness.get("end", ["0"] * X)
    arrows = []
    for x, row in enumerate(witness["P_pi"]):
        arrows += [Arrow(x, y, str(p)) for y, p in enumerate(row) if Fraction(p) > 0]
        arrows += [Arrow(x, None, str(end[x]))] if Fraction(end[x]) > 0 else []
    columns: dict[str, tuple[str, ...]] = {}
    others: dict[str, str] = {}
    for name, value in witness.items():
        if name in ("P_pi", "r", "gamma", "end"):
            continue
        if name != "pair" and isinstance(value, Sequence) and not isinstance(value, str) and len(value) == X:
            columns[name] = tuple(_written(entry) for entry in value)
        else:
            others[name] = _written(value)
    marked = tuple(int(x) for x in witness.get("pair", ()))
    return WitnessView(r, str(witness["gamma"]), tuple(arrows), columns, others, marked)


def view_sides(statement: Statement, witness: Mapping[str, Any]) -> tuple[SideView, ...]:
    """Each relation of a statement on a witness, at its worst entry, computed from the serialized form.

    >>> from proofs_check.statements.registry import STATEMENTS
    >>> statement = STATEMENTS["lemma-value-bound"]
    >>> view_sides(statement, statement.witnesses[0])
    (SideView(lhs='81/10', sign='<=', rhs='81/20', index=(0, 1), holds=False),)
    """
    views = []
    for relation in statement.sides(case_from_witness(witness)):
        lhs, rhs = np.broadcast_arrays(np.asarray(relation.lhs), np.asarray(relation.rhs))
        if lhs.size == 0:
            continue
        gaps = np.abs(lhs - rhs) if relation.sign == "==" else lhs - rhs
        index = np.unravel_index(int(np.argmax(gaps)), lhs.shape) if lhs.ndim else ()
        at = tuple(int(i) for i in index)
        views.append(SideView(_number(lhs[at]), relation.sign, _number(rhs[at]), at, relation.holds(0.0)))
    return tuple(views)


def short(number: str) -> str:
    """A fraction as it is if it is short, otherwise as a decimal of four digits.

    >>> short("81/10"), short("123456789/1000000000")
    ('81/10', '~0.1235')
    """
    return number if len(number) <= WRITTEN_OUT else f"~{float(Fraction(number)):.4g}"


def _number(value: Any) -> str:
    """A rational exactly, a float with nine digits."""
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def _written(value: Any) -> str:
    if isinstance(value, str | int | float | bool):
        return short(str(value))
    return f"({', '.join(_written(entry) for entry in value)})"
