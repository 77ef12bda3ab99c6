"""Theorems about matrices of every size, as values: letters, hypotheses and conclusions, before any proof.

What a stored certificate has to prove is said here and nowhere else: `Theorem.agrees` compares its hypotheses and its
conclusions with these, term by term.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from proofs_check.prove.algebra import need
from proofs_check.prove.kernel import Board
from proofs_check.prove.text import parse_value, terms_of

Shape = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Letter:
    """A matrix of unknown size.

    Attributes:
        shape: names of its numbers of rows and columns; "1" is the number 1.
        meaning: in words.
        symmetric: whether it is its own transpose.
    """

    shape: Shape
    meaning: str
    symmetric: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """A fact that is assumed or concluded.

    Attributes:
        kind: "zero", "psd", "nonneg", "positive", "stable" or "rank".
        text: the value, as `parse_value` reads it.
        shape: of the value.
        why: what it says, or why it may be assumed.
        more: names of the scalars in the scale of "stable"; the size of "rank".
    """

    kind: str
    text: str
    shape: Shape
    why: str
    more: Any = None


@dataclass(frozen=True, slots=True)
class Part:
    """One implication: from the hypotheses the conclusions, for matrices of every size.

    Attributes:
        name: unique within its theorem.
        parameters: scalars by name, with their meaning.
        letters: matrices by name.
        hypotheses, conclusions: by name.
    """

    name: str
    parameters: Mapping[str, str]
    letters: Mapping[str, Letter]
    hypotheses: Mapping[str, Claim]
    conclusions: Mapping[str, Claim]

    def header(self) -> dict[str, Any]:
        """The declarations of a certificate: everything but its steps."""
        return {
            "name": self.name,
            "symbols": {
                **{
                    name: {"shape": ["1", "1"], "scalar": True, "meaning": why} for name, why in self.parameters.items()
                },
                **{name: _symbol(letter) for name, letter in self.letters.items()},
            },
            "hypotheses": {name: {**self.fact(claim), "because": claim.why} for name, claim in self.hypotheses.items()},
        }

    def concluded(self) -> dict[str, Any]:
        """The conclusions as they stand in a certificate."""
        return {name: {**self.fact(claim), "says": claim.why} for name, claim in self.conclusions.items()}

    def value(self, text: str) -> Any:
        """The terms of a text in the letters of this part."""
        return terms_of(parse_value(text, self.parameters))

    def fact(self, claim: Claim) -> dict[str, Any]:
        """A claim as it stands in a certificate."""
        out = {"kind": claim.kind, "shape": list(claim.shape), "terms": self.value(claim.text)}
        if claim.kind == "stable":
            scale = " ".join(f"({self.hypotheses[name].text})" for name in claim.more) or "1"
            return {**out, "by": [{"shape": ["1", "1"], "terms": self.value(scale)}]}
        if claim.kind == "rank":
            return {**out, "by": [{"shape": [claim.more] * 2, "terms": self.value("1")}]}
        return out


@dataclass(frozen=True, slots=True)
class Theorem:
    """What is to be proved of a statement.

    Attributes:
        slug: of the statement.
        parts: all of them together are the statement.
        trusted: what connects the parts with the statement, in words: which lemmas give the hypotheses.
    """

    slug: str
    parts: tuple[Part, ...]
    trusted: str

    def agrees(self, data: Mapping[str, Any], boards: Mapping[str, Board]) -> None:
        """Refuses a certificate that assumes or concludes anything else.

        Args:
            data: the certificate.
            boards: what `check_certificate` found about it.
        """
        need(data["slug"] == self.slug, f"be about {self.slug}; got {data['slug']}")
        names = [part.name for part in self.parts]
        need([part["name"] for part in data["parts"]] == names, f"have the parts {names}")
        for part, given in zip(self.parts, data["parts"], strict=True):
            board, wanted = boards[part.name], Board(part.header())
            need(set(given["symbols"]) == set(wanted.letters), f"have the letters of {part.name}")
            for name in wanted.letters:
                need(board.letters[name] == wanted.letters[name], f"have the letter {name} of {part.name}")
            need(set(given["hypotheses"]) == set(part.hypotheses), f"have the hypotheses of {part.name}")
            for name in part.hypotheses:
                need(board.facts[name] == wanted.facts[name], f"have the hypothesis {name!r} of {part.name}")
            need(set(given["conclusions"]) == set(part.conclusions), f"have the conclusions of {part.name}")
            for name, fact in part.concluded().items():
                need(board.facts[name] == board.fact(fact), f"conclude {name!r} of {part.name}")
            need(
                _words(given) == _words({**part.header(), "conclusions": part.concluded()}),
                f"say what {part.name} says",
            )


def _words(part: Mapping[str, Any]) -> dict[tuple[str, str], Any]:
    """What a part tells its reader: the meaning of letters, why it assumes what it does, and what it concludes."""
    told = {"symbols": "meaning", "hypotheses": "because", "conclusions": "says"}
    return {(field, name): entry.get(word) for field, word in told.items() for name, entry in part[field].items()}


def _symbol(letter: Letter) -> dict[str, Any]:
    out = {"shape": list(letter.shape), "meaning": letter.meaning}
    return {**out, "symmetric": True} if letter.symmetric else out
