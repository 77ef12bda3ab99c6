"""Claims about whole matrices: read with shapes, evaluated exactly, the same in floats, true and false told apart."""

import ast
import json
from dataclasses import replace

import numpy as np
import pytest
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import flint_matrix, floats, rationals
from proofs_check.arithmetic.reals import UNDEFINED, decimal
from proofs_check.chains.case import Case
from proofs_check.chains.generators import chains
from proofs_check.chains.stacked import Batch
from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.exact_quantities import ExactQuantities
from proofs_check.conjectures.feature_space import krope_space
from proofs_check.conjectures.float_quantities import FloatQuantities
from proofs_check.conjectures.judge import conjecture
from proofs_check.conjectures.matrix_language import MATRICES, MATRIX_EXAMPLES, MATRIX_FUNCTIONS
from proofs_check.conjectures.matrix_reading import is_matrix_text
from proofs_check.conjectures.parse import parse
from proofs_check.conjectures.quantified import completed, features
from proofs_check.conjectures.question import ask
from proofs_check.conjectures.small_counterexample import as_floats
from proofs_check.prove.verifying import verify_document
from tabular_krope.errors import KropeError

CASES = [chains(most=4)(np.random.default_rng(k), True) for k in range(8)]
OPTIONS = {"--features any": {"features": "any"}, "--features krope --conservative": {"conservative": True}, "": {}}


def value(case, text, **options):
    node = parse(f"{text} >= 0").comparisons[0].left
    return ExactQuantities(case, **options).of_matrix(node.name, node.parts[0])


def number(found):
    return float(decimal(found, 17))


@pytest.mark.parametrize("case", CASES)
def test_functions_against_numpy(case):
    P, K, D = floats(case.P_pi), floats(case.K), np.diag(floats(case.weights))
    q = floats(case.q)[:, None]
    M = K - float(floats(case.gamma)) * P @ K @ P.T
    truth = {
        "mineig(K - gamma*P*K*P')": np.linalg.eigvalsh(M)[0],
        "maxeig((K1 + K/2)**2)": np.linalg.eigvalsh((floats(case.K1) + K / 2) @ (floats(case.K1) + K / 2))[-1],
        "radius(P*D)": np.abs(np.linalg.eigvals(P @ D)).max(),
        "norm2(P - 2*I)": np.linalg.norm(P - 2 * np.eye(case.X), 2),
        "trace(D*q*q')": np.trace(D @ q @ q.T),
        "det(K + I)": np.linalg.det(K + np.eye(case.X)),
        "rk(q*one')": float(np.abs(q).max() > 0),
        "norm2(one'*D*q)": abs((D @ q).sum()),
        "maxeig(-d)": np.linalg.eigvalsh(-floats(case.d))[-1],
    }
    batch = FloatQuantities(Batch.of_cases([as_floats(case)]))
    for text, wanted in truth.items():
        found = number(value(case, text))
        assert found == pytest.approx(wanted, rel=1e-6, abs=1e-6), text
        node = parse(f"{text} >= 0").comparisons[0].left
        near = batch.of_matrix(node.name, node.parts[0])
        if node.name not in ("det", "rk"):
            assert abs(near.value[0] - found) <= near.error[0] + 1e-14 * abs(found), text


@pytest.mark.parametrize("case", CASES)
def test_matrices_of_given_features_against_numpy(case):
    Phi = features(np.random.default_rng(case.X), case.X, 2)
    case = case.with_given(Phi=Phi)
    F, D, P, g = floats(Phi), np.diag(floats(case.weights)), floats(case.P_pi), float(floats(case.gamma))
    B = F.T @ D @ F
    C, inverse = F.T @ D @ P @ F, np.linalg.pinv(B, hermitian=True, rcond=1e-12)
    L = g * inverse @ C
    L3 = g**3 * inverse @ F.T @ D @ P @ P @ P @ F
    Pi = F @ inverse @ F.T @ D
    any_of = {"features": "any"}
    for text, wanted in {
        "norm2(B)": np.linalg.norm(B, 2),
        "norm2(C)": np.linalg.norm(C, 2),
        "norm2(L)": np.linalg.norm(L, 2),
        "norm2(L(3))": np.linalg.norm(L3, 2),
        "norm2(A)": np.linalg.norm(B - g * C, 2),
        "norm2(Pi_D)": np.linalg.norm(Pi, 2),
        "norm2(Phi'*D*r - b)": 0.0,
        "radius(L)": np.abs(np.linalg.eigvals(L)).max(),
    }.items():
        assert number(value(case, text, **any_of)) == pytest.approx(wanted, rel=1e-5, abs=1e-5), text
    quantities = ExactQuantities(case, **any_of)
    assert number(quantities("norm")) == pytest.approx(np.linalg.norm(L, 2), abs=1e-6)
    hat = quantities("q_hat")
    if number(quantities("rho")) < 0.999:
        theta = np.zeros(2)
        for _ in range(4000):
            theta = inverse @ F.T @ D @ (floats(case.r) + g * P @ F @ theta)
        assert floats(hat) == pytest.approx(F @ theta, abs=1e-5)


