"""Whether the documents in an answer of ``krope worst`` are about the expression and the bounds that it names."""

from collections.abc import Mapping
from typing import Any

from proofs_check.conjectures.parse import parse
from proofs_check.conjectures.question import Question, ask
from proofs_check.conjectures.tree import Node, Operation
from proofs_check.prove.best_constant.constant import CERTIFIED, NEARLY
from proofs_check.prove.best_constant.ratio import ONE, Asked, read
from proofs_check.prove.small_model.curvature import varies
from tabular_krope.errors import KropeError


def require_agreement(data: Mapping[str, Any]) -> None:
    """Refuses an answer whose proof or chains are about another expression, other chains or another constant.

    Raises:
        KropeError: with what does not agree.
    """
    asked = _asked(data)
    if data.get("upper") is not None:
        _require_upper(data, asked)
    elif data["upper_bound"] is not None:
        raise KropeError(f"upper must prove the bound {data['upper_bound']}; got nothing")
    constants = [_constant(asked, document) for document in data["chains"]]
    lower = data["lower_bound"]
    if constants and lower is not None:
        nearly = _bound(asked, f"{NEARLY} * ({lower})")
        if nearly not in constants:
            raise KropeError(f"chains must come near the lower bound {lower}; got chains for other constants")


def _asked(data: Mapping[str, Any]) -> Asked:
    if type(data["conservative"]) is not bool:
        raise KropeError(f"conservative must be true or false; got {data['conservative']!r}")
    premises = (*data["assume"], *data["fixed"])
    return read(data["expression"], premises, data["conservative"], data.get("gamma"), data.get("dim"))


def _require_upper(data: Mapping[str, Any], asked: Asked) -> None:
    document = data["upper"]
    if document.get("kind") == "certificate":
        known = CERTIFIED.get(asked.text)
        if known is None or data["upper_bound"] != known[0] or document["slug"] != known[1 + (asked.dim is not None)]:
            raise KropeError(f"upper must be about {asked.text} <= {data['upper_bound']}; got {document['slug']}")
        return
    wanted = asked.claim(data["upper_bound"])
    if document["outcome"] != "proved" or not _same(_question(document), wanted):
        raise KropeError(f"upper must be a proof of {wanted.claim}; got {document['claim']}")


def _constant(asked: Asked, document: Mapping[str, Any]) -> Node:
    """The constant that a chain exceeds: its document refutes ``top <= constant * bottom``."""
    question = _question(document)
    right = question.claim.comparisons[0].right
    if asked.bottom != ONE:
        right = right.parts[0] if isinstance(right, Operation) and right.name == "*" else right
    if document["outcome"] != "refuted" or varies(right) or not _about(asked, right, question):
        raise KropeError(f"chains must exceed a multiple of {asked.text}; got {document['claim']}")
    return right


def _about(asked: Asked, constant: Node, question: Question) -> bool:
    found, wanted = question.claim.comparisons, asked.claim("1").claim.comparisons[0]
    bound = constant if asked.bottom == ONE else Operation("*", (constant, asked.bottom))
    same = len(found) == 1 and (found[0].left, found[0].sign, found[0].right) == (wanted.left, "<=", bound)
    return same and _same(question, asked.claim("1"), claim=False)


def _bound(asked: Asked, constant: str) -> Node:
    right = asked.claim(constant).claim.comparisons[0].right
    return right.parts[0] if asked.bottom != ONE and isinstance(right, Operation) else right


def _question(document: Mapping[str, Any]) -> Question:
    settings = document["settings"]
    return ask(document["claim"], document["assume"], settings["conservative"], settings["gamma"], settings["dim"])


def _same(one: Question, other: Question, claim: bool = True) -> bool:
    """Whether two questions are about the same chains, and claim the same."""

    def parts(question: Question) -> tuple[Any, ...]:
        premises = [premise.comparisons for premise in question.premises]
        return question.exists, question.conservative, question.gamma, question.dim, premises

    agree = parts(one) == parts(other)
    return agree and (not claim or parse(str(one.claim)).comparisons == parse(str(other.claim)).comparisons)
