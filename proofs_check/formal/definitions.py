"""The definitions of the library, each with the comment above it: what the words of a theorem mean."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_DEFINITION = re.compile(
    r"^(?:\(\*((?:(?!\*\)).)*)\*\)\n)?((?:Definition|Fixpoint|Record)\s+([\w']+).*?\.)$", re.MULTILINE | re.DOTALL
)
_WORD = re.compile(r"[\w']+")


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition.

    Attributes:
        name: in Coq.
        file: without the suffix.
        meaning: the comment above it, on one line; empty if there is none.
        text: as it is written.
    """

    name: str
    file: str
    meaning: str
    text: str


def read_definitions(sources: Mapping[str, str]) -> dict[str, Definition]:
    """Definitions by name; of two with one name the first.

    >>> found = read_definitions({"a": "(* twice\\n   n *)\\nDefinition double n :=\\n  n + n.\\nLemma b : True.\\n"})
    >>> found["double"].meaning, found["double"].text
    ('twice n', 'Definition double n :=\\n  n + n.')
    """
    out: dict[str, Definition] = {}
    for file, text in sources.items():
        for comment, body, name in _DEFINITION.findall(text):
            out.setdefault(name, Definition(name, file, " ".join(comment.split()), body))
    return out


def words_used(statement: str, known: Mapping[str, Definition]) -> list[str]:
    """Defined names in a statement, in the order in which they occur.

    >>> known = read_definitions({"a": "Definition f n := n.\\nDefinition g n := f n.\\n"})
    >>> words_used("forall n, g n = f n", known)
    ['g', 'f']
    """
    return list(dict.fromkeys(word for word in _WORD.findall(statement) if word in known))


def all_words_used(statements: Iterable[str], known: Mapping[str, Definition]) -> list[str]:
    """The same for many statements, and for the definitions that they use in their turn; sorted.

    >>> known = read_definitions({"a": "Definition f n := n.\\nDefinition g n := f n.\\nDefinition h n := n.\\n"})
    >>> all_words_used(["g 1 = 1"], known)
    ['f', 'g']
    """
    found: set[str] = set()
    waiting = {word for statement in statements for word in words_used(statement, known)}
    while waiting:
        found |= waiting
        waiting = {other for word in waiting for other in words_used(known[word].text, known)} - found
    return sorted(found)
