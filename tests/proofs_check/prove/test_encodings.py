"""What a certificate concludes is the statement's own violation, number by number.

On a true chain most conclusions are zeros, and zeros agree with anything. So the quantities are disturbed: the kernel,
the values or the iteration matrix are replaced by wrong ones, where the sides of the statement differ.
"""

import numpy as np
import pytest

from proofs_check import STATEMENTS
from proofs_check.arithmetic.linear_algebra import floats
from proofs_check.prove.theorems import THEOREMS
from proofs_check.statements.truncation.error_proof import approximations
from tests.proofs_check.corrupting import with_quantities
from tests.proofs_check.prove.readings import READINGS, truncated, truncation_error
from tests.proofs_check.prove.test_theorems import instances, value_of


def disturbed(case, rng):
    """The same chain with a wrong kernel, wrong MICo distances and wrong values."""
    noise = rng.standard_normal((2, case.X, case.X))
    q = case.q + rng.standard_normal(case.X)
    return with_quantities(case, K=case.K + noise[0] + noise[0].T, U=case.U + noise[1] + noise[1].T, q=q)


def concluded(slug, name, conclusion, letters):
    part = next(part for part in THEOREMS[slug].parts if part.name == name)
    claim = part.conclusions[conclusion]
    return value_of(part, claim.text, claim.shape, letters)


def sides(slug, case, k=0):
    """``rhs - lhs`` of a relation of the statement."""
    relation = STATEMENTS[slug].sides(case)[k]
    return np.asarray(relation.rhs) - np.asarray(relation.lhs)


def of(slug, name, seed=0, wrong=True):
    case = next(iter(instances(slug, name, False, 1)))
    return disturbed(case, np.random.default_rng(seed)) if wrong else case


def at_pairs(table, case):
    return table[0, case.X - 1]


#: slug, part, conclusion, relation of the statement, factor between the two.
AT_A_PAIR = (
    ("prop-distance-identity", "divisor 2", "identity", 0, lambda case: -1),
    ("cramer-identity", "identity", "identity", 0, lambda case: -case.R),
    ("mico-identity", "identity", "split", 1, lambda case: -2),
    ("value-bound-rkhs", "no episode ends", "bound", 0, lambda case: 1 - case.gamma),
)


@pytest.mark.parametrize(("slug", "name", "conclusion", "relation", "factor"), AT_A_PAIR)
def test_conclusions_at_a_pair(slug, name, conclusion, relation, factor):
    case = of(slug, name)
    found = concluded(slug, name, conclusion, READINGS[slug][name](case))[0, 0]
    stated = at_pairs(sides(slug, case, relation), case)
    assert abs(stated) > 1e-6
    assert np.isclose(found, factor(case) * stated)


def test_the_mico_identity():
    case = of("mico-identity", "identity")
    found = concluded("mico-identity", "identity", "identity", READINGS["mico-identity"]["identity"](case))
    assert np.allclose(found, -(1 - case.gamma) * case.R * sides("mico-identity", case))


def test_the_state_reduction():
    case = of("state-reduction", "states")
    letters = READINGS["state-reduction"]["states"](case)
    for conclusion, k in (("on states", 1), ("on pairs", 2)):
        found = concluded("state-reduction", "states", conclusion, letters)
        assert np.allclose(found, -sides("state-reduction", case, k))
        assert np.abs(found).max() > 1e-6


def test_the_triangle():
    case = of("sqrt-d-metric", "triangle")
    x, y, z = 0, case.X - 1, case.X // 2
    letters = READINGS["sqrt-d-metric"]["triangle"](case)
    assert np.isclose(
        concluded("sqrt-d-metric", "triangle", "factor 2", letters), sides("sqrt-d-metric", case, 1)[x, y, z]
    )
    over = letters["c"] - letters["a"] - letters["b"]
    if over > 0:
        stated = sides("sqrt-d-metric", case, 0)[x, y, z]
        assert np.isclose(concluded("sqrt-d-metric", "triangle", "roots", letters), stated)


