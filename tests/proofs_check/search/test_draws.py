import numpy as np
import pytest
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.case import Case
from proofs_check.conjectures.question import ask
from proofs_check.search.draws import KNOWN, _moved, known_cases, random_cases

ANY = ask("q[x] <= 1")


@pytest.mark.parametrize("exact", [False, True])
def test_chains_are_valid_and_varied(exact):
    cases = list(random_cases(ANY, 150, 0, exact))
    for case in cases:
        case.exact_mrp() if exact else case.mrp()  # validates
        assert case.exact == exact
        low, high = case.reward_range or (min(case.r), max(case.r))
        assert low <= min(case.r)
        assert high >= max(case.r)
        assert abs(float(sum(case.weights)) - 1 if not exact else float(sum(case.weights) - 1 != 0)) < 1e-12
    assert {case.conservative for case in cases} == {True, False}
    assert any(case.own_range == 0 for case in cases)
    assert any(case.gamma == 0 for case in cases)
    assert any(case.R > case.own_range for case in cases)
    assert any(any(weight == 0 for weight in case.weights) for case in cases)
    assert any(max(abs(v) for v in case.r) > 5 for case in cases)
    assert len({case.X for case in cases}) >= 4


def test_settings_are_respected():
    fixed = list(random_cases(ask("q[x] <= 1", gamma="1/3", conservative=True), 60, 0, True))
    assert all(case.conservative and case.gamma == fmpq(1, 3) for case in fixed)
    floats = list(random_cases(ask("norm <= 1", gamma="1/3"), 60, 0, False))
    assert all(case.X <= 8 and case.gamma == pytest.approx(1 / 3) for case in floats)


def test_equal_seeds_give_equal_chains():
    first, again, other = (
        [case.P_pi for case in random_cases(ANY, 20, seed, False) if case.X == 2] for seed in (1, 1, 2)
    )
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert len(first) != len(other) or not all(np.array_equal(a, b) for a, b in zip(first, other, strict=True))


def test_known_chains():
    assert len(list(known_cases(ANY))) == len(KNOWN)
    endless = list(known_cases(ask("q[x] <= 1", conservative=True, gamma="1/2")))
    assert 0 < len(endless) < len(KNOWN)
    assert all(case.conservative and case.gamma == fmpq(1, 2) and sum(case.weights) == 1 for case in endless)


def test_rewards_are_scaled_and_shifted_either_way():
    """Of a chain with rewards 0 and 1 the first tells the shift, and the difference the scale."""
    case = Case.from_matrix(
        rationals([[1, 0], [0, 1]]), rationals([0, 1]), fmpq(1, 2), reward_range=tuple(rationals([-1, 2]))
    )
    made = [_moved(np.random.default_rng(seed), case) for seed in range(400)]
    shifts, scales = {near.r[0] for near in made}, {near.r[1] - near.r[0] for near in made}
    assert shifts == {-shift for shift in shifts}
    assert scales == {1 / scale for scale in scales}
    assert (len(shifts), len(scales)) == (5, 4)
    for near in made:
        low, high = near.reward_range
        assert (near.r[0] - low, high - near.r[1]) == (near.r[1] - near.r[0],) * 2
        assert np.array_equal(near.P, case.P)
