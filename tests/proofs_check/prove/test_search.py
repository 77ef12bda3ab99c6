"""The finder: true claims get certificates that the kernel accepts, false ones get none."""

import pytest

from proofs_check.prove import check_certificate, find_certificate
from proofs_check.prove.theorems import THEOREMS
from tabular_krope.errors import KropeError
from tests.proofs_check.prove.acceptance import accepts


def asked(slug, name, conclusion):
    """A conclusion of a theorem as a question."""
    part = next(part for part in THEOREMS[slug].parts if part.name == name)
    claim = part.conclusions[conclusion]
    letters = {name: (*letter.shape, *["symmetric"] * letter.symmetric) for name, letter in part.letters.items()}
    scalars = {
        name: f"{c.text} {'>' if c.kind == 'positive' else '>='} 0"
        for name, c in part.hypotheses.items()
        if c.shape == ("1", "1") and c.kind in ("nonneg", "positive")
    }
    hypotheses = {
        name: (c.kind, c.text, c.more if c.kind == "stable" else c.shape)
        for name, c in part.hypotheses.items()
        if name not in scalars and c.kind != "nonneg"
    }
    return claim.text, claim.shape, letters, hypotheses, scalars, claim.kind


FOUND = (
    ("theorem-1", "stable", "norm"),
    ("definition-krope-representation", "norm", "norm"),
    ("rkhs-contraction", "norm", "contraction"),
    ("residual-identity", "identity", "identity"),
    ("lemma-mmd-zero", "bound", "bound"),
    ("mico-identity", "identity", "identity"),
    ("prop-distance-identity", "any divisor", "identity"),
    ("value-bound-rkhs", "equal rewards", "values in the RKHS"),
    ("state-reduction", "states", "only"),
    ("feature-space-krope", "norm", "definite"),
)


@pytest.mark.parametrize(("slug", "name", "conclusion"), FOUND)
def test_it_finds_what_the_theorems_need(slug, name, conclusion):
    data = find_certificate(*asked(slug, name, conclusion))
    assert data is not None
    assert check_certificate(data).steps
    assert accepts(data)


@pytest.mark.parametrize(
    "goal", ["gamma - 2 L L'", "gamma^2 - L L'", "L L' - gamma", "gamma - L' L + 1/2 L L' - gamma", "Bplus B - 1"]
)
def test_it_finds_nothing_for_what_is_false(goal):
    _, shape, letters, hypotheses, scalars, _ = asked("theorem-1", "stable", "norm")
    assert find_certificate(goal, shape, letters, hypotheses, scalars) is None


def test_users_claims():
    symmetric = {"K": ("X", "X", "symmetric"), "A": ("X", "X", "symmetric"), "P": ("X", "X"), "Q": ("X", "X")}
    kernels = {"K": ("psd", "K"), "A": ("psd", "A")}
    sure = find_certificate("P K P' + 2 A + Q Q'", ("X", "X"), symmetric, kernels)
    assert check_certificate(sure).conclusions == ("goal: P K P' + 2 A + Q Q' is positive semidefinite",)
    mixed = find_certificate("P P' + Q Q' - P Q' - Q P'", ("X", "X"), symmetric, {})
    assert check_certificate(mixed).steps == 3  # one, a square, their sum
    assert find_certificate("P P' - Q Q'", ("X", "X"), symmetric, {}) is None
    assert find_certificate("K - A", ("X", "X"), symmetric, kernels) is None
    assert find_certificate("K A", ("X", "X"), symmetric, kernels) is None


def test_bad_questions_are_named():
    with pytest.raises(KropeError, match="scalars must be inequalities"):
        find_certificate("K", ("X", "X"), {"K": ("X", "X")}, {}, {"g": "gamma"})
    with pytest.raises(KropeError, match="must have a shape"):
        find_certificate("K", ("X", "X"), {"K": ("X", "X")}, {"one": ("zero", "1 - 1/2")})
