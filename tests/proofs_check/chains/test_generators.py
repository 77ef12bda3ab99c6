import numpy as np
import pytest

from proofs_check.chains.generators import chains, lumpable_chains, mixture, probabilities
from proofs_check.search.trials import draw


@pytest.mark.parametrize("exact", [False, True])
def test_options_are_obeyed(exact):
    for case in draw(
        chains(ending=False, positive_gamma=True, rewards="distinct", coverage="positive"), "a", 40, 0, exact
    ):
        assert case.conservative
        assert case.gamma > 0
        assert len(set(case.r)) == case.X
        assert all(w > 0 for w in case.weights)
    for case in draw(chains(ending=True, deterministic=True, reward_range="two", most=6), "b", 40, 0, exact):
        assert not case.conservative
        assert case.R == 2
        assert case.X <= 6
    assert all(case.own_range == 0 for case in draw(chains(rewards="constant"), "c", 10, 0, exact))
    assert all(2 * case.gamma <= 1 for case in draw(chains(most_gamma=0.5), "d", 40, 0, exact))


@pytest.mark.parametrize("exact", [False, True])
def test_hard_cases_are_among_them(exact):
    cases = list(draw(chains(), "hard", 300, 0, exact))
    assert any(not case.conservative for case in cases)
    assert any(case.gamma == 0 for case in cases)
    assert any(case.own_range == 0 for case in cases)
    assert any(1 < len(set(case.r)) < case.X for case in cases)
    assert any(np.any(case.weights == 0) for case in cases)
    assert any(case.R > case.own_range for case in cases)
    assert any(np.all((case.P_pi == 0) | (case.P_pi == 1)) and case.conservative for case in cases)
    assert any(case.P.shape[1] < case.X for case in cases)


@pytest.mark.parametrize("exact", [False, True])
def test_lumpable_chains_have_their_bisimulation(exact):
    for case in draw(lumpable_chains(distinct=True), "l", 30, 0, exact):
        blocks = case.given["blocks"]
        law = np.column_stack([case.P_pi[:, blocks == b].sum(axis=1) for b in set(blocks)])
        for b in set(blocks):
            spread = law[blocks == b] - law[blocks == b][0]
            assert max(abs(spread.reshape(-1))) <= (0 if exact else 1e-14)


def test_every_instance_can_be_made_again():
    first, second = (list(draw(chains(), "again", 3, 5, False)) for _ in range(2))
    assert all(np.array_equal(a.K, b.K) for a, b in zip(first, second, strict=True))
    assert not np.array_equal(first[0].r, next(iter(draw(chains(), "again", 1, 6, False))).r)


def test_a_mixture_uses_all_its_parts():
    both = mixture(chains(rewards="constant"), chains(rewards="distinct"))
    kinds = {case.own_range == 0 for case in draw(both, "m", 30, 0, False)}
    assert kinds == {True, False}


def test_rows_are_distributions():
    rng = np.random.default_rng(0)
    for exact in (False, True):
        rows = probabilities(rng, exact, 50, 4, zeros=True)
        assert all(abs(sum(row) - 1) <= (0 if exact else 1e-15) and min(row) >= 0 for row in rows)
        assert np.any(rows == 0)
