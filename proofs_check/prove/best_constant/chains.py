"""Exact chains that show how large a quotient gets, each as a refutation of a smaller constant."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from flint import fmpq

from proofs_check.arithmetic.reals import Number, decimal
from proofs_check.chains.case import Case
from proofs_check.conjectures.evaluate import Exacts, evaluate
from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.exact_quantities import ExactQuantities
from proofs_check.conjectures.tree import Node
from proofs_check.conjectures.witnesses import serialize, verify
from proofs_check.prove.best_constant.ratio import Asked
from proofs_check.prove.small_model.small_chain import Point, chain


def chain_at(asked: Asked, places: Mapping[str, fmpq], parameters: Mapping[str, fmpq]) -> Case:
    """The chain of k + 2 pairs at a point of the small model."""
    k = len(asked.claim("1").claim.indices)
    return chain(Point.of({**places, **parameters}, k, asked.conservative))


def value_on(asked: Asked, case: Case, node: Node, first: bool = True) -> Number:
    """A side on a chain, exactly: at its first pairs, or the largest over all pairs."""
    question = asked.question(f"{asked.text} <= 1")
    values = evaluate(node, Exacts(ExactQuantities(case, asked.dim), case.X, question.axes))
    if first:
        return values[tuple(min(i, n - 1) for i, n in zip(range(values.ndim), values.shape, strict=True))]
    entries = [v for v in np.ravel(values) if isinstance(v, fmpq) or hasattr(v, "enclose")]
    return max(entries, key=lambda v: float(decimal(v, 17)), default=None)


def refutation(asked: Asked, case: Case, constant: str) -> dict[str, Any] | None:
    """A document that shows that ``top <= constant * bottom`` fails on a chain; None if it does not."""
    question = asked.claim(constant)
    finding = judge_case(question, case)
    if not finding.refutes or not question.about(case):
        return None
    document = {
        "kind": "conjecture",
        "claim": str(question.claim),
        "assume": [str(premise) for premise in question.premises],
        "outcome": "refuted",
        "witness": serialize(question, case),
        "at": dict(finding.at or {}),
        "settings": {
            "conservative": question.conservative,
            "gamma": None if question.gamma is None else str(question.gamma),
            "dim": question.dim,
        },
    }
    verify(json.loads(json.dumps(document)))
    return document
