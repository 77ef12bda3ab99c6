from fractions import Fraction

import numpy as np
import pytest

from tabular_krope.data.files import save
from tabular_krope.errors import KropeError
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.garnet import garnet
from tabular_krope.models.induce import induce
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP
from tabular_krope.models.optimal import optimal_policy
from tabular_krope.models.policy import Policy
from tabular_krope.models.random_policy import random_policy
from tabular_krope.models.zoo import ZOO, zoo
from tabular_krope.named.models import Subject, fraction, is_file, read_model, read_process


def test_garnets():
    np.testing.assert_array_equal(read_model("garnet:6x2x3", seed=4).model.P, garnet(6, 2, 3, seed=4).P)
    assert (read_model("garnet:6x2x3").model.P > 0).sum(axis=2).max() == 3
    assert read_model("garnet:6x2").model.gamma == 0.99
    assert read_model("garnet:6x2", gamma="1/2").model.gamma == 0.5


@pytest.mark.parametrize("name", ZOO)
def test_the_zoo_comes_with_what_belongs_to_it(name):
    subject, entry = read_model(f"zoo:{name}"), zoo(name)
    assert (subject.names, subject.policy is None) == (entry.labels, entry.policy is None)
    assert (subject.features is None, subject.weights is None) == (entry.features is None, entry.weights is None)
    process = read_process(subject)
    chain = process.to_float() if isinstance(process, ExactMRP) else process
    np.testing.assert_allclose(chain.q, entry.mrp().q)


@pytest.mark.parametrize("suffix", [".npz", ".json"])
def test_files_of_every_kind_of_model(tmp_path, suffix):
    mdp = garnet(3, 2, seed=0)
    mrp = induce(mdp, Policy.uniform(3, 2))
    for i, model in enumerate((mdp, mrp, mrp.exact())):
        path = tmp_path / f"{i}{suffix}"
        save(model, path)
        assert type(read_model(str(path)).model) is type(model)
        changed = read_model(str(path), gamma="1/4").model
        assert float(Fraction(str(changed.gamma))) == 0.25
        assert type(changed) is type(model)


def test_a_file_with_a_colon_in_its_name_is_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save(garnet(3, 2), "a:b.npz")
    assert isinstance(read_model("a:b.npz").model, MDP)


def test_weights_of_an_empirical_model_are_its_own(tmp_path):
    mrp = MRP.from_matrix([[1.0]], [1.0], 0.5)
    path = tmp_path / "m.npz"
    save(MRP(mrp.P, mrp.Pi, mrp.r, mrp.gamma, weights=[1.0]), path)
    subject = read_model(str(path), gamma="0.25")
    assert subject.weights.tolist() == [1.0]
    assert subject.model.weights.tolist() == [1.0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("garnet:8by5", "MODEL must be garnet:STATESxACTIONS or .*; got 'garnet:8by5'"),
        ("garnet:", "MODEL must be garnet:STATESxACTIONS or"),
        ("garnet:-8x5", "MODEL must be garnet:STATESxACTIONS or"),
        ("garnet:3x2x4", "branching must be at most n_states = 3; got 4"),
        ("garnet:99999x99999", "MODEL must have at most 1000000 pairs; got 'garnet:99999x99999'"),
        ("garent:8x5", r"MODEL's kind must be one of garnet, gym, zoo; got 'garent' \(did you mean 'garnet'\?\)"),
        ("zoo:bairds", r"zoo model must be one of .*; got 'bairds' \(did you mean 'baird'\?\)"),
        ("none.npz", "path must be an existing file; got 'none.npz'"),
        ("none.txt", r"MODEL must be a .npz, .json, .mat or .drn file, garnet:.*, zoo:NAME or gym:ID; got 'none.txt'$"),
        ("runs.csv", r"MODEL must be a .npz, .json, .mat or .drn file, garnet:.*, zoo:NAME or gym:ID; got 'runs.csv'$"),
        ("FrozenLake-v1", r"got 'FrozenLake-v1' \(did you mean 'gym:FrozenLake-v1'\?\)"),
        ("FrozenLake-v1?map_name=8x8", r"\(did you mean 'gym:FrozenLake-v1\?map_name=8x8'\?\)"),
        ("c1-value-bound", r"got 'c1-value-bound' \(did you mean 'zoo:c1-value-bound'\?\)"),
        ("Baird", r"got 'Baird' \(did you mean 'zoo:baird'\?\)"),
        ("garnet", r"got 'garnet' \(did you mean 'garnet:8x5x3'\?\)"),
        ("8x5", r"got '8x5' \(did you mean 'garnet:8x5'\?\)"),
    ],
)
def test_bad_models_are_refused(text, message):
    with pytest.raises(KropeError, match=message):
        read_model(text)


