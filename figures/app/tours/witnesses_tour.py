"""The exact chains that refute statements: what breaks on each, as a sentence in fractions."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from figures.app.tours.uploads import read_upload
from proofs_check.chains.witness import case_from_witness
from proofs_check.show.witness_rows import view_sides
from proofs_check.statements.registry import STATEMENTS
from proofs_check.statements.statement import Statement
from tabular_krope.errors import KropeError
from tabular_krope.named.models import Subject

#: Parts of a witness that a model file holds.
KEPT = ("P_pi", "r", "gamma", "end", "weights", "reward_range")

#: What a card calls each refuted statement, and how its broken relation reads: {lhs} and {rhs} are the sides, {i}, {j}
#: and {k} the pairs at which it breaks, {rho} is the factor of LSPE on the witness's feature, {later} two steps ahead.
TITLES: Mapping[str, tuple[str, str]] = {
    "lemma-value-bound": ("The printed value bound", "|q({i}) \u2212 q({j})| = {lhs}, but the bound says {rhs}"),
    "d-pseudometric": ("The distance is a metric", "d({i}, {j}) = {lhs} > {rhs} = d({i}, {k}) + d({k}, {j})"),
    "truncation-unweighted-stable": ("Any cut of the kernel is stable", "\u03c1(L) = {rho}, which is not below 1"),
    "closed-data-suffices": ("Data that are closed under steps suffice", "\u03c1(L) = {rho} > {gamma} = \u03b3"),
    "independent-rows-suffice": ("Independent features of the data suffice", "\u03c1(L) = {rho} > {gamma} = \u03b3"),
    "independent-features-unique": ("Independent features, one fixed point", "L = {rho}: no fixed point at all"),
    "td-implies-fitted": ("Where TD converges, LSPE does", "TD converges, and LSPE's factor is {rho}"),
    "n-step-monotone": (
        "More steps ahead are as stable",
        "one step ahead the factor is {rho}, two steps ahead {later}",
    ),
    "theorem-2-without-injectivity": (
        "Distance zero makes groups complete",
        "pairs {i} and {j} are at distance 0, and their discounted odds to reach some group differ by {lhs}",
    ),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """One card of the gallery.

    Attributes:
        slug, number: which statement, and which of its witnesses.
        title: what is refuted, in a few words.
        claim, formula: of the statement, in words and in LaTeX.
        broken: the relation that breaks, in fractions.
        witness: in serialized form.
    """

    slug: str
    number: int
    title: str
    claim: str
    formula: str
    broken: str
    witness: Mapping[str, Any]

    @property
    def key(self) -> str:
        """How the laboratory calls it."""
        return f"witness:{self.slug}:{self.number}"

    @property
    def text(self) -> str:
        """The witness as a file holds it."""
        return json.dumps(self.witness)


@lru_cache(maxsize=1)
def gallery() -> tuple[Shown, ...]:
    """Every witness of a refuted statement.

    >>> [(one.slug, one.broken) for one in gallery()][0]
    ('lemma-value-bound', '|q(0) \u2212 q(1)| = 81/10, but the bound says 81/20')
    """
    return tuple(
        _shown(STATEMENTS[slug], number, witness)
        for slug in TITLES
        for number, witness in enumerate(STATEMENTS[slug].witnesses)
    )


def witness_subject(key: str) -> Subject:
    """The model of a witness that the laboratory asks for by its key, with its data weights and features.

    >>> witness_subject("witness:lemma-value-bound:0").model.n_pairs
    6
    """
    for one in gallery():
        if one.key == key:
            kept = {name: one.witness[name] for name in KEPT if name in one.witness}
            subject = read_upload(f"{one.slug}.json", json.dumps(kept).encode())
            if "phi" not in one.witness:
                return subject
            phi = np.array([[float(Fraction(value)) for value in row] for row in one.witness["phi"]])
            return replace(subject, features=phi)
    raise KropeError(f"key must name a witness, such as {gallery()[0].key}; got {key!r}")


def growth(witness: Mapping[str, Any], ahead: int = 1) -> Fraction:
    """The factor of LSPE that looks ``ahead`` steps on the one feature of a witness: gamma^n phi'D P^n phi / phi'D phi.

    >>> growth({"P_pi": [["0", "1"], ["0", "1"]], "gamma": "1/2", "phi": [["1"], ["6"]], "weights": ["1", "0"]})
    Fraction(3, 1)
    """
    phi = [Fraction(row[0]) for row in witness["phi"]]
    after = phi
    for _ in range(ahead):
        after = [
            sum((Fraction(p) * f for p, f in zip(row, after, strict=True)), Fraction(0)) for row in witness["P_pi"]
        ]
    D = [Fraction(weight) for weight in witness["weights"]]
    up = sum((w * f * g for w, f, g in zip(D, phi, after, strict=True)), Fraction(0))
    return Fraction(witness["gamma"]) ** ahead * up / sum((w * f * f for w, f in zip(D, phi, strict=True)), Fraction(0))


def _shown(statement: Statement, number: int, witness: Mapping[str, Any]) -> Shown:
    title, pattern = TITLES[statement.slug]
    side = next(view for view in view_sides(statement, witness) if not view.holds)
    places: dict[str, Any] = dict(zip("ijk", side.index, strict=False))
    if statement.slug == "theorem-2-without-injectivity":
        places |= dict(zip("ij", _twins(witness), strict=True))
    if "phi" in witness:
        places |= {"rho": growth(witness), "later": growth(witness, 2)}
    broken = pattern.format(lhs=side.lhs, rhs=side.rhs, gamma=witness["gamma"], **places)
    return Shown(statement.slug, number, title, statement.claim, statement.formula, broken, witness)


def _twins(witness: Mapping[str, Any]) -> tuple[int, int]:
    """The first two pairs at distance zero whose transitions differ."""
    case = case_from_witness(witness)
    d = np.asarray(case.d)
    for x in range(case.X):
        for y in range(x + 1, case.X):
            if d[x, y] == 0 and list(witness["P_pi"][x]) != list(witness["P_pi"][y]):
                return x, y
    raise KropeError("witness must have two pairs at distance 0 with different transitions; got none")
