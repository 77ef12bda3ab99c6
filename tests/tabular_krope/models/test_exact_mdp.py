"""Rational models: nothing rounded, whatever the form they were given in."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

import tabular_krope as tk
from tabular_krope.errors import KropeError
from tests.tabular_krope.metrics.test_action_sets import ragged

THIRD = Fraction(1, 3)
P = [[[THIRD, 1 - THIRD], [1, 0]], [[0, "1"]]]


def small(gamma="9/10", **changes):
    return tk.ExactMDP(**{"P": P, "r": [[1, 0], ["1/2"]], "gamma": gamma} | changes)


def fractions_of(values):
    return [Fraction(int(v.p), int(v.q)) for v in values]


def q_by_fractions(mdp, probs):
    """Action values by Gauss-Jordan elimination with Python's fractions on pairs."""
    X = mdp.n_pairs
    gamma = Fraction(str(mdp.gamma))
    rows = []
    for x in range(X):
        row = [Fraction(int(x == y)) for y in range(X)]
        for y, (s, a) in enumerate(zip(mdp.pair_state, mdp.pair_action, strict=True)):
            row[y] -= gamma * Fraction(str(mdp.P[x].get(s, 0))) * probs[s][a]
        rows.append([*row, Fraction(str(mdp.r[x]))])
    for i in range(X):
        pivot = next(k for k in range(i, X) if rows[k][i] != 0)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [v / rows[i][i] for v in rows[i]]
        for k in range(X):
            if k != i:
                rows[k] = [v - rows[k][i] * w for v, w in zip(rows[k], rows[i], strict=True)]
    return [row[-1] for row in rows]


def test_an_exact_model_and_an_exact_policy_make_an_exact_chain():
    mdp = small()
    probs = [[Fraction(2, 7), Fraction(5, 7)], [Fraction(1), Fraction(0)]]
    chain = tk.induce(mdp, probs)
    assert isinstance(chain, tk.ExactMRP)
    assert fractions_of(chain.q) == q_by_fractions(mdp, probs)
    assert fractions_of(chain.d0) == [Fraction(1, 7), Fraction(5, 14), Fraction(1, 2)]


def test_a_float_policy_stands_for_its_rationals():
    mdp, policy = small(), tk.Policy([[0.1, 0.9], [1.0, 0.0]])
    total = Fraction(0.1) + Fraction(0.9)
    chain = tk.induce(mdp, policy)
    assert Fraction(str(chain.Pi[0, 0])) == Fraction(0.1) / total
    np.testing.assert_allclose(
        [float(v) for v in fractions_of(chain.q)], tk.induce(mdp.to_float(), policy).q, rtol=1e-14
    )


def test_forms_are_the_same_model():
    nested = small(d0=[THIRD, 1 - THIRD])
    rows = [{1: 1}, {0: 1}, {0: "1/3", 1: "2/3"}]
    listed = tk.ExactMDP(rows, ["1/2", 0, 1], "0.9", [THIRD, 1 - THIRD], pair_state=[1, 0, 0], pair_action=[0, 1, 0])
    for again in (listed, pickle.loads(pickle.dumps(nested)), eval(repr(nested), {"ExactMDP": tk.ExactMDP})):
        for name in ("P", "r", "gamma", "d0", "end", "pair_state", "pair_action", "action_names"):
            assert getattr(again, name) == getattr(nested, name)
    assert nested.P_pairs.table() == [[fmpq(1, 3), fmpq(2, 3)], [1, 0], [0, 1]]
    assert "<ExactMDP of" in repr(tk.ExactMDP.from_float(tk.garnet(8, 5)))


@pytest.mark.parametrize("ending", [False, True])
def test_floats_there_and_back(ending):
    for mdp in (ragged(4, ending=ending), tk.garnet(4, 3, seed=2)):
        exact = tk.ExactMDP.from_float(mdp)
        back = exact.to_float()
        np.testing.assert_array_equal(back.r, mdp.r)
        np.testing.assert_allclose(back.P, mdp.P, rtol=1e-15)
        assert all(sum(row.values(), e) == 1 for row, e in zip(exact.P, exact.end, strict=True))


def test_large_models_round_to_sparse_ones(monkeypatch):
    monkeypatch.setattr("tabular_krope.models.exact_mdp.DENSE_ENTRIES", 0)
    assert (small().to_float().P.toarray() == [[1 / 3, 2 / 3], [1, 0], [0, 1]]).all()
    full = tk.ExactMDP([[[1]]], [[1]], 0)
    assert full.to_float().P.toarray().tolist() == [[1]]


def test_exact_policy_iteration_proves_what_every_policy_confirms():
    """No deterministic policy is better anywhere, by elimination with fractions over all of them."""
    mdp = tk.ExactMDP.from_float(ragged(7, S=4, A=2, few=4, gamma=0.75))
    found = tk.policy_iteration(mdp)
    assert found.proved
    assert found.error_bound == 0
    best = fractions_of(found.values)
    options = [[a for s, a in zip(mdp.pair_state, mdp.pair_action, strict=True) if s == t] for t in range(4)]
    reached = [False] * 4
    for choice in np.ndindex(*map(len, options)):
        taken = [options[s][k] for s, k in enumerate(choice)]
        probs = [[Fraction(int(a == taken[s])) for a in range(mdp.n_actions)] for s in range(4)]
        q = q_by_fractions(mdp, probs)
        where = list(zip(mdp.pair_state, mdp.pair_action, strict=True))
        v = [q[where.index((s, taken[s]))] for s in range(4)]
        assert all(here <= top for here, top in zip(v, best, strict=True))
        reached = [seen or here == top for seen, here, top in zip(reached, v, best, strict=True)]
    assert all(reached)


