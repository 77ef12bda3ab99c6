"""The hypotheses of every certificate hold on real chains, and so do its conclusions: the encoding is of this world."""

import pkgutil
from importlib import import_module

import numpy as np
import pytest

from proofs_check import STATEMENTS
from proofs_check.arithmetic.linear_algebra import floats, identity, indefiniteness, is_exact, rank, rationals
from proofs_check.chains.witness import case_from_witness
from proofs_check.prove import theorems
from proofs_check.prove.text import parse_value
from proofs_check.prove.theorems import THEOREMS
from proofs_check.statements.distance.hilbert_proof import SQUARED_LINE
from tests.proofs_check.prove.readings import APPLIES, FLOATS_ONLY, READINGS, at

PARTS = [(theorem.slug, part.name) for theorem in THEOREMS.values() for part in theorem.parts]
#: Conditional statements about kernels with a null vector, and the chain that attains a constant.
ON_MADE_CHAINS = {
    ("lemma-kernel-embedding", "implication"),
    ("lemma-mmd-zero", "implication"),
    ("sqrt-d-metric", "attained"),
}
TOLERANCE = 1e-7


def value_of(part, text, shape, letters):
    """The number or matrix that a text stands for on an instance."""
    exact = any(is_exact(value) for name, value in letters.items() if name in (*part.letters, *part.parameters))
    sizes = {"1": 1}
    for name, letter in part.letters.items():
        if name in letters:
            sizes |= dict(zip(letter.shape, np.shape(letters[name]), strict=True))
    sizes.setdefault("rank of factors", len(letters["H"]) if "H" in letters else 0)
    number = (lambda f: rationals([str(f)])[0]) if exact else float
    total = 0 * identity(sizes[shape[0]], exact)[:, [0] * sizes[shape[1]]]
    for (parameters, word), coefficient in parse_value(text, part.parameters).items():
        term = identity(sizes[shape[0]], exact) * number(coefficient)
        for name in parameters:
            term = term * letters[name]
        for letter in word:
            matrix = letters[letter.removesuffix("'")]
            term = term @ (matrix.T if letter.endswith("'") else matrix)
        total = total + term
    return total


def violation(part, claim, letters):
    """How far a claim is from true, beyond rounding."""
    value = value_of(part, claim.text, claim.shape, letters)
    exact = is_exact(value)
    scale = (
        1
        if exact
        else max([1.0, *(float(np.max(np.abs(floats(letters[n])), initial=0)) for n in part.letters if n in letters)])
        ** 2
    )
    if claim.kind == "zero":
        return float(np.max(np.abs(floats(value)), initial=0)) / scale
    if claim.kind == "psd":
        return (indefiniteness((value + value.T) / 2) if value.size else 0) / scale
    if claim.kind == "nonneg":
        return float(np.max(-floats(value))) / scale
    if claim.kind == "positive":
        return 0.0 if value[0, 0] > 0 else 1.0
    if claim.kind == "stable":
        gamma = float(letters.get("gamma", 1)) if claim.more else 1.0
        return gamma * float(np.max(np.abs(np.linalg.eigvals(floats(value)))) ** 2) - 1
    return float(abs(rank(value) - letters["I"].shape[1]))


def instances(slug, name, exact, count):
    statement, made = STATEMENTS[slug], 0
    for seed in range(400):
        case = statement.instances(np.random.default_rng(seed), exact)
        if statement.premise(case) and APPLIES.get((slug, name), lambda case: True)(case):
            yield case
            made += 1
        if made == count:
            return


@pytest.mark.parametrize(("slug", "name"), [part for part in PARTS if part not in ON_MADE_CHAINS])
@pytest.mark.parametrize("exact", [False, True])
def test_hypotheses_and_conclusions_hold_on_chains(slug, name, exact):
    if exact and (slug, name) in FLOATS_ONLY:
        pytest.skip("its letters are irrational")
    part = next(part for part in THEOREMS[slug].parts if part.name == name)
    tried = 0
    for case in instances(slug, name, exact, 4 if exact else 8):
        letters = READINGS[slug][name](case)
        for kind, claims in (("hypothesis", part.hypotheses), ("conclusion", part.conclusions)):
            for label, claim in claims.items():
                assert violation(part, claim, letters) <= (0 if exact else TOLERANCE), (kind, label)
        tried += 1
    assert tried >= 2


def test_the_implication_about_kernels_with_a_null_vector():
    k = rationals([[1, 1, 2], [1, 1, 2], [2, 2, 5]])
    letters = {"k": k, "x": rationals([[1], [0], [0]]), "y": rationals([[0], [1], [0]])}
    part = THEOREMS["lemma-kernel-embedding"].parts[1]
    for claim in (*part.hypotheses.values(), *part.conclusions.values()):
        assert violation(part, claim, letters) <= 0
    letters["y"] = rationals([[0], [0], [1]])
    assert violation(part, part.hypotheses["d"], letters) > 0
    assert violation(part, part.conclusions["same"], letters) > 0


def test_the_implication_about_mmds():
    case = next(iter(instances("lemma-mmd-zero", "implication", True, 1)))
    letters = READINGS["lemma-mmd-zero"]["bound"](case)
    part = THEOREMS["lemma-mmd-zero"].parts[1]
    for name in ("gamma", "kernel", "reward kernel", "full rank"):
        assert violation(part, part.hypotheses[name], letters) <= 0
    for p, zero in ((letters["p"], False), (0 * letters["p"], True)):
        for claim in (part.hypotheses["MMD"], part.conclusions["same"]):
            assert (violation(part, claim, {**letters, "p": p}) == 0) == zero


def test_the_factor_two_is_attained_on_the_zoo_chain():
    case = case_from_witness(SQUARED_LINE)
    letters = at(case, 0, 1, 2)
    part = THEOREMS["sqrt-d-metric"].parts[1]
    for claim in (*part.hypotheses.values(), *part.conclusions.values()):
        assert violation(part, claim, letters) == 0
    assert case.d[0, 1] == 18


def test_every_theorem_is_listed_under_its_subject_and_no_other():
    names = [info.name for info in pkgutil.iter_modules(theorems.__path__) if info.name != "letters"]
    assert set(theorems.SUBJECTS) == set(names)
    for subject, slugs in theorems.SUBJECTS.items():
        stated = import_module(f"proofs_check.prove.theorems.{subject}").THEOREMS
        assert tuple(theorem.slug for theorem in stated) == slugs
