"""Derivations: the steps of a certificate, with the multiples of zeros filled in by reduction. Untrusted.

A derivation says which squares or products a fact is a sum of; what is left must be a sum of multiples of known zeros,
which `Reducer` finds. The kernel checks every step as it is written down.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from proofs_check.prove.algebra import Value, minus, plus, rational, times
from proofs_check.prove.kernel import Board, check_certificate
from proofs_check.prove.reduce import Multiples, Reducer, plus_multiples
from proofs_check.prove.steps import Steps
from proofs_check.prove.text import parse_value, terms_of, value_text
from proofs_check.prove.theorem import Part
from tabular_krope.errors import KropeError

#: A scale: a rational as text and names of scalar facts, ``("1/2", "gamma")``; the number may be left out.
Scale = Sequence[str]
#: ``(scale, v, F)``: the square ``scale v F v'``; F is the name of a psd fact, or ``"[d]"`` for the identity of size d.
Square = tuple[Scale, str, str]
#: ``(scale, facts)``: a scale times a product of nonneg facts.
Product = tuple[Scale, Sequence[str]]


class Derivation:
    """The steps of one part of a certificate.

    Args:
        part: what is to be proved.
        weights: of the letters in reductions, see `Reducer`.
        most: rules at which a reduction gives up.
    """

    def __init__(self, part: Part, weights: Mapping[str, int] | None = None, most: int = 120) -> None:
        self.part, self.weights, self.most = part, dict(weights or {}), most
        self.board = Board(part.header())
        self.written = Steps(self.board)

    def certificate(self) -> dict[str, Any]:
        """The part as it is stored, with the steps that its conclusions need."""
        whole = {**self.part.header(), "steps": self.written.steps, "conclusions": self.part.concluded()}
        for step in reversed(self.written.steps):
            fewer = {**whole, "steps": [kept for kept in whole["steps"] if kept is not step]}
            if step["name"] not in self.part.conclusions and follows(fewer):
                whole = fewer
        return whole

    def conclude(
        self, name: str, squares: Sequence[Square] = (), products: Sequence[Product] = (), **more: Any
    ) -> None:
        """A conclusion of the theorem as a sum."""
        claim = self.part.conclusions[name]
        self.sum(claim.kind, name, claim.text, claim.shape, squares, products, **more)

    def sum(
        self,
        kind: str,
        name: str,
        text: str,
        shape: Sequence[str],
        squares: Sequence[Square] = (),
        products: Sequence[Product] = (),
        cancel: Sequence[str] = (),
        zeros: Sequence[str] | None = None,
    ) -> None:
        """A fact: its value, times what is to be canceled, is the squares, the products and multiples of zeros."""
        goals = [(name, self._value(text, *shape))]
        for positive in cancel:
            last, multiple = goals[-1]
            goals.append((f"{last}, times {positive}", times(self.board.facts[positive].value, multiple)))
        full, goal = goals[-1]
        expanded = [self._expanded_square(*square, shape[0]) for square in squares]
        expanded += [self._expanded_product(*product) for product in products]
        rest = minus(goal, plus(*expanded))
        found = self._multiples(name, rest, zeros, is_number=list(shape) == ["1", "1"])
        items = [self._square(f"{full}, square {k}", shape[0], *square) for k, square in enumerate(squares, 1)]
        items += [self._product(*product) for product in products]
        step = {"name": full, "kind": kind, "shape": list(shape), "terms": terms_of(goal)}
        self.written.take({**step, "of": [*items, *self._zeros(found)]})
        for k in range(len(cancel) - 1, -1, -1):
            self.written.canceled(goals[k][0], goals[k + 1][0], cancel[k], goals[k][1])

    def _multiples(self, name: str, goal: Value, zeros: Sequence[str] | None, is_number: bool) -> Multiples:
        attempts = [(goal, None), (self._turned(goal), None), (self._turned(goal), self._turned)]
        for value, turned in attempts[: 3 if is_number else 1]:
            reducer = Reducer(self.board, zeros, self.weights, self.most, turned)
            rest, found = reducer.reduced(value)
            more = {} if is_number and not self._turned(rest) else reducer.multiples(rest)
            if more is not None:
                return plus_multiples(found, more)
        rest, _ = Reducer(self.board, zeros, self.weights, self.most).reduced(goal)
        raise KropeError(f"{name} must follow from the zeros; left over is {value_text(terms_of(rest))}")

    def _turned(self, value: Value) -> Value:
        """A number with each word or its transpose, whichever comes first in the alphabet."""
        return plus(
            *({(m, min(w, v)): x} for ((m, w), x), (_, v) in zip(value.items(), self.board.adjoint(value), strict=True))
        )

    def positive(self, name: str, first: str, second: str) -> None:
        """The product of two positive numbers."""
        a, b = (self.board.facts[fact].value for fact in (first, second))
        self.written.lemma(name, "positive product", {"a": a, "b": b}, {"first": first, "second": second})

    def stein(self, name: str, source: str, text: str, stable: str, nonneg: str | None = None) -> None:
        """A fact by Stein's lemma, from the fact ``source`` about ``X - c A X A'``."""
        kind, fact = self.board.facts[source].kind, self.board.facts[stable]
        facts = {"stable": stable, "pushed": source, **({} if nonneg is None else {"entries": nonneg})}
        given = {"c": fact.by[0][0], "A": fact.value, "X": self._value(text, fact.rows, fact.cols)}
        self.written.lemma(name, f"stein {kind}", given, facts, n=fact.rows)

    def by_stein(self, kind: str, name: str, text: str, stable: str, **more: Any) -> None:
        """`sum` for ``X - c A X A'`` and then `stein`; ``text`` is X."""
        fact = self.board.facts[stable]
        X = parse_value(text, self.part.parameters)
        pushed = times(fact.by[0][0], fact.value, X, self.board.adjoint(fact.value))
        nonneg = more.pop("nonneg", None)
        self.sum(kind, f"{name}, pushed", value_text(terms_of(minus(X, pushed))), [fact.rows] * 2, **more)
        self.stein(name, f"{name}, pushed", text, stable, nonneg)

    def factor(self, name: str, source: str, new: tuple[str, str]) -> None:
        """New letters G, H: the psd fact ``source`` is ``G G'``, and ``H G = 1``."""
        fact = self.board.facts[source]
        given = {"F": fact.value, "G": new[0], "H": new[1]}
        self.written.lemma(name, "factor", given, {"psd": source}, n=fact.rows, k=f"rank of {name}")

    def douglas(self, name: str, source: str, A: str, B: str, shape: Sequence[str], size: str, **more: Any) -> None:
        """A new letter M with ``A = B M`` and ``c - M' M`` psd, from a psd fact ``c B B' - A A'``."""
        scale, c = self.written.number(f"scale of {name}", *_scale(more.get("scale", ())))
        given = {"c": c, "A": self._value(A, *shape), "B": self._value(B, shape[0], size), "M": more["new"]}
        facts = {"scale": scale, "psd": self.written.used_as(source, "psd")}
        self.written.lemma(name, "douglas", given, facts, m=shape[0], n=shape[1], k=size)

    def radius(self, name: str, source: str, L: str, size: str, bound: str, positive: str) -> None:
        """``rho(L)^2 < 1`` from a psd fact ``bound - L L'``."""
        given = {"c": self._value(bound, "1", "1"), "L": self._value(L, size, size)}
        self.written.lemma(name, "radius", given, {"psd": source, "below": positive}, n=size)

    def rank(self, name: str, A: str, shape: Sequence[str], size: str, factors: Sequence[str]) -> None:
        """The rank of ``A = U V`` from its factors and their inverses ``S U = 1``, ``V T = 1``."""
        U, V, S, T = factors
        rows, cols = shape
        self.sum("zero", f"{name}, product", f"{A} - ({U})*({V})", shape)
        self.sum("zero", f"{name}, left", f"({S})*({U}) - 1", [size, size])
        self.sum("zero", f"{name}, right", f"({V})*({T}) - 1", [size, size])
        shapes = {"A": (A, rows, cols), "U": (U, rows, size), "V": (V, size, cols), "S": (S, size, rows)}
        given = {letter: self._value(*value) for letter, value in {**shapes, "T": (T, cols, size)}.items()}
        facts = {role: f"{name}, {role}" for role in ("product", "left", "right")}
        self.written.lemma(name, "rank", given, facts, m=rows, n=cols, k=size)

    def _value(self, text: str, rows: str, cols: str) -> Value:
        return self.board.read(self.part.value(text), rows, cols)

    def _expanded_square(self, scale: Scale, v: str, of: str, rows: str) -> Value:
        number, names = _scale(scale)
        F = None if of.startswith("[") else self.board.facts[of]
        V = self._value(v, rows, of[1:-1] if F is None else F.rows)
        inner = [V, *([] if F is None else [F.value]), self.board.adjoint(V)]
        return times({((), ()): rational(number)}, *(self.board.facts[fact].value for fact in names), *inner)

    def _expanded_product(self, scale: Scale, facts: Sequence[str]) -> Value:
        number, names = _scale(scale)
        factors = [self.board.facts[name.removesuffix("'")].value for name in (*names, *facts)]
        turned = [name.endswith("'") for name in (*names, *facts)]
        inner = [self.board.adjoint(value) if turn else value for value, turn in zip(factors, turned, strict=True)]
        return times({((), ()): rational(number)}, *inner)

    def _square(self, name: str, rows: str, scale: Scale, v: str, of: str) -> dict[str, Any]:
        number, names = _scale(scale)
        cols = of[1:-1] if of.startswith("[") else self.board.facts[of].rows
        return {"fact": self.written.square(name, names, self._value(v, rows, cols), rows, of), "times": number}

    def _product(self, scale: Scale, facts: Sequence[str]) -> dict[str, Any]:
        number, names = _scale(scale)
        made = self.written.scaled(names, self.written.product(facts)) if facts else self.written.scalar(names)[0]
        return {"fact": made, "times": number}

    def _zeros(self, found: Multiples) -> list[dict[str, Any]]:
        items = multiple_items(found)
        return [{**item, "fact": self.written.used_as(item["fact"], "zero")} for item in items]


def follows(part: Mapping[str, Any]) -> bool:
    """Whether the kernel accepts a part."""
    try:
        return bool(check_certificate({"parts": [part]}))
    except KropeError:
        return False


def multiple_items(found: Multiples) -> list[dict[str, Any]]:
    """Multiples of zeros as they stand in a step: those with the same zero and right factor are put together."""
    joined: dict[tuple[str, tuple[str, ...]], Value] = {}
    for (parameters, left, zero, right), number in found.items():
        joined[zero, right] = plus(joined.get((zero, right), {}), {(parameters, left): number})
    return [
        {"fact": zero, "left": terms_of(left), "right": [["1", [], list(right)]]}
        for (zero, right), left in joined.items()
        if left
    ]


def _scale(given: Scale) -> tuple[str, list[str]]:
    if given and given[0].replace("/", "").isdigit():
        return given[0], list(given[1:])
    return "1", list(given)
