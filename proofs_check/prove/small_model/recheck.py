"""A proof of the small-model prover checked again from its file: the reduction is redone, the certificates are read."""

import json
from collections.abc import Mapping
from typing import Any

from proofs_check.conjectures.question import Question
from proofs_check.prove.small_model.checker import Rejected, check
from proofs_check.prove.small_model.curvature import Outside
from proofs_check.prove.small_model.decide import all_goals
from tabular_krope.errors import KropeError


def recheck(question: Question, certificates: Any) -> int:
    """How many inequalities a claim was reduced to, all of which a file's certificates prove.

    Raises:
        KropeError: the claim is not covered, a certificate is wrong, or one is missing.

    >>> from proofs_check.conjectures.question import ask
    >>> from proofs_check.prove.small_model.decide import prove
    >>> question = ask("life[x] >= 1")
    >>> recheck(question, prove(question).certificates)
    2
    >>> recheck(ask("life[x] >= 2"), prove(question).certificates)
    Traceback (most recent call last):
    tabular_krope.errors.KropeError: the proof must have a certificate for every part of the claim; got none for part 1
    """
    if not isinstance(certificates, list | tuple):
        raise KropeError(f"certificates must be a list; got {type(certificates).__name__}")
    proved = set()
    for i, certificate in enumerate(certificates):
        try:
            check(certificate["problem"], certificate["proof"])
            proved.add(fingerprint(certificate["problem"]))
        except Rejected as reason:
            raise KropeError(f"certificates[{i}] must prove its goal; got {reason}") from None
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as problem:
            raise KropeError(f"certificates[{i}] must be of the documented form; got {problem!r}") from None
    parts = 0
    try:
        for parts, goal in enumerate(all_goals(question), start=1):
            if not any(
                all(fingerprint(problem.as_json()) in proved for problem in problems) for problems in goal.alternatives
            ):
                raise KropeError(
                    f"the proof must have a certificate for every part of the claim; got none for part {parts}"
                )
    except Outside as reason:
        raise KropeError(f"the claim must be one that the small-model theorem covers; got {reason}") from None
    if not parts:
        raise KropeError("the claim must say something about some chain; got one that is undefined on all")
    return len(proved)


def fingerprint(problem: Mapping[str, Any]) -> str:
    """A problem as text that does not depend on the order of terms or constraints."""

    def terms(p: Any) -> list[Any]:
        return sorted([str(c), sorted(powers.items())] for c, powers in p)

    parts = [
        terms(problem["goal"]),
        bool(problem["strict"]),
        sorted(problem["nonnegative"]),
        sorted(problem["positive"]),
    ]
    parts += [sorted(sorted(block) for block in problem["simplices"]), sorted(problem["free"])]
    for name in ("constraints", "above"):
        parts.append(sorted(json.dumps(terms(g)) for g in problem.get(name, [])))
    return json.dumps(parts)
