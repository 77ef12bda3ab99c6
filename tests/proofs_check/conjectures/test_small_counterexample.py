import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.as_rationals import DENOMINATORS, on_pairs, readings, round_row
from proofs_check.chains.case import Case
from proofs_check.chains.generators import chains
from proofs_check.chains.simpler import complexity, simpler
from proofs_check.conjectures import small_counterexample as shrinking
from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.question import ask
from proofs_check.conjectures.small_counterexample import as_floats, shrink_refutation

CASES = [chains()(np.random.default_rng(seed), True) for seed in range(20)]


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=6), st.sampled_from(DENOMINATORS))
def test_rounded_rows_are_distributions(weights, n):
    row = np.array(weights) / np.sum(weights)
    rounded = round_row(row, n)
    assert sum(rounded, fmpq(0)) == 1
    assert all(v >= 0 and (v * n).q == 1 for v in rounded)
    assert all(abs(int(v.p) / int(v.q) - p) <= 1 / n + 1e-9 for v, p in zip(rounded, row, strict=True))


def test_rows_that_are_multiples_stay_as_they_are():
    assert round_row([0.25, 0.5, 0.25], 4) == [fmpq(1, 4), fmpq(1, 2), fmpq(1, 4)]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("claim", ["q[x] <= 1", "rank <= S"])
def test_readings_are_valid_and_end_with_the_chain_itself(seed, claim):
    question = ask(claim)
    case = chains()(np.random.default_rng(seed), False)
    found = list(readings(question.scope, case))
    assert len(found) == len(DENOMINATORS) + 1
    for reading in found:
        reading.exact_mrp()
        assert question.about(reading)
        assert sum(reading.weights) == 1
        assert reading.R >= reading.own_range
        assert len(reading.Pi) == (len(case.Pi) if question.structured else case.X)
    last = as_floats(found[-1])
    assert last.P_pi == pytest.approx(case.P_pi)
    assert last.r.tolist() == case.r.tolist()


def test_a_fixed_gamma_is_kept():
    case = chains()(np.random.default_rng(0), False)
    assert {str(reading.gamma) for reading in readings(ask("q[x] <= 1", gamma="1/3").scope, case)} == {"1/3"}


@pytest.mark.parametrize(
    "question", [ask("q[x] <= 1"), ask("norm <= 1"), ask("rank <= S"), ask("K[x,x] <= 1", gamma="1/2")]
)
@pytest.mark.parametrize("case", CASES[:10])
def test_every_move_is_valid_and_simpler(question, case):
    if question.gamma is not None:
        case = Case.from_matrix(case.P_pi, case.r, question.gamma, end=case.end)
    case = case if question.structured else on_pairs(case)
    found = simpler(question.scope, case)
    order = [complexity(question.scope, near) for near in found]
    assert order == sorted(order)
    for near, size in zip(found, order, strict=True):
        assert size < complexity(question.scope, case)
        near.exact_mrp()
        assert sum(near.weights) == 1
        assert near.R >= near.own_range
        assert question.gamma is None or near.gamma == question.gamma


def test_conservative_questions_stay_conservative():
    question = ask("q[x] <= 1", conservative=True)
    for case in CASES:
        if case.conservative:
            assert all(near.conservative for near in simpler(question.scope, on_pairs(case)))


CLAIMS = {
    "abs(q[x]-q[y]) <= d[x,y]": 3,
    "d[x,z] <= d[x,y]+d[y,z]": 4,
    "K[x,x] >= K[x,y]": 3,
    "D[x] >= 1/10": 3,
    "rank >= S + 5": 12,
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_shrinking_keeps_the_refutation_and_ends_small(claim):
    question = ask(claim)
    found = [case for case in CASES if judge_case(question, case).refutes]
    assert found
    for case in found[:3]:
        small = shrink_refutation(question, case)
        assert judge_case(question, small).refutes
        start = case if question.structured else on_pairs(case)
        assert complexity(question.scope, small) <= complexity(question.scope, start)
        assert small.X <= CLAIMS[claim]


def test_ends_and_ranges_go_where_they_can():
    case = Case.from_matrix(
        rationals([["1/3", "1/3"], ["1/2", 0]]), rationals([0, 5]), fmpq(4, 7), end=rationals(["1/3", "1/2"]),
        reward_range=(fmpq(-1), fmpq(9)),
    )  # fmt: skip
    small = shrink_refutation(ask("q[x] <= 1"), case)
    assert small.conservative
    assert small.reward_range is None
    kept = shrink_refutation(ask("R <= 3*rho0/2"), case)
    assert kept.reward_range is not None
    ends = shrink_refutation(ask("end[x] == 0"), case)
    assert not ends.conservative


def test_degenerate_witnesses_are_a_last_resort():
    case = CASES[1]
    ordinary = Case.from_matrix(rationals([[1]]), rationals([1]), fmpq(1, 2))
    assert complexity(ask("q[x] <= 1").scope, ordinary)[0] == 1
    assert complexity(ask("q[x] <= 1").scope, Case.from_matrix(case.P_pi, case.r, fmpq(0)))[0] == 1
    absorbing = Case.from_matrix(rationals([[1, 0], [0, 1]]), rationals([0, 1]), fmpq(0))
    assert complexity(ask("q[x] <= 1", gamma=0).scope, absorbing)[0] == 0


def test_the_budget_is_respected(monkeypatch):
    calls = []

    def judge(question, case):
        calls.append(case)
        return judge_case(ask("q[x] <= 1000000"), case)

    monkeypatch.setattr(shrinking, "BUDGET", 3)
    monkeypatch.setattr(shrinking, "judge_case", judge)
    case = CASES[0]
    assert shrink_refutation(ask("X <= 0"), case).X == case.X
    assert len(calls) == 3
