"""Which theorem stands for which statement: the one that carries its slug."""

import re
from collections.abc import Iterable, Mapping

from proofs_check.formal.sources import without_comments
from tabular_krope.errors import KropeError

#: Theorems that no statement of the registry stands for: the rules that certificates and decisions rest on.
RULES = ("stein-positivity", "stein-uniqueness", "small-model")

_THEOREM = re.compile(r"^\s*(?:Theorem|Corollary|Lemma)\s+([\w']+)", re.MULTILINE)


def theorem_name(slug: str) -> str:
    """The theorem's name in Coq; of a refuted claim it proves the negation.

    >>> theorem_name("d-pseudometric")
    'd_pseudometric'
    """
    return slug.replace("-", "_")


def find_theorems(sources: Mapping[str, str], slugs: Iterable[str]) -> dict[str, tuple[str, str]]:
    """``slug: (file, theorem)`` for every slug that has one; two for one slug are an error.

    >>> find_theorems({"a": "Theorem theorem_1 : True.\\n"}, ["theorem-1", "theorem-2"])
    {'theorem-1': ('a', 'theorem_1')}
    """
    places: dict[str, list[str]] = {}
    for file, text in sources.items():
        for name in _THEOREM.findall(without_comments(text)):
            places.setdefault(name, []).append(file)
    out: dict[str, tuple[str, str]] = {}
    for slug in slugs:
        name = theorem_name(slug)
        found = [(file, name) for file in places.get(name, [])]
        if len(found) > 1:
            shown = ", ".join(f"{file}.{name}" for file, name in found)
            raise KropeError(f"theorem of {slug!r} must be one; got {shown}")
        if found:
            out[slug] = found[0]
    return out
