"""Counterexamples in serialized form, and their verification from that form alone."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from flint import fmpq

from proofs_check.arithmetic.reals import Number, decimal
from proofs_check.chains.case import Case
from proofs_check.chains.witness import case_from_witness, witness_from_case
from proofs_check.conjectures.exact_judge import ExactFinding, judge_case
from proofs_check.conjectures.question import Question, ask
from tabular_krope.errors import KropeError


def serialize(question: Question, case: Case) -> dict[str, Any]:
    """A rational chain as a witness: ``P_pi``, ``r``, ``gamma`` and what else matters, with fractions as strings.

    Where the number of states matters, ``P`` and ``Pi`` with ``P Pi = P_pi`` are in it too.
    """
    given = {"P": case.P, "Pi": case.Pi} if question.structured else {}
    given |= {name: case.given[name] for name in question.given}
    witness = witness_from_case(replace(case, given=given))
    if not question.weighted:
        witness.pop("weights", None)
    return witness


def chain_of(witness: Mapping[str, Any]) -> Case:
    """The rational chain that a witness describes.

    >>> chain_of({"P_pi": [["1"]], "r": ["1"], "gamma": "1/2"}).q
    array([2], dtype=object)
    """
    case = case_from_witness(witness)
    if "P" not in case.given:
        return case
    P, Pi = case.given["P"], case.given["Pi"]
    others = {name: value for name, value in case.given.items() if name not in ("P", "Pi")}
    whole = replace(case, P=P, Pi=Pi, given=others)
    whole.exact_mrp()  # rows that do not sum to 1 are refused
    if (P @ Pi != case.P).any():
        raise KropeError("witness must have P_pi equal to P Pi; got matrices that differ")
    return whole


def verify(refutation: Mapping[str, Any]) -> ExactFinding:
    """Judge a refutation again from what ``--json`` wrote, and nothing else.

    Args:
        refutation: its ``claim``, ``assume``, ``witness``, ``at`` and ``settings``.

    Returns:
        The exact finding at the witness. Raises KropeError unless the claim fails there, at the place it names.
    """
    settings = refutation["settings"]
    question = ask(
        refutation["claim"],
        refutation["assume"],
        conservative=settings["conservative"],
        gamma=settings["gamma"],
        dim=settings["dim"],
        features=settings.get("features"),
        classes=settings.get("classes", ()),
    )
    case = chain_of(refutation["witness"])
    missing = sorted(question.given - set(case.given))
    if missing:
        raise KropeError(f"witness must have {missing[0]}; got none")
    if not question.about(case):
        raise KropeError("witness must be a chain that the conjecture is about; got another")
    finding = judge_case(question, case)
    if finding.at is None or dict(finding.at) != dict(refutation["at"]):
        raise KropeError(f"witness must refute the claim at {refutation['at']}; got {finding.at}")
    return finding


def side_text(value: Number) -> str:
    """A side as a fraction, or as a decimal if it is irrational.

    >>> side_text(fmpq(3, 4))
    '3/4'
    """
    return str(value) if isinstance(value, fmpq) else decimal(value, 15)
