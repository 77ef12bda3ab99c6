"""Where a claim says nothing because two of its indices are the same pair: ``q[x] == q[y]`` at ``x = y``.

A premise such as ``d[x,y] == 0`` is always met there, so that these choices must not make a claim look tried.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from proofs_check.conjectures.tree import Claim, Named, Node, Number, Operation, Reduction

#: Distances, which vanish where both indices are the same pair, and the identity, which is one there.
_ZERO = Number(Fraction(0))
_DIAGONAL = {**dict.fromkeys(("d", "mmd2", "d_pi", "W1"), _ZERO), "I": Number(Fraction(1))}


def trivial_choices(claim: Claim, X: int) -> Any:
    """Which choices of the claim's indices make it trivially true, a boolean array [X, ..., X], one axis for each.

    >>> from proofs_check.conjectures.parse import parse
    >>> trivial_choices(parse("abs(q[x]-q[y]) <= R*d[x,y]"), 2).tolist()
    [[True, False], [False, True]]
    >>> trivial_choices(parse("q[x] < q[y]"), 2).any()
    np.False_
    """
    mask = np.zeros([X] * len(claim.indices), dtype=bool)
    for merged in _trivial_patterns(claim):
        choices = np.indices(mask.shape)
        same = np.ones(mask.shape, dtype=bool)
        for axis, representative in enumerate(merged):
            same &= choices[axis] == choices[representative]
        mask |= same
    return mask


@cache
def _trivial_patterns(claim: Claim) -> tuple[tuple[int, ...], ...]:
    """Ways to identify indices, each given by the number of its representative, that leave nothing to claim."""
    found = []
    for merged in _patterns(len(claim.indices)):
        rename = {index: claim.indices[j] for index, j in zip(claim.indices, merged, strict=True)}
        parts = [(_reduced(c.left, rename), c.sign, _reduced(c.right, rename)) for c in claim.comparisons]
        if all(_obvious(*part) for part in parts):
            found.append(merged)
    return tuple(found)


def _patterns(n: int, start: Sequence[int] = ()) -> Iterator[tuple[int, ...]]:
    """Every way to identify ``n`` indices, except that of leaving them all apart.

    >>> list(_patterns(3))
    [(0, 0, 0), (0, 0, 2), (0, 1, 0), (0, 1, 1)]
    """
    k = len(start)
    if k == n:
        if tuple(start) != tuple(range(n)):
            yield tuple(start)
        return
    for j in (*sorted(set(start)), k):
        yield from _patterns(n, (*start, j))


def _obvious(left: Node, sign: str, right: Node) -> bool:
    if isinstance(left, Number) and isinstance(right, Number):
        a, b = left.value, right.value
        return {"<=": a <= b, "<": a < b, ">=": a >= b, ">": a > b, "==": a == b, "!=": a != b}[sign]
    return left == right and sign in ("<=", ">=", "==")


def _reduced(node: Node, rename: dict[str, str]) -> Node:
    """A tree with indices identified and what vanishes thereby left out."""
    if isinstance(node, Named):
        indices = tuple(rename.get(index, index) for index in node.indices)
        if len(indices) == 2 and indices[0] == indices[1]:
            return _DIAGONAL.get(node.name, replace(node, indices=indices))
        return replace(node, indices=indices)
    if isinstance(node, Reduction):
        return Reduction(node.name, node.index, _reduced(node.body, rename))
    if not isinstance(node, Operation):
        return node
    parts = tuple(_reduced(part, rename) for part in node.parts)
    if node.name == "-" and parts[0] == parts[1]:
        return _ZERO
    if node.name == "*" and _ZERO in parts:
        return _ZERO
    if node.name in ("abs", "sqrt", "neg", "power", "/") and parts[0] == _ZERO and node.exponent > 0:
        return _ZERO
    if node.name == "+" and _ZERO in parts:
        return parts[1] if parts[0] == _ZERO else parts[0]
    return Operation(node.name, parts, node.exponent)
