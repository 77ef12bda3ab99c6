"""Checks certificates: derivations of facts about real matrices of every size, in a free *-algebra over the rationals.

A value is a sum of terms ``[number, scalars, letters]``: a rational, scalars that commute, and a word of matrices,
where ``P'`` is the transpose of ``P``. A fact says that a value is "zero", "psd" (positive semidefinite), "nonneg"
(every entry), "positive" (a number), "stable" (``c >= 0`` and ``c rho(value)**2 < 1``, by the scalar c) or of the
"rank" of an identity (by that). Facts are declared hypotheses or follow in one of two ways: as a sum of known facts, or
by a lemma of lemmas.json, proved in docs/proofs.md, with values in the place of its letters. Values are compared by
expansion alone: a step names every fact that it uses.
"""

import json
import re
from collections import namedtuple
from pathlib import Path
from typing import Any

from proofs_check.prove.algebra import Value, is_scalar, minus, need, plus, rational, times, word
from tabular_krope.errors import KropeError

Fact = namedtuple("Fact", "kind value rows cols by")  # by: more values, with their rows and columns
KINDS = ("zero", "psd", "nonneg", "positive", "stable")  # what may be assumed; the first three may be sums
LEMMAS = json.loads((Path(__file__).parent / "lemmas.json").read_text("utf-8"))


class Board:
    """Letters with their shapes, and the facts known so far, by name."""

    def __init__(self, part: Any) -> None:
        self.letters, self.sizes, self.facts = {}, {"1"}, {}  # type: ignore[var-annotated]
        for name, letter in part["symbols"].items():
            rows, cols = letter["shape"]
            self.sizes |= {rows, cols}
            self._declare(name, rows, cols, letter.get("symmetric", False), letter.get("scalar", False))
        for name, fact in part["hypotheses"].items():
            need(fact["kind"] in KINDS, f"assume a known kind in {name}")
            self._learn(name, self.fact(fact))

    def _declare(self, name: str, rows: str, cols: str, symmetric: bool = False, scalar: bool = False) -> None:
        need(re.fullmatch(r"\w+", name) and name not in self.letters, f"declare {name} once, as a word")
        fits = (rows == cols or not symmetric) and (rows == cols == "1" or not scalar)
        need(fits, f"declare {name} square if it is symmetric, a number if it is a scalar")
        self.letters[name] = (rows, cols, symmetric, scalar)

    def _learn(self, name: str, fact: Fact) -> None:
        square = {"psd": fact.rows == fact.cols, "stable": fact.rows == fact.cols}
        fits = {**square, "positive": fact.rows == fact.cols == "1"}.get(fact.kind, True)
        need(fits and name not in self.facts, f"have one fact {name}, square where it has to be")
        self.facts[name] = fact

    def read(self, terms: Any, rows: str, cols: str) -> Value:
        """The value of terms, each word of which must lead from ``rows`` to ``cols``."""
        need({rows, cols} <= self.sizes, f"have sizes of declared letters; got {rows}, {cols}")
        found = []
        for number, scalars, letters in terms:
            need(all(self.letters[name][3] for name in scalars), f"have scalars beside numbers; got {scalars}")
            at = rows
            for letter in letters:
                shape = self.letters[letter.removesuffix("'")][:2]
                need(at == shape[letter.endswith("'")], f"have shapes that fit; got {letters}")
                at = shape[not letter.endswith("'")]
            need(at == cols, f"have words from {rows} to {cols}; got {letters}")
            key = tuple(sorted(scalars)), tuple(self._flip(self._flip(letter)) for letter in letters)
            found.append({key: rational(number)})
        return plus(*found)

    def fact(self, given: Any) -> Fact:
        """A fact as it is written: its kind, shape and terms, and what it is "by"."""
        by = [(self.read(more["terms"], *more["shape"]), *more["shape"]) for more in given.get("by", ())]
        rows, cols = given["shape"]
        return Fact(given["kind"], self.read(given["terms"], rows, cols), rows, cols, by)

    def _flip(self, letter: str) -> str:
        name = letter.removesuffix("'")
        return name if letter != name or self.letters[name][2] else name + "'"

    def adjoint(self, value: Value) -> Value:
        """The transpose."""
        return {(m, tuple(self._flip(x) for x in reversed(letters))): n for (m, letters), n in value.items()}

    def step(self, step: Any) -> None:
        """Checks one step and learns what follows."""
        (self._lemma if "lemma" in step else self._sum)(step, step["name"])

    def _sum(self, step: Any, name: str) -> None:
        """A sum of facts of its kind, with positive rational weights, and of multiples of zeros."""
        goal = self.fact(step)
        need(goal.kind in KINDS[:3], f"sum to zero, psd or nonneg in {name}")
        rest = goal.value
        for item in step["of"]:
            fact = self.facts[item["fact"]]
            if fact.kind == "zero":
                left, right = (
                    self.read(item["left"], goal.rows, fact.rows),
                    self.read(item["right"], fact.cols, goal.cols),
                )
                rest = minus(rest, times(left, fact.value, right))
            else:
                need(fact[2:4] == goal[2:4], f"add facts of one shape in {name}")
                need(fact.kind == goal.kind, f"use {item['fact']} as {fact.kind}, not as {goal.kind}")
                need(rational(item["times"]) > 0, f"have positive weights in {name}; got {item['times']}")
                rest = minus(rest, times({((), ()): rational(item["times"])}, fact.value))
        rest = plus(rest, self.adjoint(rest)) if goal.rows == goal.cols == "1" else rest  # a number is its transpose
        need(not rest, f"have terms that sum to what {name} says")
        self._learn(name, goal)

    def _lemma(self, step: Any, name: str) -> None:
        """What a lemma says once its sizes and letters are replaced: "new" ones by new names, others by values."""
        lemma, sizes = LEMMAS[step["lemma"]], {**step["sizes"], "1": "1"}
        values: dict[str, Value] = {}
        unknown = {size for size, given in sizes.items() if given not in self.sizes}
        need(unknown == set(lemma["new"]) - set(lemma["symbols"]), f"have new sizes where the lemma has, in {name}")
        self.sizes |= set(sizes.values())
        for letter, symbol in lemma["symbols"].items():
            given, (rows, cols) = step["with"][letter], (sizes[size] for size in symbol["shape"])
            if letter in lemma["new"]:
                self._declare(given, rows, cols)
            values[letter] = word(given) if letter in lemma["new"] else self.read(given, rows, cols)
            values[letter + "'"] = self.adjoint(values[letter])
            need(is_scalar(values[letter]) or not symbol.get("scalar"), f"have a scalar for {letter} in {name}")

        def said(given: Any) -> Any:
            words = [times({((), ()): rational(n)}, *(values[x] for x in (*m, *w))) for n, m, w in given["terms"]]
            return (plus(*words), *(sizes[size] for size in given["shape"]))

        def fact(given: Any) -> Fact:
            return Fact._make((given["kind"], *said(given), [said(more) for more in given.get("by", ())]))

        for role, given in lemma["hypotheses"].items():
            need(self.facts[step["from"][role]] == fact(given), f"know by {role!r} what {name} needs")
        for ending, given in lemma["conclusions"].items():
            self._learn(name + ending, fact(given))


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
            need(part["conclusions"] and not set(part["conclusions"]) & set(part["hypotheses"]), "derive conclusions")
            for name, fact in part["conclusions"].items():
                need(board.facts[name] == board.fact(fact), f"derive the conclusion {name}")
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as problem:
        form = KropeError(f"certificate must define what it names and be of the documented form; got {problem}")
        raise problem if isinstance(problem, KropeError) else form from None
    return boards
