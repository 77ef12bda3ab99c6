import numpy as np
import pytest

from proofs_check.chains.stacked import Batch
from proofs_check.conjectures.float_judge import judge_batch
from proofs_check.conjectures.question import ask
from proofs_check.search.evolution import POPULATION, SUSPECTS, TIGHTEST, attack
from proofs_check.search.spaces import LARGEST_GAMMA, Space


def best_ratio(question, X, generations=60, seed=0):
    ratios = []
    rng = np.random.default_rng(seed)
    found = attack(Space(question, X), generations, rng, lambda f, b: ratios.append(np.nanmax(f.ratio)))
    return max(ratios), found.suspects


@pytest.mark.parametrize("conservative", [False, True])
@pytest.mark.parametrize("X", [2, 4])
def test_every_point_of_the_cube_is_a_chain(X, conservative):
    question = ask("q[x] <= 1", conservative=conservative)
    space = Space(question, X)
    Z = np.random.default_rng(0).choice([-1.0, -0.3, 0.0, 0.7, 1.0], (40, space.n))
    batch = space.decode(Z)
    assert len(batch) == 40
    for i in range(40):
        case = space.case(batch, i)
        case.mrp()  # validates
        assert case.X == X
        assert not conservative or case.conservative
        assert case.R >= case.own_range
        assert case.R == batch.high[i] - batch.low[i]
        assert 0 <= case.gamma <= LARGEST_GAMMA
        assert case.weights.sum() == pytest.approx(1)
    assert any(space.case(batch, i).reward_range is None for i in range(40))
    assert any(space.case(batch, i).reward_range is not None for i in range(40))


def test_negative_weights_are_zero_probabilities():
    n = 2 * 3 + 4 + 5
    Z = np.full((1, n), 0.5)
    Z[0, :6] = [-0.2, 0.3, -1.0, -0.5, -0.4, -0.6]
    batch = Space(ask("q[x] <= 1"), 2).decode(Z)
    assert batch.chains.P.tolist() == [[[0.0, 1.0], [0.0, 1.0]]]
    assert batch.chains.end.tolist() == [[0.0, 0.0]]


def test_discount_factors_reach_far_unless_rounding_would_blur_a_premise():
    Z = np.zeros((5, 15))
    Z[:, -1] = [-1.0, 0.0, 0.8, 0.9, 1.0]
    gammas = Space(ask("q[x] <= 1"), 2).decode(Z).chains.gamma
    assert gammas == pytest.approx([0.0, 0.55, 0.99, 0.999, LARGEST_GAMMA])
    assert Space(ask("q[x] <= 1", ["gamma >= 1/2"]), 2).decode(Z).chains.gamma == pytest.approx(gammas)
    assert Space(ask("q[x] == q[y]", ["d[x,y] == 0"]), 2).decode(Z).chains.gamma.max() == pytest.approx(0.99)


def test_a_fixed_gamma():
    batch = Space(ask("q[x] <= 1", gamma="1/4"), 2).decode(np.zeros((3, 15)))
    assert batch.chains.gamma.tolist() == [0.25] * 3


def test_the_best_constant_of_the_square_root_bound_is_found():
    question = ask("abs(q[x]-q[y]) <= sqrt(rho0*R/(2*(1-gamma))) * sqrt(d[x,y])", conservative=True)
    ratio, suspects = best_ratio(question, 2)
    assert 0.99999 < ratio <= 1
    assert suspects == []


def test_the_norm_bound_is_approached():
    ratio, suspects = best_ratio(ask("norm <= sqrt(gamma)", dim=2), 3)
    assert 0.99 < ratio <= 1 + 1e-9
    assert len(suspects) <= SUSPECTS


def test_a_false_claim_is_broken_and_the_worst_comes_first():
    ratio, suspects = best_ratio(ask("d[x,z] <= d[x,y] + d[y,z]"), 3)
    assert ratio > 1.5
    assert suspects
    assert all(case.X == 3 for case in suspects)


def test_premises_are_sought():
    met = []
    question = ask("q[x] <= 1000000", ["gamma >= 0.985", "r[x] >= 30"])
    attack(Space(question, 2), 40, np.random.default_rng(0), lambda f, b: met.append(np.mean(f.met > 0)))
    assert met[0] < 0.1
    assert met[-1] > 0.3


def test_the_population_is_what_is_judged():
    seen = []
    attack(Space(ask("q[x] <= 1"), 2), 4, np.random.default_rng(0), lambda f, b: seen.append(f))
    assert [len(f.met) for f in seen] == [POPULATION] * (1 + 4 + 2)


def test_the_tightest_chains_are_handed_on_whether_they_refute_or_not():
    found = attack(Space(ask("K[x,y]**2 <= K[x,x]*K[y,y]"), 3), 10, np.random.default_rng(0), lambda f, b: None)
    assert found.suspects == []
    assert 1 <= len(found.tightest) <= TIGHTEST
    assert all(case.X == 3 for case in found.tightest)


def test_the_tightest_chains_are_the_best_of_the_last_generation_each_value_once():
    question = ask("q[x] <= 3", gamma="1/2")
    space, batches = Space(question, 2), []
    found = attack(space, 0, np.random.default_rng(0), lambda _, batch: batches.append(batch))
    (batch,) = batches  # no generation: the first is the last
    scores = judge_batch(question, batch).score
    best = sorted(set(scores.tolist()), reverse=True)[:TIGHTEST]
    assert len(found.tightest) == TIGHTEST
    assert judge_batch(question, Batch.of_cases(found.tightest)).score.tolist() == pytest.approx(best)


def test_where_no_chain_meets_a_premise_those_nearest_to_it_go_on():
    """Rewards between 0.33 and 0.36, which chance does not give: the climb begins outside and ends inside."""
    question = ask("q[x] <= 1", ["rmin >= 33/100", "rmax <= 36/100"])
    generations = []

    def seen(found, batch):
        generations.append(judge_batch(question, batch))

    attack(Space(question, 2), 60, np.random.default_rng(0), seen)
    assert not generations[0].met.any()
    assert generations[0].shortfall.min() > 1e-3
    assert generations[-1].met.any()
    assert np.median([found.shortfall.min() for found in generations[-10:]]) == 0
