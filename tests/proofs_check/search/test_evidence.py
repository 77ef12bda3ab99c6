import numpy as np

from proofs_check.conjectures import judge
from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.question import ask
from proofs_check.search.evidence import sampled
from proofs_check.search.tally import Attack, Seen, Tally


def test_a_refutation_that_only_floats_find_is_kept():
    question = ask("d[x,z] <= d[x,y] + d[y,z]")
    tally = sampled(question, 60, 0, True, lambda stage, share: None)
    assert tally.confirmed == 1
    assert judge_case(question, tally.refuting).refutes


def test_a_refutation_that_only_floats_find_decides_the_verdict(monkeypatch):
    monkeypatch.setattr(judge, "exactly", lambda *_: None)
    monkeypatch.setattr(judge, "cross", lambda *_: None)
    monkeypatch.setattr(judge, "adversarial", lambda *_: Attack(Tally("adversarial"), []))
    verdict = judge.conjecture("d[x,z] <= d[x,y] + d[y,z]", examples=60, prove=False)
    assert verdict.outcome == "refuted"
    assert {trial.level: trial.confirmed for trial in verdict.trials}["sampled"] == 1


def test_ties_that_rounding_hides_are_no_violations_and_clear_ones_are():
    tally, two = Tally("adversarial"), np.ones(2, dtype=bool)
    tally.add(Seen(two, two, np.zeros(2), np.ones(2), two))
    assert (tally.failed, tally.ties, tally.unsettled(False)) == (2, 2, 0)
    tally.doubtful = 1
    assert tally.unsettled(False) == 1
    tally.add(Seen(two, two, np.ones(2), np.ones(2), np.array([True, False])))
    assert tally.unsettled(False) == 4
