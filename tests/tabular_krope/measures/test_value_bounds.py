import tracemalloc

import numpy as np
import pytest

import tabular_krope as tk
import tabular_krope.measures.value_bounds as module
from tabular_krope.arrays import dense
from tabular_krope.measures.value_bounds import common_ancestor_constant, independent_copies, rkhs_constant
from tests.cases import all_mrps, random_mrp

CASES = all_mrps()


def by_series(mrp, terms):
    """The two additive constants from their definitions, summed term by term."""
    P = dense(mrp.P_pi)
    gaps = np.abs(mrp.r[:, None] - mrp.r[None, :])
    children = np.einsum("xu,xv,uv->x", P, P, gaps)
    common, own, power = np.zeros(mrp.n_pairs), np.zeros(mrp.n_pairs), np.eye(mrp.n_pairs)
    for n in range(terms):
        common += mrp.gamma**n * power @ children
        own += mrp.gamma**n * np.einsum("xu,xv,uv->x", power, power, gaps)
        power = power @ P
    return common, own


@pytest.mark.parametrize("name", [name for name in CASES if CASES[name].gamma <= 0.95])
def test_additive_constants_by_series(name):
    mrp = CASES[name]
    common, own = by_series(mrp, 700)
    assert common_ancestor_constant(mrp) == pytest.approx(common, abs=1e-11)
    if mrp.conservative:
        assert independent_copies(tk.krope_kernel(mrp)) == pytest.approx(own, abs=1e-11)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("wide", [False, True])
def test_bounds_that_are_true_hold(name, wide):
    mrp = CASES[name]
    K = tk.krope_kernel(mrp, reward_range=(mrp.r.min() - 1, mrp.r.max() + 2) if wide else None)
    bounds = tk.value_bounds(K)
    assert bounds.gaps == pytest.approx(np.abs(np.subtract.outer(mrp.q, mrp.q)))
    assert (bounds.distance == K.distance()).all()
    slack = 1e-12 * mrp.horizon**2
    assert (bounds.rkhs is None) == (mrp.gamma == 1)
    if bounds.rkhs is not None:
        assert (bounds.gaps <= bounds.rkhs + slack).all()
    assert (bounds.independent is None) == (not mrp.conservative)
    if bounds.independent is not None:
        assert (bounds.gaps <= bounds.independent + slack).all()


def test_printed_bound_fails_and_the_others_do_not():
    """x -> a (3/4), b (1/4); y -> a (1/4), b (3/4); a -> +, b -> -; + and - absorbing."""
    P = np.zeros((6, 6))
    P[0, [2, 3]], P[1, [2, 3]] = [0.75, 0.25], [0.25, 0.75]
    P[2, 4] = P[3, 5] = P[4, 4] = P[5, 5] = 1.0
    mrp = tk.MRP.from_matrix(P, [0, 0, 0, 0, 1.0, -1.0], 0.9)
    bounds = tk.value_bounds(tk.krope_kernel(mrp))
    assert bounds.gaps[0, 1] == pytest.approx(81 / 10)
    assert bounds.printed[0, 1] == pytest.approx(81 / 20)
    assert bounds.independent[0, 1] >= 81 / 10
    assert bounds.rkhs[0, 1] >= 81 / 10


def test_rkhs_constant_is_attained_by_two_absorbing_pairs():
    mrp = tk.MRP.from_matrix(np.eye(2), [-1.0, 2.0], 0.9)
    for reward_range in (None, (-3.0, 4.0)):
        bounds = tk.value_bounds(tk.krope_kernel(mrp, reward_range=reward_range))
        assert bounds.rkhs[0, 1] == pytest.approx(bounds.gaps[0, 1], rel=1e-12)


def test_rkhs_constant_of_an_ending_chain_is_the_norm_of_the_reward():
    mrp = random_mrp(2, ending=True)
    K = tk.krope_kernel(mrp, reward_range=(-1.5, 2.0))
    norm = mrp.r @ np.linalg.solve(K.reward.matrix(), mrp.r)
    assert rkhs_constant(K) == pytest.approx(np.sqrt(norm / (1 - mrp.gamma)), rel=1e-6)
    same = tk.MRP.from_matrix([[0.5]], [3.0], 0.75, end=[0.5])
    assert rkhs_constant(tk.krope_kernel(same)) == pytest.approx(6.0)


def test_independent_bound_fails_on_ending_chains():
    """x -> + or ends, y ends; r(+) = 1, r(-) = -1: 9/20 against 9/40."""
    P = np.zeros((4, 4))
    P[0, 2] = 0.5
    mrp = tk.MRP.from_matrix(P, [0, 0, 1.0, -1.0], 0.9, end=[0.5, 1.0, 1.0, 1.0])
    K = tk.krope_kernel(mrp)
    assert tk.value_bounds(K).independent is None
    assert abs(mrp.q[0] - mrp.q[1]) == pytest.approx(9 / 20)
    with pytest.raises(tk.KropeError, match="mrp must be conservative"):
        independent_copies(K)


def test_gamma_one_has_no_rkhs_constant():
    with pytest.raises(tk.KropeError, match="gamma must be below 1 for the RKHS bound; got 1"):
        rkhs_constant(tk.krope_kernel(CASES["gamma-one"]))


@pytest.mark.parametrize("method", ["reduced", "matrix-free"])
@pytest.mark.parametrize("name", ["random", "random-sparse", "random-ending", "random-ending-gamma-one", "single-pair"])
def test_bounds_of_the_pairs_asked_for_are_those_of_all_pairs(name, method):
    mrp = CASES[name]
    everywhere = tk.value_bounds(tk.krope_kernel(mrp, "reduced"))
    rng = np.random.default_rng(0)
    i, j = rng.integers(0, mrp.n_pairs, (2, 9))
    some = tk.value_bounds(tk.krope_kernel(mrp, method), i, j)
    for field in ("gaps", "distance", "printed", "rkhs", "independent"):
        whole, part = getattr(everywhere, field), getattr(some, field)
        assert (part is None) == (whole is None)
        if part is not None:  # a root of a distance has half its digits
            assert part == pytest.approx(whole[i, j], abs=1e-6 if field == "rkhs" else 1e-11)


@pytest.mark.parametrize("ending", [False, True])
def test_gaps_of_siblings_by_sorting_are_those_of_the_matrix(ending, monkeypatch):

    monkeypatch.setattr(module, "SIBLINGS", 60)
    mrp = random_mrp(3, ending=ending, csr=True)
    P = dense(mrp.P_pi)
    gaps = np.abs(mrp.r[:, None] - mrp.r[None, :])
    assert module._sibling_gaps(mrp) == pytest.approx(np.einsum("xu,xv,uv->x", P, P, gaps), abs=1e-14)


def test_bounds_of_a_few_pairs_of_a_dense_model_make_no_pair_by_pair_array(monkeypatch):
    S, A = 10, 200
    mrp = tk.induce(tk.garnet(S, A, gamma=0.9, seed=0), tk.Policy.uniform(S, A))
    K = tk.krope_kernel(mrp, "matrix-free")
    wanted = tk.value_bounds(K, [0], [1])
    monkeypatch.setattr(module, "SIBLINGS", 2**14)
    tracemalloc.start()
    found = tk.value_bounds(K, [0], [1])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < (S * A) ** 2 * 8 / 4
    assert found.printed == pytest.approx(wanted.printed, rel=1e-12)