def test_the_embedding():
    case = of("lemma-kernel-embedding", "bound", wrong=False)
    found = concluded("lemma-kernel-embedding", "bound", "bound", READINGS["lemma-kernel-embedding"]["bound"](case))
    stated = sides("lemma-kernel-embedding", case)[0, case.X - 1, case.X // 2]
    assert np.isclose(found, stated)


def test_the_mmd():
    case = of("lemma-mmd-zero", "bound", wrong=False)
    found = concluded("lemma-mmd-zero", "bound", "bound", READINGS["lemma-mmd-zero"]["bound"](case))
    assert np.isclose(found, sides("lemma-mmd-zero", case))


def test_the_contraction():
    case = of("lemma-contraction", "sup norm", wrong=False)
    letters = READINGS["lemma-contraction"]["sup norm"](case)
    both = [concluded("lemma-contraction", "sup norm", name, letters).min() for name in ("above", "below")]
    assert np.isclose(min(both), sides("lemma-contraction", case))


def test_bad_pairs():
    for name, sign in (("up to 2/3", 1), ("beyond", -1)):
        case = of("remark-bad-pairs", name, wrong=False)
        p = float(case.given["p"][0])
        found = concluded("remark-bad-pairs", name, *THEOREMS["remark-bad-pairs"].parts[sign < 0].conclusions, {"p": p})
        assert np.isclose(found, sides("remark-bad-pairs", case))


def test_the_bounds_on_values():
    slug = "value-bound-rkhs"
    case = of(slug, "any chain")
    letters, lo, hi = READINGS[slug]["any chain"](case), min(case.r), max(case.r)
    width = (1 - case.gamma) * (2 * case.R - hi + lo)
    k = 1 if case.conservative else 0
    assert np.isclose(concluded(slug, "any chain", "bound", letters), width * at_pairs(sides(slug, case, k), case))
    for conclusion, more, factor in (("rewards", 1, width / (1 - case.gamma)), ("values in the RKHS", 2, width)):
        least = np.linalg.eigvalsh(concluded(slug, "any chain", conclusion, letters))[0]
        assert np.isclose(least, factor * sides(slug, case, k + more))
    slug = "value-bound-independent"
    case = of(slug, "bound")
    letters = READINGS[slug]["bound"](case)
    both = [concluded(slug, "bound", name, letters)[0, 0] for name in ("repaired", "repaired below")]
    assert np.isclose(min(both), at_pairs(sides(slug, case), case))
    above = concluded(slug, "bound", "above", letters)
    assert np.allclose(np.minimum(above, above.T), sides(slug, case, 1))
    slug = "remark-deterministic"
    case = of(slug, "bound")
    letters = READINGS[slug]["bound"](case)
    both = [concluded(slug, "bound", name, letters)[0, 0] for name in ("above", "below")]
    assert np.isclose(min(both), at_pairs(sides(slug, case, 1), case))


#: The least eigenvalue of ``gamma - L L'`` is how far ``norm2(L)^2`` is below gamma.
NORMS = (
    ("definition-krope-representation", "norm", 1),
    ("rkhs-contraction", "norm", 1),
    ("remark-nonexpansive", "closer", 0),
)


@pytest.mark.parametrize(("slug", "name", "k"), NORMS)
def test_norms(slug, name, k):
    for case in instances(slug, name, False, 5):
        if len(READINGS[slug][name](case)["L"]):
            letters = READINGS[slug][name](case)
            least = np.linalg.eigvalsh(letters["gamma"] * np.eye(len(letters["L"])) - letters["L"] @ letters["L"].T)[0]
            assert np.isclose(least, sides(slug, case, k), atol=1e-6)
            if "norm" in next(part for part in THEOREMS[slug].parts if part.name == name).conclusions:
                assert np.isclose(np.linalg.eigvalsh(concluded(slug, name, "norm", letters))[0], least, atol=1e-9)


def test_the_spectral_radius():
    for case in instances("theorem-1", "stable", False, 5):
        L = concluded("theorem-1", "stable", "radius", READINGS["theorem-1"]["stable"](case))
        assert np.isclose(1 - np.max(np.abs(np.linalg.eigvals(L)), initial=0), sides("theorem-1", case), atol=1e-6)


def test_a_step_of_lspe():
    for case in instances("remark-nonexpansive", "closer", False, 3):
        found = concluded("remark-nonexpansive", "closer", "closer", READINGS["remark-nonexpansive"]["closer"](case))
        assert np.isclose(found, sides("remark-nonexpansive", case, 1), rtol=1e-5, atol=1e-6)


def test_the_residual_identity():
    case = of("residual-identity", "identity", wrong=False)
    letters = READINGS["residual-identity"]["identity"](case)
    wrong = letters["L"] + np.random.default_rng(0).standard_normal(letters["L"].shape)
    relation = STATEMENTS["residual-identity"].sides(case)[0]
    stated = wrong @ wrong.T - relation.rhs
    assert np.allclose(concluded("residual-identity", "identity", "identity", {**letters, "L": wrong}), stated)
    least = np.linalg.eigvalsh(concluded("residual-identity", "certificate", "norm", letters))[0]
    assert np.isclose(least, letters["least"] * sides("residual-identity", case, 1))


def test_truncations():
    for case in instances("truncation-stable", "one feature", False, 3):
        found = concluded(
            "truncation-stable", "one feature", "factor", READINGS["truncation-stable"]["one feature"](case)
        )
        assert np.isclose(found, sides("truncation-stable", case, 1), atol=1e-9)
        letters = READINGS["truncation-stable"]["norm"](case)
        assert np.linalg.eigvalsh(concluded("truncation-stable", "norm", "norm", letters))[0] >= -1e-9


def test_truncated_errors():
    slug = "truncated-lspe-error"
    for case in instances(slug, "error", False, 3):
        letters = truncation_error(case, truncated(case, 1))
        first = approximations(case)[0]
        share = 1 - case.gamma
        assert np.isclose(concluded(slug, "error", "in the RKHS", letters), first.rest - share * first.wrong, rtol=1e-4)
        stated = first.rest - share**2 * first.error[0] ** 2
        assert np.isclose(concluded(slug, "error", "at x", letters), stated, rtol=1e-4)


def test_features_in_a_span():
    slug = "feature-space-krope"
    for case in instances(slug, "norm", False, 3):
        letters = READINGS[slug]["norm"](case)
        for conclusion, k in (("definite", 0), ("in the span", 1)):
            value = concluded(slug, "norm", conclusion, letters)
            assert np.isclose(np.linalg.eigvalsh((value + value.T) / 2)[0], floats(sides(slug, case, k)), atol=1e-8)
