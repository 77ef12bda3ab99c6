r"""The checker of polynomial certificates: reads a file's own JSON, knows nothing of how a proof was found.

A problem says ``goal >= 0`` (``> 0`` if ``strict``) where every ``nonnegative`` variable is at least 0, the variables
of each simplex are at least 0 and sum to at most 1, every constraint is at least 0, and every ``positive``
variable and every polynomial in ``above`` is above 0. A proof is a tree of rules:

- ``nonnegative``: no free variable, no negative coefficient.
- ``coefficients``: sort the goal by powers of the variables ``of``, none of them free or in a simplex: each part is at
  least 0. Strict: the part without them is above 0, or the part of a product of positive variables.
- ``corners``: the goal is at most quadratic in one simplex. With weights ``l_i`` of its corners ``v_i``,
  ``goal = sum_i l_i goal(v_i) + sum_{i<j} l_i l_j e_ij``, ``e_ij = 4 goal((v_i+v_j)/2) - 2 goal(v_i) - 2 goal(v_j)``;
  so that all ``goal(v_i)`` (strictly, if strict) and all ``e_ij`` at least 0 suffice; constraints on the simplex are
  forgotten.
- ``squares``: ``multiplier * goal = margin + sum_k c_k (product of factors) p_k^2``, ``c_k >= 0``, where the multiplier
  is a product of ``1 + w`` and the factors are what the problem says is at least 0. Strict: ``margin > 0``.
- ``exceeds``: a strict goal is at least ``by > 0`` times a product of what is above 0.

Everything is rational arithmetic on dictionaries; nothing is imported but fractions and re.
"""

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any

#: Largest exponent in a file.
MOST = 100
#: Sorted (variable, exponent) pairs to coefficients.
Terms = dict[tuple[tuple[str, int], ...], Fraction]


class Rejected(Exception):
    """Why a certificate proves nothing."""


def check(problem: Mapping[str, Any], proof: Mapping[str, Any]) -> None:
    """Raise `Rejected` unless a proof proves its problem, both as a file has them.

    >>> half = {"goal": [["1", {"w": 1}], ["1/2", {}]], "strict": True, "nonnegative": ["w"], "positive": [],
    ...         "simplices": [], "free": [], "constraints": []}
    >>> check(half, {"rule": "nonnegative"})
    >>> check({**half, "goal": [["-1", {"w": 1}]]}, {"rule": "nonnegative"})
    Traceback (most recent call last):
    proofs_check.prove.small_model.checker.Rejected: nonnegative: a coefficient is negative
    """
    goal = read(problem["goal"])
    known = {
        **problem,
        "constraints": [read(g) for g in problem["constraints"]],
        "above": [read(g) for g in problem.get("above", [])],
        "simplices": [tuple(block) for block in problem["simplices"]],
    }
    names = [*problem["nonnegative"], *problem["free"], *(v for block in problem["simplices"] for v in block)]
    _require(len(set(names)) == len(names), "problem: a variable is declared twice")
    _require(set(problem["positive"]) <= set(problem["nonnegative"]), "problem: a positive variable is undeclared")
    for p in (goal, *known["constraints"], *known["above"]):
        _require({v for powers in p for v, _ in powers} <= set(names), "problem: a variable is undeclared")
    _require(type(problem["strict"]) is bool, "problem: strict is true or false")
    _check(goal, known, proof, problem["strict"])


def _check(goal: Terms, known: Mapping[str, Any], proof: Mapping[str, Any], strict: bool) -> None:
    _require(proof.get("rule") in RULES, f"unknown rule {proof.get('rule')!r}")
    RULES[proof["rule"]](goal, known, proof, strict)


def _nonnegative(goal: Terms, known: Mapping[str, Any], proof: Mapping[str, Any], strict: bool) -> None:
    _require(all(c >= 0 for c in goal.values()), "nonnegative: a coefficient is negative")
    free = set(known["free"])
    _require(not any(v in free for powers in goal for v, _ in powers), "nonnegative: a variable is free")
    positive = set(known["positive"])
    lasting = any(c > 0 and all(v in positive for v, _ in powers) for powers, c in goal.items())
    _require(not strict or lasting, "nonnegative: nothing keeps the goal above 0")


def _coefficients(goal: Terms, known: Mapping[str, Any], proof: Mapping[str, Any], strict: bool) -> None:
    of = tuple(proof["of"])
    _require(
        bool(of) and set(of) <= set(known["nonnegative"]), "coefficients: a variable is not known to be nonnegative"
    )
    parts: dict[tuple[tuple[str, int], ...], Terms] = {}
    for powers, c in goal.items():
        key = tuple((v, e) for v, e in powers if v in of)
        parts.setdefault(key, {})[tuple((v, e) for v, e in powers if v not in of)] = c
    below = {
        **known,
        "nonnegative": [v for v in known["nonnegative"] if v not in of],
        "positive": [v for v in known["positive"] if v not in of],
        **{name: _free_of(known[name], of) for name in ("constraints", "above")},
    }
    given = {tuple(sorted(part["powers"].items())): part for part in proof["parts"]}
    lasting = False
    for key, part in parts.items():
        _require(key in given, f"coefficients: no proof for the part {dict(key)}")
        keeps = strict and bool(given[key].get("strict")) and all(v in known["positive"] for v, _ in key)
        lasting = lasting or keeps
        _check(part, below, given[key]["proof"], keeps)
    _require(lasting or not strict, "coefficients: nothing keeps the goal above 0")


