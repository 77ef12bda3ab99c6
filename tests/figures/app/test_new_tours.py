"""Blow-up, microscope, paper, witnesses and conjectures against the library and against hand computation."""

from fractions import Fraction

import numpy as np
import pytest

import tabular_krope as tk
from figures.app.tours import blow_up_tour, conjecture_tour, microscope, paper, witnesses_tour
from figures.app.tours.six_pairs import chain
from figures.app.tours.why_stable_tour import KINDS
from proofs_check.judging.check import check
from proofs_check.statements.registry import STATEMENTS


def test_lspe_in_the_plane_is_the_library_and_both_stand_still_at_the_fixed_point():
    for kind in KINDS:
        found = blow_up_tour.compute(kind)
        mrp = chain()
        Phi = blow_up_tour.kinds_of_features(tk.krope_kernel(mrp), 2, found.weights)[kind]
        D, P = np.diag(found.weights), np.asarray(mrp.P_pi @ np.eye(6))
        A, B = Phi.T @ D @ Phi, Phi.T @ D @ P @ Phi
        np.testing.assert_allclose(found.L, 0.9 * np.linalg.solve(A, B), atol=1e-9)
        np.testing.assert_allclose(found.b + found.L @ found.fixed, found.fixed, atol=1e-8)
        # TD stands still there too: the pull of the Bellman error on the features is zero.
        error = mrp.r + 0.9 * P @ Phi @ found.fixed - Phi @ found.fixed
        np.testing.assert_allclose(Phi.T @ D @ error, 0, atol=1e-8)


def test_td_moves_by_its_own_formula():
    found = blow_up_tour.compute()
    mrp = chain()
    Phi = blow_up_tour.kinds_of_features(tk.krope_kernel(mrp), 2, found.weights)[KINDS[2]]
    D, P = np.diag(found.weights), np.asarray(mrp.P_pi @ np.eye(6))
    alpha = 1 / np.linalg.norm(Phi.T @ D @ Phi, 2)
    theta = np.zeros(2)
    for _ in range(blow_up_tour.SMALL):
        theta = theta + alpha * Phi.T @ D @ (mrp.r + 0.9 * P @ Phi @ theta - Phi @ theta)
    np.testing.assert_allclose(found.td[1], theta, atol=1e-12)


@pytest.mark.parametrize(
    "levels", [("4", "3", "0", "0", "1", "3"), ("0", "0", "0", "0", "0", "0"), ("4", "0", "4", "0", "4", "0")]
)
def test_no_bars_make_lspe_grow_on_weighted_krope(levels):
    found = blow_up_tour.compute(KINDS[0], levels)
    assert found.radius["LSPE"] <= np.sqrt(0.9) + 1e-9
    error = blow_up_tour.errors(found.lspe, found.fixed)
    assert np.all(error[1:] <= np.sqrt(0.9) * error[:-1] + 1e-9)
    assert "any</b> bars" in blow_up_tour.words(found, KINDS[0]) or found.radius["TD"] >= 1


def test_the_opening_of_the_blow_up_blows_up_in_both_and_does_not_accuse_krope():
    found = blow_up_tour.compute()
    assert min(found.radius.values()) > 1
    assert blow_up_tour.words(found, KINDS[2]).startswith("LSPE and TD on random features <b>blow up</b>")
    assert not any("," in kind for kind in KINDS)


def test_the_microscope_ends_at_the_truth_and_rounds_to_digits():
    exact = microscope.compute(14)
    np.testing.assert_allclose(np.sort(np.abs(exact.eigenvalues))[-2:], 0.9, atol=1e-4)
    assert microscope.compute(microscope.FIRST).radius > 1
    A, _ = microscope.covariances()
    for digits in (3, 8):
        kept, true = (
            np.array([[float(Fraction(str(v))) for v in row] for row in m.tolist()])
            for m in (microscope.rounded(A, digits), A)
        )
        assert np.abs(kept / true - 1).max() <= 0.5 * 10.0 ** (1 - digits) * (1 + 1e-9)
        assert np.abs(kept / true - 1).max() > 0


def test_the_words_of_the_microscope_follow_the_digits():
    said = [microscope.words(microscope.compute(k)) for k in microscope.DIGITS]
    assert "outside the circle" in said[3]
    assert "in its place" in said[-1]
    assert any("called stable, and wrong" in words for words in said)