ONE_HOT = [replace(case, weights=rationals([1] + [0] * (case.X - 1))) for case in CASES if case.X > 1][:3]


@pytest.mark.parametrize("case", [*CASES, *ONE_HOT])
def test_another_basis_of_feature_space_changes_nothing(case):
    """`rho` and `norm` come from other code; a factor of K by square roots is the third."""
    assert number(value(case, "radius(L)")) == pytest.approx(number(ExactQuantities(case)("rho")), abs=1e-9)
    assert number(value(case, "norm2(L)")) == pytest.approx(number(ExactQuantities(case)("norm")), abs=1e-9)
    space = krope_space(case)
    assert space.F * space.G_inverse * space.F.transpose() == flint_matrix(case.K)
    values, vectors = np.linalg.eigh(floats(case.K))
    Phi = vectors * np.sqrt(np.maximum(values, 0.0))
    B = Phi.T @ np.diag(floats(case.weights)) @ Phi
    assert number(value(case, "norm2(B)")) == pytest.approx(np.linalg.norm(B, 2), abs=1e-8)
    assert judge_case(ask("Phi*Phi' == K"), case).at is None
    for dim in (1, 2):
        top = ExactQuantities(case, dim, "truncated")
        for text, name in (("radius(L)", "rho"), ("norm2(L)", "norm")):
            node = parse(f"{text} >= 0").comparisons[0].left
            a, b = top.of_matrix(node.name, node.parts[0]), top(name)
            assert decimal(a) == decimal(b)


@pytest.mark.parametrize("case", CASES[:4])
def test_the_limit_on_all_features_is_the_value_where_every_pair_has_data(case):
    full = case if all(w > 0 for w in case.weights) else None
    if full is not None:
        assert (ExactQuantities(full)("q_hat") == full.q).all()
    X = case.X
    top = ExactQuantities(case, 1, "truncated")("q_hat")
    assert len(top) == X


@pytest.mark.parametrize(("claim", "options", "known"), MATRIX_EXAMPLES)
def test_examples_are_what_they_say(claim, options, known, quick_search):
    if known.startswith("holds"):
        quick_search()
    verdict = conjecture(claim, examples=15, **OPTIONS[options])
    assert verdict.outcome == known.split(":")[0].split()[0]
    if verdict.outcome in ("proved", "refuted"):
        verify_document(json.loads(json.dumps(verdict.as_json())))


def test_a_witness_with_features_is_verified_from_its_file():
    verdict = conjecture("radius(L) < 1", features="any", examples=40)
    document = json.loads(json.dumps(verdict.as_json()))
    assert np.shape(document["witness"]["Phi"])[0] == len(document["witness"]["r"])
    assert verify_document(document).kind == "refutation"
    without = {**document, "witness": {k: v for k, v in document["witness"].items() if k != "Phi"}}
    with pytest.raises(KropeError, match="must have Phi"):
        verify_document(without)
    tabular = {**document, "witness": {**document["witness"], "Phi": [["1"]] * len(document["witness"]["r"])}}
    tabular["claim"] = "radius(L) <= norm2(L)"
    with pytest.raises(KropeError, match="must refute"):
        verify_document(tabular)


