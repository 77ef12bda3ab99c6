"""Derivations: the steps of a certificate, with the multiples of zeros filled in by reduction. Untrusted.

A derivation says which squares or products a fact is a sum of; what is left must be a sum of multiples of known zeros,
which `Reducer` finds. The kernel checks every step as it is written down.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from proofs_check.prove.algebra import Value, minus, plus, times
from proofs_check.prove.kernel import Board, check_certificate
from proofs_check.prove.reduce import Multiples, Reducer, plus_multiples
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
        self.steps: list[dict[str, Any]] = []

    def certificate(self) -> dict[str, Any]:
        """The part as it is stored, with the steps that its conclusions need."""
        said = {name: claim.why for name, claim in self.part.conclusions.items()}
        whole = {**self.part.header(), "steps": self.steps, "conclusions": said}
        for step in reversed(self.steps):
            fewer = {**whole, "steps": [kept for kept in whole["steps"] if kept is not step]}
            if step["name"] not in said and follows(fewer):
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
        cancel: Scale = (),
        zeros: Sequence[str] | None = None,
    ) -> None:
        """A fact: ``cancel * value`` is the squares, the products and multiples of zeros."""
        items = [self._square(*square, shape[0]) for square in squares]
        items += [{"scale": _scale(scale), "product": list(facts)} for scale, facts in products]
        goal = times(self.board.scalar(_scale(cancel), "positive"), self._value(text, *shape))
        for item in items:
            goal = minus(goal, self._expanded(item, *shape))
        found = self._multiples(name, goal, zeros, is_number=list(shape) == ["1", "1"])
        step = {"name": name, "rule": "sum", "kind": kind, "shape": list(shape), "terms": self._terms(text, *shape)}
        step["of"] = [*items, *multiple_items(found)]
        self._take({**step, "cancel": _scale(cancel)} if cancel else step)

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

    def stein(self, name: str, source: str, text: str, stable: str, nonneg: str | None = None) -> None:
        """A fact by Stein's lemma, from the fact ``source`` about ``X - c A X A'``."""
        shape = [self.board.facts[stable].rows] * 2
        step = {"name": name, "rule": "stein", "shape": shape, "terms": self._terms(text, *shape), "from": source}
        self._take({**step, "stable": stable} if nonneg is None else {**step, "stable": stable, "nonneg": nonneg})

    def by_stein(self, kind: str, name: str, text: str, stable: str, **more: Any) -> None:
        """`sum` for ``X - c A X A'`` and then `stein`; ``text`` is X."""
        fact = self.board.facts[stable]
        X = parse_value(text, self.part.parameters)
        pushed = times(fact.more, fact.value, X, self.board.adjoint(fact.value))
        nonneg = more.pop("nonneg", None)
        self.sum(kind, f"{name}, pushed", value_text(terms_of(minus(X, pushed))), [fact.rows] * 2, **more)
        self.stein(name, f"{name}, pushed", text, stable, nonneg)

    def factor(self, name: str, source: str, new: tuple[str, str]) -> None:
        """New letters G, H: the psd fact ``source`` is ``G G'``, and ``H G = 1``."""
        fact = self.board.facts[source]
        step = {"name": name, "rule": "factor", "shape": [fact.rows, fact.cols], "terms": terms_of(fact.value)}
        self._take({**step, "from": source, "new": list(new)})

    def douglas(self, name: str, source: str, A: str, B: str, shape: Sequence[str], size: str, **more: Any) -> None:
        """A new letter M with ``A = B M`` and ``c - M' M`` psd, from a psd fact ``c B B' - A A'``."""
        step = {"name": name, "rule": "douglas", "shape": list(shape), "terms": self._terms(A, *shape), "from": source}
        scale = _scale(more.get("scale", ()))
        self._take({**step, "scale": scale, "left": self._terms(B, shape[0], size), "size": size, "new": more["new"]})

    def radius(self, name: str, source: str, L: str, size: str, bound: str, positive: str) -> None:
        """``rho(L)^2 < 1`` from a psd fact ``bound - L L'``."""
        step = {"name": name, "rule": "radius", "shape": [size, size], "terms": self._terms(L, size, size)}
        bounds = {"from": source, "bound": self._terms(bound, "1", "1"), "scale": ["1", []], "positive": positive}
        self._take({**step, **bounds})

    def rank(self, name: str, A: str, shape: Sequence[str], size: str, factors: Sequence[str]) -> None:
        """The rank of ``A = U V`` from its factors and their inverses ``S U = 1``, ``V T = 1``."""
        U, V, S, T = factors
        rows, cols = shape
        self.sum("zero", f"{name}, product", f"{A} - ({U})*({V})", shape)
        self.sum("zero", f"{name}, left", f"({S})*({U}) - 1", [size, size])
        self.sum("zero", f"{name}, right", f"({V})*({T}) - 1", [size, size])
        step = {"name": name, "rule": "rank", "shape": list(shape), "terms": self._terms(A, *shape), "size": size}
        step["from"] = [f"{name}, product", f"{name}, left", f"{name}, right"]
        step["left"], step["right"] = self._terms(U, rows, size), self._terms(V, size, cols)
        self._take({**step, "inverses": [self._terms(S, size, rows), self._terms(T, cols, size)]})

    def _value(self, text: str, rows: str, cols: str) -> Value:
        return self.board.read(self.part.value(text), rows, cols)

    def _terms(self, text: str, rows: str, cols: str) -> list[Any]:
        return terms_of(self._value(text, rows, cols))

    def _take(self, step: dict[str, Any]) -> None:
        self.board.step(step)
        self.steps.append(step)

    def _square(self, scale: Scale, v: str, of: str, rows: str) -> dict[str, Any]:
        item: dict[str, Any] = {"scale": _scale(scale)}
        if of.startswith("["):
            return {**item, "square": self._terms(v, rows, of[1:-1]), "size": of[1:-1]}
        return {**item, "square": self._terms(v, rows, self.board.known(of, "psd").rows), "psd": of}

    def _expanded(self, item: Mapping[str, Any], rows: str, cols: str) -> Value:
        scale = self.board.scalar(item["scale"])
        if "product" in item:
            return times(scale, *(self.board.known(fact, "nonneg").value for fact in item["product"]))
        fact = self.board.known(item["psd"], "psd") if "psd" in item else None
        v = self.board.read(item["square"], rows, fact.rows if fact else item["size"])
        return times(scale, v, *([fact.value] if fact else []), self.board.adjoint(v))


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
        {"zero": zero, "left": terms_of(left), "right": [["1", [], list(right)]]}
        for (zero, right), left in joined.items()
        if left
    ]


def _scale(given: Scale) -> list[Any]:
    if given and given[0].replace("/", "").isdigit():
        return [given[0], list(given[1:])]
    return ["1", list(given)]
