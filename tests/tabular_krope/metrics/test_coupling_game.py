import numpy as np
import pytest
from scipy import sparse

from tabular_krope.errors import KropeError
from tabular_krope.metrics import coupling_game as module
from tabular_krope.metrics import strategy_iteration
from tabular_krope.metrics.coupling_game import coupling_game
from tabular_krope.metrics.strategy_iteration import solve_game
from tabular_krope.metrics.transport import Transport
from tests.cases import random_mrp


def game(seed=0, **options):
    chain = random_mrp(seed, S=3, A=2, **options)
    return coupling_game([chain.P_pi], chain.r[None], chain.end[None], chain.gamma, 2 * chain.horizon)


def test_the_end_becomes_the_last_point():
    built = coupling_game(
        [np.array([[0.0, 0.5], [0.0, 1.0]])], np.array([[1.0, 2.0]]), np.array([[0.5, 0.0]]), 0.5, 2.0
    )
    assert built.has_end
    assert built.laws[0].toarray().tolist() == [[0, 0.5, 0.5], [0, 1, 0], [0, 0, 1]]
    assert built.laws[0].nnz == 4
    assert built.rewards.tolist() == [[1, 2, 0]]


def test_stored_zeros_are_dropped():
    P = sparse.csr_array((np.array([0.0, 1.0, 1.0]), ([0, 0, 1], [0, 1, 1])), shape=(2, 2))
    built = coupling_game([P], np.zeros((1, 2)), np.zeros((1, 2)), 0.5, 2.0)
    assert P.nnz == 3
    assert built.laws[0].nnz == 2


def test_rows_are_divided_by_their_sums():
    built = coupling_game([np.array([[0.5, 0.5 + 5e-10], [0.0, 1.0]])], np.zeros((1, 2)), np.zeros((1, 2)), 0.5, 2.0)
    assert not built.has_end
    assert built.laws[0].toarray().sum(axis=1) == pytest.approx(1, abs=2e-16)


def test_an_error_that_rounding_forbids_is_refused():
    with pytest.raises(KropeError, match=r"the metric must reach an error of 1e-30; got .* after \d+ steps"):
        solve_game(game(), tolerance=1e-30)


@pytest.mark.parametrize("tolerance", [0.0, -1.0, float("nan")])
def test_a_tolerance_must_be_positive(tolerance):
    with pytest.raises(KropeError, match="tolerance must be positive; got"):
        solve_game(game(), tolerance=tolerance)


def test_too_few_steps_are_an_error(monkeypatch):
    monkeypatch.setattr(strategy_iteration, "MOST_STEPS", 1)
    with pytest.raises(KropeError, match=r"the metric must reach an error of .* after 1 steps"):
        solve_game(game())


def test_a_wider_tolerance_is_met_and_reported():
    found = solve_game(game(), tolerance=0.5)
    assert found.error_bound <= 0.5
    assert found.residual <= found.error_bound


def test_couplings_that_are_not_optimal_do_not_pass_the_certificate(monkeypatch):
    honest = module.couple

    def worse(a, b, C):
        found = honest(a, b, C)
        product = np.outer(a, b)
        value = float((product * C).sum())
        return Transport(value, product, found.gap + value - found.value)

    monkeypatch.setattr(module, "couple", worse)
    with pytest.raises(KropeError, match="the metric must reach an error of"):
        solve_game(game())


def two_actions(seed):
    rng = np.random.default_rng(seed)
    laws = [rng.dirichlet(np.full(5, 0.3), size=5) for _ in range(2)]
    return coupling_game(laws, rng.random((2, 5)), np.zeros((2, 5)), 0.9, 10.0)


@pytest.mark.parametrize("seed", range(5))
def test_small_games_are_played_with_arrays_and_large_ones_sparsely(seed, monkeypatch):
    small = solve_game(two_actions(seed))
    assert isinstance(two_actions(seed).replies(np.zeros(10, dtype=int))(np.ones(10))[1], np.ndarray)
    monkeypatch.setattr(module, "DENSE", 0)
    assert sparse.issparse(two_actions(seed).replies(np.zeros(10, dtype=int))(np.ones(10))[1])
    assert np.array_equal(solve_game(two_actions(seed)).matrix, small.matrix)


@pytest.mark.parametrize("seed", range(5))
def test_a_problem_is_solved_once_for_a_ground_cost_and_again_for_another(seed, monkeypatch):
    solved = []
    couple = module.couple

    def counted(*problem):
        solved.append(problem)
        return couple(*problem)

    monkeypatch.setattr(module, "couple", counted)
    kept, rng = two_actions(seed), np.random.default_rng(seed)
    d, other = rng.random(10), rng.random(10)
    for ground in (d, other, d):
        first = len(solved)
        moves = rng.integers(0, 2, size=10)
        value, T = kept.replies(moves)(ground)
        assert len(solved) - first == 10
        assert all(
            np.array_equal(*pair) for pair in zip((value, T), two_actions(seed).replies(moves)(ground), strict=True)
        )
        first = len(solved)
        bounds = kept.every_move(ground)
        assert len(solved) - first == 10  # the other action of each pair of points
        assert all(np.array_equal(*pair) for pair in zip(bounds, two_actions(seed).every_move(ground), strict=True))


def test_two_ways_to_one_pair_of_points_are_added(monkeypatch):
    halves = np.full((2, 2), 0.5)
    played = [coupling_game([halves], np.zeros((1, 2)), np.zeros((1, 2)), 0.5, 2.0) for _ in range(2)]
    _, T = played[0].replies(np.zeros(1, dtype=int))(np.zeros(1))
    assert T.tolist() == [[0.5]]  # 1/4 from the first to the second, and 1/4 back
    monkeypatch.setattr(module, "DENSE", 0)
    assert played[1].replies(np.zeros(1, dtype=int))(np.zeros(1))[1].toarray().tolist() == T.tolist()
