"""The prover in front of the search: what it leaves to it, and what it takes from it."""

from proofs_check.conjectures.judge import conjecture
from proofs_check.conjectures.question import ask
from proofs_check.prove.small_model.prover import decide


def outcome(claim, *premises):
    return decide(ask(claim, premises)).outcome


def test_contradictory_premises_are_left_to_the_search():
    assert outcome("q[x] <= 1", "gamma >= 2") == ""
    assert conjecture("q[x] <= 1", ["gamma >= 2"], examples=4).outcome == "vacuous"
    assert conjecture("1/(R-R) <= q[x]", examples=4).outcome == "vacuous"


def test_other_premises_are_left_aside_where_they_are_not_needed():
    assert conjecture("K[x,y] >= 0", ["d[x,y] <= 1", "P[x,y] > 0"], examples=8).outcome == "proved"
    assert outcome("q[x] == q[y]", "d[x,y] == 0") == ""  # true, but not without the premise


def test_a_refutation_meets_the_premises_and_is_shrunk():
    verdict = conjecture("q[x] <= 3/2", ["r[w] <= 1", "D[w] > 0"], gamma="1/2")
    assert verdict.outcome == "refuted"
    assert verdict.before == 3
    assert len(verdict.witness["r"]) <= 3
    assert verdict.trials == ()


def test_without_the_prover_there_is_the_search():
    verdict = conjecture("K[x,y] >= 0", examples=8, prove=False)
    assert (verdict.outcome, verdict.note) == ("holds", "")
