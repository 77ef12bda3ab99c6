from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse, stats

from tabular_krope.data.trajectories import Draws, _side_by_side, trajectories
from tabular_krope.models.mdp import MDP
from tabular_krope.models.policy import Policy
from tests.cases import random_mrp


def test_draws_follow_the_rows():
    rng = np.random.default_rng(0)
    matrix = rng.dirichlet(np.ones(4), size=3)
    matrix[1] = [0.0, 0.5, 0.0, 0.5]
    for kind in (np.asarray, sparse.csr_array):
        draws = Draws(kind(matrix))
        for row in range(3):
            counts = np.bincount(draws(rng, np.full(20_000, row)), minlength=4)
            support = matrix[row] > 0
            assert not counts[~support].any()
            assert stats.chisquare(counts[support], 20_000 * matrix[row][support]).pvalue > 1e-3


class Extreme:
    """A generator whose uniform numbers are the smallest or the largest below 1."""

    def __init__(self, value):
        self.value = value

    def random(self, size):
        return np.full(size, self.value)


@pytest.mark.parametrize("value", [0.0, 1 - 2.0**-53])
def test_rounding_never_leaves_the_row_nor_meets_a_zero(value):
    n = 50_000  # late rows: row + u is rounded to 1e-11
    stored_zero = sparse.csr_array(
        (np.tile([0.0, 0.5, 0.5, 0.0], n), np.tile(np.arange(4), n), np.arange(0, 4 * n + 1, 4)), shape=(n, 4)
    )
    drawn = Draws(stored_zero)(Extreme(value), np.arange(n))
    assert set(drawn) == {1} if value == 0 else set(drawn) <= {1, 2}


def chain(restart_end=0.0):
    """0 -> 1 -> 2 -> 0, leaving each with probability ``restart_end`` for the end."""
    P = (1 - restart_end) * np.roll(np.eye(3), 1, axis=1)[:, None, :]
    return MDP(P, np.zeros((3, 1)), 0.9, d0=[1.0, 0.0, 0.0], end=np.full((3, 1), restart_end))


def test_an_endless_trajectory_without_restarts_is_one():
    x, s_next = trajectories(chain(), Policy.uniform(3, 1), 10, np.random.default_rng(0), 0.0)
    assert x.tolist() == [0, 1, 2, 0, 1, 2, 0, 1, 2, 0]
    assert s_next.tolist() == [1, 2, 0, 1, 2, 0, 1, 2, 0, 1]


def test_always_restarting_stays_at_the_start():
    x, _ = trajectories(chain(), Policy.uniform(3, 1), 10, np.random.default_rng(0), 1.0)
    assert x.tolist() == [0] * 10


@pytest.mark.parametrize(("ends", "restart"), [(0.0, 0.3), (0.4, 0.0), (0.2, 0.2)])
def test_each_step_follows_the_last_or_starts_again(ends, restart):
    x, s_next = trajectories(chain(ends), Policy.uniform(3, 1), 5000, np.random.default_rng(0), restart)
    assert len(x) == len(s_next) == 5000
    goes_on = x[1:] == s_next[:-1]
    assert (goes_on | (x[1:] == 0)).all()
    assert ((s_next == 3) | (s_next == (x + 1) % 3)).all()
    assert abs((s_next == 3).mean() - ends) <= 5 * np.sqrt(ends / 5000)
    # a restart shows where the walker would have gone on to 1 or 2, and is at 0
    tells = np.isin(s_next[:-1], (1, 2))
    assert abs((x[1:][tells] == 0).mean() - restart) <= 5 * np.sqrt(restart / tells.sum())


def test_the_row_of_trajectories_has_the_law_of_one_walker():
    """The first four pairs, compared with the sequential process by their exact joint law."""
    mrp = random_mrp(0, S=2, A=1, ending=True)
    P, end = np.asarray(mrp.P), mrp.end
    mdp = MDP(P[:, None, :], np.zeros((2, 1)), 0.9, d0=[0.3, 0.7], end=end[:, None])
    restart, d0 = 0.25, np.array([0.3, 0.7])
    step = (1 - restart) * P + (1 - (1 - restart) * P.sum(axis=1))[:, None] * d0  # pair to next recorded pair
    law = {}
    for word in np.ndindex(2, 2, 2, 2):
        law[word] = d0[word[0]] * np.prod([step[i, j] for i, j in pairwise(word)])
    rng = np.random.default_rng(1)
    n = 1200
    counts = dict.fromkeys(law, 0)
    for _ in range(n):
        counts[tuple(trajectories(mdp, Policy.uniform(2, 1), 4, rng, restart)[0].tolist())] += 1
    assert stats.chisquare(list(counts.values()), [n * p for p in law.values()]).pvalue > 1e-3


def test_after_an_endless_trajectory_there_is_no_other():
    # four in five episodes end at once, the others never
    mdp = MDP([[[0.0, 0.0]], [[0.0, 1.0]]], np.zeros((2, 1)), 0.9, d0=[0.8, 0.2], end=[[1.0], [0.0]])
    x, _ = trajectories(mdp, Policy.uniform(2, 1), 2000, np.random.default_rng(0), 0.0)
    assert len(x) == 2000
    assert x[0] == 0
    assert (x[np.argmax(x == 1) :] == 1).all()


def test_trajectories_that_will_not_be_looked_at_are_not_simulated(monkeypatch):
    work = [0]
    draw = Draws.__call__

    def counted(self, rng, rows):
        work[0] += len(rows)
        return draw(self, rng, rows)

    monkeypatch.setattr(Draws, "__call__", counted)
    mdp, n = chain(), 2000
    draws = Draws(mdp.d0[None, :]), Draws(Policy.uniform(3, 1).matrix()), Draws(mdp.P_pairs)
    x, _ = _side_by_side(3, *draws, np.random.default_rng(0), 0.0, 64, n)
    assert x.tolist() == (np.arange(n) % 3).tolist()
    # the j-th of 64 endless ones stops after at most 2 n / (j - 1) steps of two draws each; all of them would be 128 n
    assert work[0] <= 4 * n * (1 + sum(1 / j for j in range(1, 64)))
