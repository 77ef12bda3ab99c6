"""Checks certificates: derivations of facts about real matrices of every size, in a free *-algebra over the rationals.

A value is a sum of terms ``[number, parameters, letters]``: a rational, scalars that commute, and a word of matrices,
where ``P'`` is the transpose of ``P``. A fact says that a value is "zero", "psd" (positive semidefinite), "nonneg"
(every entry), "positive" (a scalar), "stable" (``scale * rho(value)**2 < 1``) or of a certain "rank". Facts are
declared hypotheses or follow by a rule: sums of squares, of products and of multiples of zeros, and lemmas that are
proved in docs/proofs.md. Values are compared by expansion alone: a step names every fact that it uses.
"""

import re
from collections import namedtuple
from typing import Any

from proofs_check.prove.algebra import Value, is_scalar, minus, need, plus, rational, times, word
from tabular_krope.errors import KropeError

Fact = namedtuple("Fact", "kind value rows cols more")  # more: the scale of "stable", the size of "rank"
SUMS = ("zero", "psd", "nonneg", "positive")  # kinds that a sum can be of
RULES = ("sum", "stein", "factor", "douglas", "radius", "rank")


class Board:
    """Letters with their shapes, and the facts known so far, by name."""

    def __init__(self, part: Any) -> None:
        self.parameters, self.letters, self.facts = set(part["parameters"]), {}, {}  # type: ignore[var-annotated]
        sizes = [size for given in (*part["symbols"].values(), *part["hypotheses"].values()) for size in given["shape"]]
        need(all(re.fullmatch(r"\w+", size) for size in sizes), "name sizes by words")  # "rank of ..." is for factors
        for name, letter in part["symbols"].items():
            rows, cols = letter["shape"]
            self._declare(name, rows, cols, letter.get("symmetric", False))
        for name, fact in part["hypotheses"].items():
            (rows, cols), kind = fact["shape"], fact["kind"]
            need(kind in (*SUMS, "stable"), f"assume a known kind in {name}")
            scale = self.scalar(fact["scale"]) if kind == "stable" else None
            self._learn(name, kind, self.read(fact["terms"], rows, cols), rows, cols, scale)

    def _declare(self, name: str, rows: str, cols: str, symmetric: bool = False) -> None:
        new = re.fullmatch(r"\w+", name) and name not in {*self.letters, *self.parameters}
        need(new and (rows == cols or not symmetric), f"declare {name} once, square if it is symmetric")
        self.letters[name] = (rows, cols, symmetric)

    def _learn(self, name: str, kind: str, value: Value, rows: str, cols: str, more: Any = None) -> None:
        fits = {"psd": rows == cols, "stable": rows == cols, "positive": rows == cols == "1"}.get(kind, True)
        need(fits and name not in self.facts and "'" not in name, f"have one fact {name}, square, without a prime")
        self.facts[name] = Fact(kind, value, rows, cols, more)

    def read(self, terms: Any, rows: str, cols: str) -> Value:
        """The value of terms, each word of which must lead from ``rows`` to ``cols``."""
        found = []
        for number, parameters, letters in terms:
            need(self.parameters.issuperset(parameters), f"declare its parameters; got {parameters}")
            at = rows
            for letter in letters:
                shape = self.letters[letter.removesuffix("'")][:2]
                need(at == shape[letter.endswith("'")], f"have shapes that fit; got {letters}")
                at = shape[not letter.endswith("'")]
            need(at == cols, f"have words from {rows} to {cols}; got {letters}")
            key = tuple(sorted(parameters)), tuple(self._flip(self._flip(letter)) for letter in letters)
            found.append({key: rational(number)})
        return plus(*found)

    def _flip(self, letter: str) -> str:
        name = letter.removesuffix("'")
        return name if letter != name or self.letters[name][2] else name + "'"

    def adjoint(self, value: Value) -> Value:
        """The transpose."""
        return {(m, tuple(self._flip(x) for x in reversed(letters))): n for (m, letters), n in value.items()}

    def known(self, name: str, kind: str) -> Fact:
        """A known fact of this kind, transposed if a prime follows its name; numbers are psd iff they are nonneg."""
        fact = self.facts[name.removesuffix("'")]
        number = fact.rows == fact.cols == "1" and fact.kind in ("psd", "nonneg", "positive")
        need(fact.kind == kind or (number and kind in ("psd", "nonneg")), f"use {name} as {fact.kind}, not as {kind}")
        return fact if not name.endswith("'") else Fact(kind, self.adjoint(fact.value), fact.cols, fact.rows, fact.more)

    def scalar(self, given: Any, kind: str = "nonneg") -> Value:
        """A positive rational times scalars that are known to be non-negative (or positive)."""
        facts = [self.known(name, kind) for name in given[1]]
        scalars = all(is_scalar(fact.value) and fact[2:4] == ("1", "1") for fact in facts)
        need(scalars and rational(given[0]) > 0, f"scale by non-negative scalars; got {given}")
        return times({((), ()): rational(given[0])}, *(fact.value for fact in facts))

    def step(self, step: Any) -> None:
        """Checks one step and learns what follows."""
        need(step["rule"] in RULES, "use known rules")
        getattr(self, "_" + step["rule"])(step, step["name"], self.read(step["terms"], *step["shape"]), *step["shape"])

    def _given(self, name: str, kind: str, *what: Any) -> None:
        need(tuple(self.known(name, kind)[1:4]) == what, f"know by {name} what the step needs")

    def _sum(self, step: Any, name: str, goal: Value, rows: str, cols: str) -> None:
        """``cancel * goal`` is a sum of multiples of zeros and, by kind, of squares or of products of nonneg facts."""
        kind, found, strict = step["kind"], [], False
        need(kind in SUMS, f"sum to a known kind in {name}")
        for item in step["of"]:
            if "zero" in item:  # left Z right
                fact = self.known(item["zero"], "zero")
                left, right = self.read(item["left"], rows, fact.rows), self.read(item["right"], fact.cols, cols)
                found.append(times(left, fact.value, right))
            elif "square" in item:  # scale v v', or scale v F v' with a psd F
                fact = self.known(item["psd"], "psd") if "psd" in item else Fact("psd", word(), item["size"], "", None)
                v = self.read(item["square"], rows, fact.rows)
                need(kind == "psd", f"use squares for psd only; not in {name}")
                found.append(times(self.scalar(item["scale"]), v, fact.value, self.adjoint(v)))
            else:  # scale times a product of matrices whose entries are nonneg
                facts = [self.known(factor, "nonneg") for factor in item["product"]]
                fits = [rows, *(fact.cols for fact in facts)] == [*(fact.rows for fact in facts), cols]
                need(fits and kind in ("nonneg", "positive"), f"have products that fit in {name}")
                strict |= not facts and all(self.facts[scale].kind == "positive" for scale in item["scale"][1])
                found.append(times(self.scalar(item["scale"]), *(fact.value for fact in facts)))
        rest = minus(times(self.scalar(step.get("cancel", ["1", []]), "positive"), goal), plus(*found))
        rest = plus(rest, self.adjoint(rest)) if rows == cols == "1" else rest  # a number is its own transpose
        need(not rest and (strict or kind != "positive"), f"have terms that sum to what {name} says")
        self._learn(name, kind, goal, rows, cols)

    def _stein(self, step: Any, name: str, X: Value, rows: str, cols: str) -> None:
        """Stein: if ``X - c A X A'`` is zero, psd or nonneg (then A too) and ``c rho(A)^2 < 1``, so is X."""
        kind, (_, A, *shape, c) = self.facts[step["from"]].kind, self.known(step["stable"], "stable")
        need(shape == [rows, cols] and kind in ("zero", "psd", "nonneg"), f"have a Stein equation in {name}")
        self._given(step["from"], kind, minus(X, times(c, A, X, self.adjoint(A))), rows, cols)
        need(kind != "nonneg" or self.known(step["nonneg"], kind)[1:4] == (A, rows, cols), f"have A >= 0 in {name}")
        self._learn(name, kind, X, rows, cols)

    def _factor(self, step: Any, name: str, F: Value, rows: str, cols: str) -> None:
        """Full rank factors: a psd F is ``G G'`` with new letters G and H, ``H G = 1``."""
        (G, H), size = step["new"], f"rank of {name}"
        self._given(step["from"], "psd", F, rows, cols)
        self._declare(G, rows, size)
        self._declare(H, size, rows)
        self._learn(name, "zero", minus(F, word(G, G + "'")), rows, cols)
        self._learn(f"{name}, left inverse", "zero", minus(word(H, G), word()), size, size)

    def _douglas(self, step: Any, name: str, A: Value, rows: str, cols: str) -> None:
        """Douglas: if ``c B B' - A A'`` is psd there is a new M with ``A = B M`` and ``c - M' M`` psd."""
        c, B, M = self.scalar(step["scale"]), self.read(step["left"], rows, step["size"]), step["new"]
        bound = minus(times(c, B, self.adjoint(B)), times(A, self.adjoint(A)))
        self._given(step["from"], "psd", bound, rows, rows)
        self._declare(M, step["size"], cols)
        self._learn(name, "zero", minus(A, times(B, word(M))), rows, cols)
        self._learn(f"{name}, bound", "psd", minus(c, word(M + "'", M)), cols, cols)

    def _radius(self, step: Any, name: str, L: Value, rows: str, cols: str) -> None:
        """Norms bound eigenvalues: if ``c - L L'`` is psd and ``1 - s c`` positive, ``s rho(L)^2 < 1``."""
        c, s = self.read(step["bound"], "1", "1"), self.scalar(step["scale"])
        self._given(step["from"], "psd", minus(c, times(L, self.adjoint(L))), rows, cols)
        self._given(step["positive"], "positive", minus(word(), times(s, c)), "1", "1")
        self._learn(name, "stable", L, rows, cols, s)

    def _rank(self, step: Any, name: str, A: Value, rows: str, cols: str) -> None:
        """``A = U V`` with a left inverse of U and a right inverse of V has the rank of their common size."""
        n, (product, left, right) = step["size"], step["from"]
        U, V = self.read(step["left"], rows, n), self.read(step["right"], n, cols)
        S, T = self.read(step["inverses"][0], n, rows), self.read(step["inverses"][1], cols, n)
        self._given(product, "zero", minus(A, times(U, V)), rows, cols)
        self._given(left, "zero", minus(times(S, U), word()), n, n)
        self._given(right, "zero", minus(times(V, T), word()), n, n)
        self._learn(name, "rank", A, rows, cols, n)


def check_certificate(data: Any) -> dict[str, Board]:
    """What the parts of a certificate derive, by their names; every conclusion is among the facts of its board.

    Raises:
        KropeError: something does not follow.
    """
    boards = {}
    try:
        for part in data["parts"]:
            board = boards[part["name"]] = Board(part)
            for step in part["steps"]:
                board.step(step)
            need(set(board.facts) - set(part["hypotheses"]) >= set(part["conclusions"]) != set(), "derive conclusions")
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as problem:
        raise problem if isinstance(problem, KropeError) else KropeError(f"certificate must fit; {problem!r}") from None
    return boards
