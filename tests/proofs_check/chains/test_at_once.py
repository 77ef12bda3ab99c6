"""Instances that stand together get, to the last bit, what each finds alone."""

from dataclasses import replace

import numpy as np
import pytest

from proofs_check.chains.at_once import doubled, stand_together
from proofs_check.chains.case import Case
from proofs_check.chains.float_moves import DEPENDS, changed
from proofs_check.chains.generators import chains
from proofs_check.search.trials import draw
from tabular_krope.kernels.stein import solve_stein

QUANTITIES = ("P_pi", "Q", "horizon", "q", "K", "d", "after", "U")
CASES = list(draw(chains(), "together", 80, 0, False))


@pytest.mark.parametrize("name", QUANTITIES)
def test_who_stands_beside_makes_no_difference_to_a_digit(name):
    together = [replace(case) for case in CASES]
    stand_together(together)
    for case, alone in zip(together, CASES, strict=True):
        assert np.array_equal(getattr(case, name), getattr(replace(alone), name))


def test_what_one_is_asked_for_all_of_its_size_get():
    one, two, three = (Case.from_matrix(np.eye(n), np.arange(float(n)), 0.5) for n in (2, 2, 3))
    stand_together([one, two, three])
    assert np.array_equal(one.K, two._cache["K"])
    assert "K" not in three._cache
    rational, large = chains()(np.random.default_rng(0), True), Case.from_matrix(np.eye(30), np.arange(30.0), 0.5)
    stand_together([rational, rational, large, large])
    assert rational._peers == large._peers == []


def test_doubling_solves_the_equation_each_ending_for_itself():
    rng = np.random.default_rng(0)
    Q = np.stack([np.eye(3), np.full((3, 3), 1 / 3), rng.dirichlet(np.ones(3), 3), np.eye(3)[[1, 2, 0]]])
    C = np.stack([A @ A.T for A in rng.standard_normal((4, 3, 3))])
    gamma = np.array([0.99, 0.9, 0.5, 0.0])
    for k, M in enumerate(doubled(Q, C, gamma)):
        assert np.array_equal(M, solve_stein(Q[k], C[k], gamma[k], 1 / (1 - gamma[k])).matrix)
        assert np.abs(M - C[k] - gamma[k] * Q[k] @ M @ Q[k].T).max() <= 1e-12 * np.abs(M).max()


def test_a_sum_that_does_not_end_is_not_a_number():
    assert np.isnan(doubled(np.array([[[0.0, 1.0], [1.0, 0.0]]]), np.eye(2)[None], np.ones(1))).all()


@pytest.mark.parametrize("seed", range(40))
def test_what_a_change_leaves_as_it_was_is_kept_and_right(seed):
    rng = np.random.default_rng(seed)
    case = chains(reward_range=("own", "wider")[seed % 2])(rng, False)
    for name in set(DEPENDS) - {"features", "reward factors", "own range"}:
        getattr(case, name)
    near = changed(case, rng, 0.3)
    fresh = replace(near)
    for name in near._cache:
        if name != "own range":
            assert np.array_equal(near._cache[name], getattr(fresh, name)), name
    assert {"lone", "shares"} <= set(near._cache) <= set(case._cache)