@pytest.mark.parametrize("text", ["x", "nan", "inf", "1/0", "1e999", ""])
def test_bad_numbers_are_refused(text):
    with pytest.raises(KropeError, match="gamma must be a number or a fraction; got"):
        fraction(text, "gamma")


def test_a_file_of_something_else_is_refused(tmp_path):
    save(Policy.uniform(2, 2), tmp_path / "pi.json")
    with pytest.raises(KropeError, match="MODEL must be a file with an MDP or a reward process; got a Policy"):
        read_model(str(tmp_path / "pi.json"))


MODEL = garnet(4, 3, seed=0)


@pytest.mark.parametrize(
    ("name", "policy"),
    [
        (None, Policy.uniform(4, 3)),
        ("uniform", Policy.uniform(4, 3)),
        ("optimal", optimal_policy(MODEL)),
        ("random", random_policy(MODEL, 5)),
        ("deterministic", random_policy(MODEL, 5, "deterministic")),
        ("epsilon-greedy", random_policy(MODEL, 5, "epsilon-greedy")),
    ],
)
def test_policies_by_name(name, policy):
    np.testing.assert_array_equal(read_process(Subject(MODEL), name, 5).q, induce(MODEL, policy).q)


def test_a_policy_from_a_file(tmp_path):
    policy, path = random_policy(MODEL, 9), tmp_path / "pi.npz"
    save(policy, path)
    np.testing.assert_array_equal(read_process(Subject(MODEL), str(path)).q, induce(MODEL, policy).q)


def test_its_own_policy_is_the_default_and_can_be_overruled():
    own = random_policy(MODEL, 9)
    np.testing.assert_array_equal(read_process(Subject(MODEL, own)).q, induce(MODEL, own).q)
    uniform = induce(MODEL, Policy.uniform(4, 3))
    np.testing.assert_array_equal(read_process(Subject(MODEL, own), "uniform").q, uniform.q)


def test_bad_policies_are_refused(tmp_path):
    with pytest.raises(KropeError, match=r"policy must be one of .*; got 'optimum' \(did you mean 'optimal'\?\)"):
        read_process(Subject(MODEL), "optimum")
    save(MODEL, tmp_path / "m.npz")
    with pytest.raises(KropeError, match=r"policy must be a file with a policy or an array \[S, A\]; got a MDP in"):
        read_process(Subject(MODEL), str(tmp_path / "m.npz"))
    with pytest.raises(
        KropeError, match="policy must not be given for a reward process, which has its own; got 'uniform'"
    ):
        read_process(read_model("zoo:two-state"), "uniform")


def test_what_counts_as_a_file(tmp_path):
    (tmp_path / "named").write_text("")
    assert is_file("missing.npz")
    assert is_file(str(tmp_path / "named"))
    assert not is_file("uniform")


def test_gymnasium_environments():
    assert read_model("gym:FrozenLake-v1").model.gamma == 0.99
    subject = read_model("gym:FrozenLake-v1?map_name=8x8", gamma="9/10")
    assert (subject.model.n_states, subject.model.gamma) == (64, 0.9)
    with pytest.raises(KropeError, match="env must be tabular"):
        read_model("gym:CartPole-v1")
