"""Families of chains along which a quotient grows without bound, or approaches what it does not attain."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from flint import fmpq

from proofs_check.chains.case import Case
from proofs_check.prove.best_constant.chains import chain_at, refutation
from proofs_check.prove.best_constant.closed_form import quotient_at, text_of
from proofs_check.prove.best_constant.extremal import Extremal
from proofs_check.prove.best_constant.ratio import Asked
from proofs_check.prove.small_model.ring import Polynomial, Ratio, coefficients, constant, variable

EPSILON = "v8"
#: How far a point on the way into another is from it.
NEAR = fmpq(1, 10000)
#: Members of a family that are written down.
MEMBERS = (fmpq(1, 10), fmpq(1, 100), fmpq(1, 1000))
Member = tuple[fmpq, Case, dict[str, Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """Chains that depend on epsilon > 0, whose quotient grows without bound as epsilon goes to 0.

    Attributes:
        text: the quotient, in gamma, R, rho0, rmin and epsilon.
        moves: what epsilon does to the masses and positions of the pairs.
        members: exact chains for a few epsilons, with a refutation of a constant that each exceeds.
    """

    text: str
    moves: tuple[str, ...]
    members: tuple[Member, ...]


def growing(asked: Asked, extremal: Extremal) -> Family | None:
    """A family near an extremal point where the denominator vanishes; None if none was found."""
    extremal = replace(extremal, places=extremal.coarse)
    for direction, _, ratio in _along(asked, extremal):
        if _order(ratio.bottom) <= _order(ratio.top):
            continue
        members = list(_members(asked, extremal, direction))
        if len(members) == len(MEMBERS):
            indices = asked.claim("1").claim.indices
            moves = tuple(_words(name, extremal.places[name], v, indices) for name, v in direction.items())
            return Family(text_of(ratio), moves, tuple(members))
    return None


def approached(asked: Asked, extremal: Extremal) -> Iterator[tuple[str, Extremal]]:
    """What the quotient tends to on ways into an extremal point, each with a point that is near on that way."""
    for _, near, ratio in _along(asked, replace(extremal, places=extremal.coarse)):
        order = (_order(ratio.bottom),)
        top, bottom = (coefficients(p, [EPSILON]) for p in (ratio.top, ratio.bottom))
        if _order(ratio.top) == order[0]:
            yield text_of(Ratio.of(top[order], bottom[order])), near


def _along(asked: Asked, extremal: Extremal) -> Iterator[tuple[dict[str, fmpq], Extremal, Ratio]]:
    """Directions away from a point, a point near it there, and the quotient, not zero, as a function of epsilon."""
    for direction in _directions(extremal, asked.conservative):
        near = _moved(extremal, direction, NEAR)
        path: dict[str, Polynomial] = {
            name: constant(v) + variable(EPSILON) * direction.get(name, fmpq(0)) for name, v in extremal.places.items()
        }
        ratio = quotient_at(asked, near, path)
        if ratio is not None and not ratio.top.is_zero():
            yield direction, near, ratio


def _members(asked: Asked, extremal: Extremal, direction: dict[str, fmpq]) -> Iterator[Member]:
    for epsilon in MEMBERS:
        place = _moved(extremal, direction, epsilon)
        case = chain_at(asked, place.places, place.parameters)
        for size in (fmpq(1, 100) / epsilon, fmpq(1, 10000) / epsilon):
            document = refutation(asked, case, str(size))
            if document is not None:
                yield epsilon, case, document
                break


def _directions(extremal: Extremal, conservative: bool) -> Iterator[dict[str, fmpq]]:
    """One mass or position changed; for ending chains also mass that moves from the least to the largest reward."""
    for name, value in extremal.places.items():
        for sign in (fmpq(1), fmpq(-1)):
            if (sign > 0 and value == 1) or (sign < 0 and value == 0):
                continue
            mate = ("c" if name[0] == "b" else "b") + name[1:]
            if conservative or name[0] == "g" or sign < 0 or extremal.places[mate] + value < 1:
                yield {name: sign}
            else:
                yield {name: sign, mate: -sign}


def _moved(extremal: Extremal, direction: dict[str, fmpq], epsilon: fmpq) -> Extremal:
    places = {name: v + epsilon * direction.get(name, fmpq(0)) for name, v in extremal.places.items()}
    return replace(extremal, places=places)


def _order(p: Polynomial) -> int:
    """The least power of epsilon in a polynomial."""
    return min(power for (power,) in coefficients(p, [EPSILON]))


def _words(name: str, start: fmpq, slope: fmpq, indices: tuple[str, ...]) -> str:
    """What epsilon does, in words.

    >>> _words("b1", fmpq(1, 2), fmpq(-1), ("x", "y"))
    'P(x to rmin) = 1/2 - epsilon'
    """
    pair = indices[int(name[1:]) - 1]
    what = {"b": f"P({pair} to rmin)", "c": f"P({pair} to rmax)", "g": f"(r[{pair}] - rmin)/rho0"}[name[0]]
    sign = "+" if slope > 0 else "-"
    return f"{what} = {start} {sign} epsilon" if start else f"{what} = {sign if sign == '-' else ''}epsilon"
