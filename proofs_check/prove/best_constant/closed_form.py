"""A quotient at one point of the small model, as an expression in gamma, R, rho0 and rmin."""

from collections.abc import Mapping
from fractions import Fraction
from math import prod

import numpy as np
from flint import fmpq

from proofs_check.conjectures.tree import Node, Operation, walk
from proofs_check.prove.best_constant.extremal import Climb, Extremal
from proofs_check.prove.best_constant.ratio import Asked
from proofs_check.prove.small_model.parameter_conditions import region_of
from proofs_check.prove.small_model.quantities import SmallModel
from proofs_check.prove.small_model.reduction import Evaluation, Split, Void
from proofs_check.prove.small_model.ring import (
    ONE,
    ZERO,
    Polynomial,
    Ratio,
    coefficients,
    constant,
    substitute,
    variable,
)
from proofs_check.prove.small_model.surds import Nested, Surd

#: Letters of the result: ``h`` stands for gamma, ``p1`` for R, ``v8`` for what goes to 0 in a family of chains.
NAMES = {"h": "gamma", "p1": "R", "rho": "rho0", "lo": "rmin", "v8": "epsilon"}
#: Their values on an ordinary chain, by which the sign of a factor is chosen.
USUAL = {"h": fmpq(1, 2), "p1": fmpq(3), "rho": fmpq(1), "lo": fmpq(1, 5), "v8": fmpq(1, 1000)}


def quotient_at(asked: Asked, extremal: Extremal, moved: Mapping[str, Polynomial] | None = None) -> Ratio | None:
    """``top / bottom`` where the pairs are as at an extremal point, as a quotient in ``w, lo, rho, t``.

    Args:
        asked: the expression.
        extremal: where the pairs go; signs of absolute values are those there.
        moved: other places for the pairs, near to those.
    """
    question = asked.claim("1")
    region, _ = region_of(question)
    chart = None if region is None else region.chart()
    if region is None or chart is None:
        return None
    k = len(question.claim.indices)
    order = sorted(range(k), key=lambda i: Fraction(str(extremal.places[f"g{i + 1}"])))
    model = SmallModel(question.conservative, {i: rank for rank, i in enumerate(order)})
    pairs = {name: i for i, name in enumerate(question.claim.indices)}
    there = Climb(question, chart, region).arrays_at({**extremal.places, **extremal.parameters})
    values = moved or {name: constant(v) for name, v in extremal.places.items()}
    parts = []
    try:
        for node in (asked.top, asked.bottom):
            branch: dict[Node, int] = {}
            for part in walk(node):
                if isinstance(part, Operation) and part.name in ("abs", "max", "min"):
                    branch[part] = _chosen(part, [float(np.ravel(there(inner))[0]) for inner in part.parts])
            value = Evaluation(model, region, chart, pairs, branch)(node)
            parts.append(_at(value, values))
    except (Split, Void, Nested, ZeroDivisionError):
        return None
    top, bottom = parts
    return None if bottom.top.is_zero() else top * bottom.inverse()


def _chosen(part: Operation, at: list[float]) -> int:
    if part.name == "abs":
        return int(at[0] < 0)
    return int(np.argmax(at) if part.name == "max" else np.argmin(at))


def _at(value: Surd, places: Mapping[str, Polynomial]) -> Ratio:
    ratio = value.plain
    return Ratio.of(substitute(ratio.top, places), substitute(ratio.bottom, places))


def text_of(ratio: Ratio) -> str:
    """A quotient in ``w, lo, rho, t`` in the language of claims.

    >>> w, rho, t = variable("w"), variable("rho"), variable("t")
    >>> text_of(Ratio.of((1 + w) * rho * (rho + t), constant(2)))
    'R * rho0 / (2 * (1 - gamma))'
    >>> text_of(Ratio.of((1 + w) * (rho + t), t))
    'R / ((1 - gamma) * (R - rho0))'
    """
    top, bottom = _in_gamma(ratio.top), _in_gamma(ratio.bottom)
    shared = Ratio.of(top[0] * (ONE - variable("h")) ** bottom[1], bottom[0] * (ONE - variable("h")) ** top[1])
    above, over = shared.top.factor(), shared.bottom.factor()
    scale = above[0] / over[0]
    (top_sign, numerator), (bottom_sign, denominator) = _product(scale.p, above[1]), _product(scale.q, over[1])
    text = ("-" if top_sign * bottom_sign < 0 else "") + numerator
    return text if denominator == "1" else f"{text} / {_wrapped(denominator)}"


def _in_gamma(p: Polynomial) -> tuple[Polynomial, int]:
    """A polynomial with ``w = h/(1-h)`` and ``t = p1 - rho``, times the power of ``1 - h`` that clears it."""
    p = substitute(p, {"t": variable("p1") - variable("rho")})
    parts = coefficients(p, ["w"])
    most = max((powers[0] for powers in parts), default=0)
    h, total = variable("h"), ZERO
    for (power,), part in parts.items():
        total = total + part * h**power * (ONE - h) ** (most - power)
    return total, most


def _product(scale: int, factors: list[tuple[Polynomial, int]]) -> tuple[int, str]:
    """Sign and modulus of a product."""
    pieces = []
    sign = 1 if scale > 0 else -1
    for p, exponent in factors:
        text, flipped = _polynomial(p)
        sign *= (-1) ** exponent if flipped else 1
        pieces.append(text if exponent == 1 else f"{text}**{exponent}")
    size = abs(int(scale))
    if size != 1 or not pieces:
        pieces.insert(0, str(size))
    return sign, " * ".join(pieces)


def _polynomial(p: Polynomial) -> tuple[str, bool]:
    """A factor as text, and whether it is the negative of what stands there: ``1 - gamma`` and ``R - rho0``.

    What is positive on an ordinary chain is written so, with a positive term first.
    """
    terms = sorted(p.to_dict().items(), key=lambda term: sum(term[0]))
    names = p.context().names()
    usual = sum(value * prod(USUAL[v] ** e for v, e in zip(names, powers, strict=True) if e) for powers, value in terms)
    flipped = len(terms) > 1 and (usual < 0 if usual != 0 else terms[0][1] < 0)
    if flipped:
        terms = [(powers, -value) for powers, value in terms]
    first = next((k for k, (_, value) in enumerate(terms) if value > 0), 0)
    words: list[str] = []
    for powers, value in (terms[first], *terms[:first], *terms[first + 1 :]):
        letters = [NAMES[v] + (f"**{e}" if e > 1 else "") for v, e in zip(names, powers, strict=True) if e]
        size = abs(value)
        body = " * ".join([*([str(size)] if size != 1 or not letters else []), *letters])
        words.append(("- " if value < 0 else "+ " if words else "") + body)
    text = " ".join(words)
    return (f"({text})" if len(words) > 1 else text), flipped


def _wrapped(text: str) -> str:
    return f"({text})" if " * " in text else text
