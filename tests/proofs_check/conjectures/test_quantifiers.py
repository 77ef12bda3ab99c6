"""Existential claims, discount factor 1, other policies and distributions: verdicts, files and refusals."""

import json

import numpy as np
import pytest
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.case import Case
from proofs_check.chains.generators import chains
from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.exact_quantities import ExactQuantities
from proofs_check.conjectures.judge import conjecture
from proofs_check.conjectures.language import EXAMPLES
from proofs_check.conjectures.policies import is_policy, made_to_end, own_policy, surely_ends, under
from proofs_check.conjectures.quantified import LARGEST, completed, features
from proofs_check.conjectures.question import ask
from proofs_check.prove.verifying import verify_document
from tabular_krope.errors import KropeError

IMPROVED = "sum(z, P_mu[w,z]*q[z]) >= sum(z, P[w,z]*q[z])"
OPTIONS = {"": {}, "--gamma 1": {"gamma": 1}, f'--assume "{IMPROVED}"': {"assume": [IMPROVED]}}
NEW = [
    (claim, options, known)
    for claim, options, known in EXAMPLES
    if claim.startswith("exists") or "mu" in claim or "D2" in claim or options == "--gamma 1"
]


def document(verdict):
    return json.loads(json.dumps(verdict.as_json()))


@pytest.mark.parametrize(("claim", "options", "known"), NEW)
def test_examples_are_what_they_say(claim, options, known, quick_search):
    assert len(NEW) == 8
    if known.startswith("holds"):
        quick_search()
    verdict = conjecture(claim, examples=12, **OPTIONS[options])
    assert verdict.outcome == known.split(":")[0].split()[0]
    if verdict.outcome in ("proved", "refuted"):
        verify_document(document(verdict))


def test_a_witness_proves_that_there_is_one():
    verdict = conjecture("exists K[x,y] > K[x,x]", examples=12)
    assert (verdict.outcome, verdict.evidence, verdict.sign) == ("proved", "witness", ">")
    stored = document(verdict)
    assert verify_document(stored).kind == "proof"
    with pytest.raises(KropeError, match="must refute"):
        verify_document({**stored, "claim": "exists K[x,y] > 100"})
    with pytest.raises(KropeError, match="proof must accompany the outcome"):
        verify_document({**stored, "outcome": "refuted"})
    with pytest.raises(KropeError):
        verify_document({**stored, "claim": "K[x,y] > K[x,x]", "outcome": "proved"})


def test_a_proof_of_the_opposite_refutes_it():
    verdict = conjecture("exists d[x,y] < 0", examples=12)
    assert (verdict.outcome, verdict.witness, verdict.evidence) == ("refuted", None, "certificate")
    stored = document(verdict)
    assert verify_document(stored).kind == "refutation"
    with pytest.raises(KropeError):
        verify_document({**stored, "claim": "exists d[x,y] > 0"})
    with pytest.raises(KropeError):
        verify_document({**stored, "outcome": "proved"})


def test_what_is_not_found_is_neither(quick_search):
    quick_search()
    verdict = conjecture("exists det(K) < 0", examples=12)
    assert verdict.outcome == "inconclusive"
    assert verdict.reason.startswith("not found")


def test_equations_are_met_exactly_or_not_at_all():
    case = Case.from_matrix(rationals([[1, 0], [0, 1]]), rationals([0, 1]), fmpq(1, 2))
    assert judge_case(ask("exists q[x] == 2"), case).at == {"x": 1}
    assert judge_case(ask("exists q[x] == 3"), case).at is None
    for claim, place in (
        ("> 2", None),
        (">= 2", {"x": 1}),
        ("< 0", None),
        ("<= 0", {"x": 0}),
    ):
        assert judge_case(ask(f"exists q[x] {claim}"), case).at == place
    verdict = conjecture("exists q[x] == q[y]", assume=["d[x,y] > 0"], examples=12)
    assert verdict.outcome == "proved"
    assert verify_document(document(verdict)).kind == "proof"


def test_one_comparison_after_exists():
    with pytest.raises(KropeError, match="one comparison after exists"):
        ask("exists 0 <= d[x,y] <= 1")


def test_discount_factor_one_is_about_chains_that_end():
    question = ask("horizon <= 7", gamma=1)
    chain = Case.from_matrix(rationals([[1]]), rationals([1]), fmpq(1))
    assert not question.about(chain)
    ends = made_to_end(chain, fmpq(1, 9))
    assert question.about(ends)
    assert judge_case(question, ends).left == 9
    assert not question.about(made_to_end(Case.from_matrix(rationals([[1]]), rationals([1]), fmpq(1, 2)), fmpq(1, 9)))
    with pytest.raises(KropeError, match="below 1 where no episode ends"):
        ask("horizon <= 7", gamma=1, conservative=True)
    with pytest.raises(KropeError, match=r"lie in \[0, 1\]"):
        ask("horizon <= 7", gamma="11/10")
    verdict = conjecture("horizon <= 1000", gamma=1, examples=12)
    assert verdict.outcome == "refuted"
    assert verdict.witness["gamma"] == "1"
    assert conjecture("life[x] >= 1", gamma=1, examples=12).outcome == "holds"  # provers know gamma < 1 only
    assert conjecture("K >= K1", gamma=1, examples=12).outcome == "holds"
    stored = document(verdict)
    stored["witness"] = {"P_pi": [["1"]], "r": ["0"], "gamma": "1"}
    with pytest.raises(KropeError):
        verify_document(stored)


