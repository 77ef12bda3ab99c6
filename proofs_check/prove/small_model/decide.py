"""A question put to the small-model prover: proved, decided, refuted, or why it is left to the search."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from proofs_check.conjectures.question import Question
from proofs_check.conjectures.tree import Named, Node, Operation, walk
from proofs_check.prove.small_model import reduction
from proofs_check.prove.small_model.cases import cases
from proofs_check.prove.small_model.curvature import Outside, require_covered
from proofs_check.prove.small_model.parameter_conditions import region_of
from proofs_check.prove.small_model.patience import patience
from proofs_check.prove.small_model.quantities import SmallModel
from proofs_check.prove.small_model.reduction import Evaluation, Goal, Split, Void
from proofs_check.prove.small_model.region import Region, TooManyCorners
from proofs_check.prove.small_model.rules import find
from proofs_check.prove.small_model.surds import Nested


def signs(region: Region) -> Any:
    """The sign of an expression in parameters: by arithmetic where it can be told, else by its form."""
    chart = region.chart()
    model = SmallModel(region.conservative, dict.fromkeys(range(region.k), 0))

    def sign_of(node: Node, pairs: dict[str, int]) -> int | None:
        assert chart is not None
        if isinstance(node, Named) and node.name == "K1":
            return 1
        if any(isinstance(part, Named) and part.name == "K1" for part in walk(node)):
            return structural(node, pairs)  # its formula depends on the order of the rewards
        try:
            return Evaluation(model, region, chart, pairs).sign(Evaluation(model, region, chart, pairs)(node).plain)
        except (Split, Void, Nested, KeyError):
            pass
        return structural(node, pairs)

    def structural(node: Node, pairs: dict[str, int]) -> int | None:
        if not isinstance(node, Operation):
            return None
        parts = [sign_of(part, pairs) for part in node.parts]
        if node.name in ("abs", "sqrt") or (node.name == "power" and node.exponent % 2 == 0):
            return 1
        if node.name in ("*", "/") and None not in parts:
            return parts[0] * parts[1]  # type: ignore[operator]
        if node.name in ("+", "min") and all(part == 1 for part in parts):
            return 1
        if node.name in ("max", "power") and 1 in parts:
            return 1
        return None

    return sign_of


@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """Certificates of everything that a question was reduced to, as a file has them."""

    certificates: tuple[dict[str, Any], ...]


def all_goals(question: Question) -> Iterator[Goal]:
    """Everything that has to be shown; raises `Outside` if the theorem does not cover the question."""
    parts = regions(question)
    if not parts:
        raise Outside("its premises exclude each other")
    for region in parts:
        yield from _goals_in(question, region)


def regions(question: Question) -> list[Region]:
    """The parameters that a question is about, in parts; none if its premises exclude each other."""
    found = (region_of(case)[0] for case in cases(question))
    return [region for region in found if region is not None and region.chart() is not None]


def _goals_in(question: Question, region: Region) -> Iterator[Goal]:
    pairs = {name: i for i, name in enumerate(question.claim.indices)}
    if len(pairs) > 4:
        raise Outside("it speaks of more than four pairs")
    sign_of = signs(region)
    for comparison in question.claim.comparisons:
        require_covered(comparison, lambda node: sign_of(node, pairs))
    try:
        for comparison in question.claim.comparisons:
            for flat in (False, True):
                yield from reduction.goals(question, comparison, region, lambda node: sign_of(node, pairs), flat)
    except TooManyCorners:
        raise Outside("its premises have too many corners") from None


def prove(question: Question) -> Proof | None:
    """Certificates for a question; None if some were not found. Raises `Outside` if the theorem does not cover it."""
    found: dict[str, dict[str, Any]] = {}
    order = []
    with patience():
        for goal in all_goals(question):
            certificates = _met(goal, found)
            if certificates is None:
                return None
            order += certificates
    unique = list({id(certificate): certificate for certificate in order}.values())
    return Proof(tuple(unique))


def _met(goal: Goal, found: dict[str, dict[str, Any]]) -> list[dict[str, Any]] | None:
    for problems in goal.alternatives:
        certificates = []
        for problem in problems:
            key = str(problem.as_json())
            if key not in found:
                proof = find(problem)
                if proof is None:
                    break
                found[key] = {"problem": problem.as_json(), "proof": proof}
            certificates.append(found[key])
        else:
            return certificates
    return None
