"""Values as text, ``2*gamma*P*K*P' - (K - 1)'``: read by `parse_value`, written by `value_text`.

Numbers, parameters and letters are joined by ``*`` or by a space; ``'`` transposes what it follows, ``^`` is a power.
The number 1 is the identity.
"""

import re
from collections.abc import Collection, Iterable
from fractions import Fraction
from typing import Any

from proofs_check.prove.algebra import Value, minus, plus, times, word
from tabular_krope.errors import KropeError

_TOKEN = re.compile(r"\s*(?:(\d+(?:/\d+)?)|(\w+)|([-+*()'^]))")


def parse_value(text: str, parameters: Collection[str]) -> Value:
    """The value that a text stands for; names are letters unless they are parameters.

    >>> parse_value("gamma P (K - 1)", {"gamma"}) == parse_value("gamma*P*K - gamma*P", {"gamma"})
    True
    """
    return _Reader(text, parameters).whole()


def terms_of(value: Value) -> list[Any]:
    """The terms of a value as they stand in a certificate.

    >>> terms_of(parse_value("P K - 1/2 gamma", {"gamma"}))
    [['1', [], ['P', 'K']], ['-1/2', ['gamma'], []]]
    """
    return [[str(number), list(parameters), list(letters)] for (parameters, letters), number in value.items()]


def value_text(terms: Iterable[Any]) -> str:
    """Terms as text, in their order.

    >>> value_text([["1", [], ["P", "K"]], ["-1/2", ["gamma", "gamma"], []], ["-1", [], ["K"]]])
    'P K - 1/2 gamma^2 - K'
    """
    out = ""
    for number, parameters, letters in terms:
        size = abs(Fraction(number))
        factors = [*_powers(sorted(parameters)), *letters]
        shown = " ".join([str(size)] * (size != 1 or not factors) + factors)
        sign = "-" if Fraction(number) < 0 else "+"
        out += f" {sign} {shown}" if out else shown if sign == "+" else f"-{shown}"
    return out or "0"


def _powers(names: list[str]) -> list[str]:
    counted = {name: names.count(name) for name in names}
    return [name if count == 1 else f"{name}^{count}" for name, count in counted.items()]


class _Reader:
    """Recursive descent over the tokens."""

    def __init__(self, text: str, parameters: Collection[str]) -> None:
        self.text, self.parameters, self.at = text, parameters, 0
        self.tokens: list[tuple[str, str, str]] = []
        position, text = 0, text.rstrip()
        while position < len(text):
            found = _TOKEN.match(text, position)
            if found is None:
                raise KropeError(f"value must be a sum of products; got {text!r}")
            self.tokens.append(found.groups(""))  # type: ignore[arg-type]
            position = found.end()

    def whole(self) -> Value:
        value = self._sum()
        if self.at < len(self.tokens):
            raise KropeError(f"value must be a sum of products; got {self.text!r}")
        return value

    def _sign(self) -> str:
        return self.tokens[self.at][2] if self.at < len(self.tokens) else ""

    def _takes(self, sign: str) -> bool:
        taken = self._sign() == sign
        self.at += taken
        return taken

    def _sum(self) -> Value:
        value = minus({}, self._product()) if self._takes("-") else self._product()
        while self._sign() in ("+", "-") and self.at < len(self.tokens):
            value = plus(value, self._product()) if self._takes("+") else self._less(value)
        return value

    def _less(self, value: Value) -> Value:
        self.at += 1
        return minus(value, self._product())

    def _product(self) -> Value:
        value = self._factor()
        while self.at < len(self.tokens) and self._sign() not in ("+", "-", ")"):
            self._takes("*")
            value = times(value, self._factor())
        return value

    def _factor(self) -> Value:
        if self.at >= len(self.tokens):
            raise KropeError(f"value must not end early; got {self.text!r}")
        number, name, sign = self.tokens[self.at]
        self.at += 1
        if sign == "(":
            value = self._sum()
            if not self._takes(")"):
                raise KropeError(f"value must close its brackets; got {self.text!r}")
        elif number:
            value = {((), ()): Fraction(number)} if Fraction(number) else {}
        elif name:
            value = {((name,), ()): Fraction(1)} if name in self.parameters else word(name)
        else:
            raise KropeError(f"value must be a sum of products; got {self.text!r}")
        while self._sign() in ("'", "^") and self.at < len(self.tokens):
            value = transposed(value) if self._takes("'") else self._power(value)
        return value

    def _power(self, value: Value) -> Value:
        self.at += 1
        exponent, self.at = int(self.tokens[self.at][0]), self.at + 1
        return times(*[value] * exponent)


def transposed(value: Value) -> Value:
    """The transpose, before anything is known about symmetric letters.

    >>> transposed(word("P", "K'"))
    {((), ('K', "P'")): Fraction(1, 1)}
    """
    flip = {True: lambda x: x[:-1], False: lambda x: x + "'"}
    return {(m, tuple(flip[x.endswith("'")](x) for x in reversed(v))): n for (m, v), n in value.items()}
