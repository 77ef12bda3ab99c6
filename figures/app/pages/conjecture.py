"""The conjecture box: type an inequality, see it proved, or see the counterexample shrink."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from html import escape
from typing import Any

from figures.app import page_parts
from figures.app.controls import Choice, Control, Line
from figures.app.drawing.figure import Drawn
from figures.app.page_sheet import Answer, Asked, Sheet
from figures.app.tours import conjecture_tour as tour
from proofs_check.conjectures.language import FUNCTIONS, QUANTITIES

LEAD = r"""
Type an inequality about [[KROPE]]. It is claimed for **all** [[pair|pairs]] of **every** chain: either a
[[certificate]] proves that, or an exact chain on which it fails shrinks before your eyes.
"""


def _controls(asked: Asked) -> Sequence[Control]:
    return (
        Line("claim", "claim", tour.CLAIMS[0], button=""),
        Choice("chains", "chains", {"all": "all", "conservative": "only those in which no episode ends"}, "all"),
        Line("premise", "premise, may be empty", ""),
    )


def _chips() -> str:
    chips = "".join(
        f'<button type="button" data-fill="{escape(json.dumps(["claim", claim]))}">{escape(claim)}</button>'
        for claim in tour.CLAIMS
    )
    return f'<div class="chips" aria-label="claims to try">{chips}</div>'


def _language() -> str:
    known = [(one.written, one.meaning) for one in QUANTITIES.values()]
    known += [(one.written, one.meaning) for one in FUNCTIONS.values()]
    rows = [[f"<code>{escape(written)}</code>", escape(meaning)] for written, meaning in known]
    return f"<details><summary>What a claim may name</summary>{page_parts.table(['write', 'meaning'], rows)}</details>"


def _certificate(found: tour.Judged) -> str:
    return f'<div class="certificate"><pre>{escape(tour.certificate(found))}</pre></div>'


def _tried(found: tour.Judged) -> str:
    rows = [
        [escape(trial.level), f"{trial.tried:,}", str(trial.failed), str(trial.confirmed)]
        for trial in found.verdict.trials
    ]
    return page_parts.table(["evidence", "chains", "suspected", "confirmed"], rows)


def _figures(found: tour.Judged) -> list[Drawn]:
    verdict = found.verdict
    if verdict.proof is not None:
        return [Drawn("", "The certificate, as a file holds it", partial(_certificate, found))]
    if found.frames:
        first, last = (len(found.frames[k].witness["r"]) for k in (0, -1))
        title = f"From a chain of {first} pairs to one of {last}: each still refutes the claim"
        return [Drawn("", title, partial(tour.film, found), len(found.frames) - 1)]
    return [Drawn("", "What was tried", partial(_tried, found))]


def _answer(values: Mapping[str, Any], asked: Asked) -> Answer:
    found = tour.compute(values["claim"], values["premise"], values["chains"] == "conservative")
    verdict = found.verdict
    code = f"krope conjecture {json.dumps(values['claim'])}"
    code += f" --assume {json.dumps(values['premise'])}" if values["premise"].strip() else ""
    code += " --conservative" if values["chains"] == "conservative" else ""
    words = f"{tour.words(found)} {page_parts.number('outcome', verdict.outcome).replace('<span', '<span hidden')}"
    return Answer(
        words, tour.GOOD[verdict.outcome], _figures(found), f"<p>Try one of these:</p>{_chips()}{_language()}", code
    )


SHEET = Sheet(LEAD, _controls, _answer)
