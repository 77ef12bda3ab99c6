import numpy as np
import pytest

from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.models.mrp import MRP
from tabular_krope.report.facts import kernel_facts, model_facts
from tests.cases import all_mrps

MRPS = all_mrps()


def test_facts_of_a_chain_that_ends():
    facts = model_facts(MRP.from_matrix([[0.0, 0.5], [0.0, 0.0]], [1.0, 2.0], 0.5, end=[0.5, 1.0]))
    assert (facts.n_states, facts.n_actions, facts.n_pairs, facts.gamma) == (2, 1, 2, 0.5)
    assert facts.horizon == pytest.approx(1.25)
    assert (facts.conservative, facts.pairs_that_end, facts.distinct_rewards) == (False, 2, 2)
    assert (facts.reward_low, facts.reward_high) == (1.0, 2.0)


@pytest.mark.parametrize("name", MRPS)
def test_spectrum_is_that_of_the_kernel(name):
    K = krope_kernel(MRPS[name])
    facts = kernel_facts(K)
    matrix = K.matrix()
    expected = np.linalg.eigvalsh(matrix / len(matrix))[::-1][: facts.rank]
    np.testing.assert_allclose(facts.eigenvalues, expected, atol=1e-12 * expected[0] * MRPS[name].horizon)
    assert facts.rank == np.linalg.matrix_rank(matrix)
    assert facts.evidence is K.evidence


def test_a_large_model_goes_without_its_spectrum():
    facts = kernel_facts(krope_kernel(MRPS["random"], reward_range=(-2.0, 3.0)), spectrum=False)
    assert (facts.rank, facts.eigenvalues, facts.reward_range) == (None, None, 5.0)