def test_what_rounding_hides_is_decided():
    """Two actions whose values differ by 1e-40: floats cannot tell, fractions can."""
    tiny = Fraction(1, 10**40)
    mdp = tk.ExactMDP([[[1], [1]]], [[1, 1 + tiny]], Fraction(1, 2))
    found = tk.policy_iteration(mdp)
    assert found.policy.probs.tolist() == [[0.0, 1.0]]
    assert fractions_of(found.values) == [2 + 2 * tiny]
    assert found.iterations == 2


def test_gamma_one():
    mdp = tk.ExactMDP([[[0, 1]], [[1, 0], [0, 0]]], [[-1], [-1, -5]], 1, end=[[0], [0, 1]])
    assert fractions_of(tk.policy_iteration(mdp).values) == [-6, -5]
    assert tk.policy_iteration(mdp.to_float()).upper.tolist() == [np.inf, np.inf]
    with pytest.raises(KropeError, match="r must not pay an endless loop when gamma is 1"):
        tk.policy_iteration(tk.ExactMDP([[[0, 1]], [[1, 0], [0, 0]]], [[1], [1, 5]], 1, end=[[0], [0, 1]]))


@pytest.mark.parametrize("seed", range(6))
def test_bounds_of_both_iterations_hold_over_the_rationals(seed):
    mdp = ragged(seed, S=5, A=3, few=4, ending=seed % 2 == 0, gamma=0.9)
    truth = fractions_of(tk.policy_iteration(tk.ExactMDP.from_float(mdp)).values)
    howard = tk.policy_iteration(mdp)
    sweeps = tk.value_iteration(mdp, tolerance=1e-9)
    rough = tk.value_iteration(mdp, tolerance=0.5)
    assert rough.iterations <= sweeps.iterations
    for found, width in ((howard, 1e-11), (sweeps, 1e-9), (rough, 0.5)):
        assert not found.proved
        assert found.error_bound <= width
        low, high = ([Fraction(float(v)) for v in side] for side in (found.lower, found.upper))
        assert all(a <= v <= b for a, v, b in zip(low, truth, high, strict=True))
    np.testing.assert_allclose(tk.induce(mdp, sweeps.policy).v, howard.values, atol=1e-9)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"P": [[["1/3", "1/3"], [1, 0]], [[0, 1]]]}, r"P\[s=0, a=0, :\] must sum to 1 .* got 2/3 with end 0"),
        ({"P": [[[2, -1], [1, 0]], [[0, 1]]]}, r"P\[s=0, a=0, 1\] must be non-negative; got -1"),
        ({"P": [[{0: 1}, {5: 1}], [{1: 1}]]}, r"P\[s=0, a=1\] must lead to states 0..1; got 5"),
        ({"P": [[[1], [1, 0]], [[0, 1]]]}, r"P\[s=0, a=0\] must have 2 entries, one for each state; got 1"),
        ({"r": [[1], [2]]}, "r must have one reward for each action of P"),
        ({"r": [1, 2]}, "P and r must be nested by state and action"),
        ({"gamma": 2}, r"gamma must lie in \[0, 1\]; got 2"),
        ({"d0": [1]}, "d0 must be 2 non-negative rationals of sum 1"),
        ({"P": [], "r": []}, "r must have at least one pair; got none"),
        ({"end": [[0], [0]]}, "r and end must have one entry for each of 3 pairs; got 3 and 2"),
        ({"pair_state": [0]}, "pair_state and pair_action must have one entry for each row of P, 2; got 1 and 0"),
    ],
)
def test_bad_models(change, message):
    with pytest.raises(KropeError, match=message):
        small(**change)


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ([[1, 0]], r"policy must have shape \(2, 2\) like the model"),
        ([["1/2", "1/3"], [1, 0]], r"policy\[0, :\] must sum to 1; got 5/6"),
        ([[2, -1], [1, 0]], r"policy\[0, 1\] must be non-negative; got -1"),
        ([[1, 0], [0, 1]], r"policy\[1, 1\] must be 0 for an action the state lacks; got 1"),
        (3, r"policy must be a Policy or an array \[S, A\]; got int"),
    ],
)
def test_bad_policies(policy, message):
    with pytest.raises(KropeError, match=message):
        tk.induce(small(), policy)


def test_bad_settings_of_value_iteration():
    mdp = tk.garnet(3, 2, seed=0)
    with pytest.raises(KropeError, match="tolerance must be positive; got 0"):
        tk.value_iteration(mdp, tolerance=0)
    with pytest.raises(KropeError, match="tolerance must be one that float64 reaches in 5 sweeps; got 1e-08"):
        tk.value_iteration(mdp, most=5)
    with pytest.raises(KropeError, match="tolerance must be one that float64 reaches"):
        tk.value_iteration(tk.garnet(3, 2, gamma=0.5, seed=0), tolerance=1e-30)
    with pytest.raises(KropeError, match=r"mdp must be an MDP \(policy_iteration solves an ExactMDP\); got ExactMDP"):
        tk.value_iteration(small())
    with pytest.raises(KropeError, match="gamma must be below 1 for value iteration"):
        tk.value_iteration(tk.MDP([[[0.5]]], [[1.0]], 1.0, end=[[0.5]]))
