"""The order of the report, what can be filtered, and what falls with a statement."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from proofs_check.judging.verdict import Verdict
from proofs_check.show.summary import is_proved
from proofs_check.statements.statement import Statement

#: What a reader may hide: the class of a row and section, and its words.
VERDICTS = {
    "is-refuted": "refuted",
    "is-flawed": "holds, a printed step is false",
    "is-holds": "holds",
    "is-other": "vacuous or unproved",
}
EVIDENCE = {"by-proof": "proved", "by-witness": "exact witness", "by-rationals": "rationals", "by-samples": "samples"}


def reading_order(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Surprises first, then what is refuted, what holds though a printed step is false, and the rest.

    >>> kinds = [("a", "holds", None), ("b", "holds", "step"), ("c", "refuted", None)]
    >>> found = [Verdict(s, "", o, "exact", 1, 0, 0.0, first_false_step=f, expected=o, expected_false_step=f)
    ...          for s, o, f in kinds]
    >>> [verdict.slug for verdict in reading_order(found)]
    ['c', 'b', 'a']
    """
    places = {"is-refuted": 1, "is-other": 2, "is-flawed": 3, "is-holds": 4}
    return sorted(verdicts, key=lambda one: places[verdict_class(one)] if one.as_expected else 0)


def verdict_class(verdict: Verdict) -> str:
    """One of `VERDICTS`."""
    if verdict.outcome == "holds":
        return "is-flawed" if verdict.first_false_step else "is-holds"
    return "is-refuted" if verdict.outcome == "refuted" else "is-other"


def evidence_class(verdict: Verdict) -> str:
    """One of `EVIDENCE`.

    >>> evidence_class(Verdict("s", "c", "holds", "exact", 1, 0, 0.0))
    'by-rationals'
    """
    if is_proved(verdict):
        return "by-proof"
    return {"witness": "by-witness", "exact": "by-rationals", "identity": "by-rationals"}.get(
        verdict.evidence, "by-samples"
    )


def classes(verdict: Verdict) -> str:
    """The classes of a row or section."""
    return f"{verdict_class(verdict)} {evidence_class(verdict)}"


def filters(verdicts: Sequence[Verdict]) -> str:
    """Boxes to tick, for the kinds that occur; without a script: the style sheet hides what is not ticked."""
    groups = []
    for words, kinds, kind_of in (("Verdict", VERDICTS, verdict_class), ("Evidence", EVIDENCE, evidence_class)):
        found = [kind_of(verdict) for verdict in verdicts]
        boxes = "".join(
            f'<label class="{kind}"><input type="checkbox" id="show-{kind}" checked> {escape(told)} '
            f"<small>{found.count(kind)}</small></label>"
            for kind, told in kinds.items()
            if kind in found
        )
        groups.append(f"<fieldset><legend>{words}</legend>{boxes}</fieldset>")
    return f'<div class="filters">{"".join(groups)}</div>'


def filter_rules() -> str:
    """The part of the style sheet that hides what is not ticked."""
    return "\n".join(
        f"body:has(#show-{kind}:not(:checked)) :is(tr, section).{kind} {{ display: none !important; }}"
        for kind in (*VERDICTS, *EVIDENCE)
    )


def falls_with(statements: Mapping[str, Statement]) -> dict[str, tuple[list[str], list[str]]]:
    """For each statement the ones whose proof uses it, and all whose proof falls if it is false, in their order.

    >>> from proofs_check.statements.registry import STATEMENTS
    >>> used_by, fall = falls_with(STATEMENTS)["rkhs-contraction"]
    >>> "truncation-stable" in used_by, set(used_by) <= set(fall)
    (True, True)
    """
    users: dict[str, list[str]] = {slug: [] for slug in statements}
    for slug, statement in statements.items():
        for used in statement.uses:
            users.setdefault(used, []).append(slug)
    found = {}
    for slug in statements:
        fall, waiting = set(), list(users[slug])
        while waiting:
            above = waiting.pop()
            if above not in fall:
                fall.add(above)
                waiting += users[above]
        found[slug] = (users[slug], [one for one in statements if one in fall])
    return found
