"""A small model prints as the Python that makes it; a large one does not pretend to."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from scipy import sparse

from proofs_check.strategies import mdps, mrps, rational_mrps
from tabular_krope.data.schema import fields_of
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.garnet import garnet
from tabular_krope.models.induce import induce
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP
from tabular_krope.models.policy import Policy

NAMES = {"ExactMRP": ExactMRP, "MRP": MRP, "MDP": MDP, "Policy": Policy}


def again(model):
    text = repr(model)
    assert "\n" not in text
    return eval(text, {"__builtins__": {}}, NAMES)


def assert_equal(a, b):
    (kind, first), (other, second) = fields_of(a), fields_of(b)
    assert kind == other
    assert first.keys() == second.keys()
    for name, value in first.items():
        left, right = (v.toarray() if sparse.issparse(v) else np.asarray(v) for v in (value, second[name]))
        assert (left == right).all(), name


@given(rational_mrps())
def test_rational_processes(mrp):
    assert_equal(again(mrp), mrp)


@given(mrps())
def test_float_processes(mrp):
    assert_equal(again(mrp), mrp)


@given(mdps())
def test_decision_processes(mdp):
    assert_equal(again(mdp), mdp)


def test_what_has_a_default_is_left_out():
    chain = ExactMRP.from_matrix([["1/2", "1/2"], [0, 1]], r=[1, 0], gamma="9/10")
    assert repr(chain) == "ExactMRP.from_matrix([['1/2', '1/2'], ['0', '1']], r=['1', '0'], gamma='9/10')"
    assert repr(MRP.from_matrix([[1.0]], [2.0], 0.5)) == "MRP.from_matrix([[1.0]], r=[2.0], gamma=0.5)"
    assert repr(Policy.uniform(1, 2)) == "Policy([[0.5, 0.5]])"


@pytest.mark.parametrize(
    "model",
    [
        ExactMRP.from_matrix([["1/2"]], r=[1], gamma="1/3", end=["1/2"]),
        ExactMRP.from_matrix([[1, 0], [0, 1]], r=[1, 0], gamma="1/3", d0=["1/3", "2/3"]),
        ExactMRP([[1], [1]], [["1/3", "2/3"]], r=[1, 0], gamma=0),
        MRP([[0.5], [1.0]], [[0.25, 0.75]], [1.0, 0.1], 0.3, end=[0.5, 0.0], d0=[0.25, 0.75], weights=[0.5, 0.5]),
        MDP([[[0.5], [1.0]]], [[0.1, -1.0]], 0.3, end=[[0.5, 0.0]]),
        MDP([[[1.0, 0.0]], [[0.0, 1.0]]], [[0.1], [1e-300]], 0.3, d0=[1.0, 0.0]),
        Policy([[0.1, 0.9]]),
    ],
    ids=lambda model: type(model).__name__,
)
def test_everything_that_differs_from_a_default_is_kept(model):
    assert_equal(again(model), model)


def test_large_and_sparse_models_are_summed_up():
    mdp = garnet(8, 5, seed=0)
    policy = Policy.uniform(8, 5)
    mrp = induce(mdp, policy)
    assert repr(mdp) == "<MDP of 40 pairs on 8 states, gamma = 0.99>"
    assert repr(mrp) == "<MRP of 40 pairs on 8 states, gamma = 0.99>"
    assert repr(mrp.exact()).startswith("<ExactMRP of 40 pairs on 8 states, gamma = ")
    thin = MRP(sparse.csr_array(np.eye(2)), np.eye(2), [0.0, 1.0], 0.5)
    assert repr(thin) == "<MRP of 2 pairs on 2 states, gamma = 0.5>"
    assert repr(Policy.uniform(60, 2)) == "<Policy on 60 states and 2 actions>"


def test_what_a_failing_property_prints_can_be_pasted(tmp_path):
    (tmp_path / "test_fails.py").write_text(
        "from hypothesis import Phase, given, settings\nfrom proofs_check.strategies import mrps\n"
        "@settings(phases=(Phase.generate, Phase.shrink))\n"  # explaining would trace every line
        "@given(mrps(max_states=2))\ndef test(mrp):\n    assert mrp.n_pairs < 2\n"
    )
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_fails.py"]
    shown = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True).stdout
    line = next(line for line in shown.splitlines() if line.strip(" E|").startswith("mrp=MRP"))
    pasted = eval(line.strip(" E|,").removeprefix("mrp="), {"__builtins__": {}}, NAMES)
    assert pasted.n_pairs == 2