def test_the_number_of_features_is_kept():
    verdict = conjecture("radius(L) < 1", features="any", dim=2, examples=40)
    assert verdict.outcome == "refuted"
    assert np.shape(verdict.witness["Phi"])[1] == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("psd(P*Phi')", r"column 5\] must multiply matrices that fit; got \[X, X\] and \[d, X\]"),
        ("B + K >= 0", r"one shape; got \[d, d\] and \[X, X\]"),
        ("K*Phi <= 0", r"square matrices only; got \[X, d\]"),
        ("radius(Phi) <= 1", r"give radius a square matrix; got \[X, d\]"),
        ("Phi**2 >= 0", r"powers of square matrices; got \[X, d\]"),
        ("K/P >= 0", r"divide by a number; got \[X, X\]"),
        ("K**x >= 0", "whole exponent"),
        ("C(3,4) >= 0", "number of steps"),
        ("K(2) >= 0", "known function|number of steps"),
        ("K[x,y]*K <= 0", "without indices"),
        ("psd(K) <= 1", "claim of its own"),
        ("0 <= K1 <= K", "compare two matrices"),
        ("K <= 3", r"matrices or 0; got '3' \(write 3\*I"),
        ("K <= trace(K)", r"write trace\(K\)\*I for a matrix"),
        ("K <= norm2(K)*I", r"rational numbers only; got 'norm2\(K\)' \(maxeig"),
        ("psd(K < K1)", "compare two matrices"),
        ("psd(P' + Zeta)", r"column 10\] must be made of"),
        ("rho*K >= 0", "rational numbers; got 'rho'"),
        ("((K**16)**16)**16 >= 0", "degree at most"),
        ("-" * 300 + "K >= 0", "nest at most"),
        ("lam <= 1", "give lam its number"),
        ("lam(0) <= 1", "whole number from 1 to 64"),
        ("lam(1,2) <= 1", "one whole number"),
    ],
)
def test_bad_shapes_and_names_are_refused(text, said):
    with pytest.raises(KropeError, match=said):
        parse(text)


@pytest.mark.parametrize("case", CASES[:3], ids=range(3))
def test_traces_determinants_and_ranks_are_numbers_among_matrices(case):
    K, n = floats(case.K), case.X
    found = value(case, "maxeig(trace(K)*K - det(K1)*I + K/rk(K))")
    wanted = (np.trace(K) + 1 / np.linalg.matrix_rank(K)) * np.linalg.eigvalsh(K)[-1] - np.linalg.det(floats(case.K1))
    assert number(found) == pytest.approx(wanted, rel=1e-9)
    stack = FloatQuantities(Batch.of_cases([as_floats(case)]))
    node = parse("mineig(trace(K)*I - K) >= 0").comparisons[0].left
    assert stack.of_matrix(node.name, node.parts[0]).value[0] == pytest.approx(
        np.trace(K) - np.linalg.eigvalsh(K)[-1], abs=1e-9 * n * np.trace(K)
    )


def test_what_is_read_is_shown_so_that_it_can_be_read_again():
    texts = ["psd(gamma*P*K*P' <= K)", "L(2) == L*L", "rk(A) == rk(B)", "(K - K1)'**2/3 >= -I", "K > 0", "lam(3) <= 1"]
    for text in texts:
        claim = parse(text)
        assert parse(str(claim)).comparisons == claim.comparisons
    for name, matrix in MATRICES.items():
        assert parse(f"norm2({name}) >= 0").letters == {name}
        assert matrix.meaning
    for name in set(MATRIX_FUNCTIONS) - {"psd"}:
        assert parse(f"{name}(K) >= 0").names == {name}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"features": "krop"}, "features must be"),
        ({"features": "truncated"}, "dim must be given with truncated features"),
        ({"features": "krope", "dim": 2}, "dim must be left out"),
    ],
)
def test_bad_features_are_refused(options, said):
    with pytest.raises(KropeError, match=said):
        ask("rho < 1", **options)


def test_a_matrix_that_is_not_symmetric_has_no_place_in_the_order():
    for claim, options in (("P >= 0", {}), ("L >= 0", {"features": "any"}), ("L >= 0", {"dim": 2})):
        with pytest.raises(KropeError, match="symmetric"):
            conjecture(claim, examples=20, **options)


