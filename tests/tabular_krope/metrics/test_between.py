import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import linprog

from tabular_krope.errors import KropeError
from tabular_krope.metrics import between as module
from tabular_krope.metrics.between import metric_between, side_by_side
from tabular_krope.metrics.bisimulation import bisimulation_metric
from tabular_krope.models.mdp import MDP
from tabular_krope.models.optimal import optimal_values


def random_mdp(seed, S, A=2, gamma=0.8, ending=False):
    rng = np.random.default_rng(seed)
    end = rng.choice([0.1, 0.5], size=(S, A)) if ending else np.zeros((S, A))
    P = rng.dirichlet(np.full(S, 0.7), size=(S, A)) * (1 - end)[:, :, None]
    return MDP(P, rng.uniform(-1, 1, size=(S, A)), gamma, end=end)


def transport(p, q, D):
    n, m = D.shape
    rows = np.vstack([np.kron(np.eye(n), np.ones(m)), np.kron(np.ones(n), np.eye(m))])[:-1]
    return linprog(D.reshape(-1), A_eq=rows, b_eq=np.concatenate([p, q])[:-1], method="highs").fun


def with_end(mdp):
    S, A = mdp.n_states, mdp.n_actions
    P, r = np.zeros((S + 1, A, S + 1)), np.zeros((S + 1, A))
    P[:S, :, :S], P[:S, :, S], P[S, :, S], r[:S] = mdp.P, mdp.end, 1.0, mdp.r
    return P, r


def iterated(first, second, sweeps):
    """The equation of ``d12`` alone, iterated from zero, by linear programs; ends are states of each."""
    (P, r), (Q, s) = with_end(first), with_end(second)
    d = np.zeros((len(P), len(Q)))
    for _ in range(sweeps):
        d = np.array(
            [
                [
                    max(
                        abs(r[i, a] - s[j, a]) + first.gamma * transport(P[i, a], Q[j, a], d)
                        for a in range(first.n_actions)
                    )
                    for j in range(len(Q))
                ]
                for i in range(len(P))
            ]
        )
    return d[:-1, :-1]


@pytest.mark.parametrize("ending", [False, True])
def test_it_solves_its_own_equation(ending):
    first, second = random_mdp(1, 2, gamma=0.5, ending=ending), random_mdp(2, 3, gamma=0.5, ending=ending)
    found = metric_between(first, second)
    assert found.matrix.shape == (2, 3)
    assert not found.matrix.flags.writeable
    assert np.abs(np.asarray(found) - iterated(first, second, 18)).max() < 1e-4
    assert 0 <= found.error_bound < 1e-9


@pytest.mark.parametrize("seed", range(5))
def test_it_bounds_values_is_symmetric_and_has_a_triangle_inequality(seed):
    one, two, three = (random_mdp(10 * seed + k, S) for k, S in ((1, 3), (2, 4), (3, 2)))
    d12, d21, d23, d13 = (metric_between(a, b).matrix for a, b in ((one, two), (two, one), (two, three), (one, three)))
    assert np.all(np.abs(np.subtract.outer(optimal_values(one), optimal_values(two))) <= d12 + 1e-9)
    assert d12 == pytest.approx(d21.T, abs=1e-9)
    assert np.all(d13[:, None, :] <= d12[:, :, None] + d23[None] + 1e-9)


def test_of_a_model_and_itself_it_is_its_own_metric():
    mdp = random_mdp(7, 4)
    assert metric_between(mdp, mdp).matrix == pytest.approx(bisimulation_metric(mdp).matrix, abs=1e-9)


def test_side_by_side_keeps_both():
    first, second = random_mdp(1, 2, ending=True), random_mdp(2, 3)
    both = side_by_side(first, second)
    assert (both.n_states, both.n_actions) == (5, 2)
    P = both.P_pairs.toarray()
    assert np.array_equal(P[:4, :2], first.P.reshape(4, 2))
    assert np.array_equal(P[4:, 2:], second.P.reshape(6, 3))
    assert P[:4, 2:].sum() == P[4:, :2].sum() == 0
    assert np.array_equal(both.end, np.vstack([first.end, second.end]))


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (random_mdp(1, 2, A=3), "second must have the actions of the first, 2; got 3"),
        (random_mdp(1, 2, gamma=0.7), "second must have the gamma of the first, 0.8; got 0.7"),
        ("model", "second must be an MDP; got str"),
    ],
)
def test_what_cannot_be_compared(second, message):
    with pytest.raises(KropeError, match=message):
        metric_between(random_mdp(0, 2), second)


def test_small_models_are_joined_densely_and_give_the_distances_of_sparse_ones(monkeypatch):
    first, second = (random_mdp(seed, S=seed + 2, A=2) for seed in (1, 2))
    joined = []

    def noted(mdp, tolerance):
        joined.append(mdp)
        return bisimulation_metric(mdp, tolerance)

    monkeypatch.setattr(module, "bisimulation_metric", noted)
    whole = metric_between(first, second)
    as_csr = MDP(sparse.csr_array(first.P_pairs), first.r, first.gamma, end=first.end)
    given_sparse = metric_between(as_csr, second)
    monkeypatch.setattr(module, "DENSE", 0)
    large = metric_between(first, second)
    assert [isinstance(mdp.P, np.ndarray) for mdp in joined] == [True, False, False]
    assert np.array_equal(whole.matrix, given_sparse.matrix)
    assert np.array_equal(whole.matrix, large.matrix)
    assert np.array_equal(joined[0].P_pairs, side_by_side(first, second).P_pairs.toarray())
