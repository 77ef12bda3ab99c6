import numpy as np
import pytest

from tabular_krope.evaluation.lspe import lspe
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.report.representation import feature_facts
from tabular_krope.representations.features import features
from tests.cases import all_mrps, random_mrp

MRPS = all_mrps()


@pytest.mark.parametrize("name", MRPS)
def test_full_krope_features_represent_everything(name):
    mrp = MRPS[name]
    K = krope_kernel(mrp)
    phi = features(K).matrix
    facts = feature_facts(K, phi, "krope")
    noise = 1e-10 * mrp.horizon**2
    assert (facts.kind, facts.d) == ("krope", phi.shape[1])
    assert facts.realizability <= noise
    assert facts.completeness <= noise
    assert facts.certificate.residual <= noise
    assert lspe(mrp, phi).norm <= facts.certificate.norm_bound + noise


def test_the_reward_range_reaches_the_certificate():
    mrp = random_mrp(0)
    wide = krope_kernel(mrp, reward_range=(-3.0, 3.0))
    phi = features(wide).matrix
    assert feature_facts(wide, phi, "krope").certificate.residual < 1e-9
    assert feature_facts(krope_kernel(mrp), phi, "krope").certificate.residual > 0.1


def test_weights_reach_the_completeness_error():
    mrp = random_mrp(0)
    K, phi = krope_kernel(mrp), np.eye(mrp.n_pairs)[:, :4]
    D = np.r_[np.ones(4), np.zeros(mrp.n_pairs - 4)]
    assert feature_facts(K, phi, "given", D).completeness < 1e-20 < feature_facts(K, phi, "given").completeness


def test_a_large_model_goes_without_pairs_of_pairs():
    K = krope_kernel(random_mrp(0))
    facts = feature_facts(K, np.eye(K.mrp.n_pairs), "one-hot", all_pairs=False)
    assert (facts.orthogonality, facts.certificate) == (None, None)