@pytest.mark.parametrize("seed", range(6))
def test_a_kernel_at_discount_factor_one_solves_its_equation(seed):
    case = chains(ending=True, most=4)(np.random.default_rng(seed), True)
    case = next(iter(completed(ask("K[x,x] >= 1", gamma=1), [Case(*_parts(case))], 0)))
    assert surely_ends(case)
    assert (case.K == case.K1 + case.P_pi @ case.K @ case.P_pi.T).all()


def _parts(case):
    return case.P, case.Pi, case.r, fmpq(1), case.end, case.weights


@pytest.mark.parametrize("seed", range(6))
def test_another_policy_on_the_same_states(seed):
    case = chains(most=6)(np.random.default_rng(seed), True)
    question = ask("q_mu[x] >= q[x]")
    for drawn in completed(question, [case], seed):
        mu = drawn.given["mu"]
        assert is_policy(drawn, mu)
        S, A = len(case.Pi), case.X // len(case.Pi)
        v = (np.reshape(mu, (S, A)) * np.reshape(under(drawn, mu).q, (S, A))).sum(axis=1)
        assert (ExactQuantities(drawn)("q_mu") == case.r + case.gamma * (case.P @ v)).all()
    own = own_policy(case)
    assert (under(case, own).P_pi == case.P_pi).all()
    assert not question.about(case.with_given(mu=0 * own))
    assert not question.about(case.with_given(mu=own[:-1]))
    assert not ask("D2[x] <= 1").about(case.with_given(D2=2 * case.weights))


def test_a_policy_in_a_file_is_checked():
    stored = document(conjecture("q_mu[x] >= q[x]", examples=12))
    assert verify_document(stored).kind == "refutation"
    with pytest.raises(KropeError):
        verify_document({**stored, "witness": {**stored["witness"], "mu": ["2"] * len(stored["witness"]["r"])}})


def test_a_proof_whose_question_was_changed_says_what_does_not_fit():
    stored = conjecture("K[x,y] <= 1/(1-gamma)").as_json()
    assert stored["outcome"] == "proved"
    with pytest.raises(KropeError, match=r"settings must be .* gamma < 1; got gamma = 1"):
        verify_document({**stored, "settings": {**stored["settings"], "gamma": "1"}})
    with pytest.raises(KropeError, match=r"proof must accompany the outcome 'proved'; got none"):
        verify_document({**stored, "proof": None})
    with pytest.raises(KropeError, match=r"outcome must be proved or refuted to be verified; got 'holds'"):
        verify_document({**stored, "outcome": "holds"})


def test_how_often_features_are_plain_or_copies():
    """Of 1000 draws on six pairs: 40% of the columns are plain, and of the others a fifth is the column before."""
    rng = np.random.default_rng(0)
    drawn = [features(rng, 6, 3) for _ in range(1000)]
    ramp = list(range(1, 7))
    ones = np.mean([all(v == 1 for v in Phi[:, 0]) for Phi in drawn])
    ramps, orders = (np.mean([order(Phi[:, 0]) == ramp for Phi in drawn]) for order in (list, sorted))
    assert abs(ones - 0.1) < 0.03
    assert abs(ramps - 0.1) < 0.03
    assert abs(orders - 0.2) < 0.04
    for j, copies in ((1, 0.6 * 0.2 + 0.4 * 0.4 / 16 + 0.02), (2, 0.6 * 0.2 + 0.4 * 0.4 / 16 + 0.02)):
        same = np.mean([(Phi[:, j] == Phi[:, j - 1]).all() for Phi in drawn])
        assert abs(same - copies) < 0.04
    assert np.mean([(Phi[:, 0] == Phi[:, 2]).all() for Phi in drawn]) < 0.08
    others = [v for Phi in drawn for v in Phi[:, 0] if sorted(Phi[:, 0]) != ramp]
    assert (min(others), max(others)) == (-LARGEST, LARGEST)
    assert {Phi.shape for Phi in drawn} == {(6, 3)}
    assert {features(rng, 2, None).shape for _ in range(100)} == {(2, 1), (2, 2), (2, 3)}


def test_as_many_features_as_pairs_are_often_the_indicators():
    rng = np.random.default_rng(1)
    found = np.mean([features(rng, 3, 3).tolist() == np.eye(3, dtype=int).tolist() for _ in range(1000)])
    assert abs(found - 0.3) < 0.05
    assert not any(features(rng, 3, 2).tolist() == np.eye(3, 2, dtype=int).tolist() for _ in range(100))


def test_known_numbers_are_put_into_three_of_ten_draws():
    rng, known = np.random.default_rng(2), [fmpq(1, 7)]
    tops = [sorted(v for v in features(rng, 4, 2, known).ravel() if v.q == 7) for _ in range(1000)]
    assert {len(found) for found in tops} == {0, 1}
    values = [found[0] for found in tops if found]
    assert abs(len(values) - 300) < 50
    assert {*values} == {fmpq(1, 7), fmpq(-1, 7), fmpq(2, 7), fmpq(100, 7)}