def _corners(goal: Terms, known: Mapping[str, Any], proof: Mapping[str, Any], strict: bool) -> None:
    block = tuple(proof["simplex"])
    _require(block in known["simplices"], "corners: not a simplex of the problem")
    _require(all(sum(e for v, e in powers if v in block) <= 2 for powers in goal), "corners: degree above 2")
    rest = [other for other in known["simplices"] if other != block]
    corners = [{v: Fraction(v == chosen) for v in block} for chosen in (*block, None)]
    _require(len(proof["corners"]) == len(corners), "corners: one proof for each corner")

    # The goal is a mean of its values at the corners, and a constraint on the simplex is not known to hold there.
    kept = {name: _free_of(known[name], block) for name in ("constraints", "above")}
    below = {**known, "simplices": rest, **kept}
    for corner, part in zip(corners, proof["corners"], strict=True):
        _check(put(goal, corner), below, part, strict)
    edges = list(combinations(corners, 2))
    _require(len(proof["edges"]) == len(edges), "corners: one proof for each edge")
    for (one, other), part in zip(edges, proof["edges"], strict=True):
        middle = {v: (one[v] + other[v]) / 2 for v in block}
        bend = total([scaled(put(goal, middle), 4), scaled(put(goal, one), -2), scaled(put(goal, other), -2)])
        _check(bend, below, part, False)


def _squares(goal: Terms, known: Mapping[str, Any], proof: Mapping[str, Any], strict: bool) -> None:
    factors: list[Terms] = [{((v, 1),): Fraction(1)} for v in known["nonnegative"]]
    for block in known["simplices"]:
        factors += [{((v, 1),): Fraction(1)} for v in block]
        slack: list[Terms] = [{((v, 1),): Fraction(-1)} for v in block]
        factors.append(total([{(): Fraction(1)}, *slack]))
    factors += known["constraints"]
    margin = number(proof["margin"])
    _require(margin > 0 if strict else margin >= 0, "squares: the margin does not keep the goal above 0")
    parts: list[Terms] = [{(): margin}]
    for value, chosen, root in proof["terms"]:
        weight, p = number(value), read(root)
        _require(weight >= 0, "squares: a weight is negative")
        part = scaled(product(p, p), weight)
        for i in chosen:
            _require(0 <= i < len(factors), "squares: no such factor")
            part = product(part, factors[i])
        parts.append(part)
    left = goal
    _require(proof["power"] == 0 or _exponent(proof["power"]) > 0, "squares: a power is none")
    _require(proof["power"] == 0 or "w" in known["nonnegative"], "squares: 1 + w is not known to be positive")
    for _ in range(proof["power"]):
        left = product(left, {(): Fraction(1), (("w", 1),): Fraction(1)})
    _require(total([left, scaled(total(parts), -1)]) == {}, "squares: the two sides differ")


def _exceeds(goal: Terms, known: Mapping[str, Any], proof: Mapping[str, Any], strict: bool) -> None:
    by = number(proof["by"])
    _require(by > 0, "exceeds: the goal must exceed by more than 0")
    bases: list[Terms] = [{((v, 1),): Fraction(1)} for v in sorted(known["positive"])]
    bases += known["above"]
    part: Terms = {(): by}
    for i in proof["of"]:
        _require(0 <= i < len(bases), "exceeds: not known to be above 0")
        part = product(part, bases[i])
    _check(total([goal, scaled(part, -1)]), known, proof["proof"], False)


RULES = {
    "nonnegative": _nonnegative,
    "coefficients": _coefficients,
    "corners": _corners,
    "squares": _squares,
    "exceeds": _exceeds,
}


def _free_of(conditions: Iterable[Terms], names: Iterable[str]) -> list[Terms]:
    """The conditions that do not speak of some variables."""
    gone = set(names)
    return [g for g in conditions if not any(v in gone for powers in g for v, _ in powers)]


def read(terms: Iterable[Any]) -> Terms:
    """A polynomial from its form in files.

    >>> read([["1/2", {"w": 1, "b1": 2}]])
    {(('b1', 2), ('w', 1)): Fraction(1, 2)}
    """
    return total({tuple(sorted((v, _exponent(e)) for v, e in powers.items())): number(c)} for c, powers in terms)


def number(text: Any) -> Fraction:
    """A rational as files have it: a text such as "-3/4" or "2", and nothing else that Python takes for a number."""
    written = isinstance(text, str) and re.fullmatch("-?[0-9]+(/0*[1-9][0-9]*)?", text)
    _require(bool(written), f"number: {text!r} is none")
    return Fraction(text)


def _exponent(e: Any) -> int:
    _require(type(e) is int and 0 < e <= MOST, f"exponent: {e!r} is none")
    return int(e)


def total(parts: Iterable[Terms]) -> Terms:
    """The sum, without vanishing terms."""
    result: Terms = {}
    for part in parts:
        for powers, c in part.items():
            result[powers] = result.get(powers, Fraction(0)) + c
    return {powers: c for powers, c in result.items() if c}


def scaled(p: Terms, factor: Fraction | int) -> Terms:
    """A multiple."""
    return {powers: factor * c for powers, c in p.items()}


def product(p: Terms, q: Terms) -> Terms:
    """The product."""
    result: Terms = {}
    for one, c in p.items():
        for other, e in q.items():
            powers = dict(one)
            for v, exponent in other:
                powers[v] = powers.get(v, 0) + exponent
            key = tuple(sorted(powers.items()))
            result[key] = result.get(key, Fraction(0)) + c * e
    return {powers: c for powers, c in result.items() if c}


def put(p: Terms, values: Mapping[str, Fraction]) -> Terms:
    """The polynomial with numbers in place of some variables."""
    parts = []
    for powers, c in p.items():
        for v, e in powers:
            if v in values:
                c = c * values[v] ** e
        parts.append({tuple((v, e) for v, e in powers if v not in values): c})
    return total(parts)


def _require(holds: bool, why: str) -> None:
    if not holds:
        raise Rejected(why)
