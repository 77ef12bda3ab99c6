"""A claim of the reader's own: proved with its certificate, or refuted by a chain that shrinks step by step."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from figures.parts.witness_graph import MOST_PAIRS, witness_svg
from proofs_check.chains.case import Case
from proofs_check.conjectures.conjecture_verdict import ConjectureVerdict
from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.judge import conjecture
from proofs_check.conjectures.question import ask
from proofs_check.conjectures.witnesses import serialize, side_text
from proofs_check.show.witness_rows import short

#: Random chains that are tried: a reader waits for it.
EXAMPLES = 60
#: Frames of the film of shrinking, and characters of a certificate that are shown.
FRAMES, CERTIFICATE = 9, 6000
#: Claims to begin with.
CLAIMS = (
    "d[x,z] <= d[x,y] + d[y,z]",
    "d[x,z] <= 2*(d[x,y] + d[y,z])",
    "abs(q[x]-q[y]) <= R/(2*(1-gamma)) * d[x,y]",
    "K[x,y] <= 1/(1-gamma)",
    "abs(q[x]-q[y]) <= U[x,y]",
    "psd(gamma*P*K*P' <= K)",
    "norm <= sqrt(gamma)",
)
SIGNS = {"<=": "\u2264", ">=": "\u2265", "==": "=", "<": "&lt;", ">": "&gt;"}
GOOD = {"proved": True, "decided": True, "holds": None, "refuted": False, "inconclusive": None, "vacuous": None}


@dataclass(frozen=True, slots=True)
class Frame:
    """One chain on the way of shrinking: serialized, with both sides of the claim on it."""

    witness: Mapping[str, Any]
    left: str
    sign: str
    right: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict, and the chains on the way to its witness."""

    verdict: ConjectureVerdict
    frames: tuple[Frame, ...]


@lru_cache(maxsize=64)
def compute(claim: str = CLAIMS[0], premise: str = "", conservative: bool = False) -> Judged:
    """Judge a claim.

    >>> found = compute("d[x,z] <= d[x,y] + d[y,z]")
    >>> found.verdict.outcome, len(found.frames[0].witness["r"]), len(found.frames[-1].witness["r"])
    ('refuted', 5, 3)
    """
    assume = (premise,) if premise.strip() else ()
    on_the_way: list[Case] = []
    verdict = conjecture(claim, assume, conservative, examples=EXAMPLES, seen=on_the_way.append)
    if not on_the_way:
        return Judged(verdict, ())
    question = ask(claim, assume, conservative)
    frames = []
    for case in thinned(on_the_way, FRAMES):
        finding = judge_case(question, case)
        frames.append(Frame(serialize(question, case), side_text(finding.left), finding.sign, side_text(finding.right)))
    return Judged(verdict, tuple(frames))


def thinned(cases: Sequence[Case], most: int) -> list[Case]:
    """At most so many, evenly, the first and the last among them.

    >>> thinned(range(10), 4)
    [0, 3, 6, 9]
    """
    if len(cases) <= most:
        return list(cases)
    return [cases[round(k * (len(cases) - 1) / (most - 1))] for k in range(most)]


def words(found: Judged) -> str:
    """The verdict in a sentence or two (HTML-safe text but for its emphasis)."""
    verdict = found.verdict
    if verdict.outcome == "proved":
        return "<b>Proved</b> for every chain of every size; the certificate was checked in exact arithmetic."
    if verdict.outcome == "decided":
        return "<b>Decided</b> by a solver for every chain of every size; no certificate was found."
    if verdict.outcome == "refuted":
        if not verdict.left:
            return "<b>Refuted</b> by an exact chain."
        pairs = len(verdict.witness["r"]) if verdict.witness else 0
        where = ", ".join(f"{index} = {pair}" for index, pair in (verdict.at or {}).items())
        sides = f"the left side is <b>{short(verdict.left)}</b> and the right side <b>{short(verdict.right)}</b>"
        chain = f"a chain of {pairs} pair{'' if pairs == 1 else 's'}{', at ' + where if where else ''}"
        return f"<b>Refuted</b> on {chain}: {sides}."
    if verdict.outcome == "holds":
        return f"<b>Not refuted</b> by {verdict.tried:,} chains, which is no proof."
    return f"<b>{verdict.outcome.capitalize()}</b>: nothing was decided."


def film(found: Judged) -> str:
    """The chains on the way, a frame each, of which the page shows one at a time."""
    frames = []
    for k, frame in enumerate(found.frames):
        pairs = len(frame.witness["r"])
        graph = witness_svg(frame.witness, f"frame{k}") if pairs <= MOST_PAIRS else f"<p>{pairs} pairs</p>"
        false = f"{short(frame.left)} {SIGNS.get(frame.sign, frame.sign)} {short(frame.right)} is false"
        said = f"{pairs} pairs, \u03b3 = {short(str(frame.witness['gamma']))}: {false}"
        frames.append(f'<div class="film-frame graph" data-only="{k}">{graph}<p class="broken">{said}</p></div>')
    return f'<div class="frames">{"".join(frames)}</div>'


def certificate(found: Judged) -> str:
    """The certificate as text, cut off where it is very long."""
    text = json.dumps(found.verdict.proof)
    return text if len(text) <= CERTIFICATE else f"{text[:CERTIFICATE]} ... ({len(text):,} characters)"
