"""Certificates as files, and what checking one establishes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from time import process_time
from typing import Any

from proofs_check.prove import kernel
from proofs_check.prove.algebra import need
from proofs_check.prove.text import value_text
from proofs_check.prove.theorems import THEOREMS
from tabular_krope.errors import KropeError, unknown_name

#: Lemmas whose proof is more than a line.
NAMED = ("stein", "factor", "douglas", "radius", "rank")
#: Where the certificates of the statements are stored.
FOLDER = files("proofs_check.prove") / "certificates"


@dataclass(frozen=True, slots=True)
class Proof:
    """A certificate that was checked.

    Attributes:
        slug: what it is about.
        conclusions: what follows, for matrices of every size, in words.
        hypotheses: what it follows from, in words.
        lemmas: those with a name that were used; what is known of numbers and products is not among them.
        steps: their number.
        trusted: what connects hypotheses and conclusions with the statement.
        statement: whether these are the hypotheses and conclusions of a statement of the laboratory.
        seconds: of processor time that checking took.
    """

    slug: str
    conclusions: tuple[str, ...]
    hypotheses: tuple[str, ...]
    lemmas: tuple[str, ...]
    steps: int
    trusted: str
    statement: bool
    seconds: float


def check_certificate(data: Any) -> Proof:
    """Checks a certificate by the kernel; if it is about a statement, also that it proves that and nothing else.

    Raises:
        KropeError: something does not follow, or it is not what the statement says.

    >>> proof = check_certificate(load_certificate("mico-identity"))
    >>> proof.statement, proof.lemmas
    (True, ('stein',))
    >>> broken = load_certificate("mico-identity")
    >>> next(step for step in broken["parts"][0]["steps"] if "of" in step)["of"][0]["left"][0][0] = "2"
    >>> check_certificate(broken)
    Traceback (most recent call last):
        ...
    tabular_krope.errors.KropeError: the certificate must have terms that sum to what identity, pushed says
    """
    start = process_time()
    boards = kernel.check_certificate(data)
    try:
        slug, trusted = data["slug"], data.get("trusted", "")
        need(boards, "have a part")
        need(isinstance(slug, str) and isinstance(trusted, str), "have text in slug and trusted")
        if slug in THEOREMS:
            THEOREMS[slug].agrees(data, boards)
            need(trusted == THEOREMS[slug].trusted, f"say what is trusted of {slug}")
        return Proof(
            slug,
            tuple(
                f"{name}: {fact['says'] if slug in THEOREMS else _said(fact)}"
                for part in data["parts"]
                for name, fact in part["conclusions"].items()
            ),
            tuple(dict.fromkeys(_assumed(fact) for part in data["parts"] for fact in part["hypotheses"].values())),
            _named({step["lemma"] for part in data["parts"] for step in part["steps"] if "lemma" in step}),
            sum(len(part["steps"]) for part in data["parts"]),
            trusted,
            slug in THEOREMS,
            process_time() - start,
        )
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        form = KropeError(f"the certificate must define what it names and be of the documented form; got {problem}")
        raise problem if isinstance(problem, KropeError) else form from None


def _named(used: set[str]) -> tuple[str, ...]:
    """The lemmas with a name: "stein psd" is Stein's; those about numbers and products have none."""
    return tuple(name for name in NAMED if any(lemma.partition(" ")[0] == name for lemma in used))


def _said(fact: Mapping[str, Any]) -> str:
    """A fact in words of our own: those of a file may say anything."""
    says = {
        "zero": "= 0",
        "psd": "is positive semidefinite",
        "nonneg": ">= 0",
        "positive": "> 0",
        "stable": "contracts",
    }
    return f"{value_text(fact['terms'])} {says.get(fact['kind'], 'has the rank of an identity')}"


def _assumed(fact: Mapping[str, Any]) -> str:
    said, because = _said(fact), fact.get("because", "assumed")
    return said if because == said else f"{said} ({because})"


def load_certificate(slug: str) -> dict[str, Any]:
    """The stored certificate of a statement.

    >>> list(load_certificate("theorem-1")["parts"][0]["conclusions"])
    ['norm', 'radius']
    """
    if slug not in THEOREMS:
        raise unknown_name("slug", str(slug), THEOREMS)
    found: dict[str, Any] = json.loads((FOLDER / f"{slug}.json").read_text("utf-8"))
    return found


def certificate_text(data: Mapping[str, Any]) -> str:
    """A certificate as it is stored: JSON with a line for each letter, hypothesis and step."""
    head = {key: value for key, value in data.items() if key != "parts"}
    parts = [_part_text(part) for part in data["parts"]]
    return json.dumps(head, indent=1)[:-2] + ',\n "parts": [\n' + ",\n".join(parts) + "\n ]\n}\n"


def _part_text(part: Mapping[str, Any]) -> str:
    fields = []
    for key, value in part.items():
        if isinstance(value, dict) and value:
            lines = [f"    {json.dumps(name)}: {json.dumps(entry)}" for name, entry in value.items()]
            fields.append(f"   {json.dumps(key)}: {{\n" + ",\n".join(lines) + "\n   }")
        elif isinstance(value, list) and value:
            lines = [f"    {json.dumps(entry)}" for entry in value]
            fields.append(f"   {json.dumps(key)}: [\n" + ",\n".join(lines) + "\n   ]")
        else:
            fields.append(f"   {json.dumps(key)}: {json.dumps(value)}")
    return "  {\n" + ",\n".join(fields) + "\n  }"
