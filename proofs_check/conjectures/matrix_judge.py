"""Claims that a matrix is positive semidefinite: a certificate for every chain of every size, where one is found."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

from proofs_check.conjectures.conjecture_verdict import ConjectureTrial, ConjectureVerdict
from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.matrix_language import MATRIX_FUNCTIONS
from proofs_check.conjectures.question import Question
from proofs_check.conjectures.tree import Letter, Named, Node, Number, Operation, walk
from proofs_check.prove.matrix_question import NAMES, Premise, check_matrix_certificate, prove_matrix_claim
from proofs_check.prove.text import parse_value
from proofs_check.search.draws import known_cases, random_cases
from proofs_check.search.evidence import Progress
from proofs_check.search.extremes import small_extremes
from tabular_krope.errors import KropeError

#: Rational chains that are tried before a proof is looked for.
FIRST = 40


def prove_definite(
    question: Question, common: Mapping[str, Any], examples: int, seed: int, progress: Progress
) -> ConjectureVerdict | None:
    """The verdict "proved" on ``psd(...)`` with its certificate; None if none was found, or a chain refutes it.

    Small chains at the edges and a few random ones come before: where one of them refutes the claim no proof is looked
    for. Then it is tried without premises, what is true without them being true with them, unless such a chain refutes
    that; and last with those on gamma and R alone.
    """
    text = certificate_text(question)
    if text is None:
        return None
    progress("exact", 0.0)
    if _refuted_at_the_edges(question):
        return None
    tried, met = 0, 0
    for case in random_cases(question, min(FIRST, examples), seed, exact=True):
        finding = judge_case(question, case)
        if finding.refutes:
            return None
        tried, met = tried + 1, met + (finding.met > 0)
    progress("proving", 0.0)
    proof: Mapping[str, Any] | None = None
    used: tuple[tuple[str, str, str], ...] = ()
    for used in _attempts(question) if met else ():
        proof = prove_matrix_claim(text, question.conservative, used)
        if proof is not None:
            break
    if proof is None:
        return None
    check_matrix_certificate(text, question.conservative, proof, used)
    more = (question.premises or question.gamma is not None) and not used
    aside = " (the premises are not needed)" if more else ""
    return ConjectureVerdict(
        **{**common, "trials": (ConjectureTrial("exact", met, tried - met, 0, 0.0),)},
        outcome="proved",
        reason=f"by a certificate that was checked in rational arithmetic{aside}",
        proof={"theorem": "operator", "certificate": proof},
    )


def _refuted_at_the_edges(question: Question) -> bool:
    """Whether a chain that is known, or a small one at the edges, refutes the claim exactly."""
    return any(judge_case(question, case).refutes for case in chain(known_cases(question), small_extremes(question)))


def _attempts(question: Question) -> Iterator[tuple[Premise, ...]]:
    """The premises with which a proof is looked for: none, unless a chain refutes that; those on parameters."""
    used = parameter_premises(question)
    if not used or not _refuted_at_the_edges(replace(question, premises=(), gamma=None)):
        yield ()
    if used:
        yield used


def verify_definite(question: Question, proof: Mapping[str, Any]) -> str:
    """What a stored certificate establishes; raises if it does not prove the claim."""
    text = certificate_text(question)
    if text is None:
        raise KropeError(f"claim must be psd of {', '.join(NAMES)}, gamma and R; got {question.claim}")
    scope = f"for every {'conservative ' * question.conservative}chain of every size"
    try:
        check_matrix_certificate(text, question.conservative, proof["certificate"])
    except KropeError:
        used = parameter_premises(question)
        if not used:
            raise
        check_matrix_certificate(text, question.conservative, proof["certificate"], used)
        scope += f" with {', '.join(' '.join(premise) for premise in used)}"
    return f"{question.claim}, {scope}"


def parameter_premises(question: Question) -> tuple[Premise, ...]:
    """The premises on gamma and R alone, as the finder of certificates reads them; others are left aside.

    >>> from proofs_check.conjectures.question import ask
    >>> parameter_premises(ask("K >= 0", ["1/10 <= gamma < 1/2", "r[w] >= 0", "rho0 <= 1"], gamma="1/4"))
    (('gamma', '==', '1/4'), ('1/10', '<=', 'gamma'), ('gamma', '<', '1/2'))
    """
    found = [] if question.gamma is None else [("gamma", "==", str(question.gamma))]
    for premise in question.premises:
        for comparison in premise.comparisons:
            sides = [_side(side) for side in (comparison.left, comparison.right)]
            if None not in sides and comparison.sign != "!=":
                found.append((str(sides[0]), comparison.sign, str(sides[1])))
    return tuple(found)


def _side(node: Node) -> str | None:
    """A polynomial in gamma and R as text; None if it is anything else."""
    plain = ("+", "-", "*", "neg", "power", "/")
    for part in walk(node):
        known = isinstance(part, Number) or (isinstance(part, Named) and part.name in ("gamma", "R"))
        divides = isinstance(part, Operation) and part.name == "/" and not isinstance(part.parts[1], Number)
        raised = isinstance(part, Operation) and part.name == "power" and part.exponent < 0
        if not (known or (isinstance(part, Operation) and part.name in plain)) or divides or raised:
            return None
    if any(isinstance(part, Named) for part in walk(node)):
        return _written(node)
    return str(sum(parse_value(_written(node), ()).values()))


def certificate_text(question: Question) -> str | None:
    """A claim that a matrix is positive semidefinite as the finder of certificates reads it; None if it cannot.

    >>> from proofs_check.conjectures.question import ask
    >>> certificate_text(ask("P*P' <= K/2"))
    "psd((((1/2 * (K))) - (((P) * ((P)')))))"
    """
    body = question.claim.definite
    if body is None:
        return None
    for part in walk(body):
        letter = isinstance(part, Letter) and part.name not in (*NAMES, "I")
        scalar = isinstance(part, Named) and part.name not in ("gamma", "R")
        divides = isinstance(part, Operation) and part.name == "/" and not isinstance(part.parts[1], Number)
        number = isinstance(part, Operation) and part.name in MATRIX_FUNCTIONS
        if letter or scalar or divides or number:
            return None
    return f"psd({_written(body)})"


def _written(node: Node) -> str:
    if isinstance(node, Number):
        return str(node.value) if node.value >= 0 else f"(0 - {-node.value})"
    if isinstance(node, Letter):
        return "1" if node.name == "I" else node.name
    if isinstance(node, Named):
        return node.name
    assert isinstance(node, Operation)
    parts = [f"({_written(part)})" for part in node.parts]
    if node.name == "/":
        divisor = node.parts[1]
        assert isinstance(divisor, Number)
        return f"({_written(Number(1 / divisor.value))} * {parts[0]})"
    wrapped = {"transpose": f"{parts[0]}'", "neg": f"(0 - {parts[0]})", "power": f"{parts[0]}^{node.exponent}"}
    return wrapped[node.name] if node.name in wrapped else f"({parts[0]} {node.name} {parts[1]})"
