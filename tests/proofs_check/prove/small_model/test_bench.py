import json

import pytest

from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.question import ask
from proofs_check.prove.small_model.prover import decide
from proofs_check.prove.small_model.recheck import recheck
from proofs_check.search.draws import random_cases
from tests.proofs_check.prove.small_model.bench import FALSE, OUTSIDE, TRUE
from tests.proofs_check.prove.small_model.poly_reader import reads


def test_the_bench_is_large_enough():
    assert len(TRUE) >= 80
    assert len(TRUE) + len(FALSE) + len(OUTSIDE) >= 140
    assert not {entry[0] + str(entry[1:]) for entry in TRUE} & {entry[0] + str(entry[1:]) for entry in FALSE}


@pytest.mark.parametrize(("claim", "premises", "conservative"), TRUE)
def test_what_is_true_is_proved_and_two_readers_accept_it(claim, premises, conservative):
    question = ask(claim, premises, conservative)
    decision = decide(question)
    assert decision.outcome == "proved"
    assert decision.live
    certificates = json.loads(json.dumps(decision.certificates))
    assert recheck(question, certificates) > 0
    assert all(reads(certificate) for certificate in certificates)
    for case in random_cases(question, 12, 5, exact=True):
        assert not judge_case(question, case).refutes


@pytest.mark.parametrize(("claim", "premises", "conservative"), FALSE)
def test_what_is_false_falls_with_a_chain_of_two_pairs_more_than_it_names(claim, premises, conservative):
    question = ask(claim, premises, conservative)
    decision = decide(question)
    assert decision.outcome == "refuted"
    assert decision.case.X <= len(question.claim.indices) + 2
    assert question.about(decision.case)
    assert judge_case(question, decision.case).refutes


@pytest.mark.parametrize(("claim", "why"), OUTSIDE)
def test_what_is_not_covered_says_why(claim, why):
    decision = decide(ask(claim))
    assert decision.outcome == ""
    assert not decision.covered
    assert why in decision.why