def test_draws_are_what_the_question_is_about():
    question = ask("rho < 1", features="any", dim=2)
    drawn = list(completed(question, CASES[:3], 0))
    assert len(drawn) > 3
    assert all(question.about(case) and case.given["Phi"].shape == (case.X, 2) for case in drawn)
    assert any((case.weights == 0).any() for case in drawn)
    assert list(completed(ask("rho < 1"), CASES[:2], 0)) == CASES[:2]


def test_a_transposed_matrix_is_a_matrix_and_a_transposed_column_is_not():
    texts = ("K.T", "2*K.T", "q.T", "q", "K.x", "q.T*q")
    said = {text: is_matrix_text(ast.parse(text, mode="eval").body) for text in texts}
    assert said == {"K.T": True, "2*K.T": True, "q.T": False, "q": False, "K.x": False, "q.T*q": True}


def test_a_form_is_compared_with_a_number():
    claim = "q'*D*q <= max(z, q[z]**2)"
    with pytest.raises(KropeError, match="be made of matrices without indices"):
        parse(claim)
    for text, others in (("q'*D*q <= (rmin**2 + rmax**2)/(1-gamma)**2", {}), ("r'*r >= rmax**2", {})):
        assert conjecture(text, examples=10, **others).outcome == "holds"
    assert conjecture("one'*U*one <= 0.49*X**2*rho0/(1-gamma)", examples=10).outcome == "refuted"


def test_a_premise_may_say_that_a_matrix_is_symmetric():
    with pytest.raises(KropeError, match="symmetric matrix; got P"):
        conjecture("mineig(P) >= -1", examples=10)
    for claim, outcome in (("mineig(P) >= -1/2", "refuted"), ("mineig(P) >= -1", "holds")):
        assert conjecture(claim, ["P == P'"], examples=10).outcome == outcome


@pytest.mark.parametrize("steps", ["0", "-1", "1.5", "gamma"])
def test_steps_are_counted_from_one(steps):
    with pytest.raises(KropeError, match="number of steps from 1 to"):
        ask(f"radius(L({steps})) < 1", features="any")


@pytest.mark.parametrize("claim", ["det(A) > 0", "rk(Phi) == 2"])
def test_features_whose_balls_are_too_wide_at_first_are_enclosed_again(claim):
    """One of the chains has data that hardly see a pair: at 64 bits the features cannot be told from dependent ones."""
    verdict = conjecture(claim, features="truncated", dim=2, examples=20)
    assert verdict.outcome == "holds", verdict.reason


def test_a_rank_of_balls_is_told_where_it_is_full():
    case = Case.from_matrix(rationals([[1, 0], [0, 1]]), rationals([0, 1]), fmpq(1, 2), weights=rationals([2, 1]) / 3)
    assert judge_case(ask("rk(Phi*Phi') == 1", features="truncated", dim=1), case).open == 1
    assert judge_case(ask("rk(B) == 1", features="truncated", dim=1), case).open == 0


def test_pairs_that_features_cannot_tell_apart_share_the_limit():
    twins = Case.from_matrix(rationals([[0, 0, 1]] * 3), rationals([0, 0, 1]), fmpq(1, 2))
    limit = ExactQuantities(twins, 1)("q_hat")
    assert limit[0] is limit[1]
    assert limit[0] is not limit[2]
    found = judge_case(ask("q_hat[x] == q_hat[y]", ["d[x,y] == 0"], dim=1), twins)
    assert (found.at, found.open) == (None, 0)


@pytest.mark.parametrize("case", CASES[:6])
def test_the_limit_on_one_truncated_feature_is_that_of_its_definition(case):
    D, P, K, r = (floats(part) for part in (case.weights, case.P_pi, case.K, case.r))
    values, vectors = np.linalg.eigh(np.sqrt(D)[:, None] * K * np.sqrt(D))
    limit = ExactQuantities(case, 1)("q_hat")
    if limit[0] is not UNDEFINED and values[-1] > 1.001 * values[-2:].min():
        phi = K @ (np.sqrt(D) * vectors[:, -1])
        theta = (phi * D) @ r / ((phi * D) @ (phi - float(case.gamma) * P @ phi))
        assert [number(value) for value in limit] == pytest.approx((phi * theta).tolist(), abs=1e-7)
