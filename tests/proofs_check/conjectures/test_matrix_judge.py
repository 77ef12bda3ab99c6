"""Claims about matrices: proved for every chain, refuted by an exact one, never both."""

import copy
import json

import pytest

from proofs_check.chains.witness import case_from_witness
from proofs_check.conjectures import matrix_judge
from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.judge import conjecture
from proofs_check.conjectures.matrix_judge import certificate_text
from proofs_check.conjectures.question import ask
from proofs_check.prove.matrix_question import check_matrix_certificate, matrix_part, matrix_text
from proofs_check.prove.verifying import verify_document
from tabular_krope.errors import KropeError
from tests.proofs_check.prove.acceptance import accepts

PROVED = (
    "psd(K)",
    "psd(gamma*P*K*P' <= K)",
    "psd(K >= K1)",
    "psd(K - K1)",
    "psd(P*K1*P.T)",
    "psd(3/2*K1 + gamma*P*P*K1*P'*P')",
    "psd(r*r' + q*q')",
    "psd((K - K1)*(K - K1))",
)
REFUTED = ("psd(K1 - K)", "psd(K <= 2*K1)", "psd(K - I)", "psd(q*q' <= K)", "psd(0 - K)", "psd(K1 - 2*gamma*P*K1*P')")


@pytest.mark.parametrize("claim", PROVED)
def test_true_claims_are_proved(claim):
    verdict = conjecture(claim, examples=20)
    assert verdict.outcome == "proved"
    document = json.loads(json.dumps(verdict.as_json()))
    assert verify_document(document).kind == "proof"
    assert accepts(document["proof"]["certificate"])


@pytest.mark.parametrize("claim", REFUTED)
def test_false_claims_are_refuted_by_a_chain(claim):
    verdict = conjecture(claim, examples=60)
    assert verdict.outcome == "refuted"
    assert verify_document(json.loads(json.dumps(verdict.as_json()))).kind == "refutation"


PROVED_WITH_PREMISES = (
    ("psd(K <= K1)", ["gamma == 0"], None),
    ("psd(4*gamma*K <= K)", ["gamma <= 1/4"], None),
    ("psd(K1 <= 2*gamma*K1)", ["1/2 <= gamma < 9/10"], None),
    ("psd(R*K <= 2*K)", ["R <= 2"], None),
    ("psd(10*gamma*K <= 9*K)", [], "9/10"),
    ("psd(2*gamma*K1 <= K1)", ["gamma == 1/2"], None),
)


@pytest.mark.parametrize(("claim", "premises", "gamma"), PROVED_WITH_PREMISES)
def test_premises_on_parameters_are_used(claim, premises, gamma):
    verdict = conjecture(claim, premises, gamma=gamma, examples=20)
    assert verdict.outcome == "proved"
    assert "not needed" not in verdict.reason
    document = json.loads(json.dumps(verdict.as_json()))
    assert " with " in verify_document(document).says[0]
    assert accepts(document["proof"]["certificate"])
    weaker = {"assume": [], "settings": {**document["settings"], "gamma": None}}
    with pytest.raises(KropeError):
        verify_document({**document, **weaker})


@pytest.mark.parametrize(
    ("claim", "premises"),
    [
        ("psd(4*gamma*K <= K)", ["gamma <= 26/100"]),
        ("psd(K <= K1)", ["gamma <= 1/100"]),
        ("psd(2*gamma*K1 <= K1)", ["gamma <= 6/10"]),
        ("psd(R*K <= 2*K)", ["R <= 21/10"]),
    ],
)
def test_premises_that_are_too_weak_prove_nothing(claim, premises):
    assert conjecture(claim, premises, examples=60).outcome == "refuted"


@pytest.mark.parametrize(
    ("claim", "premises"), [("psd(K <= K1)", ["gamma <= 1/100"]), ("psd(2*gamma*K1 <= K1)", ["gamma <= 6/10"])]
)
def test_no_proof_is_looked_for_where_a_small_chain_at_the_edges_refutes(monkeypatch, claim, premises):
    def asked(*_):
        raise AssertionError("a proof is looked for")

    monkeypatch.setattr(matrix_judge, "prove_matrix_claim", asked)
    assert conjecture(claim, premises, examples=20).outcome == "refuted"
    with pytest.raises(AssertionError, match="looked for"):
        conjecture("psd(K)", examples=20)


