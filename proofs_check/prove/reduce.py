"""Writes a value as a sum of multiples of zeros: reduction with recorded cofactors, after a bounded completion.

Untrusted: the kernel expands what is found. Each zero is read as a rule "its heaviest word is the rest"; overlaps of
two rules give new ones (Buchberger's procedure in the free algebra), up to a number of rules.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from proofs_check.prove.algebra import Value, plus
from proofs_check.prove.kernel import Board

Key = tuple[tuple[str, ...], tuple[str, ...]]
#: ``(parameters, left, zero, right) -> number``: a sum of multiples of named zeros.
Multiples = dict[tuple[tuple[str, ...], tuple[str, ...], str, tuple[str, ...]], Fraction]


@dataclass(frozen=True, slots=True)
class Rule:
    """A value that is zero, with coefficient 1 at its heaviest key, and how it is made of the zeros."""

    lead: Key
    value: Value
    made: Multiples


class Reducer:
    """Rules from the zeros of a board.

    Args:
        board: where the zeros are known.
        zeros: names of those to use; all if None.
        weights: of the letters, 1 where none is given; a rule replaces its heaviest word.
        most: rules at which the completion stops.
        turned: a number may be replaced by its transpose; applied to zeros that are numbers.
    """

    def __init__(
        self,
        board: Board,
        zeros: Iterable[str] | None = None,
        weights: Mapping[str, int] | None = None,
        most: int = 120,
        turned: Callable[[Value], Value] | None = None,
    ) -> None:
        self.weights = dict(weights or {})
        self.most = most
        self.rules: list[Rule] = []
        names = [n for n, fact in board.facts.items() if fact.kind == "zero"] if zeros is None else list(zeros)
        for name in names:
            fact = board.facts[name]
            value = turned(fact.value) if turned and fact.rows == fact.cols == "1" else fact.value
            self._add(value, {((), (), name, ()): Fraction(1)})
            self._add(board.adjoint(value), {((), (), name + "'", ()): Fraction(1)})

    def multiples(self, value: Value) -> Multiples | None:
        """The value as a sum of multiples of the zeros; None if none is found."""
        rest, made = self.reduced(value)
        pairs = self._pairs(0)
        while rest:
            before = len(self.rules)
            for first, second in pairs:
                for overlap, how in self._overlaps(first, second):
                    if len(self.rules) < self.most:
                        self._add(overlap, how)
            if len(self.rules) == before:
                return None
            pairs = self._pairs(before)
            rest, more = self.reduced(rest)
            made = plus_multiples(made, more)
        return made

    def reduced(self, value: Value) -> tuple[Value, Multiples]:
        """What no rule reduces, and the multiples that were taken off."""
        rest: Value = {}
        made: Multiples = {}
        todo = dict(value)
        while todo:
            key = max(todo, key=self.weight)
            number = todo.pop(key)
            found = self._divisor(key)
            if found is None:
                rest[key] = number
                continue
            rule, parameters, left, right = found
            todo = plus(todo, {key: number}, _moved(rule.value, -number, parameters, left, right))
            made = plus_multiples(made, _shifted(rule.made, number, parameters, left, right))
        return rest, made

    def weight(self, key: Key) -> Any:
        """Rules replace heavy keys by lighter ones."""
        parameters, letters = key
        total = sum(self.weights.get(letter.removesuffix("'"), 1) for letter in letters)
        return total, len(letters), letters, len(parameters), parameters

    def _divisor(self, key: Key) -> tuple[Rule, tuple[str, ...], tuple[str, ...], tuple[str, ...]] | None:
        parameters, letters = key
        for rule in self.rules:
            m, w = rule.lead
            rest = _without(parameters, m)
            if rest is None or (not w and letters):
                continue
            for at in range(len(letters) - len(w) + 1):
                if letters[at : at + len(w)] == w:
                    return rule, rest, letters[:at], letters[at + len(w) :]
        return None

    def _add(self, value: Value, made: Multiples) -> None:
        rest, taken = self.reduced(value)
        if rest:
            made = plus_multiples(made, _shifted(taken, Fraction(-1), (), (), ()))
            lead = max(rest, key=self.weight)
            share = 1 / rest[lead]
            self.rules.append(Rule(lead, _moved(rest, share, (), (), ()), _shifted(made, share, (), (), ())))

    def _pairs(self, start: int) -> list[tuple[Rule, Rule]]:
        new = list(enumerate(self.rules))
        return [(a, b) for i, a in new for j, b in new if i >= start or j >= start]

    def _overlaps(self, first: Rule, second: Rule) -> Iterator[tuple[Value, Multiples]]:
        """Words that begin with one lead and end with the other, taken off in both ways."""
        (m, v), (n, w) = first.lead, second.lead
        common = tuple(sorted(m + _missing(n, m)))
        one, other = _without(common, m) or (), _without(common, n) or ()
        ways: list[Any] = [((), w[k:], v[:-k], ()) for k in range(1, min(len(v), len(w))) if v[-k:] == w[:k]]
        if first is not second and w:
            at = [k for k in range(len(v) - len(w) + 1) if v[k : k + len(w)] == w]
            ways += [((), (), v[:k], v[k + len(w) :]) for k in at]
        for left, right, before, after in ways:
            numbers = Fraction(1), Fraction(-1)
            moved = [
                _moved(first.value, numbers[0], one, left, right),
                _moved(second.value, numbers[1], other, before, after),
            ]
            made = [
                _shifted(first.made, numbers[0], one, left, right),
                _shifted(second.made, numbers[1], other, before, after),
            ]
            yield plus(*moved), plus_multiples(*made)


def plus_multiples(*many: Multiples) -> Multiples:
    """The sum of multiples of zeros, without those that cancel."""
    out: Multiples = {}
    for key, number in (item for one in many for item in one.items()):
        out[key] = out.get(key, Fraction(0)) + number
    return {key: number for key, number in out.items() if number}


def _moved(value: Value, number: Fraction, parameters: Any, left: Any, right: Any) -> Value:
    return {(tuple(sorted(m + parameters)), left + w + right): number * x for (m, w), x in value.items()}


def _shifted(made: Multiples, number: Fraction, parameters: Any, left: Any, right: Any) -> Multiples:
    return {
        (tuple(sorted(m + parameters)), left + a, zero, b + right): number * x for (m, a, zero, b), x in made.items()
    }


def _without(many: tuple[str, ...], some: tuple[str, ...]) -> tuple[str, ...] | None:
    """The parameters ``many`` without ``some``; None if they are not among them."""
    rest = list(many)
    for name in some:
        if name not in rest:
            return None
        rest.remove(name)
    return tuple(rest)


def _missing(many: tuple[str, ...], some: tuple[str, ...]) -> tuple[str, ...]:
    """What ``some`` lacks of ``many``."""
    left = list(some)
    out = []
    for name in many:
        if name in left:
            left.remove(name)
        else:
            out.append(name)
    return tuple(out)
