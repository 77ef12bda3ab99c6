import numpy as np
import pytest
from flint import fmpq

from tabular_krope.errors import KropeError
from tabular_krope.models.induce import induce
from tabular_krope.models.policy import Policy
from tabular_krope.models.zoo import zoo

EPS = np.finfo(float).eps


def test_two_state():
    model = zoo("two-state")
    assert model.exact().q == (fmpq(20, 11), 0)
    assert model.mrp().P.tolist() == [[0.5, 0.5], [0.0, 1.0]]
    assert model.mrp().r.tolist() == [1.0, 0.0]


def test_van_roy_represents_its_values_with_the_known_weights():
    model = zoo("van-roy")
    mrp = model.mrp()
    assert mrp.gamma == 1.0
    np.testing.assert_allclose(mrp.q, [0.8, 1.0, 0.0, 0.0], atol=8 * EPS)
    np.testing.assert_allclose(model.features @ [0.8, 1.0, 0.0], mrp.q, atol=8 * EPS)
    assert model.model.d0.tolist() == [1.0, 0.0, 0.0, 0.0]
    assert model.labels == ("w1", "w2", "2w3", "w3")


def lspe_radius(model):
    mrp, Phi, D = model.mrp(), model.features, model.weights
    return np.abs(np.linalg.eigvals(mrp.gamma * np.linalg.pinv((Phi.T * D) @ Phi) @ (Phi.T * D) @ mrp.P_pi @ Phi)).max()


def test_van_roy_diverges_on_its_data_and_not_on_policy():
    model = zoo("van-roy")
    # on policy w1, w2, w3, 2w3 are seen 1, 0.8, 0.2, 1 times in an episode of 3 steps
    counts = 2000 / 3 * np.array([1.0, 0.8, 1.0, 0.2]) + [0, 0, 0, 5000]
    np.testing.assert_allclose(model.weights, counts / 7000, rtol=32 * EPS)
    # by hand: L_33 = (2 D(w3) + 4 q D(2w3)) / (D(w3) + 4 D(2w3))
    by_hand = (2 * counts[3] + 4 * 0.8 * counts[2]) / (counts[3] + 4 * counts[2])
    np.testing.assert_allclose(lspe_radius(model), by_hand, rtol=1e-12)
    assert by_hand > 1.5
    assert lspe_radius(zoo("van-roy", n_w3=0)) < 1


def test_van_roy_probabilities_are_parameters():
    mrp = zoo("van-roy", p=0.25, q=0.5).mrp()
    np.testing.assert_allclose(mrp.q, [0.25, 1.0, 0.0, 0.0], atol=8 * EPS)
    assert mrp.end.tolist() == [0.0, 1.0, 0.5, 0.0]
    with pytest.raises(KropeError, match="gamma must be below 1 unless episodes end"):
        zoo("van-roy", q=1.0)
    with pytest.raises(KropeError, match=r"must be non-negative; got -0\.5"):
        zoo("van-roy", p=1.5)


def td_growth(model):
    """Largest real part of the spectrum of Phi' D (gamma P_pi - I) Phi, which drives semi-gradient TD."""
    mrp, Phi, D = model.mrp(), model.features, model.weights
    return np.linalg.eigvals((Phi.T * D) @ (mrp.gamma * mrp.P_pi @ Phi - Phi)).real.max()


def test_baird_diverges_under_importance_weights_only():
    model = zoo("baird")
    assert td_growth(model) > 0.05
    assert td_growth(zoo("baird", weighting="behavior")) <= 64 * EPS
    assert td_growth(zoo("baird", gamma=0.5)) <= 64 * EPS


def test_baird_features_values_and_policies():
    model = zoo("baird")
    assert not model.mrp().q.any()
    assert model.features[0].tolist() == [2, 0, 0, 0, 0, 0, 0, 1]
    assert model.features[13].tolist() == [0, 0, 0, 0, 0, 0, 1, 2]
    assert np.array_equal(model.features[::2], model.features[1::2])
    assert model.policy.probs.tolist() == [[0.0, 1.0]] * 7
    assert (model.mrp().P[1::2, 6] == 1.0).all()
    # the behavior policy visits every state equally often, which is what the weights assume
    behavior = induce(model.model, Policy([[6 / 7, 1 / 7]] * 7))
    np.testing.assert_allclose(behavior.Q.T @ np.full(7, 1 / 7), 1 / 7, rtol=8 * EPS)
    by_data = zoo("baird", weighting="behavior").weights
    np.testing.assert_allclose(by_data, np.tile([6 / 49, 1 / 49], 7), rtol=8 * EPS)
    with pytest.raises(KropeError, match="weighting must be one of behavior, importance; got 'importanc'"):
        zoo("baird", weighting="importanc")


def test_chain_walk():
    model = zoo("chain-walk")
    assert model.model.r[:, 0].tolist() == [0.0, 1.0, 1.0, 0.0]
    assert model.model.P[0].tolist() == [[0.9, 0.1, 0.0, 0.0], [0.1, 0.9, 0.0, 0.0]]
    assert model.model.P[2].tolist() == [[0.0, 0.9, 0.0, 0.1], [0.0, 0.1, 0.0, 0.9]]
    assert zoo("chain-walk", n_states=5).model.r[:, 1].tolist() == [0.0, 0.0, 1.0, 0.0, 0.0]
    assert np.flatnonzero(zoo("chain-walk", n_states=50, rewarded=(9, 40)).model.r[:, 0]).tolist() == [9, 40]
    assert zoo("chain-walk", n_states=1, fail=0).model.P.tolist() == [[[1.0], [1.0]]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_states": 0}, "n_states must be an integer of at least 1; got 0"),
        ({"fail": 1.5}, r"fail must lie in \[0, 1\]; got 1.5"),
        ({"rewarded": [4]}, "rewarded must hold states below 4; got 4"),
        ({"rewarded": [-1]}, "rewarded must be an integer of at least 0; got -1"),
    ],
)
def test_chain_walk_refuses(change, message):
    with pytest.raises(KropeError, match=message):
        zoo("chain-walk", **change)