def test_premises_that_are_needed_are_used_at_once(monkeypatch):
    tried, prove = [], matrix_judge.prove_matrix_claim

    def watched(text, conservative, used):
        tried.append(used)
        return prove(text, conservative, used)

    monkeypatch.setattr(matrix_judge, "prove_matrix_claim", watched)
    assert conjecture("psd(2*gamma*K1 <= K1)", ["gamma == 1/2"], examples=20).outcome == "proved"
    assert "not needed" in conjecture("psd(gamma*K1 <= K1)", ["gamma <= 1/2"], examples=20).reason
    assert tried == [(("gamma", "==", "1/2"),), ()]


def test_premises_that_nothing_meets_prove_nothing():
    assert conjecture("psd(K <= K1)", ["gamma <= -1"], examples=10).outcome != "proved"


def test_conservative_chains():
    claim = "psd(R*one*one' - (1-gamma)*U - (1-gamma)*R*K)"
    assert conjecture(claim, conservative=True, examples=20).outcome == "proved"  # it is zero: MICo's identity
    assert conjecture("psd((1-gamma)*R*K + (1-gamma)*U - R*one*one')", examples=60).outcome == "refuted"


def test_a_proof_is_of_its_own_claim():
    document = conjecture("psd(K)", examples=10).as_json()
    for change in ({"claim": "psd(K - K1)"}, {"claim": "psd(K1)"}, {"claim": "psd(0 - K)"}):
        with pytest.raises(KropeError):
            verify_document({**document, **change})
    broken = copy.deepcopy(document)
    broken["proof"]["certificate"]["parts"][0]["steps"][0]["of"][0]["times"] = "2"
    with pytest.raises(KropeError):
        verify_document(broken)
    refutation = conjecture("psd(K1 - K)", examples=20).as_json()
    with pytest.raises(KropeError, match="must refute"):
        verify_document({**refutation, "claim": "psd(K - K1)"})
    smuggled = copy.deepcopy(document["proof"]["certificate"])
    smuggled["parts"][0]["hypotheses"]["more"] = {"kind": "psd", "shape": ["X", "X"], "terms": [["-1", [], ["K"]]]}
    with pytest.raises(KropeError, match="hypotheses"):
        check_matrix_certificate("psd(K)", False, smuggled)


@pytest.mark.parametrize(
    ("claim", "match"),
    [
        ("psd(P)", "symmetric"),
        ("psd(Z)", "made of .* got 'Z'"),
        ("psd(q)", r"square matrix; got \[X, 1\]"),
        ("psd(K <= K <= K)", "compare two"),
        ("psd(K +)", "column 8"),
    ],
)
def test_bad_claims_are_named(claim, match):
    with pytest.raises(KropeError, match=match):
        conjecture(claim, examples=5)


def test_premises_narrow_a_claim():
    assert conjecture("psd(K)", assume=["gamma < 1/2"], examples=5).outcome == "proved"
    assert conjecture("K <= 2*K1", gamma="1/2", examples=20).outcome == "refuted"
    case = case_from_witness({"P_pi": [["1", "0"], ["0", "1"]], "r": ["0", "1"], "gamma": "1/2"})
    assert judge_case(ask("K1 >= K"), case).refutes
    assert judge_case(ask("K1 >= K", assume=["K >= K1"]), case).refutes
    unmet = judge_case(ask("K1 >= K", assume=["psd(K1 - K)"]), case)
    assert (unmet.met, unmet.refutes) == (0, False)


def test_the_finder_reads_what_the_language_means():
    assert matrix_text("psd(K >= K1)") == "(K) - (K1)"
    for claim in (*PROVED, *REFUTED):
        text = certificate_text(ask(claim))
        said, meant = (matrix_part(one).value(matrix_text(one)) for one in (text, claim))
        assert said == meant, claim
    assert certificate_text(ask("psd(B)", features="any")) is None
    assert certificate_text(ask("psd(K/(1-gamma))")) is None
    assert certificate_text(ask("psd(horizon*K)")) is None


def test_what_was_proved_was_tried_and_nothing_failed():
    """One ratio is told of a proved claim: none, which is not a number."""
    verdict = conjecture("psd(K >= K1)", examples=20)
    (trial,) = verdict.trials
    assert (trial.level, trial.failed, trial.worst, trial.undecided) == ("exact", 0, 0.0, 0)
    assert trial.tried + trial.vacuous > 0
    given = conjecture("psd(K >= K1)", ["gamma >= 1/2"], examples=20)
    assert given.outcome == "proved"
    assert given.trials[0].vacuous > 0
    assert given.reason.endswith("(the premises are not needed)")
