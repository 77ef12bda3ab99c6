"""Bisimulation where action sets differ by state: by name, and as sets of behaviors."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import linprog

from tabular_krope.errors import KropeError
from tabular_krope.metrics.bisimulation import bisimulation_metric
from tabular_krope.metrics.lax import lax_bisimulation_metric
from tabular_krope.metrics.partition import bisimulation_partition
from tabular_krope.models.exact_mdp import ExactMDP
from tabular_krope.models.garnet import garnet
from tabular_krope.models.mdp import MDP
from tabular_krope.models.optimal import optimal_values


def ragged(seed, S=6, A=3, ending=False, few=2, csr=False, gamma=0.9):
    """A random model with few kinds of rows, so that states can be alike, and different action sets."""
    rng = np.random.default_rng(seed)
    mask = rng.random((S, A)) < 0.6
    mask[np.arange(S), rng.integers(0, A, S)] = True
    state, action = np.nonzero(mask)
    X = len(state)
    end = rng.choice([0.0, 0.5], size=X) if ending else np.zeros(X)
    rows = np.zeros((X, S))
    for x in range(X):
        picked = rng.choice(S, size=2, replace=False)
        rows[x, picked] = (1 - end[x]) / 2
    r = rng.integers(0, few, size=X).astype(float)
    return MDP(sparse.csr_array(rows) if csr else rows, r, gamma, end=end, pair_state=state, pair_action=action)


def coarsest_by_definition(mdp, by_name):
    """The definition, iterated from one block with fractions: no sorting, no sparse matrices, no tolerance."""
    rows = [[Fraction(float(p)) for p in row] for row in sparse.csr_array(mdp.P_pairs).toarray()]
    labels = [0] * mdp.n_states
    while True:
        seen, new = {}, []
        for s in range(mdp.n_states):
            behaviors = []
            for x in np.flatnonzero(mdp.pair_state == s):
                into = [sum((p for t, p in enumerate(rows[x]) if labels[t] == b), Fraction(0)) for b in set(labels)]
                behaviors.append((int(mdp.pair_action[x]) if by_name else None, float(mdp.r_pairs[x]), *into))
            key = (labels[s], frozenset(behaviors))
            new.append(seen.setdefault(key, len(seen)))
        if len(seen) == len(set(labels)):
            return new
        labels = new


@pytest.mark.parametrize("seed", range(30))
def test_partitions_are_those_of_the_definition(seed):
    mdp = ragged(seed, S=7, A=2, ending=seed % 3 == 0, few=1 + seed % 2, csr=seed % 2 == 0)
    for actions in ("name", "set"):
        found = bisimulation_partition(mdp, actions=actions)
        assert found.labels.tolist() == coarsest_by_definition(mdp, actions == "name")
        exact = bisimulation_partition(ExactMDP.from_float(mdp), actions=actions)
        assert exact.labels.tolist() == found.labels.tolist()


def test_the_draws_tell_the_two_apart_and_from_trivial_partitions():
    sizes = [
        (len(bisimulation_partition(m)), len(bisimulation_partition(m, actions="set")))
        for m in (ragged(seed, S=7, A=2, few=1) for seed in range(30))
    ]
    assert all(by_name >= as_sets for by_name, as_sets in sizes)
    assert sum(by_name > as_sets for by_name, as_sets in sizes) > 10


def test_how_often_a_behavior_is_there_does_not_matter_to_sets():
    mdp = MDP([[1, 0], [0, 1], [1, 0]], [1.0, 1.0, 1.0], 0.9, pair_state=[0, 0, 1], pair_action=[0, 1, 1])
    assert bisimulation_partition(mdp, actions="set").n_blocks == 1
    assert bisimulation_partition(mdp).n_blocks == 2


def test_unknown_comparison():
    with pytest.raises(KropeError, match="actions must be one of name, set; got 'nam' "):
        bisimulation_partition(ragged(0), actions="nam")


def iterated(mdp, by_name, sweeps):
    """The definitions by value iteration, the transports by linear programming; the end is the last point."""
    ends = bool(mdp.end_pairs.any())
    S, n = mdp.n_states, mdp.n_states + ends
    laws = np.hstack([sparse.csr_array(mdp.P_pairs).toarray(), mdp.end_pairs[:, None]])[:, :n]
    rows = list(zip(mdp.pair_state, mdp.pair_action, mdp.r_pairs, laws, strict=True))
    options = [[(int(a), r, law) for s, a, r, law in rows if s == t]
               for t in range(S)]  # fmt: skip
    if ends:
        options.append([(a, 0.0, np.eye(n)[S]) for a in (range(mdp.n_actions) if by_name else [0])])
    rewards = [r for there in options for _, r, _ in there]
    farthest = (max(rewards) - min(rewards)) / (1 - mdp.gamma)
    d = np.zeros((n, n))
    for _ in range(sweeps):
        new = np.zeros((n, n))
        for i in range(n):
            for j in range(i):
                delta = np.array([[abs(r - q) + mdp.gamma * wasserstein(p, o, d) for _, q, o in options[j]]
                                  for _, r, p in options[i]])  # fmt: skip
                names = [[a for a, _, _ in options[k]] for k in (i, j)]
                if not by_name:
                    new[i, j] = max(delta.min(axis=1).max(), delta.min(axis=0).max())
                else:
                    new[i, j] = farthest if names[0] != names[1] else np.diag(delta).max()
        d = new + new.T
    return d


def wasserstein(p, q, d):
    n = len(p)
    margins = np.vstack([np.kron(np.eye(n), np.ones(n)), np.kron(np.ones(n), np.eye(n))])
    found = linprog(d.reshape(-1), A_eq=margins[:-1], b_eq=np.concatenate([p, q])[:-1])
    return found.fun


@pytest.mark.parametrize(("seed", "ending"), [(0, False), (1, True), (2, False), (3, True)])
def test_metrics_are_the_fixed_points_of_their_definitions(seed, ending):
    mdp = ragged(seed, S=3, A=2, ending=ending, few=3, gamma=0.25)
    for metric, by_name in ((bisimulation_metric, True), (lax_bisimulation_metric, False)):
        found = metric(mdp)
        expected = iterated(mdp, by_name, sweeps=14)
        slack = 2 * 0.25**14 / 0.75 + 1e-8
        np.testing.assert_allclose(found.matrix, expected[:3, :3], atol=slack)
        if ending:
            np.testing.assert_allclose(found.to_end, expected[3, :3], atol=slack)


@pytest.mark.parametrize("seed", range(8))
def test_metrics_are_pseudometrics_that_bound_values_and_vanish_on_their_partitions(seed):
    mdp = ragged(seed, S=6, A=2, few=2, gamma=0.9)
    v = optimal_values(mdp)
    gaps = np.abs(v[:, None] - v)
    by_name, lax = bisimulation_metric(mdp), lax_bisimulation_metric(mdp)
    assert np.all(lax.matrix <= by_name.matrix + by_name.error_bound + lax.error_bound)
    for found, actions in ((by_name, "name"), (lax, "set")):
        d, slack = found.matrix, 3 * found.error_bound + 1e-12
        assert np.all(gaps <= d + slack)
        assert np.all(d[:, None, :] <= d[:, :, None] + d[None, :, :] + slack)
        labels = bisimulation_partition(mdp, actions=actions).labels
        np.testing.assert_array_equal(d <= 1e-9, labels[:, None] == labels)


def test_gamma_one_where_every_policy_ends():
    mdp = MDP([[0.75], [0.0]], [1.0, 3.0], 1.0, end=[0.25, 1.0], pair_state=[0, 0], pair_action=[0, 4])
    # the end answers with its one behavior: max(1 + 3/4 d, 3) = 4
    assert lax_bisimulation_metric(mdp).to_end == pytest.approx([4.0])
    # by name the end has five actions and the state two: as far as can be, the span 3 times twice the lifetime 4
    assert bisimulation_metric(mdp).to_end == pytest.approx([24.0])


def test_full_action_sets_as_a_list_have_the_metrics_of_the_arrays():
    full = garnet(4, 2, gamma=0.8, seed=3)
    listed = MDP(full.P_pairs, full.r_pairs, 0.8, pair_state=full.pair_state, pair_action=full.pair_action)
    for metric in (bisimulation_metric, lax_bisimulation_metric):
        np.testing.assert_allclose(metric(listed).matrix, metric(full).matrix, rtol=1e-12)


def test_refusals():
    with pytest.raises(KropeError, match="mdp must be an MDP; got int"):
        lax_bisimulation_metric(3)
    with pytest.raises(KropeError, match="tolerance must be positive; got 0"):
        lax_bisimulation_metric(ragged(0), tolerance=0)
    with pytest.raises(KropeError, match="the metric must reach an error of"):
        lax_bisimulation_metric(ragged(0, few=3), tolerance=1e-300)
