import numpy as np
import pytest

from tabular_krope.errors import KropeError
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP
from tabular_krope.models.zoo import ZOO, zoo
from tabular_krope.models.zoo_model import ZooModel, chain_of_arrows


@pytest.mark.parametrize("name", ZOO)
def test_every_entry_is_whole(name):
    model = zoo(name)
    mrp = model.mrp()
    assert model.name == name
    assert 10 < len(model.description) < 90
    assert isinstance(model.model, MDP | MRP | ExactMRP)
    assert len(model.labels) == mrp.n_states
    assert np.isfinite(mrp.q).all()
    if model.features is not None:
        assert len(model.features) == mrp.n_pairs
    if model.weights is not None:
        assert model.weights.shape == (mrp.n_pairs,)


@pytest.mark.parametrize("name", [name for name in ZOO if name != "van-roy"])
def test_gamma_is_a_parameter(name):
    assert zoo(name, gamma=0.5).mrp().gamma == 0.5


WITNESSES = [name for name in ZOO if name[:2] in ("c1", "c2", "c3", "c4", "c5", "b9", "f1", "se", "tw")]


@pytest.mark.parametrize("name", WITNESSES)
def test_witnesses_are_exact(name):
    model = zoo(name)
    assert isinstance(model.model, ExactMRP)
    assert model.exact() is model.model


def test_the_mapping_cannot_be_changed():
    with pytest.raises(TypeError):
        ZOO["mine"] = None


def test_unknown_names_and_parameters_get_a_suggestion():
    with pytest.raises(KropeError, match=r"name must be one of .*; got 'biard' \(did you mean 'baird'\?\)"):
        zoo("biard")
    with pytest.raises(KropeError, match=r"parameter of baird must be one of gamma, weighting; got 'gama' .*'gamma'"):
        zoo("baird", gama=0.5)
    with pytest.raises(KropeError, match=r"name must be one of .*; got '3'"):
        zoo(3)


def test_an_mdp_without_a_policy_takes_the_uniform_one():
    model = zoo("chain-walk")
    assert model.policy is None
    assert model.mrp().Pi.toarray()[0].tolist() == [0.5, 0.5] + [0.0] * 6
    assert model.exact().n_pairs == 8


def test_a_float_chain_is_its_own_mrp():
    model = zoo("f2-tight-radius")
    assert model.mrp() is model.model


def test_features_and_weights_are_checked():
    chain = zoo("two-state").model
    with pytest.raises(KropeError, match=r"features must have shape \(2, any\); got \(1, 1\)"):
        ZooModel("a", "b", chain, features=[[1.0]])
    with pytest.raises(KropeError, match="weights must have a positive sum; got 0"):
        ZooModel("a", "b", chain, weights=[0.0, 0.0])


def test_chain_of_arrows_ends_with_the_missing_mass():
    chain, names = chain_of_arrows({"x": {"y": "1/3"}, "y": {}}, {"y": 2}, "1/2")
    assert names == ("x", "y")
    assert [str(e) for e in chain.end] == ["2/3", "1"]
    assert [str(q) for q in chain.q] == ["1/3", "2"]
    with pytest.raises(KropeError, match=r"arrows\[x, x\] must be a rational such as .*; got 'a'"):
        chain_of_arrows({"x": {"x": "a"}}, {}, 0)
