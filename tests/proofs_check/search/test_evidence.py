from itertools import islice

import numpy as np
import pytest

from proofs_check.arithmetic.linear_algebra import identity, rationals
from proofs_check.chains.case import Case
from proofs_check.conjectures import gathering, judge
from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.question import ask
from proofs_check.prove.small_model.prover import Decision
from proofs_check.search.evidence import adversarial, exactly, sampled
from proofs_check.search.extremes import small_extremes
from proofs_check.search.spaces import spaces
from proofs_check.search.tally import Attack, Seen, Tally


def test_a_refutation_that_only_floats_find_is_kept():
    question = ask("d[x,z] <= d[x,y] + d[y,z]")
    tally = sampled(question, 60, 0, True, lambda stage, share: None)
    assert tally.confirmed == 1
    assert judge_case(question, tally.refuting).refutes


def test_a_refutation_that_only_floats_find_decides_the_verdict(monkeypatch):
    monkeypatch.setattr(gathering, "exactly", lambda *_: None)
    monkeypatch.setattr(gathering, "cross", lambda *_: None)
    monkeypatch.setattr(gathering, "adversarial", lambda *_: Attack(Tally("adversarial"), []))
    verdict = judge.conjecture("d[x,z] <= d[x,y] + d[y,z]", examples=60, prove=False)
    assert verdict.outcome == "refuted"
    assert {trial.level: trial.confirmed for trial in verdict.trials}["sampled"] == 1


def nothing(stage, share):
    """No progress is shown."""


def test_only_what_seems_to_refute_is_examined():
    tally = sampled(ask("d[x,y] >= 0"), 20, 0, True, nothing)
    assert (tally.confirmed, tally.acquitted, tally.doubtful) == (0, 0, 0)


def test_an_adversary_that_finds_nothing_tries_every_size():
    question = ask("d[x,y] >= 0", gamma="1/2")
    found = adversarial(question, 1, 0, True, nothing)
    assert found.tally.refuting is None
    assert {case.X for case in found.tightest} == {space.X for space in spaces(question)}
    assert len({space.X for space in spaces(question)}) > 1


def test_progress_of_exact_trials_is_the_share_that_is_done():
    shown = []
    cases = list(islice(small_extremes(ask("d[x,y] >= 0")), 4))
    for total in (4, 2, 0):
        exactly(ask("d[x,y] >= 0"), cases, total, lambda _, share: shown.append(share), Tally("exact"))
    assert shown == [0, 0.25, 0.5, 0.75, 0, 0.5, 1, 1, 0, 1, 1, 1]


def test_the_simplest_of_several_refutations_is_shown(monkeypatch):
    question = ask("q[x] <= 0")
    large, small = (
        Case.from_matrix(identity(X, True), rationals([1] * (X - 1) + [2]), rationals("1/2")[()]) for X in (3, 2)
    )
    tallies = [Tally("exact", refuting=large), Tally("sampled", refuting=small), Tally("adversarial", refuting=large)]
    chosen = []
    monkeypatch.setattr(judge, "gathered", lambda *_: tallies)
    monkeypatch.setattr(judge, "replace", lambda verdict, **_: verdict)
    monkeypatch.setattr(judge, "_refuted", lambda _question, _tallies, _settings, case, *_: chosen.append(case))
    judge._judged(question, {"examples": 1, "seed": 0}, nothing, False, lambda case: None)
    assert chosen == [small]


@pytest.mark.parametrize(("P", "inside"), [([[0, 1], [1, 0]], True), ([["1/2", "1/2"], [1, 0]], False)])
def test_a_small_model_refutes_a_claim_about_a_class_from_inside_it_only(P, inside, monkeypatch):
    question = ask("q[x] <= 0", classes=["deterministic"])
    case = Case.from_matrix(rationals(P), rationals([1, 2]), rationals("1/2")[()])
    chosen = []
    monkeypatch.setattr(judge, "decide", lambda _: Decision("refuted", "", case=case))
    monkeypatch.setattr(judge, "gathered", lambda *_: [])
    monkeypatch.setattr(judge, "_refuted", lambda _question, _tallies, _settings, found, *_: chosen.append(found))
    monkeypatch.setattr(judge, "_not_refuted", lambda *_: None)
    monkeypatch.setattr(judge, "replace", lambda verdict, **_: verdict)
    judge._judged(question, {"examples": 1, "seed": 0}, nothing, True, lambda case: None)
    assert chosen == ([case] if inside else [])


def test_ties_that_rounding_hides_are_no_violations_and_clear_ones_are():
    tally, two = Tally("adversarial"), np.ones(2, dtype=bool)
    tally.add(Seen(two, two, np.zeros(2), np.ones(2), two))
    assert (tally.failed, tally.ties, tally.unsettled(False)) == (2, 2, 0)
    tally.doubtful = 1
    assert tally.unsettled(False) == 1
    tally.add(Seen(two, two, np.ones(2), np.ones(2), np.array([True, False])))
    assert tally.unsettled(False) == 4


def test_what_fails_outside_of_the_premises_counts_for_nothing():
    tally = Tally("sampled")
    tally.add(Seen(np.array([True, False]), np.array([False, True]), np.zeros(2), np.ones(2)))
    assert (tally.tried, tally.vacuous, tally.failed) == (1, 1, 0)
