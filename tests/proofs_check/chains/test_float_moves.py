import numpy as np
import pytest

from proofs_check.chains.case import Case
from proofs_check.chains.float_moves import PATTERNS, changed, structured
from proofs_check.chains.generators import chains

SEEDS = range(60)


@pytest.mark.parametrize("ending", [False, True])
def test_neighbors_are_models_in_the_same_reward_range(ending):
    make = chains(ending=ending, reward_range="wider")
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        case = make(rng, False)
        for step in (0.5, 0.01):
            case = changed(case, rng, step, place=(0, case.X - 1), largest_gamma=0.999)
            case.mrp()  # validates rows
            assert case.weights.sum() == pytest.approx(1)
            assert case.weights.min() >= 0
            low, high = case.reward_range
            assert low <= case.r.min() <= case.r.max() <= high
            assert 0 <= case.gamma <= 0.999
            assert ending or case.conservative


def test_every_part_changes_sooner_or_later():
    case = Case.from_matrix(
        np.full((3, 3), 1 / 3), np.array([0.0, 0.5, 1.0]), 0.5, given={"phi": np.ones((3, 2)), "k": 1}
    )
    rng, seen = np.random.default_rng(0), set()
    for _ in range(100):
        near = changed(case, rng, 0.3, free=("phi",))
        seen |= {name for name in ("P", "r", "weights", "gamma") if np.any(getattr(near, name) != getattr(case, name))}
        seen |= {"phi"} if np.any(near.given["phi"] != 1) else set()
        assert near.given["k"] == 1
    assert seen == {"P", "r", "weights", "gamma", "phi"}


def test_gamma_zero_and_a_lone_pair_stay():
    case = Case.from_matrix(np.eye(1), np.zeros(1), 0.0)
    for seed in SEEDS:
        near = changed(case, np.random.default_rng(seed), 0.5, place=(0, 0))
        assert near.gamma == 0
        assert near.P.tolist() == [[1.0]]


@pytest.mark.parametrize("S", [1, 2, 3, 5, 6, 9])
@pytest.mark.parametrize("A", [1, 2])
def test_structured_starts_are_models(S, A):
    rng = np.random.default_rng(S)
    Pi = np.zeros((S, S * A))
    Pi[np.arange(S * A) // A, np.arange(S * A)] = 1 / A
    case = Case(
        np.full((S * A, S), 1 / S), Pi, np.zeros(S * A), 0.5, np.zeros(S * A), np.full(S * A, 1 / (S * A)), (-2.0, 1.0)
    )
    found = list(structured(case, rng))
    assert len(found) == len(PATTERNS)
    for near in found:
        near.mrp()
        assert near.conservative
        assert near.reward_range == (-2.0, 1.0)
        assert -2.0 <= near.r.min() <= near.r.max() <= 1.0


def test_a_delayed_mixture_hides_its_difference_for_one_step():
    case = Case.from_matrix(np.eye(6), np.zeros(6), 0.9)
    delayed = list(structured(case, np.random.default_rng(0)))[2]
    assert np.ptp(delayed.r[4:]) == 0
    assert np.ptp((delayed.P @ delayed.r)[4:]) == 0
    assert np.ptp((delayed.P @ delayed.P @ delayed.r)[4:]) > 0