def test_the_first_false_step_is_the_one_that_the_laboratory_finds():
    for slug in paper.BESIDE:
        found = paper.compute(slug)
        assert found.first_false == found.printed.false_step, slug
    judged = check("lemma-value-bound", examples=5)
    assert judged.first_false_step == paper.compute("lemma-value-bound").first_false
    assert paper.compute("lemma-value-bound").refuted
    assert not paper.compute("theorem-1").refuted
    assert "can be mended" in paper.words(paper.compute("theorem-1"))


def test_every_witness_breaks_what_its_card_says():
    shown = {(one.slug, one.number): one for one in witnesses_tour.gallery()}
    assert shown["lemma-value-bound", 0].broken == "|q(0) \u2212 q(1)| = 81/10, but the bound says 81/20"
    first = tk.zoo("c1-value-bound").exact()
    assert abs(Fraction(str(first.q[0])) - Fraction(str(first.q[1]))) == Fraction(81, 10)
    metric = shown["d-pseudometric", 0]
    subject = witnesses_tour.witness_subject(metric.key)
    d = tk.krope_kernel(subject.model.to_float()).distance
    assert metric.broken.startswith("d(0, 1) = 18 > 9")
    assert (round(float(d(0, 1)), 9), round(float(d(0, 2) + d(2, 1)), 9)) == (18.0, 9.0)
    cut = shown["truncation-unweighted-stable", 0]
    subject = witnesses_tour.witness_subject(cut.key)
    out = tk.lspe(subject.model.to_float(), subject.features, [float(Fraction(w)) for w in cut.witness["weights"]])
    assert out.spectral_radius == pytest.approx(float(witnesses_tour.growth(cut.witness)))
    assert str(witnesses_tour.growth(cut.witness)) in cut.broken
    assert shown["closed-data-suffices", 0].broken == "\u03c1(L) = 99/65 > 9/10 = \u03b3"
    later = shown["n-step-monotone", 0]
    P, phi = (np.array([[float(Fraction(v)) for v in row] for row in later.witness[name]]) for name in ("P_pi", "phi"))
    D = np.diag([float(Fraction(w)) for w in later.witness["weights"]])
    two = 0.9**2 * (phi.T @ D @ P @ P @ phi) / (phi.T @ D @ phi)
    assert float(witnesses_tour.growth(later.witness, 2)) == pytest.approx(two.item())


def test_the_gallery_has_every_refuted_statement_that_one_chain_refutes():
    refuted = {one.slug for one in STATEMENTS.values() if one.expected == "refuted" and one.form == "all"}
    assert {one.slug for one in witnesses_tour.gallery()} == refuted
    assert all(STATEMENTS[slug].witnesses for slug in refuted)


def test_an_unknown_witness_is_refused():
    with pytest.raises(tk.KropeError, match="key must name a witness"):
        witnesses_tour.witness_subject("witness:no-such:0")


def test_a_refuted_claim_shrinks_and_every_frame_refutes_it():
    found = conjecture_tour.compute("d[x,z] <= d[x,y] + d[y,z]")
    assert len(found.frames) > 1
    for frame in found.frames:
        assert Fraction(frame.left) > Fraction(frame.right)
    assert len(found.frames[-1].witness["r"]) < len(found.frames[0].witness["r"])
    assert found.frames[-1].witness == found.verdict.witness
    assert conjecture_tour.film(found).count('class="film-frame') == len(found.frames)


def test_a_proved_claim_shows_its_certificate_and_an_open_one_says_so():
    found = conjecture_tour.compute("d[x,z] <= 2*(d[x,y] + d[y,z])")
    assert (found.verdict.outcome, found.frames) == ("proved", ())
    assert '"theorem": "small-model"' in conjecture_tour.certificate(found)
    assert "<b>Proved</b> for every chain" in conjecture_tour.words(found)
    assert conjecture_tour.compute("abs(q[x]-q[y]) <= U[x,y]", "", True).verdict.outcome == "proved"
    assert conjecture_tour.compute("abs(q[x]-q[y]) <= U[x,y]").verdict.outcome == "refuted"


@pytest.mark.parametrize(
    "text", ["__import__('os').system('x')", "d[x,y] <", "", "q[x] <= open('a')", "().__class__ <= 1"]
)
def test_what_is_no_claim_is_refused_and_never_run(text):
    with pytest.raises(tk.KropeError):
        conjecture_tour.compute(text)
