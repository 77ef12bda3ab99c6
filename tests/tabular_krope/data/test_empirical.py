import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from tabular_krope.data import empirical
from tabular_krope.data.dataset import Dataset, sample_dataset
from tabular_krope.data.empirical import empirical_mrp
from tabular_krope.errors import KropeError
from tabular_krope.models.garnet import garnet
from tabular_krope.models.induce import induce
from tabular_krope.models.policy import Policy
from tabular_krope.models.random_policy import random_policy
from tabular_krope.models.values import occupancy
from tabular_krope.models.zoo import zoo

EPS = np.finfo(float).eps


def data(transitions, S=3, A=2, gamma=0.9, d0=None):
    s, a, r, s_next, done = zip(*transitions, strict=True)
    return Dataset(s, a, r, s_next, done, S, A, gamma, d0)


def test_by_hand():
    seen = data(
        [(0, 0, 1.0, 0, 0), (0, 0, 3.0, 1, 0), (0, 0, 2.0, 0, 1), (0, 0, 2.0, 1, 0), (1, 1, 5.0, 0, 0)],
        d0=[1.0, 0.0, 0.0],
    )
    mrp = empirical_mrp(seen, Policy.deterministic([0, 1, 0], 2))
    assert mrp.P.tolist() == [[0.25, 0.5, 0], [0, 0, 0], [0, 0, 0], [1, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert mrp.end.tolist() == [0.25, 1.0, 1.0, 0.0, 1.0, 1.0]
    assert mrp.r.tolist() == [2.0, 0.0, 0.0, 5.0, 0.0, 0.0]
    np.testing.assert_allclose(mrp.weights, [0.8, 0, 0, 0.2, 0, 0], rtol=2 * EPS)
    assert mrp.d0.tolist() == [1.0, 0, 0, 0, 0, 0]
    assert mrp.gamma == 0.9


def test_it_converges_to_the_model():
    mdp = garnet(6, 2, gamma=0.8, branching=2)
    behavior, target = Policy.uniform(6, 2), random_policy(mdp, seed=1)
    truth = induce(mdp, target)
    errors = []
    for n in (2_000, 200_000):
        mrp = empirical_mrp(sample_dataset(mdp, behavior, n), target)
        errors.append(np.abs(mrp.q - truth.q).max())
    assert errors[1] < errors[0] / 3
    assert errors[1] < 0.05
    np.testing.assert_allclose(mrp.weights, occupancy(induce(mdp, behavior)), atol=0.01)
    np.testing.assert_allclose(mrp.d0, truth.d0, rtol=4 * EPS)
    np.testing.assert_allclose(mrp.r, truth.r, atol=200_000 * EPS)


@given(st.integers(0, 10_000), st.integers(1, 200))
def test_rows_are_shares_by_a_loop_over_transitions(seed, n):
    rng = np.random.default_rng(seed)
    s = np.concatenate([np.repeat([0, 1], 2), rng.integers(0, 2, n)])
    a = np.concatenate([[0, 1, 0, 1], rng.integers(0, 2, n)])  # every pair occurs
    transitions = list(zip(s, a, rng.random(n + 4), rng.integers(0, 2, n + 4), rng.random(n + 4) < 0.3, strict=True))
    mrp = empirical_mrp(data(transitions, S=2), Policy.uniform(2, 2))
    for x in range(4):
        mine = [t for t in transitions if t[0] * 2 + t[1] == x]
        for y in range(2):
            share = sum(t[3] == y and not t[4] for t in mine) / len(mine)
            assert abs(mrp.P[x, y] - share) <= 4 * EPS
        assert abs(mrp.end[x] - sum(t[4] for t in mine) / len(mine)) <= 4 * EPS
        assert abs(mrp.r[x] - sum(t[2] for t in mine) / len(mine)) <= (n + 4) * EPS
        assert abs(mrp.weights[x] - len(mine) / len(transitions)) <= 4 * EPS


def test_large_chains_stay_sparse(monkeypatch):
    mdp = garnet(6, 2, gamma=0.8)
    sample = sample_dataset(mdp, Policy.uniform(6, 2), 2000)
    dense = empirical_mrp(sample, Policy.uniform(6, 2))
    monkeypatch.setattr(empirical, "DENSE_ENTRIES", 71)
    csr = empirical_mrp(sample, Policy.uniform(6, 2))
    assert sparse.issparse(csr.P)
    np.testing.assert_array_equal(csr.P.toarray(), dense.P)


def test_gamma_one():
    model = zoo("van-roy")
    mrp = empirical_mrp(sample_dataset(model.model, model.policy, 3000), model.policy)
    np.testing.assert_allclose(mrp.q, [0.8, 1.0, 0.0, 0.0], atol=0.1)


def test_a_missing_pair_that_follows_is_named():
    seen = data([(0, 0, 0.0, 2, 0)], S=4, d0=[1.0, 0, 0, 0])
    message = r"dataset must contain pair \(s=2, a=1\), which the policy takes after state 2; got no transition from it"
    with pytest.raises(KropeError, match=message):
        empirical_mrp(seen, Policy.deterministic([0, 0, 1, 0], 2))


def test_a_missing_pair_at_the_start_is_named():
    seen = data([(0, 0, 0.0, 0, 0)], d0=[0.5, 0.0, 0.5])
    message = (
        r"dataset must contain pair \(s=2, a=0\), which the policy takes at the start in state 2; got no transition"
    )
    with pytest.raises(KropeError, match=message):
        empirical_mrp(seen, Policy.uniform(3, 2).deterministic([0, 0, 0], 2))


def test_the_first_missing_pair_comes_first_whatever_the_reason():
    seen = data([(2, 1, 0.0, 1, 0)], d0=[0.0, 0.0, 1.0])
    with pytest.raises(KropeError, match=r"pair \(s=1, a=0\), which the policy takes after state 1"):
        empirical_mrp(seen, Policy.uniform(3, 2))


def test_pairs_that_are_not_needed_may_be_missing():
    ends = data([(0, 0, 1.0, 2, 1)], d0=[1.0, 0.0, 0.0])  # state 2 is not reached: the episode ended
    assert empirical_mrp(ends, Policy.deterministic([0, 0, 0], 2)).q[0] == 1.0


def test_bad_arguments():
    seen = data([(0, 0, 0.0, 0, 0)], d0=[1.0, 0.0, 0.0])
    with pytest.raises(KropeError, match="dataset must be a Dataset; got Policy"):
        empirical_mrp(Policy.uniform(3, 2), Policy.uniform(3, 2))
    with pytest.raises(KropeError, match="policy must be a Policy; got Dataset"):
        empirical_mrp(seen, seen)
    with pytest.raises(KropeError, match=r"policy must have shape \(3, 2\) like the data; got \(2, 2\)"):
        empirical_mrp(seen, Policy.uniform(2, 2))
