"""Steps of a certificate, written down one by one: sums, lemmas, and the small lemmas that a sum needs. Untrusted."""

from collections.abc import Mapping, Sequence
from typing import Any

from proofs_check.prove.algebra import Value, rational, times, word
from proofs_check.prove.kernel import Board
from proofs_check.prove.text import terms_of

#: Lemmas that turn a number of one kind into one of another.
NUMBERS = {
    ("nonneg", "psd"): "nonneg number",
    ("psd", "nonneg"): "psd number",
    ("positive", "nonneg"): "positive number",
}


class Steps:
    """Steps, each of which the kernel accepted.

    A name with a prime stands for the transpose of the fact; facts that are made on the way are made once.

    Args:
        board: what is known before the first.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.steps: list[dict[str, Any]] = []

    def take(self, step: dict[str, Any]) -> None:
        """One more step."""
        self.board.step(step)
        self.steps.append(step)

    def lemma(self, name: str, lemma: str, given: Mapping[str, Any], facts: Mapping[str, str], **sizes: str) -> str:
        """What a lemma says: ``given`` are values for its letters (names for new ones), ``facts`` its hypotheses."""
        values = {letter: value if isinstance(value, str) else terms_of(value) for letter, value in given.items()}
        if name not in self.board.facts:
            self.take({"name": name, "lemma": lemma, "sizes": sizes, "with": values, "from": dict(facts)})
        return name

    def used_as(self, name: str, kind: str) -> str:
        """The fact as one of this kind, transposed if asked: a positive number is nonneg, a nonneg one is psd."""
        bare = name.removesuffix("'")
        fact = self.board.facts[bare]
        if fact.kind != kind and fact.rows == fact.cols == "1":
            way = kind if (fact.kind, kind) in NUMBERS else "nonneg"
            if (fact.kind, way) in NUMBERS:
                made = self.lemma(f"{bare}, {way}", NUMBERS[fact.kind, way], {"a": fact.value}, {"of": bare})
                return self.used_as(made, kind)
        if name == bare or kind not in ("zero", "nonneg"):
            return bare
        return self.lemma(
            f"{bare}, transposed", f"transposed {kind}", {"A": fact.value}, {"of": bare}, m=fact.rows, n=fact.cols
        )

    def scalar(self, names: Sequence[str]) -> tuple[str, Value]:
        """A nonneg fact whose value is the product of these, and the value."""
        made = self.product(names) if names else self.lemma("one", "one", {}, {})
        return made, self.board.facts[made].value

    def product(self, names: Sequence[str]) -> str:
        """The fact that a product of nonneg facts is nonneg."""
        first = self.used_as(names[0], "nonneg")
        for name in names[1:]:
            second = self.used_as(name, "nonneg")
            A, B = self.board.facts[first], self.board.facts[second]
            given, facts = {"A": A.value, "B": B.value}, {"first": first, "second": second}
            made = f"{first} times {second}"
            first = self.lemma(made, "nonneg product", given, facts, m=A.rows, k=A.cols, n=B.cols)
        return first

    def scaled(self, names: Sequence[str], fact: str) -> str:
        """A nonneg fact times nonneg scalars."""
        if not names:
            return fact
        scale, c = self.scalar(names)
        known = self.board.facts[fact]
        facts = {"scale": scale, "nonneg": fact}
        sizes = {"m": known.rows, "n": known.cols}
        return self.lemma(f"{scale} by {fact}", "scaled", {"c": c, "A": known.value}, facts, **sizes)

    def square(self, name: str, names: Sequence[str], v: Value, rows: str, of: str) -> str:
        """The psd fact ``c v F v'``, c the product of nonneg scalars; ``of`` is the fact F, or ``[d]`` for v v'."""
        scale, c = self.scalar(names)
        if of.startswith("["):
            return self.lemma(name, "square", {"c": c, "V": v}, {"scale": scale}, n=rows, m=of[1:-1])
        fact = self.used_as(of, "psd")
        if not names and v == word():
            return fact
        F = self.board.facts[fact]
        facts = {"scale": scale, "psd": fact}
        return self.lemma(name, "congruence", {"c": c, "V": v, "F": F.value}, facts, n=rows, m=F.rows)

    def canceled(self, name: str, source: str, positive: str, value: Value) -> None:
        """From the fact ``source`` about a multiple of the value by a positive scalar, that about the value."""
        kind, _, rows, cols, _ = self.board.facts[source]
        sizes = {"n": cols} if kind == "psd" else {"m": rows, "n": cols}
        given = {"p": self.board.facts[positive].value, "A": value}
        self.lemma(name, f"cancel {kind}", given, {"positive": positive, "multiple": source}, **sizes)

    def number(self, name: str, number: str, names: Sequence[str]) -> tuple[str, Value]:
        """A nonneg fact whose value is a positive rational times nonneg scalars, and the value."""
        fact, c = self.scalar(names)
        value = times({((), ()): rational(number)}, c)
        if value != c:
            terms = terms_of(value)
            of = [{"fact": fact, "times": number}]
            self.take({"name": name, "kind": "nonneg", "shape": ["1", "1"], "terms": terms, "of": of})
            fact = name
        return fact, value
