"""The ``.v`` files: what they import, in which order they compile, and what they must not contain."""

import re
from collections.abc import Mapping
from graphlib import TopologicalSorter

from tabular_krope.errors import KropeError

_IMPORT = re.compile(r"From\s+Krope\s+Require\s+(?:Import|Export)\s+([\w\s]+?)\s*\.(?=\s)")
#: Words that leave a hole in a proof, declare something without proof, or switch a check of Coq off.
_FORBIDDEN = re.compile(
    r"\b(Admitted|admit|give_up|Axioms?|Parameters?|Conjectures?|Guard\s+Checking|Positivity\s+Checking"
    r"|Universe\s+Checking|bypass_check)\b"
)


def without_comments(text: str) -> str:
    """A source whose comments (nested ones too) and strings are blanked; line numbers stay.

    >>> without_comments('Lemma a (* not (* Admitted *) *) : "Axiom".')
    'Lemma a    : " ".'
    """
    out, depth, quoted, k = [], 0, False, 0
    while k < len(text):
        pair = text[k : k + 2]
        if not quoted and pair in ("(*", "*)"):
            depth += 1 if pair == "(*" else -(depth > 0)
            out.append(" " if depth == (pair == "(*") else "")
            k += 2
            continue
        if text[k] == '"' and not depth:
            quoted = not quoted
            out.append('"' if quoted else ' "')
        elif text[k] == "\n" or not (depth or quoted):
            out.append(text[k])
        k += 1
    return "".join(out)


def requires(text: str) -> set[str]:
    """Names of the files that a source imports from this library.

    >>> sorted(requires("From Krope Require Import psd stein.\\nFrom mathcomp Require Import ring.\\n"))
    ['psd', 'stein']
    """
    return {name for names in _IMPORT.findall(without_comments(text) + "\n") for name in names.split()}


def dependencies(sources: Mapping[str, str]) -> dict[str, set[str]]:
    """What each file waits for.

    >>> dependencies({"a": "From Krope Require Import b.\\n", "b": ""})
    {'a': {'b'}, 'b': set()}
    """
    needs = {name: requires(text) for name, text in sources.items()}
    for name, wanted in needs.items():
        for missing in sorted(wanted - needs.keys()):
            raise KropeError(f"{name}.v must import files of the library; got {missing!r}")
    TopologicalSorter(needs).prepare()  # a circle is an error here, not a hang later
    return needs


def holes(sources: Mapping[str, str]) -> list[str]:
    """Every place where a source leaves a proof out, as ``file:line: word``.

    >>> holes({"a": "Lemma x : 0 = 1.\\nProof. Admitted.\\n"})
    ['a.v:2: Admitted']
    """
    found = []
    for name, text in sources.items():
        for number, line in enumerate(without_comments(text).splitlines(), start=1):
            found += [f"{name}.v:{number}: {match.group(1)}" for match in _FORBIDDEN.finditer(line)]
    return found
