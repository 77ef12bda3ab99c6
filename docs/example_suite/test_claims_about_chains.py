"""A property suite such as one might keep in another project: claims about models, tried on generated ones.

Run it with ``pytest docs/example_suite``. Each claim is a plain test; Hypothesis draws the models, and a claim that
fails comes back with the smallest model that it could find.
"""

import numpy as np
import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

import tabular_krope as tk
from proofs_check.strategies import features, mdps, mrps, partitions, policies, rational_mrps, weights

EPS = np.finfo(float).eps


@given(mrps())
def test_values_are_at_most_the_largest_reward_times_the_horizon(mrp):
    assert np.abs(mrp.q).max() <= np.abs(mrp.r).max() * mrp.horizon * (1 + 64 * EPS)


@given(mdps().flatmap(lambda mdp: st.tuples(st.just(mdp), policies(mdp.n_states, mdp.n_actions))))
def test_no_policy_beats_the_optimal_one(drawn):
    mdp, policy = drawn
    mrp = tk.induce(mdp, policy)
    assert (mrp.v <= tk.optimal_values(mdp) + 1e-9 * mrp.horizon).all()


@given(mrps().flatmap(lambda mrp: st.tuples(st.just(mrp), weights(mrp.n_pairs))))
def test_krope_features_keep_value_learning_stable_on_any_data(drawn):
    mrp, D = drawn
    phi = tk.features(tk.krope_kernel(mrp), weights=D)
    out = tk.lspe(mrp, phi, weights=D)
    condition = np.sqrt(phi.eigenvalues[0] / phi.eigenvalues[-1])
    assert out.norm <= np.sqrt(mrp.gamma) + 64 * EPS * mrp.n_pairs * condition


@given(rational_mrps())
@settings(max_examples=10)
def test_the_kernel_solves_its_equation_with_no_rounding_at_all(chain):
    K = tk.krope_kernel(chain).exact_matrix()
    P = chain.P_pi
    K1 = tk.krope_kernel(tk.ExactMRP(chain.P, chain.Pi, chain.r, 0, chain.end)).exact_matrix()
    assert K == K1 + chain.gamma * (P * K * P.transpose())


@given(mrps().flatmap(lambda mrp: st.tuples(st.just(mrp), partitions(mrp.n_pairs))))
def test_no_bellman_complete_grouping_is_coarser_than_bisimulation(drawn):
    mrp, partition = drawn
    if mrp.gamma in (0.0, 1.0) or np.ptp(mrp.r) == 0:
        return  # the class says nothing about what follows, or its box of values is a point
    if tk.piecewise_completeness_error(mrp, partition.labels) <= 1e-12 * mrp.horizon:
        assert len(partition) >= len(tk.bisimulation_partition(mrp))


@given(mrps().flatmap(lambda mrp: st.tuples(st.just(mrp), features(mrp.n_pairs))))
def test_features_of_any_rank_have_a_norm_known_from_their_residual(drawn):
    mrp, phi = drawn
    if not phi.any():
        return
    certificate = tk.residual_certificate(mrp, phi)
    size = max(1.0, np.abs(certificate.residual).max() / certificate.smallest_eigenvalue)
    assert certificate.norm**2 == pytest.approx(tk.lspe(mrp, phi).norm ** 2, abs=1e-11 * size)


def test_a_false_claim_comes_back_as_a_model_one_can_read():
    """That any features are stable is false, even without rewards and with one successor for each pair."""
    small = mrps(max_states=3, max_actions=1)
    mrp, _, _ = find(
        small.flatmap(lambda mrp: st.tuples(st.just(mrp), features(mrp.n_pairs, 1), weights(mrp.n_pairs))),
        lambda drawn: not tk.lspe(drawn[0], drawn[1], weights=drawn[2], steps=0).stable,
        settings=settings(max_examples=500),
    )
    assert mrp.n_pairs <= 3
    assert not mrp.r.any()
    assert ((mrp.P == 0) | (mrp.P == 1)).all()
